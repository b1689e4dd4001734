import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

const { call, running } = await serve()
const make = new Maker(call)
const user = await make.fresh('users.user', { username: 'eve' })
const token = (await call('POST', '/api/users/tokens/', { user })).json
const eve = { authorization: `Bearer nbt_${token.key}.${token.token}` }
const tag = await make.fresh('extras.tag', { name: 'Blue', slug: 'blue' })
await make.fresh('extras.customfield', {
  name: 'tier',
  type: 'integer',
  object_types: ['dcim.site'],
  validation_regex: '',
})
const site = await make.fresh('dcim.site', { name: 'A', slug: 'a', tags: [tag], custom_fields: { tier: 4 } })
await make.fresh('dcim.site', { name: 'B', slug: 'b' })
await make.fresh('ipam.prefix', { prefix: '10.1.0.0/16', scope_type: 'dcim.site', scope_id: site })
await make.fresh('ipam.prefix', { prefix: '10.2.0.0/16' })
const permission = await make.fresh('users.objectpermission', {
  object_types: ['dcim.site', 'ipam.prefix', 'users.user'],
  actions: ['view'],
  users: [user],
})

async function seen(path: string, constraints: unknown): Promise<string> {
  assert.equal((await call('PATCH', `/api/users/permissions/${permission}/`, { constraints })).status, 200)
  const reply = await call('GET', `/api/${path}/`, undefined, eve)
  assert.equal(reply.status, 200, `${JSON.stringify(constraints)}: ${reply.text}`)
  return reply.json.results.map((row: { display: string }) => row.display).join()
}

test('constraints name tags, custom fields, parts of moments and of types', async () => {
  for (const constraints of [
    { tags__name: 'Blue' },
    { tags: tag },
    { tags__slug__in: ['blue', 'red'] },
    { custom_field_data__tier: 4 },
    { custom_field_data__tier__gt: 3, tags__isnull: false },
  ])
    assert.equal(await seen('dcim/sites', constraints), 'A', JSON.stringify(constraints))
  assert.equal(await seen('dcim/sites', { tags__isnull: true }), 'B')
  assert.equal(await seen('dcim/sites', { custom_field_data__tier: null }), 'B')
  assert.equal(await seen('dcim/sites', { created__year__gte: 2020, created__date__gt: '2020-01-01' }), 'A,B')
  for (const constraints of [
    { scope_type__model: 'site' },
    { scope_type__app_label: 'dcim' },
    { prefix__net_contains: '10.1.7.0/24' },
    { prefix__net_contains_or_equals: '10.1.0.0/16' },
  ]) {
    assert.equal(await seen('ipam/prefixes', constraints), '10.1.0.0/16', JSON.stringify(constraints))
  }
})

test('$user is the user, in a list too', async () => {
  for (const constraints of [{ id: '$user' }, { id__in: ['$user'] }, [{ id: 99_999 }, { id__in: [99_999, '$user'] }]])
    assert.equal(await seen('users/users', constraints), 'eve', JSON.stringify(constraints))
})

test('constraints that say nothing of the model allow nothing', async () => {
  for (const key of [
    'nope',
    'name__nope',
    'name__regex',
    'name__family',
    'name__net_contained',
    'name__net_contains',
    'name__constructor',
    'name__toString',
    'name____proto__',
    'custom_fields',
    'name__year',
    'custom_field_data__a"b',
  ]) {
    assert.equal(await seen('dcim/sites', { [key]: '(' }), '', key)
  }
})

test('no secret can be guessed by what a constraint or a reference finds', async () => {
  assert.equal(await seen('users/users', { password__isnull: false }), '')
  for (const attributes of [
    { password__startswith: 's' },
    { tokens__hmac_digest__isnull: false },
    { tokens__plaintext__startswith: '0' },
  ]) {
    const reply = await call('POST', '/api/users/tokens/', { user: { username: 'admin', ...attributes } })
    assert.deepEqual([reply.status, Object.keys(reply.json)], [400, ['user']])
  }
})

test('references by attributes that no model has are refused', async () => {
  for (const key of [
    'name__constructor',
    'name__toString',
    'name____proto__',
    'name__regex',
    'name__net_contained',
    'asns__asn__net_host',
  ]) {
    const reply = await call('POST', '/api/dcim/racks/', { name: 'R', site: { [key]: '(' } })
    assert.deepEqual([reply.status, Object.keys(reply.json)], [400, ['site']], key)
  }
  assert.equal((await call('POST', '/api/dcim/racks/', { name: 'R', site: { tags__name: 'Blue' } })).status, 201)
})

test('names that every object has are no paths and no lookups', async () => {
  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) {
    assert.equal((await call('GET', `/api/${name}/`)).status, 404)
    assert.equal((await call('POST', `/api/ipam/prefixes/1/${name}/`, {})).status, 404)
    assert.equal((await call('GET', `/api/dcim/module-types/?attr_x__${name}=1`)).status, 200)
  }
})

test('a constraint compares networks at the end of a path too', async () => {
  const vrf = await make.fresh('ipam.vrf', { name: 'Near' })
  await make.fresh('ipam.vrf', { name: 'Far' })
  await make.fresh('ipam.prefix', { prefix: '10.7.0.0/16', vrf })
  await call('PATCH', `/api/users/permissions/${permission}/`, { object_types: ['ipam.vrf'] })
  assert.equal(await seen('ipam/vrfs', { prefixes__prefix__net_contained: '10.0.0.0/8' }), 'Near')
  assert.equal(await seen('ipam/vrfs', { prefixes__prefix__net_contains: '10.7.1.0/24' }), 'Near')
  assert.equal(await seen('ipam/vrfs', { prefixes__prefix__net_contained: '10.8.0.0/16' }), '')
})

test('kinds of objects that are only elsewhere stay where they were imported, and come in by nobody', async () => {
  const id = await make.fresh('users.objectpermission', { object_types: ['ipam.vrf'], actions: ['view'] })
  const { db } = running.store
  db.prepare('update users_objectpermission set object_types = ? where id = ?').run(
    '["core.configrevision","ipam.vrf"]',
    id,
  )
  const path = `/api/users/permissions/${id}/`
  const { json } = await call('GET', path)
  const back = await call('PUT', path, { ...json, users: [], groups: [], description: 'kept' })
  assert.equal(back.status, 200, back.text)
  assert.deepEqual(back.json.object_types.sort(), ['core.configrevision', 'ipam.vrf'])
  assert.equal((await call('PATCH', path, { object_types: ['ipam.vrf'] })).status, 200)
  assert.equal((await call('PATCH', path, { object_types: ['core.configrevision'] })).status, 400)
})
