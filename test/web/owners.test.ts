import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
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
