import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { risingUuid } from '../../src/lib/uuid.ts'

test('a UUID that is made later is greater', async () => {
  const made: string[] = []
  for (let i = 0; i < 20; i++) {
    made.push(risingUuid())
    await setTimeout(2)
  }
  for (const uuid of made) assert.match(uuid, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  assert.deepEqual(made, made.toSorted())
  const atOnce = Array.from({ length: 1000 }, risingUuid)
  assert.equal(new Set(atOnce).size, 1000)
})
