import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Costs } from '../../src/server/costs.ts'

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
