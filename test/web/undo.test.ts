import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const client = await serve()
const { call } = client
const create = creating(client)
const admin = await login(client)
const changeOf = async (reply: { headers: Headers }): Promise<number> =>
  (await call('GET', `/api/core/object-changes/?request_id=${reply.headers.get('x-request-id')}`)).json.results[0].id
const hostile = '<script>alert(1)</script>'

test('a request is taken back from its page, after a look at what that does', async () => {
  const site = await create('dcim/sites', { name: 'One', slug: 'one', description: hostile })
  const id = await changeOf(await call('PATCH', `/api/dcim/sites/${site.id}/`, { description: 'second' }))
  const page = await admin.get(`/core/changelog/${id}/`)
  assert.match(page.text, new RegExp(`href="/core/changelog/${id}/undo/"`))
  const asked = await admin.get(`/core/changelog/${id}/undo/`)
  assert.equal(asked.status, 200)
  assert.match(asked.text, /Description: <del>second<\/del> → <ins>&lt;script&gt;/)
  const filled = await changeOf(await call('PATCH', `/api/dcim/sites/${site.id}/`, { facility: 'B12' }))
  assert.match((await admin.get(`/core/changelog/${filled}/undo/`)).text, /Facility: <del>B12<\/del> → <ins>—<\/ins>/)
  assert.ok(!asked.text.includes(hostile))
  assert.equal((await call('GET', `/api/dcim/sites/${site.id}/`)).json.description, 'second', 'a look changes nothing')
  const done = await admin.post(`/core/changelog/${id}/undo/`, { changelog_message: 'a mistake' })
  assert.match(done.location ?? '', /\/core\/changelog\/\?request_id=/, done.text)
  assert.equal((await call('GET', `/api/dcim/sites/${site.id}/`)).json.description, hostile)
  const record = (await call('GET', `/api/core/object-changes/?limit=1&changed_object_id=${site.id}`)).json.results[0]
  assert.equal(record.message, 'a mistake')
})

test('collisions are shown with their three values, and decided one by one', async () => {
  const site = await create('dcim/sites', { name: 'Two', slug: 'two', description: 'first', facility: 'old' })
  const path = `/api/dcim/sites/${site.id}/`
  const id = await changeOf(await call('PATCH', path, { description: 'second', facility: 'new' }))
  await call('PATCH', path, { description: 'third' })
  const undo = `/core/changelog/${id}/undo/?only=1`
  const asked = await admin.get(undo)
  for (const [label, value] of [
    ['It would become', 'first'],
    ['The request left', 'second'],
    ['It is now', 'third'],
  ])
    assert.match(asked.text, new RegExp(`<td data-label="${label}">${value}</td>`))
  const key = `dcim.site:${site.id}.description`
  assert.ok(asked.text.includes(`value="force ${key}"`) && asked.text.includes(`value="leave ${key}"`))
  assert.equal((await admin.post(undo, {})).status, 409)
  const trial = await admin.post(undo, { _again: '1', 'decide-0': `leave ${key}` })
  assert.match(trial.text, /Facility: <del>new<\/del> → <ins>old<\/ins>/)
  assert.match(trial.text, new RegExp(`name="_decided" value="leave ${key}"`))
  const done = await admin.post(undo, { _decided: `leave ${key}` })
  assert.ok(done.location, done.text)
  const shown = (await call('GET', path)).json
  assert.deepEqual([shown.description, shown.facility], ['third', 'old'])
  assert.match((await admin.get(undo)).text, /third|nothing left/i)
})

test('who may not change it is refused, and who may not write is not offered it', async () => {
  const site = await create('dcim/sites', { name: 'Three', slug: 'three' })
  const id = await changeOf(await call('PATCH', `/api/dcim/sites/${site.id}/`, { description: 'x' }))
  const user = await create('users/users', { username: 'few', password: 'Cabinet-Test-Passw0rd' })
  await create('users/permissions', {
    name: 'view',
    actions: ['view'],
    object_types: ['core.objectchange', 'dcim.site'],
    users: [user.id],
  })
  const few = await login(client, 'few')
  assert.equal((await few.get(`/core/changelog/${id}/undo/`)).status, 403)
  assert.equal((await few.post(`/core/changelog/${id}/undo/`, {})).status, 403)
  assert.equal((await call('GET', `/api/dcim/sites/${site.id}/`)).json.description, 'x')
  assert.equal((await admin.get('/core/changelog/999999999/undo/')).status, 404)
})
