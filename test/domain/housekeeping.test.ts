import assert from 'node:assert/strict'
import { test } from 'node:test'
import { housekeep } from '../../src/domain/housekeeping.ts'
import { serve } from '../support/server.ts'

const { call, running } = await serve({ changelogRetention: 30 })

test('change records go when they are older than the retention, and not before', async () => {
  await call('POST', '/api/dcim/sites/', { name: 'A', slug: 'a' })
  const count = async () => (await call('GET', '/api/core/object-changes/')).json.count
  const before = await count()
  await housekeep(running.store)
  assert.equal(await count(), before)
  await housekeep(running.store, Date.now() + 31 * 86_400_000)
  assert.equal(await count(), 0)
})
