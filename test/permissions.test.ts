import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from './support/server.ts'

const { call } = await serve()
const post = async (path: string, body: object) => (await call('POST', `/api/${path}/`, body)).json
const user = await post('users/users', { username: 'eve', password: 'Cabinet-Test-Passw0rd' })
const token = await post('users/tokens', { user: user.id })
const eve = { authorization: `Bearer nbt_${token.key}.${token.token}` }
const [a, b] = await post('dcim/sites', [
  { name: 'A', slug: 'a' },
  { name: 'B', slug: 'b' },
])

test('without a permission: 403; with a constraint: what it allows, on every path', async () => {
  assert.equal((await call('GET', '/api/dcim/sites/', undefined, eve)).status, 403)
  await post('users/permissions', {
    name: 'sites',
    object_types: ['dcim.site'],
    actions: ['view', 'add', 'change', 'delete'],
    constraints: { slug__startswith: 'a' },
    users: [user.id],
  })
  const list = await call('GET', '/api/dcim/sites/', undefined, eve)
  assert.deepEqual(
    list.json.results.map((s: any) => s.slug),
    ['a'],
  )
  assert.equal((await call('GET', `/api/dcim/sites/${a.id}/`, undefined, eve)).status, 200)
  assert.equal((await call('GET', `/api/dcim/sites/${b.id}/`, undefined, eve)).status, 404)
  assert.equal((await call('PATCH', `/api/dcim/sites/${b.id}/`, { facility: 'x' }, eve)).status, 404)
  assert.equal((await call('DELETE', `/api/dcim/sites/${b.id}/`, undefined, eve)).status, 404)
  assert.deepEqual((await call('PATCH', '/api/dcim/sites/', [{ id: b.id, facility: 'x' }], eve)).json, [])
})

test('a change that leaves the constraint is undone', async () => {
  assert.equal((await call('PATCH', `/api/dcim/sites/${a.id}/`, { slug: 'z' }, eve)).status, 403)
  assert.equal((await call('GET', `/api/dcim/sites/${a.id}/`)).json.slug, 'a')
  assert.equal((await call('POST', '/api/dcim/sites/', { name: 'Z', slug: 'z' }, eve)).status, 403)
  assert.equal((await call('GET', '/api/dcim/sites/?slug=z')).json.count, 0)
})

test('references by attributes see only what the user may view', async () => {
  await post('users/permissions', { name: 'racks', object_types: ['dcim.rack'], actions: ['add'], users: [user.id] })
  assert.deepEqual(
    Object.keys((await call('POST', '/api/dcim/racks/', { name: 'R', site: { slug: 'b' } }, eve)).json),
    ['site'],
  )
  assert.equal((await call('POST', '/api/dcim/racks/', { name: 'R', site: { slug: 'a' } }, eve)).status, 201)
})

test('what prevents a delete is named only to those who may view it', async () => {
  const racks = await Promise.all(['Open', 'Hidden'].map((name) => post('dcim/racks', { name, site: a.id })))
  const grant = (object_types: string[], constraints: object | null) =>
    post('users/permissions', { name: 'd', object_types, actions: ['view', 'delete'], constraints, users: [user.id] })
  const own = await grant(['dcim.rack'], { name: 'Open' })
  const told = async () => (await call('DELETE', `/api/dcim/sites/${a.id}/`, undefined, eve)).json.detail
  assert.match(await told(), /^Unable to delete object. \d dependent objects were found: Open \(\d+\)$/)
  await call('DELETE', `/api/users/permissions/${own.id}/`)
  assert.match(await told(), /^Unable to delete object. \d dependent objects were found.$/)
  for (const { id } of racks) await call('DELETE', `/api/dcim/racks/${id}/`)
})

test('OPTIONS shows actions only to those who may write; object types are for all', async () => {
  assert.equal((await call('OPTIONS', '/api/dcim/regions/', undefined, eve)).json.actions, undefined)
  assert.ok((await call('OPTIONS', '/api/dcim/sites/', undefined, eve)).json.actions.POST.status.choices.length > 0)
  assert.equal((await call('GET', '/api/core/object-types/', undefined, eve)).status, 200)
})

test('a token: own ones only, read-only ones, disabled ones, from elsewhere', async () => {
  assert.equal((await call('GET', '/api/users/tokens/', undefined, eve)).json.count, 1)
  assert.equal((await call('POST', '/api/users/tokens/', { user: 1 }, eve)).status, 403)
  assert.equal((await call('GET', `/api/users/tokens/${token.id}/`)).json.token, null)
  const reader = await post('users/tokens', { user: 1, write_enabled: false })
  const header = { authorization: `Bearer nbt_${reader.key}.${reader.token}` }
  assert.equal((await call('GET', '/api/dcim/sites/', undefined, header)).status, 200)
  assert.equal((await call('POST', '/api/dcim/sites/', { name: 'Q', slug: 'q' }, header)).status, 403)
  await call('PATCH', `/api/users/tokens/${reader.id}/`, { allowed_ips: ['203.0.113.0/24'] })
  assert.match((await call('GET', '/api/dcim/sites/', undefined, header)).json.detail, /Source IP/)
  await call('PATCH', `/api/users/tokens/${reader.id}/`, { enabled: false, allowed_ips: [] })
  assert.equal((await call('GET', '/api/dcim/sites/', undefined, header)).json.detail, 'Token disabled')
})

test('available addresses: two clients that take at once get different ones', async () => {
  const prefix = await post('ipam/prefixes', { prefix: '10.9.0.0/28' })
  const taken = await Promise.all(
    Array.from({ length: 14 }, () => call('POST', `/api/ipam/prefixes/${prefix.id}/available-ips/`, {})),
  )
  assert.equal(new Set(taken.map((reply) => reply.json.address)).size, 14)
  assert.equal((await call('POST', `/api/ipam/prefixes/${prefix.id}/available-ips/`, {})).status, 409)
})
