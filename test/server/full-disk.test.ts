import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const client = await serve()
const { call, running } = client
const { raw } = running.store.db

/** As if the disk were full: the file cannot grow; answers how it can again. */
function filled(): () => void {
  raw.pragma(`max_page_count = ${raw.pragma('page_count', { simple: true })}`)
  return () => raw.pragma('max_page_count = 4294967294')
}
const site = (name: string) => ({ name, slug: name, comments: name.repeat(100_000) })

test('where the disk is full, writes are refused whole, by API and pages, and go on once there is room', async () => {
  const browser = await login(client)
  const empty = filled()
  const many = await call('POST', '/api/dcim/sites/', [site('a'), site('b'), site('c')])
  assert.equal(many.status, 507)
  assert.match(many.json.detail, /disk .* full/)
  const page = await browser.post('/dcim/sites/add/', { ...site('d'), status: 'active' })
  assert.equal(page.status, 507)
  assert.match(page.text, /Disk full/)
  assert.equal((await call('GET', '/api/dcim/sites/')).json.count, 0)
  empty()
  assert.equal((await call('POST', '/api/dcim/sites/', [site('a'), site('b')])).status, 201)
  assert.equal((await call('GET', '/api/core/object-changes/?changed_object_type=dcim.site')).json.count, 2)
})
