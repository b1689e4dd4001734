import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { launch } from '../support/launch.ts'
import { openDatabase } from '../../src/lib/addons.ts'
import { AdminToken } from '../support/server.ts'

const names = async (base: string): Promise<string[]> => {
  const reply = await fetch(`${base}/api/extras/reports/`, { headers: { authorization: `Token ${AdminToken}` } })
  return ((await reply.json()) as { results: { id: number; name: string }[] }).results.map(({ name }) => name)
}

test('an upgraded folder gets the reports that a new one begins with, once', async () => {
  const server = await launch()
  const begun = await names(server.base)
  assert.ok(begun.length >= 3, begun.join())
  await server.running.close()
  const db = openDatabase(join(server.data, 'cabinet.db'))
  db.exec("drop table extras_report; delete from migration where tag = '0006_reports'") // as an older release left it
  db.exec("delete from sqlite_sequence where name = 'extras_report'")
  db.close()
  const upgraded = await launch({ data: server.data })
  assert.deepEqual(await names(upgraded.base), begun)
  const headers = { authorization: `Token ${AdminToken}`, 'content-type': 'application/json' }
  const changes = await fetch(`${upgraded.base}/api/core/object-changes/?changed_object_type=extras.report`, {
    headers,
  })
  assert.equal(((await changes.json()) as { count: number }).count, 0, 'nobody made them')
  const all = (await (await fetch(`${upgraded.base}/api/extras/reports/`, { headers })).json()) as {
    results: { id: number }[]
  }
  const gone = await fetch(`${upgraded.base}/api/extras/reports/`, {
    method: 'DELETE',
    headers,
    body: JSON.stringify(all.results.map(({ id }) => ({ id }))),
  })
  assert.equal(gone.status, 204)
  await upgraded.running.close()
  const again = await launch({ data: server.data })
  assert.deepEqual(await names(again.base), [], 'who deleted them does not get them back')
  await again.close()
})
