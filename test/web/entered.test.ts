import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { receive } from '../support/receiver.ts'
import { serve } from '../support/server.ts'
import { fieldsIn, login } from '../support/session.ts'

const client = await serve()
const make = new Maker(client.call)
const admin = await login(client)
const owner = await make.fresh('users.owner', { name: 'The desk' })
const other = await make.fresh('users.owner', { name: 'The night shift' })
const owned = (id: number) => new RegExp(`owned by <a href="/users/owners/${id}/"`)

test('the page of an object says who is responsible for it', async () => {
  const site = await make.fresh('dcim.site', { owner })
  assert.match((await admin.get(`/dcim/sites/${site}/`)).text, owned(owner))
  const free = await make.fresh('dcim.site')
  assert.doesNotMatch((await admin.get(`/dcim/sites/${free}/`)).text, /owned by/)
})

test('a tag has an owner that people enter, of which the API says nothing', async () => {
  const at = '/extras/tags/'
  const tag = { color: '9e9e9e', weight: '1000' }
  const made = await admin.post(`${at}add/`, { ...tag, name: 'Owned', slug: 'owned', owner: String(owner) })
  assert.equal(made.status, 303, made.text.slice(0, 300))
  const lines = 'name,slug,owner.name\nImported,imported,The desk'
  assert.equal((await admin.post(`${at}import/`, { text: lines, format: 'csv', _apply: '1' })).status, 303)
  const { results } = (await client.call('GET', '/api/extras/tags/?ordering=id')).json
  assert.deepEqual(
    results.map(({ name }: { name: string }) => name),
    ['Owned', 'Imported'],
  )
  for (const { id } of results) assert.match((await admin.get(`${at}${id}/`)).text, owned(owner))
  const [{ id, ...shown }] = results
  assert.equal('owner' in shown, false)
  await client.call('PATCH', `/api/extras/tags/${id}/`, { owner: null, description: 'by the API' })
  const form = fieldsIn((await admin.get(`${at}${id}/edit/`)).text)
  assert.deepEqual([form.owner, form.description], [[String(owner)], ['by the API']])
  const change = { pk: String(id), owner: String(other), _apply: '1' }
  assert.equal((await admin.post(`${at}edit/`, change)).status, 303)
  assert.match((await admin.get(`${at}${id}/`)).text, owned(other))
  assert.equal(
    (await client.call('DELETE', `/api/users/owners/${other}/`)).status,
    409,
    'it is responsible for something',
  )
})

test('a rule says more than the data of an event, which people enter with their comments', async () => {
  const receiver = await receive()
  const webhook = await make.fresh('extras.webhook', { payload_url: `${receiver.url}/in` })
  const id = await make.fresh('extras.eventrule', {
    object_types: ['dcim.site'],
    event_types: ['object_created'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook,
  })
  const at = `/extras/event-rules/${id}/edit/`
  const form = fieldsIn((await admin.get(at)).text)
  const bad = await admin.post(at, { ...form, action_data: '[1]' })
  assert.equal(bad.status, 400)
  const comments = 'Told to **the desk**.'
  assert.equal((await admin.post(at, { ...form, action_data: '{"desk": 7, "slug": "none"}', comments })).status, 303)
  await client.call('PATCH', `/api/extras/event-rules/${id}/`, { comments: 'not taken', action_data: null })
  const page = (await admin.get(`/extras/event-rules/${id}/`)).text
  assert.match(page, /Told to <strong>the desk<\/strong>/)
  assert.match(page, /desk&quot;: 7|"desk": 7/)
  assert.deepEqual(fieldsIn((await admin.get(at)).text).comments, [comments])
  await make.fresh('dcim.site', { name: 'desk', slug: 'desk' })
  const [created] = await receiver.until(1)
  assert.deepEqual([created!.json.data.desk, created!.json.data.slug], [7, 'desk'])
})
