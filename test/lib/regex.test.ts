import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lru } from '../../src/lib/lru.ts'
import { compileRegex, RegexTooSlow } from '../../src/lib/regex.ts'

test('patterns are searched for, not matched in full', () => {
  for (const [pattern, text, insensitive, found] of [
    ['b+', 'abbc', false, true],
    ['^b', 'abbc', false, false],
    ['B', 'abbc', false, false],
    ['B', 'abbc', true, true],
    ['^$', '', false, true],
    ['[[:digit:]]{2}', 'x42', false, true],
    ['É', 'é', true, true],
  ] as const) {
    assert.equal(compileRegex(pattern, { insensitive })!(text), found, `${pattern} ${text}`)
  }
})

test('a point stands for the end of a line only where that is asked; ends of the text are no ends of lines', () => {
  const found = (pattern: string, acrossLines: boolean) => compileRegex(pattern, { acrossLines })!('a\nb')
  assert.deepEqual([found('a.b', true), found('a.b', false)], [true, false])
  for (const acrossLines of [true, false]) {
    assert.equal(found('^b', acrossLines), false)
    assert.equal(found('a$', acrossLines), false)
  }
  assert.equal(compileRegex('A.B', { acrossLines: true, insensitive: true })!('a\nb'), true)
})

test('invalid patterns, and those that only backtracking could match, are refused', () => {
  for (const pattern of ['(', '[', 'a**', '\\1', 'a(?=b)', 'a'.repeat(3000)]) {
    assert.equal(compileRegex(pattern), undefined, pattern)
    assert.equal(compileRegex(pattern), undefined, `${pattern} again, from the cache`)
  }
})

test('regular expressions cannot hang', () => {
  const evil = compileRegex('(a+)+$')!
  assert.equal(evil(`${'a'.repeat(5000)}b`), false)
})

test('a small map forgets what was not used for longest', () => {
  const map = new Lru<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  assert.equal(map.get('a'), 1)
  map.set('c', 3)
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [1, undefined, 3])
  map.delete('a')
  assert.equal(map.get('a'), undefined)
})

test('a pattern that would take long for a text is not begun', () => {
  const [large, small] = [compileRegex('[ab]*a[ab]{300}[cd]')!, compileRegex('b$')!]
  const text = 'a'.repeat(2_400_000)
  assert.throws(() => large(text), RegexTooSlow)
  assert.equal(large('a'.repeat(1000)), false)
  assert.equal(small(text), false)
})
