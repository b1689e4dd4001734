import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaRefusal as refusal, schemaFault } from '../../src/rules/schemas.ts'

const schemaRefusal = (schema: unknown, value: unknown) => refusal(JSON.stringify(schema), value)

test('values are held against a schema', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'integer', minimum: 1 }, b: { enum: ['x'] } },
    required: ['a'],
    additionalProperties: false,
  }
  assert.equal(schemaRefusal(schema, { a: 1, b: 'x' }), undefined)
  for (const value of [{}, { a: 0 }, { a: 'x' }, { a: 1, b: 'y' }, { a: 1, c: 1 }, [], 'x'])
    assert.equal(typeof schemaRefusal(schema, value), 'string', JSON.stringify(value))
  assert.equal(
    schemaRefusal({ $defs: { s: { type: 'string' } }, properties: { a: { $ref: '#/$defs/s' } } }, { a: 's' }),
    undefined,
  )
  assert.equal(
    schemaRefusal({ $schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, exclusiveMinimum: true }, 1) ===
      undefined,
    false,
  )
})

test('what is no schema is refused, and a check without end is given up', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `d${i}`,
      { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]),
  )
  const [useless, endless] = [/^The schema cannot be used: /, /^The schema takes too long to check\.$/]
  const hostile: [unknown, unknown, RegExp][] = [
    ['x', 1, useless],
    [[], 1, useless],
    [null, 1, useless],
    [{ $ref: '#' }, 1, useless],
    [{ $ref: '#/nowhere' }, 1, useless],
    [{ $ref: 'http://example.org/x' }, 1, useless],
    [{ pattern: '(' }, 'x', useless],
    [{ pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`, endless],
    [{ $defs: { ...chain, d60: {} }, $ref: '#/$defs/d0' }, 1, endless],
  ]
  for (const [schema, value, refused] of hostile)
    assert.match(String(schemaRefusal(schema, value)), refused, JSON.stringify(schema).slice(0, 60))
  assert.equal(schemaRefusal({}, 1), undefined)
})

test('what is a schema', () => {
  for (const schema of [
    {},
    { properties: { a: { type: 'integer', title: 'A', default: 1 } }, required: ['a'] },
    { type: ['object', 'null'], additionalProperties: false },
    { items: { enum: ['a'] }, pattern: '^a$' },
  ]) {
    assert.equal(schemaFault(schema), undefined, JSON.stringify(schema))
  }
  for (const schema of [
    [],
    'x',
    true,
    1,
    { type: 'text' },
    { properties: { a: 1 } },
    { properties: { a: { type: 'number', minimum: 'x' } } },
    { required: 'a' },
    { pattern: '(' },
    { anyOf: [] },
    { items: { multipleOf: 0 } },
  ]) {
    assert.equal(typeof schemaFault(schema), 'string', JSON.stringify(schema))
  }
})
