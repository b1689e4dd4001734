import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Costs, kindOf } from '../../src/server/costs.ts'

/** What is expected of a kind after requests that took these milliseconds. */
function after(...times: number[]): number | undefined {
  const costs = new Costs()
  for (const ms of times) costs.note('GET', ms)
  return costs.of('GET')
}

test('of a kind that was never asked for nothing is known, and the first of it counts in part', () => {
  assert.equal(after(), undefined)
  assert.equal(after(20), 5)
  assert.equal(after(1), 0.25)
})

test('a single slow one says nothing of its kind, wherever it stands', () => {
  assert.equal(after(20, 1), 1)
  assert.equal(after(20, 1, 1, 1), 1)
  assert.equal(after(1, 1, 20, 1), 1)
  assert.equal(after(1, 1, 1, 20), 1)
})

test('a kind that is slow is known to be, and stays so for a while when some of its requests are quick', () => {
  assert.equal(after(20, 20), 20)
  assert.equal(after(20, 30, 1, 1), 18)
  assert.ok(after(20, 20, ...Array.from({ length: 100 }, () => 1))! < 2)
})

test('a read that took long once is known for it, since another thread has kept nothing of it; a write is not', () => {
  const after = (kind: string, quick = 3) => {
    const costs = new Costs()
    for (const ms of [1, 60, ...Array.from({ length: quick }, () => 1)]) costs.note(kind, ms)
    return costs.of(kind)
  }
  assert.deepEqual(
    ['GET /a/', 'HEAD /a/', 'DELETE /a/', 'POST /GET /'].map((kind) => after(kind)),
    [100, 100, 1, 1],
  )
  assert.equal(after('GET /a/', 300), 1, 'until many were quick')
})

test('requests are of one kind whatever they look for, and of another by what order and how much they ask for', () => {
  const kinds = (...queries: string[]) => new Set(queries.map((query) => kindOf('GET', `/api/dcim/devices/?${query}`)))
  assert.equal(kinds('q=a&limit=50', 'q=b&limit=99').size, 1)
  assert.equal(kinds('q=a', 'name=a', 'q=a&limit=50', 'q=a&limit=500').size, 4)
  assert.equal(kinds('ordering=name', 'ordering=-name', 'ordering=serial', 'sort=name').size, 4)
})
