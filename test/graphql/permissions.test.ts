import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'
import { asking, getting } from './asking.ts'

const client = await serve()
const create = creating(client)
const [open, hidden] = [
  await create('dcim/sites', { name: 'Open', slug: 'open', facility: 'F1' }),
  await create('dcim/sites', { name: 'Hidden', slug: 'hidden', facility: 'Secret' }),
]
const maker = await create('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
const type = await create('dcim/device-types', { manufacturer: maker.id, model: 'M1', slug: 'm1' })
const role = await create('dcim/device-roles', { name: 'Role', slug: 'role' })
const of = (name: string, site: number) => create('dcim/devices', { name, site, role: role.id, device_type: type.id })
const [seen, other] = [await of('seen', open.id), await of('other', hidden.id)]
await create('dcim/interfaces', { name: 'e1', device: seen.id, type: '1000base-t' })
await create('ipam/prefixes', { prefix: '10.0.0.0/8', scope_type: 'dcim.site', scope_id: hidden.id })
const vlan = await create('ipam/vlans', { vid: 1, name: 'V', site: hidden.id })
await create('vpn/ike-policies', { name: 'P', version: 2, preshared_key: 'k3y' })
const tag = await create('extras/tags', { name: 'T', slug: 't' })
await client.call('PATCH', `/api/dcim/sites/${hidden.id}/`, { tags: [tag.id] })

let users = 0
/** A user with permissions, each to view objects of some models under constraints; how they ask. */
async function user(...allowed: [types: string[], constraints?: unknown][]) {
  users++
  const made = await create('users/users', { username: `u${users}`, password: 'Cabinet-Test-Passw0rd' })
  for (const [i, [object_types, constraints = null]] of allowed.entries())
    await create('users/permissions', {
      name: `p${users}-${i}`,
      object_types,
      actions: ['view'],
      constraints,
      users: [made.id],
    })
  const token = await create('users/tokens', { user: made.id })
  const headers = { authorization: `Bearer nbt_${token.key}.${token.token}` }
  const ask = asking(client)
  const get = getting(client)
  return {
    ask: (query: string) => ask(query, undefined, headers),
    get: (query: string) => get(query, undefined, headers),
  }
}

test('who may view nothing gets empty lists, and objects that are not there', async () => {
  const nobody = await user()
  assert.deepEqual(await nobody.get('{site_list{id} device_list{id} user_list{id}}'), {
    site_list: [],
    device_list: [],
    user_list: [],
  })
  const { data, errors } = await nobody.ask(`{site(id:${open.id}){id}}`)
  assert.equal(data, null)
  const missing = await nobody.ask('{site(id:99999){id}}')
  assert.equal(errors![0]!.message, missing.errors![0]!.message)
})

test('lists hold what the constraints allow, and so do those below other objects', async () => {
  const { get } = await user([['dcim.site'], { slug: 'open' }], [['dcim.device'], { name__startswith: 's' }])
  assert.deepEqual(await get('{site_list{slug devices{name interfaces{name}}} device_list{name}}'), {
    site_list: [{ slug: 'open', devices: [{ name: 'seen', interfaces: [] }] }],
    device_list: [{ name: 'seen' }],
  })
})

test('a hidden related object is null; where it may not be, so is the answer, and the error says where', async () => {
  const { get, ask } = await user([['dcim.site'], { slug: 'open' }], [['dcim.device', 'ipam.vlan', 'ipam.prefix']])
  assert.deepEqual(await get('{vlan_list{vid site{name}} prefix_list{scope{... on SiteType{name}}}}'), {
    vlan_list: [{ vid: 1, site: null }],
    prefix_list: [{ scope: null }],
  })
  const { data, errors } = await ask('{device_list{name site{name}}}')
  assert.equal(data, null)
  assert.deepEqual(
    errors!.map(({ path }) => path),
    [['device_list', 0, 'site']],
  )
  assert.equal((await get(`{device(id:${seen.id}){site{name}}}`)).device.site.name, 'Open')
  assert.equal((await ask(`{device(id:${other.id}){site{name}}}`)).data, null)
  assert.equal((await get(`{device(id:${other.id}){name}}`)).device.name, 'other')
})

test('an object that lacks what it must have is null where it may be, and the rest is answered', async () => {
  await client.call('PATCH', `/api/ipam/vlans/${vlan.id}/`, { site: null })
  const address = await create('ipam/ip-addresses', { address: '192.0.2.1/24' })
  const service = await create('ipam/services', {
    name: 's',
    protocol: 'tcp',
    ports: [80],
    parent_object_type: 'dcim.device',
    parent_object_id: other.id,
    ipaddresses: [],
  })
  const { ask } = await user([['dcim.site'], { slug: 'open' }], [['dcim.device', 'ipam.service', 'ipam.ipaddress']])
  const { data, errors } = await ask(
    `{service(id:${service.id}){name parent{... on DeviceType{site{name}}}} ip_address(id:${address.id}){address}}`,
  )
  assert.deepEqual(data, { service: { name: 's', parent: null }, ip_address: { address: '192.0.2.1/24' } })
  assert.deepEqual(
    errors!.map(({ path }) => path),
    [['service', 'parent', 'site']],
  )
})

test('filters tell of a hidden object no more than the REST API shows: its id and its brief members', async () => {
  const { get } = await user([['dcim.site'], { slug: 'open' }], [['dcim.device', 'extras.tag']])
  const names = async (filters: string) =>
    (await get(`{device_list(filters:{${filters}}){name}}`)).device_list.map(({ name }: any) => name)
  assert.deepEqual(await names('site:{slug:{exact:"hidden"}}'), ['other'])
  assert.deepEqual(await names('site:{facility:{exact:"Secret"}}'), [])
  assert.deepEqual(await names('site:{facility:{exact:"F1"}}'), ['seen'])
  assert.deepEqual(await names('site:{tags:{slug:{exact:"t"}}}'), [])
  assert.deepEqual(await names('NOT:{site:{facility:{exact:"Secret"}}}'), ['other', 'seen'])
})

test('lists that lead back here hide what may not be viewed from filters too', async () => {
  const { get } = await user([['dcim.site']], [['dcim.device'], { name: 'seen' }])
  const slugs = async (filters: string) =>
    (await get(`{site_list(filters:{${filters}}){slug}}`)).site_list.map(({ slug }: any) => slug)
  assert.deepEqual(await slugs('vlan_groups:{id:{is_null:false}}'), [])
  const { region_list } = await get('{region_list{id}}')
  assert.deepEqual(region_list, [])
  const { device_type_list } = await get('{device_type_list{id}}')
  assert.deepEqual(device_type_list, [])
})

test('secrets of hidden objects are not found out by filters', async () => {
  const { get } = await user([['vpn.ipsecprofile', 'vpn.ikeproposal']])
  assert.deepEqual(await get('{ike_proposal_list(filters:{ike_policies:{preshared_key:{starts_with:"k"}}}){id}}'), {
    ike_proposal_list: [],
  })
})

test('a token that may only read asks, and so does a session; an end of either ends it', async () => {
  const token = await create('users/tokens', { user: 1, write_enabled: false })
  const header = { authorization: `Bearer nbt_${token.key}.${token.token}` }
  assert.equal((await client.call('POST', '/graphql/', { query: '{__typename}' }, header)).status, 200)
  await client.call('DELETE', `/api/users/tokens/${token.id}/`)
  const ended = await client.call('POST', '/graphql/', { query: '{__typename}' }, header)
  assert.equal(ended.status, 403)
  assert.match(ended.headers.get('content-type')!, /^text\/html/)
})
