import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkConditions, meets } from '../../src/rules/conditions.ts'
import { compileGlob } from '../../src/lib/glob.ts'

const site = {
  name: 'Berlin 1',
  status: { value: 'active' },
  count: 3,
  region: null,
  tags: [{ slug: 'hot' }, { slug: 'new' }],
  asns: [1, 2],
}

test('conditions over an object', () => {
  for (const [conditions, wanted] of [
    [null, true],
    [{}, true],
    [{ attr: 'name', value: 'Berlin 1' }, true],
    [{ attr: 'name', value: 'berlin 1' }, false],
    [{ attr: 'name', op: 'neq', value: 'x' }, true],
    [{ attr: 'count', op: 'gt', value: 2 }, true],
    [{ attr: 'count', op: 'gte', value: 3 }, true],
    [{ attr: 'count', op: 'lt', value: 3 }, false],
    [{ attr: 'count', op: 'lte', value: 3 }, true],
    [{ attr: 'status.value', op: 'in', value: ['active', 'planned'] }, true],
    [{ attr: 'status.value', op: 'in', value: ['planned'], negate: true }, true],
    [{ attr: 'tags.slug', op: 'contains', value: 'hot' }, true],
    [{ attr: 'name', op: 'contains', value: 'lin' }, true],
    [{ attr: 'asns', value: [1, 2] }, true],
    [{ attr: 'name', op: 'regex', value: 'B.*1$' }, true],
    [{ attr: 'name', op: 'regex', value: 'erlin' }, false],
    [{ attr: 'region', value: null }, true],
    // What is not there, or cannot be compared, meets nothing.
    [{ attr: 'nothing', value: 1, negate: true }, false],
    [{ attr: 'region.name', op: 'neq', value: 'x' }, false],
    [{ attr: 'name', op: 'gt', value: 1 }, false],
    [{ attr: 'count', op: 'contains', value: 1 }, false],
    [
      {
        and: [
          { attr: 'count', value: 3 },
          {
            or: [
              { attr: 'count', value: 4 },
              { attr: 'name', op: 'contains', value: 'Berlin' },
            ],
          },
        ],
      },
      true,
    ],
    [{ or: [{ attr: 'count', value: 4 }] }, false],
  ] as const) {
    if (conditions) assert.equal(checkConditions(conditions), undefined, JSON.stringify(conditions))
    assert.equal(meets(conditions, site), wanted, JSON.stringify(conditions))
  }
})

test('what is no condition is refused', () => {
  for (const value of [
    [],
    'x',
    { and: [] },
    { and: {} },
    { and: [{}] },
    { and: [{ attr: 'a', value: 1 }], or: [] },
    { attr: 'a' },
    { attr: '', value: 1 },
    { attr: 'a', value: {} },
    { attr: 'a', value: 1, op: 'is' },
    { attr: 'a', value: 'x', op: 'gt' },
    { attr: 'a', value: 1, op: 'in' },
    { attr: 'a', value: '(', op: 'regex' },
    { attr: 'a', value: 1, negate: 'yes' },
    { attr: 'a', value: 1, op: 'toString' },
    { not: [] },
  ]) {
    assert.equal(typeof checkConditions(value), 'string', JSON.stringify(value))
  }
})

test('shell patterns', () => {
  for (const [pattern, text, wanted] of [
    ['*.txt', 'a/b.txt', true],
    ['*.txt', 'a.txts', false],
    ['?.md', 'a.md', true],
    ['[ab].x', 'b.x', true],
    ['[!ab].x', 'b.x', false],
    ['a+(b).c', 'a+(b).c', true],
    ['[', '[', true],
    ['a.c', 'abc', false],
  ] as const) {
    assert.equal(compileGlob(pattern)(text), wanted, `${pattern} ${text}`)
  }
})
