import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deepMerge } from '../../src/rules/config-contexts.ts'
import { creating, serve } from '../support/server.ts'

const { call } = await serve()
const post = creating({ call })
const contextOf = async (path: string) => (await call('GET', `/api/${path}/`)).json.config_context

const tag = await post('extras/tags', { name: 'Edge', slug: 'edge' })
const world = await post('dcim/regions', { name: 'World', slug: 'world' })
const country = await post('dcim/regions', { name: 'Country', slug: 'country', parent: world.id })
const site = await post('dcim/sites', { name: 'S', slug: 's', region: country.id })
const location = await post('dcim/locations', { name: 'L', slug: 'l', site: site.id })
const role = await post('dcim/device-roles', { name: 'Router', slug: 'router' })
const core = await post('dcim/device-roles', { name: 'Core', slug: 'core', parent: role.id })
const group = await post('tenancy/tenant-groups', { name: 'G', slug: 'g' })
const below = await post('tenancy/tenant-groups', { name: 'H', slug: 'h', parent: group.id })
const tenant = await post('tenancy/tenants', { name: 'T', slug: 't', group: below.id })
const maker = await post('dcim/manufacturers', { name: 'M', slug: 'm' })
const type = await post('dcim/device-types', { manufacturer: maker.id, model: 'X', slug: 'x' })
const clusterType = await post('virtualization/cluster-types', { name: 'C', slug: 'c' })
const cluster = await post('virtualization/clusters', { name: 'C', type: clusterType.id })
const device = await post('dcim/devices', {
  name: 'd',
  site: site.id,
  role: core.id,
  device_type: type.id,
  location: location.id,
  tenant: tenant.id,
  tags: [tag.id],
  local_context_data: { own: 1, ntp: { local: true } },
})
const machine = await post('virtualization/virtual-machines', {
  name: 'v',
  site: site.id,
  cluster: cluster.id,
  role: core.id,
})
const deviceContext = () => contextOf(`dcim/devices/${device.id}`)
const machineContext = () => contextOf(`virtualization/virtual-machines/${machine.id}`)

test('deepMerge keeps both sides, replaces lists, and leaves its arguments alone', () => {
  const under = { a: { b: [1], c: 1 }, d: 2 }
  assert.deepEqual(deepMerge(under, { a: { b: [2] }, d: { e: 3 } }), { a: { b: [2], c: 1 }, d: { e: 3 } })
  assert.deepEqual(under, { a: { b: [1], c: 1 }, d: 2 })
})

test('without contexts a row shows its own data', async () => {
  assert.deepEqual(await deviceContext(), { own: 1, ntp: { local: true } })
  assert.deepEqual(await machineContext(), {})
})

test('contexts that apply are merged by weight, then name, below the own data', async () => {
  await post('extras/config-contexts', { name: 'z', weight: 10, data: { ntp: { a: 1, local: false }, x: 'z' } })
  await post('extras/config-contexts', { name: 'b', weight: 20, data: { x: 'b', list: [1] } })
  await post('extras/config-contexts', { name: 'a', weight: 20, data: { x: 'a', list: [2] } })
  await post('extras/config-contexts', { name: 'off', weight: 90, is_active: false, data: { x: 'off' } })
  assert.deepEqual(await deviceContext(), { ntp: { a: 1, local: true }, x: 'b', list: [1], own: 1 })
  assert.deepEqual(await machineContext(), { ntp: { a: 1, local: false }, x: 'b', list: [1] })
  const list = await call('GET', '/api/dcim/devices/')
  assert.deepEqual(list.json.results[0].config_context, await deviceContext())
  assert.equal(
    (await call('GET', '/api/dcim/devices/?exclude=config_context')).json.results[0].config_context,
    undefined,
  )
  assert.equal(
    (await call('GET', `/api/virtualization/virtual-machines/${machine.id}/?exclude=config_context`)).json
      .config_context,
    undefined,
  )
})

test('every assignment must hold the row; trees include what is below', async () => {
  const cases: [string, object, boolean, boolean][] = [
    ['region above', { regions: [world.id] }, true, true],
    ['role above', { roles: [role.id] }, true, true],
    ['role and region', { roles: [role.id], regions: [country.id] }, true, true],
    ['site', { sites: [site.id] }, true, true],
    ['location', { locations: [location.id] }, true, false],
    ['device type', { device_types: [type.id] }, true, false],
    ['cluster', { clusters: [cluster.id] }, false, true],
    ['cluster type', { cluster_types: [clusterType.id] }, false, true],
    ['tenant', { tenants: [tenant.id] }, true, false],
    ['tenant group', { tenant_groups: [below.id] }, true, false],
    ['tenant group above', { tenant_groups: [group.id] }, false, false],
    ['tag', { tags: ['edge'] }, true, false],
    ['one of two that fits', { sites: [site.id], clusters: [cluster.id] }, false, true],
  ]
  for (const [what, assignment, onDevice, onMachine] of cases) {
    const context = await post('extras/config-contexts', {
      name: what,
      weight: 100,
      data: { mark: what },
      ...assignment,
    })
    assert.equal((await deviceContext()).mark === what, onDevice, `${what} on the device`)
    assert.equal((await machineContext()).mark === what, onMachine, `${what} on the machine`)
    await call('DELETE', `/api/extras/config-contexts/${context.id}/`)
  }
})

test('a change anywhere shows at once', async () => {
  const context = await post('extras/config-contexts', {
    name: 'live',
    weight: 500,
    data: { live: 1 },
    regions: [world.id],
  })
  assert.equal((await deviceContext()).live, 1)
  await call('PATCH', `/api/extras/config-contexts/${context.id}/`, { data: { live: 2 } })
  assert.equal((await deviceContext()).live, 2)
  await call('PATCH', `/api/dcim/regions/${country.id}/`, { parent: null })
  assert.equal((await deviceContext()).live, undefined)
})

test('tags are slugs, data is an object that is not empty, local data is an object', async () => {
  const context = await post('extras/config-contexts', { name: 'tagged', data: { a: 1 }, tags: ['edge'] })
  assert.deepEqual(context.tags, ['edge'])
  assert.deepEqual(
    Object.keys(
      (await call('POST', '/api/extras/config-contexts/', { name: 't2', data: { a: 1 }, tags: ['nope'] })).json,
    ),
    ['tags'],
  )
  for (const data of [{}, [], [1], 'x', null, 7]) {
    const reply = await call('POST', '/api/extras/config-contexts/', { name: 'bad', data })
    assert.deepEqual([reply.status, Object.keys(reply.json)], [400, ['data']], JSON.stringify(data))
  }
  for (const data of [[1], 'x', 7]) {
    const reply = await call('PATCH', `/api/dcim/devices/${device.id}/`, { local_context_data: data })
    assert.deepEqual([reply.status, Object.keys(reply.json)], [400, ['local_context_data']])
  }
})

test('the schema of a profile holds for the data of its contexts', async () => {
  const profile = await post('extras/config-context-profiles', {
    name: 'P',
    schema: { properties: { n: { type: 'integer' } }, required: ['n'] },
  })
  const context = await post('extras/config-contexts', { name: 'fits', profile: profile.id, data: { n: 1 } })
  const refused = [
    await call('POST', '/api/extras/config-contexts/', { name: 'does not', profile: profile.id, data: { n: 'x' } }),
    await call('PATCH', `/api/extras/config-contexts/${context.id}/`, { data: { m: 1 } }),
  ]
  assert.deepEqual(
    refused.map((reply) => [reply.status, Object.keys(reply.json)]),
    [
      [400, ['__all__']],
      [400, ['__all__']],
    ],
  )
  const endless = await post('extras/config-context-profiles', {
    name: 'E',
    schema: { properties: { n: { pattern: '^(a+)+$' } } },
  })
  assert.equal(
    (
      await call('POST', '/api/extras/config-contexts/', {
        name: 'slow',
        profile: endless.id,
        data: { n: `${'a'.repeat(50)}!` },
      })
    ).status,
    400,
  )
})
