import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson, sortKeysByLength } from '../../src/tools/json.ts'

test('keys by length in UTF-8, then bytewise, at every depth', () => {
  for (const [value, sorted] of [
    [{ bbb: 1, a: 1, cc: 1, b: 1 }, '{"a":1,"b":1,"cc":1,"bbb":1}'],
    [{ é: 1, ab: 1, z: 1 }, '{"z":1,"ab":1,"é":1}'],
    [{ '\ufb01x': 1, '😀': 1 }, '{"\ufb01x":1,"😀":1}'],
    [[{ bb: { dd: 1, c: [{ ff: 1, e: 1 }] }, a: null }], '[{"a":null,"bb":{"c":[{"e":1,"ff":1}],"dd":1}}]'],
    [null, 'null'],
    ['x', '"x"'],
  ] as const) {
    const before = JSON.stringify(value)
    assert.equal(JSON.stringify(sortKeysByLength(value)), sorted)
    assert.equal(JSON.stringify(value), before)
  }
})

test('JSON from outside is refused where it could do harm', () => {
  for (const [text, error] of [
    ['{', /JSON/],
    ['NaN', /JSON/],
    ['{"a": Infinity}', /JSON/],
    ['', /JSON/],
    ['"\\ud800"', /surrogate/],
    ['{"\\uDC00": 1}', /surrogate/],
    ['["a\\u0000"]', /NUL/],
    ['{"\\u0000": 1}', /NUL/],
    [`${'['.repeat(65)}${']'.repeat(65)}`, /deep/],
  ] as const) {
    const parsed = parseJson(text)
    assert.match('error' in parsed ? parsed.error : 'accepted', error, text)
  }
})

test('JSON from outside is read as it is', () => {
  for (const text of [
    '1',
    '"\\ud83d\\ude00"',
    '{"a":[1,{"b":"\\\\u0000 [[["}]}',
    `${'['.repeat(64)}${']'.repeat(64)}`,
    `[${'[],'.repeat(500)}1]`,
  ]) {
    assert.deepEqual(parseJson(text), { value: JSON.parse(text) }, text)
  }
})

test('a member named __proto__ is dropped, however it is written', () => {
  for (const text of [
    '{"__proto__": {"x": 1}, "a": 1}',
    '{"\\u005f_proto__": {"x": 1}, "a": 1}',
    '{"__\\u0070roto__": {"x": 1}, "a": 1}',
  ]) {
    assert.deepEqual(Object.keys((parseJson(text) as { value: object }).value), ['a'], text)
  }
  assert.deepEqual(Object.keys((parseJson('[{"b": {"__proto__": 1}}]') as { value: [{ b: object }] }).value[0].b), [])
})
