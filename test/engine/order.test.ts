import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allModels, fieldsOf } from '../../src/engine/catalog.ts'
import { orderOf } from '../../src/engine/order.ts'

test('rows that have no value come last, and first the other way round, in the order of any member', () => {
  let asked = 0
  for (const m of allModels)
    for (const [name, field] of fieldsOf(m)) {
      const columns = field.columns(name)
      for (const key of field.keys?.(name) ?? []) {
        if (!columns[key]?.null) continue
        asked++
        assert.match(orderOf(m, key).terms, /nulls last/, `${m.name} ${key}`)
        assert.match(orderOf(m, `-${key}`).terms, /nulls first/, `${m.name} ${key}`)
      }
    }
  assert.ok(asked > 20, `${asked}`)
})
