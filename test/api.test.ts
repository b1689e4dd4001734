import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from './support/server.ts'

const { call } = await serve()

test('a tree, its nested form, its order and its change records', async () => {
  const europe = await call('POST', '/api/dcim/regions/', { name: 'Europe', slug: 'europe' })
  assert.equal(europe.status, 201)
  assert.match(europe.headers.get('location')!, /\/api\/dcim\/regions\/\d+\/$/)
  const germany = await call('POST', '/api/dcim/regions/', {
    name: 'Germany',
    slug: 'germany',
    parent: { slug: 'europe' },
    changelog_message: 'because',
  })
  assert.equal(germany.json.parent.name, 'Europe')
  assert.equal(germany.json._depth, 1)
  await call('POST', '/api/dcim/regions/', { name: 'Asia', slug: 'asia' })
  const list = await call('GET', '/api/dcim/regions/?fields=name')
  assert.deepEqual(
    list.json.results.map((r: any) => r.name),
    ['Asia', 'Europe', 'Germany'],
  )
  const changes = await call(
    'GET',
    `/api/core/object-changes/?changed_object_type=dcim.region&changed_object_id=${germany.json.id}`,
  )
  assert.equal(changes.json.count, 1)
  assert.equal(changes.json.results[0].message, 'because')
  assert.equal(changes.json.results[0].request_id, germany.headers.get('x-request-id'))
  const cycle = await call('PATCH', `/api/dcim/regions/${europe.json.id}/`, { parent: germany.json.id })
  assert.equal(cycle.status, 400)
  assert.deepEqual(Object.keys(cycle.json), ['parent'])
})

test('bulk writes are all or none', async () => {
  const refused = await call('POST', '/api/dcim/sites/', [{ name: 'S1', slug: 's1' }, { name: 'S2' }])
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.json[0], {})
  assert.deepEqual(Object.keys(refused.json[1]), ['slug'])
  assert.equal((await call('GET', '/api/dcim/sites/')).json.count, 0)
  const made = await call('POST', '/api/dcim/sites/', [
    { name: 'S10', slug: 's10' },
    { name: 'S2', slug: 's2' },
  ])
  assert.equal(made.status, 201)
  assert.deepEqual(
    (await call('GET', '/api/dcim/sites/?fields=name')).json.results.map((s: any) => s.name),
    ['S2', 'S10'],
  )
})

test('If-Match guards an update', async () => {
  const site = (await call('GET', '/api/dcim/sites/?slug=s2')).json.results[0]
  const { headers } = await call('GET', `/api/dcim/sites/${site.id}/`)
  const changed = await call(
    'PATCH',
    `/api/dcim/sites/${site.id}/`,
    { facility: 'x' },
    { 'if-match': headers.get('etag')! },
  )
  assert.equal(changed.status, 200)
  const stale = await call(
    'PATCH',
    `/api/dcim/sites/${site.id}/`,
    { facility: 'y' },
    { 'if-match': headers.get('etag')! },
  )
  assert.equal(stale.status, 412)
  assert.equal(stale.headers.get('etag'), changed.headers.get('etag'))
})

test('no credentials, no answer; a missing slash redirects', async () => {
  assert.equal((await call('GET', '/api/dcim/sites/', undefined, { authorization: '' })).status, 403)
  const moved = await call('GET', '/api/dcim/sites?limit=1')
  assert.equal(moved.status, 302)
  assert.equal(moved.headers.get('location'), '/api/dcim/sites/?limit=1')
})

test('change records of models that show no tags or custom fields name them still', async () => {
  const { json: policy } = await call('POST', '/api/ipam/vlan-translation-policies/', { name: 'P' })
  const { json } = await call(
    'GET',
    `/api/core/object-changes/?changed_object_type=ipam.vlantranslationpolicy&changed_object_id=${policy.id}`,
  )
  assert.deepEqual([json.results[0].postchange_data.tags, json.results[0].postchange_data.custom_fields], [[], {}])
})
