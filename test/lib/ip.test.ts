import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  boundsOf,
  cidrsOf,
  contains,
  formatAddress,
  formatHost,
  freeCidrs,
  fromBigInt,
  isBroadcast,
  isNetworkAddress,
  networkOf,
  packHost,
  parseAddress,
  parseAddressOrMasked,
  rangeName,
  rangeOf,
  toBigInt,
  unpackHost,
} from '../../src/lib/ip.ts'

const read = (text: string): Address => parseAddress(text) ?? assert.fail(text)
const pack = (text: string): Buffer => packHost(read(text).family, read(text).bytes)

test('addresses are shown in one form', () => {
  for (const [text, shown] of [
    ['10.0.0.1', '10.0.0.1/32'],
    ['10.0.0.1/24', '10.0.0.1/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::0:1/64', '2001:db8::1/64'],
    ['::', '::/128'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1/128'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1/128'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3/128'],
    ['::ffff:1.2.3.4', '::ffff:1.2.3.4/128'],
    ['::FFFF:0102:0304/96', '::ffff:1.2.3.4/96'],
    ['::1.2.3.4', '::102:304/128'],
    ['64:ff9b::10.0.0.1', '64:ff9b::a00:1/128'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304/128'],
  ] as const) {
    assert.equal(formatAddress(read(text)), shown)
  }
})

test('only strict forms are addresses', () => {
  for (const text of [
    '',
    '10.0.0',
    '10.0.0.256',
    '10.0.0.1/33',
    '10.0.0.1/',
    '10.0.0.1/-1',
    '10.0.0.1/+8',
    '10.0.0.1/255.0.0.0',
    '10.0.0.1/24/8',
    '1',
    '0x7f.0.0.1',
    '010.0.0.1',
    '10.0.0.1.',
    'fe80::1%eth0',
    ':::',
    '1::2::3',
    '12345::',
    '::g',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '::/129',
    '[::1]',
    '::01.2.3.4',
    '::ffff:0x1.2.3.4',
    '::ffff:300.1.1.1',
    '1:2:3:4:5:6:7:1.2.3.4',
    '1.2.3.4::',
  ]) {
    assert.equal(parseAddress(text), undefined, text)
  }
})

test('a query may give a dotted mask', () => {
  assert.deepEqual(parseAddressOrMasked('10.0.0.1/255.255.255.0'), parseAddress('10.0.0.1/24'))
  assert.deepEqual(parseAddressOrMasked('::1/64'), parseAddress('::1/64'))
  for (const text of ['10.0.0.1/255.0.255.0', '10.0.0.1/255.255.0', '::1/255.0.0.0.0'])
    assert.equal(parseAddressOrMasked(text), undefined)
})

test('packed order is address order, IPv4 first', () => {
  const sorted = [
    '0.0.0.0',
    '9.255.255.255',
    '10.0.0.2',
    '10.0.0.10',
    '255.255.255.255',
    '::',
    '::1',
    '2001:db8::',
    'ffff::',
  ]
  assert.deepEqual(
    sorted
      .map(pack)
      .reverse()
      .sort(Buffer.compare)
      .map((b) => formatHost(unpackHost(b))),
    sorted,
  )
})

test('networks, their ends, and what lies in them', () => {
  for (const [text, network, first, last] of [
    ['10.1.2.3/20', '10.1.0.0/20', '10.1.0.0', '10.1.15.255'],
    ['10.1.2.3/32', '10.1.2.3/32', '10.1.2.3', '10.1.2.3'],
    ['10.1.2.3/0', '0.0.0.0/0', '0.0.0.0', '255.255.255.255'],
    ['2001:db8::5/64', '2001:db8::/64', '2001:db8::', '2001:db8::ffff:ffff:ffff:ffff'],
  ] as const) {
    assert.equal(formatAddress(networkOf(read(text))), network)
    assert.deepEqual(rangeOf(read(text)), { first: pack(first), last: pack(last) })
    assert.deepEqual(boundsOf(read(text)), { first: toBigInt(read(first).bytes), last: toBigInt(read(last).bytes) })
  }
  for (const [network, address, inside] of [
    ['10.0.0.0/8', '10.1.0.0/16', true],
    ['10.0.0.0/8', '10.0.0.0/8', true],
    ['10.1.0.0/16', '10.0.0.0/8', false],
    ['10.0.0.0/8', '11.0.0.0/16', false],
    ['::/0', '10.0.0.0/8', false],
  ] as const) {
    assert.equal(contains(read(network), read(address)), inside, `${network} ${address}`)
  }
  assert.deepEqual(
    ['10.0.0.255/24', '10.0.0.254/24', '::ffff/112'].map((t) => isBroadcast(read(t))),
    [true, false, false],
  )
  assert.deepEqual(
    ['10.0.0.0/24', '10.0.0.1/24', '2001:db8::/64'].map((t) => isNetworkAddress(read(t))),
    [true, false, true],
  )
})

test('numbers and bytes', () => {
  for (const text of ['0.0.0.0', '10.0.0.1', '::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff']) {
    const a = read(text)
    assert.deepEqual([...fromBigInt(a.family, toBigInt(a.bytes))], [...a.bytes])
  }
})

test('the fewest networks that cover a range', () => {
  for (const [first, last, cover] of [
    ['10.0.0.0', '10.0.0.255', ['10.0.0.0/24']],
    ['10.0.0.1', '10.0.0.6', ['10.0.0.1/32', '10.0.0.2/31', '10.0.0.4/31', '10.0.0.6/32']],
    ['0.0.0.0', '255.255.255.255', ['0.0.0.0/0']],
    ['::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['::/0']],
    ['::1', '::3', ['::1/128', '::2/127']],
  ] as const) {
    const family = read(first).family
    assert.deepEqual(cidrsOf(family, toBigInt(read(first).bytes), toBigInt(read(last).bytes)).map(formatAddress), cover)
  }
})

test('what is left of a network', () => {
  for (const [network, used, free] of [
    ['10.0.0.0/24', [], ['10.0.0.0/24']],
    ['10.0.0.0/24', ['10.0.0.0/24'], []],
    ['10.0.0.0/24', ['10.0.0.0/8'], []],
    ['10.0.0.0/24', ['10.0.1.0/24', '::/0'], ['10.0.0.0/24']],
    ['10.0.0.0/24', ['10.0.0.128/25', '10.0.0.64/26', '10.0.0.192/26', '10.0.0.65/32'], ['10.0.0.0/26']],
    ['10.0.0.0/29', ['10.0.0.3/32'], ['10.0.0.0/31', '10.0.0.2/32', '10.0.0.4/30']],
    ['255.255.255.0/24', ['255.255.255.128/25'], ['255.255.255.0/25']],
    ['2001:db8::/32', ['2001:db8::/33'], ['2001:db8:8000::/33']],
  ] as const) {
    assert.deepEqual(freeCidrs(read(network), used.map(read)).map(formatAddress), free, `${network} without ${used}`)
  }
})

test('ranges in short', () => {
  for (const [first, last, name] of [
    ['10.0.0.100/24', '10.0.0.110/24', '10.0.0.100-110/24'],
    ['10.0.0.100/16', '10.0.1.5/16', '10.0.0.100-1.5/16'],
    ['2001:db8::1/64', '2001:db8::ff/64', '2001:db8::1-ff/64'],
  ] as const) {
    assert.equal(rangeName(first, last), name)
  }
})
