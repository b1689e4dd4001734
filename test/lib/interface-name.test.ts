import assert from 'node:assert/strict'
import { test } from 'node:test'
import { interfaceNameKey, naturalizeDigits } from '../../src/lib/interface-name.ts'

const none = '9999'

test('parts of an interface name, in the order that they sort by', () => {
  for (const [name, key] of [
    ['eth', `${none.repeat(4)}eth${'.'.repeat(18)}`],
    ['eth7', `${none.repeat(4)}eth000007${'.'.repeat(12)}`],
    ['xe-0/1/2', `00000001${none.repeat(2)}xe-000002${'.'.repeat(12)}`],
    ['Te2/3', `0002${none.repeat(3)}Te000003${'.'.repeat(12)}`],
    ['Te1/2/3/4/5:6.7', '0001000200030004Te000005000006000007'],
    ['ae0.300', `${none.repeat(4)}ae000000${'.'.repeat(6)}000300`],
    ['Slot 3 (left 2)', `${none.repeat(4)}Slot 000003${'.'.repeat(12)} (left 00000002)`],
    ['port1-p12', `${none.repeat(4)}port000001${'.'.repeat(12)}-p00000012`],
  ] as const) {
    assert.equal(interfaceNameKey(name), key, name)
  }
})

test('keys are cut to a length', () => {
  assert.equal(interfaceNameKey('Te1/2/3', 20), `00010002${none.repeat(2)}Te00`)
  assert.equal(interfaceNameKey('x'.repeat(200)).length, 100)
})

test('interface names sort by slot, kind and number', () => {
  const sorted = ['Gi1/0/2', 'Gi1/0/2.100', 'Gi1/0/10', 'Gi2/0/1', 'Ethernet2', 'Ethernet10', 'lo0']
  const byKey = (a: string, b: string) => (interfaceNameKey(a) < interfaceNameKey(b) ? -1 : 1)
  assert.deepEqual([...sorted].reverse().sort(byKey), sorted)
})

test('runs of digits are padded', () => {
  assert.equal(naturalizeDigits('a1b22c'), 'a00000001b00000022c')
  assert.equal(naturalizeDigits('123456789'), '123456789')
})
