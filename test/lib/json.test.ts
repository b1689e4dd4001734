import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExact, spreadExact, stringifyExact } from '../../src/lib/exact-json.ts'
import { parseJson, sortKeysByLength } from '../../src/lib/json.ts'

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

test('numbers come out as they went in', () => {
  for (const [text, out = text] of [
    ['{"a":1.0,"b":[2.50,-0.0,1],"c":{"d":0.0}}', '{"a":1.0,"b":[2.5,-0.0,1],"c":{"d":0.0}}'],
    ['{"a":1e2,"b":1E+3,"c":1.5e1}', '{"a":100.0,"b":1000.0,"c":15.0}'],
    ['{"a":12345678901234567890,"b":-9007199254740993}'],
    ['{"a":9007199254740991,"b":0.1,"c":1e-7}'],
    ['["10.0.0.0/8, 1.0, 2",{"x":"1.0"}]'],
  ] as const) {
    const value = parseExact(text)
    assert.equal(stringifyExact(value), out)
    assert.equal(stringifyExact(sortKeysByLength(value)), out)
    assert.equal(typeof (value as { a?: unknown }).a, text.startsWith('[') ? 'undefined' : 'number')
  }
  const one = parseExact('{"a":1.0,"b":1.0}') as Record<string, unknown>
  one.a = 2
  assert.equal(stringifyExact(one), '{"a":2,"b":1.0}', 'a note is of the number it was made of')
  assert.equal(stringifyExact(spreadExact(one, parseExact('{"b":1,"c":3.0}') as object)), '{"a":2,"b":1,"c":3.0}')
  assert.equal(stringifyExact(parseExact('{"a":1.0}'), 1), '{\n "a": 1.0\n}')
})
