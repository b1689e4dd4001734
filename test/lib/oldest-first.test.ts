import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OldestFirst } from '../../src/lib/oldest-first.ts'

test('entries come in the order in which they were added, those that are added once more after all others', () => {
  const all = new Set([1, 2, 3])
  const oldest = new OldestFirst(() => all.values())
  assert.equal(oldest.next(), 1)
  all.delete(1)
  all.add(1)
  all.delete(2)
  assert.equal(oldest.next(), 3)
  all.delete(3)
  all.add(4)
  assert.equal(oldest.next(), 1)
  all.delete(1)
  assert.equal(oldest.next(), 4)
  all.delete(4)
  assert.equal(oldest.next(), undefined)
  all.add(5)
  assert.equal(oldest.next(), 5)
})

test('where nothing has to go it keeps nothing of what went', () => {
  let begun = 0
  const all = new Set([1, 2])
  const oldest = new OldestFirst(() => {
    begun++
    return all.values()
  })
  oldest.next()
  for (let i = 0; i < 60; i++) oldest.rest()
  oldest.next()
  assert.equal(begun, 1)
  for (let i = 0; i < 70; i++) oldest.rest()
  assert.equal(oldest.next(), 1)
  assert.equal(begun, 2)
})
