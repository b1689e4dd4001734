import assert from 'node:assert/strict'
import { test } from 'node:test'
import { housekeep } from '../../src/services/housekeeping.ts'
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

test('however many there are, they go in pieces, and none is left', async () => {
  const tags = Array.from({ length: 450 }, (_, i) => ({ name: `T${i}`, slug: `t${i}` }))
  await call('POST', '/api/extras/tags/', tags)
  const count = async () => (await call('GET', '/api/core/object-changes/')).json.count
  assert.equal(await count(), 450)
  const later = Date.now() + 31 * 86_400_000
  assert.equal(await housekeep(running.store, later, () => true), 0)
  assert.equal(await housekeep(running.store, later), 450)
  assert.equal(await count(), 0)
})

test('jobs go when they have ended and are older than their retention', async () => {
  const id = (await call('POST', '/api/core/data-sources/', { name: 'S', type: 'local', source_url: '/nonexistent' }))
    .json.id
  await call('POST', `/api/core/data-sources/${id}/sync/`)
  const statuses = async () => (await call('GET', '/api/core/jobs/')).json.results.map((job: any) => job.status.value)
  while ((await statuses())[0] !== 'failed') await new Promise((resolve) => setTimeout(resolve, 10))
  await call('PATCH', `/api/core/data-sources/${id}/`, { sync_interval: 60 })
  while ((await statuses()).length < 3) await new Promise((resolve) => setTimeout(resolve, 10))
  await housekeep(running.store, Date.now() + 89 * 86_400_000)
  assert.deepEqual(await statuses(), ['scheduled', 'failed', 'failed'])
  await housekeep(running.store, Date.now() + 91 * 86_400_000)
  assert.deepEqual(await statuses(), ['scheduled'])
})
