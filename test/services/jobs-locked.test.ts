import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDatabase } from '../../src/lib/addons.ts'
import { receive } from '../support/receiver.ts'
import { creating, serve } from '../support/server.ts'
import { until } from '../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'cabinet-locked-'))
after(() => rmSync(folder, { recursive: true }))
const client = await serve({ dataSourcePaths: [folder], webhookBackoff: 0.2 })
const { call, running, data } = client
const create = creating(client)
/** Another process, as far as SQLite's locks go. */
const other = openDatabase(join(data, 'cabinet.db'), { timeout: 0 })
const states = async () =>
  (await call('GET', '/api/core/jobs/?limit=0')).json.results.map((job: any) => job.status.value as string)

/** Another process holds the database, which writes do not wait for long; `free` ends that. */
function hold(): void {
  running.store.commit.maxWait = 50
  other.exec('begin immediate')
}
function free(): void {
  other.exec('commit')
  running.store.commit.maxWait = 5000
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('what was delivered while the database was held is noted later, and what was due is delivered then', async () => {
  const receiver = await receive()
  const webhook = await create('extras/webhooks', { name: 'W', payload_url: receiver.url })
  await create('extras/event-rules', {
    name: 'W',
    object_types: ['dcim.site'],
    event_types: ['object_created'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook.id,
  })
  let answered = 0
  receiver.answer = () => (++answered === 1 ? 500 : 200)
  await create('dcim/sites', { name: 'A', slug: 'a' })
  await until(async () => (await states()).join() === 'scheduled')
  hold()
  await pause(600) // it comes due meanwhile
  free()
  await until(async () => (await states()).join() === 'completed')
  assert.equal(answered, 2)
  // The next one is on its way when the database is taken: it is delivered once, though that is noted late.
  receiver.answer = () => {
    hold()
    answered++
    return 200
  }
  await create('dcim/sites', { name: 'B', slug: 'b' })
  await until(() => answered === 3)
  await pause(300)
  free()
  await until(async () => (await states()).every((state: string) => state === 'completed'))
  assert.equal(answered, 3)
})

test('a source that cannot be synchronized as the database is held is synchronized after it', async () => {
  writeFileSync(join(folder, 'a.yaml'), 'a: 1\n')
  const { id } = await create('core/data-sources', { name: 'S', type: 'local', source_url: `file://${folder}` })
  await call('POST', `/api/core/data-sources/${id}/sync/`)
  hold()
  await pause(300)
  free()
  await until(async () => (await call('GET', `/api/core/data-sources/${id}/`)).json.status.value === 'completed')
})
