import assert from 'node:assert/strict'
import { test } from 'node:test'
import { naturalKey } from '../../src/lib/natural-sort.ts'

const collator = new Intl.Collator('und', { numeric: true })
const compare = (a: string, b: string): number => Math.sign(Buffer.compare(naturalKey(a), naturalKey(b)))

/** Pairs whose keys do not order as the collator orders them. */
const wrong = (pairs: Iterable<readonly [string, string]>): string[] =>
  [...pairs]
    .filter(([a, b]) => compare(a, b) !== Math.sign(collator.compare(a, b)))
    .map(([a, b]) => `${JSON.stringify(a)} ${JSON.stringify(b)}`)
    .slice(0, 20)

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))
const latin = range(1, 0xffff).filter((c) => /\p{Script=Latin}/u.test(c))
const marks = [
  ...range(1, 0xff),
  ...range(0x2b0, 0x2ff),
  ...range(0x2010, 0x2029),
  ...range(0x202f, 0x205e),
  ...range(0x20a0, 0x20c1),
].filter((c) => !/\p{L}/u.test(c))
const combining = range(0x300, 0x36f).filter((c) => c !== '\u034f')

let seed = 20
const random = (n: number): number => {
  seed = (seed * 48271) % 2147483647
  return seed % n
}
const words = (alphabet: readonly string[], length: number): string =>
  Array.from({ length: 1 + random(length) }, () => alphabet[random(alphabet.length)]!).join('')
const pairs = (alphabet: readonly string[], count: number, length = 8) =>
  Array.from({ length: count }, () => [words(alphabet, length), words(alphabet, length)] as const)

test('every Latin letter and usual mark sorts next to its neighbours as the root collation does', () => {
  const chars = [...latin, ...marks, ...combining].sort(collator.compare)
  assert.deepEqual(wrong(chars.slice(1).map((c, i) => [chars[i]!, c] as const)), [])
  assert.deepEqual(wrong(chars.slice(1).map((c, i) => [`x${chars[i]}Z`, `X${c}z`] as const)), [])
})

test('thousands of random texts', () => {
  const ascii = range(1, 0x7e)
  for (const alphabet of [
    ascii,
    [...'abABzZ019 -_/.'],
    [...'aàáâÄåAÅeéEÉæÆøØoöŁłlßs'],
    [...range(0xa0, 0xff), ...'aeo1'],
    [...latin, ...'aeiou1'],
    [...combining, ...'aAbB'],
    [...'a²½ﬁ10２٢９'],
    ['Ethernet', 'Gi', '0', '1', '10', '007', '/', ':', '.', ' ', '-', 'é', 'E'],
  ]) {
    assert.deepEqual(wrong(pairs(alphabet, 4000)), [])
    assert.deepEqual(wrong(pairs(alphabet, 2000, 2)), [])
  }
})

test('runs of usual letters of any length before an unusual one', () => {
  const long = (n: number, tail: string) => 'a'.repeat(n) + tail
  for (const n of [1, 2, 62, 63, 64, 65, 126, 127, 300]) {
    for (const [a, b] of [
      ['B', 'b'],
      ['é', 'e'],
      ['é', 'É'],
      ['Ba', 'bA'],
      ['éa', 'eá'],
    ] as const) {
      assert.deepEqual(
        wrong([
          [long(n, a), long(n, b)],
          [`${long(n, a)}A`, `${long(n, b)}A`],
        ]),
        [],
      )
    }
    assert.deepEqual(wrong([[`A${long(n, 'B')}`, `A${long(n + 1, '').slice(1)}b`]]), [])
  }
})

test('numbers by value, of any length', () => {
  const numbers = [
    '0',
    '00',
    '1',
    '9',
    '09',
    '10',
    '99',
    '100',
    '0100',
    '1e3',
    '4294967296',
    '9'.repeat(29),
    `1${'0'.repeat(29)}`,
    `1${'0'.repeat(30)}`,
    '8'.repeat(254),
    '8'.repeat(255),
    `1${'0'.repeat(300)}`,
  ]
  for (const a of numbers) assert.deepEqual(wrong(numbers.map((b) => [`p${a}`, `p${b}`] as const)), [])
})

test('other scripts follow Latin by code point, without case at first', () => {
  for (const [a, b] of [
    ['z', 'а'],
    ['zz', 'α'],
    ['α', 'β'],
    ['αβ', 'Αγ'],
    ['α', 'Α'],
    ['я', '中'],
    ['☃', '1'],
    ['$', '☃'],
    ['😀', '0'],
    ['中', '文'],
    ['中', '\ud800'],
  ] as const) {
    assert.equal(compare(a, b), -1, `${a} ${b}`)
  }
})

test('plain names have one byte a character', () => {
  for (const name of ['ethernet', 'core switch', 'rack-12', 'r1'])
    assert.ok(naturalKey(name).length <= name.length, name)
  assert.equal(naturalKey('x'.repeat(2000)).length, 2000)
  assert.equal(naturalKey('').length, 0)
  assert.equal(naturalKey('Rack').length, 'Rack'.length + 3)
})
