import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expand, PatternError } from '../../src/lib/pattern.ts'

const cases: readonly (readonly [pattern: string, texts: string[]])[] = [
  ['eth0', ['eth0']],
  ['', ['']],
  ['Gi1/0/[1-3]', ['Gi1/0/1', 'Gi1/0/2', 'Gi1/0/3']],
  ['p[08-11]', ['p08', 'p09', 'p10', 'p11']],
  ['p[8-10]', ['p8', 'p9', 'p10']],
  ['p[0-2]x', ['p0x', 'p1x', 'p2x']],
  ['[a-c]', ['a', 'b', 'c']],
  ['[A-B]', ['A', 'B']],
  ['[ge,xe]-0', ['ge-0', 'xe-0']],
  ['p[1,3,5-6]', ['p1', 'p3', 'p5', 'p6']],
  ['p[,a]', ['p', 'pa']],
  ['[1-2]/[a-b]', ['1/a', '1/b', '2/a', '2/b']],
  ['Gi{module}/0/[1-2]', ['Gi{module}/0/1', 'Gi{module}/0/2']],
  ['[x]', ['[x]']],
  ['[A-side]', ['[A-side]']],
  ['[a-Z]', ['[a-Z]']],
  ['a[1-2', ['a[1-2']],
  ['[]', ['[]']],
  [
    '[{"rear_port": 5, "rear_port_position": [1-2]}]',
    ['[{"rear_port": 5, "rear_port_position": 1}]', '[{"rear_port": 5, "rear_port_position": 2}]'],
  ],
]
for (const [pattern, texts] of cases)
  test(`"${pattern}" stands for ${texts.length}`, () => assert.deepEqual(expand(pattern), texts))

test('patterns that end before they begin, or stand for too many, are refused before anything is made', () => {
  for (const pattern of [
    '[9-1]',
    '[d-a]',
    '[1-1001]',
    '[0-999999999]',
    '[1-9999999999]',
    '[1-50]/[1-50]',
    '[1-9]'.repeat(40),
  ])
    assert.throws(() => expand(pattern), PatternError, pattern)
  assert.equal(expand('[1-1000]').length, 1000)
  assert.throws(() => expand('[1-11]', 10), PatternError)
})
