import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random, seedOf } from '../support/random.ts'
import { creating, serve } from '../support/server.ts'
import { asking, getting } from './asking.ts'

const client = await serve()
const create = creating(client)
const get = getting(client)
const ask = asking(client)

const [europe, france] = [
  await create('dcim/regions', { name: 'Europe', slug: 'europe' }),
  await create('dcim/regions', { name: 'France', slug: 'france', parent: { slug: 'europe' } }),
]
const [red, blue] = [
  await create('extras/tags', { name: 'Red', slug: 'red' }),
  await create('extras/tags', { name: 'Blue', slug: 'blue' }),
]
await create('extras/custom-fields', { name: 'floor', type: 'integer', object_types: ['dcim.site'] })
const paris = await create('dcim/sites', {
  name: 'Paris',
  slug: 'paris',
  region: france.id,
  latitude: 48.5,
  tags: [red.id, blue.id],
  custom_fields: { floor: 3 },
})
const lyon = await create('dcim/sites', { name: 'Lyon', slug: 'lyon', region: france.id, tags: [red.id] })
const oslo = await create('dcim/sites', { name: 'Oslo', slug: 'oslo', status: 'planned' })
const maker = await create('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
const type = await create('dcim/device-types', { manufacturer: maker.id, model: 'M1', slug: 'm1' })
const role = await create('dcim/device-roles', { name: 'Role', slug: 'role', color: '2196f3' })
const device = (name: string, site: number) =>
  create('dcim/devices', { name, site, role: role.id, device_type: type.id })
const [r1, r2] = [await device('r1', paris.id), await device('r2', lyon.id)]
const port = (name: string, of: number) => create('dcim/interfaces', { name, device: of, type: '1000base-t' })
const [e1, , f1] = [await port('e1', r1.id), await port('e2', r1.id), await port('f1', r2.id)]
await create('ipam/ip-addresses', {
  address: '10.0.0.1/24',
  assigned_object_type: 'dcim.interface',
  assigned_object_id: e1.id,
})
await create('dcim/cables', {
  a_terminations: [{ object_type: 'dcim.interface', object_id: e1.id }],
  b_terminations: [{ object_type: 'dcim.interface', object_id: f1.id }],
  length: 2.5,
  length_unit: 'm',
})
await create('ipam/vlan-translation-policies', { name: 'Policy' })
await create('ipam/prefixes', { prefix: '10.0.0.0/8', scope_type: 'dcim.site', scope_id: paris.id })
await create('ipam/prefixes', { prefix: '10.0.0.0/24', scope_type: 'dcim.region', scope_id: france.id })

const slugs = async (filters: string, pagination = ''): Promise<string[]> =>
  (await get(`{site_list(filters:{${filters}} ${pagination}){slug}}`)).site_list.map(({ slug }: any) => slug)

test('a selection of objects within objects, in the order of the REST lists', async () => {
  const data = await get(`{device_list{name site{name region{name parent{name}}} device_type{model manufacturer{name}}
    interfaces{name ip_addresses{address family{value label}} link_peers{... on InterfaceType{name device{name}}}
      connected_endpoints{__typename ... on InterfaceType{name}}}}}`)
  assert.deepEqual(data.device_list[0], {
    name: 'r1',
    site: { name: 'Paris', region: { name: 'France', parent: { name: 'Europe' } } },
    device_type: { model: 'M1', manufacturer: { name: 'Maker' } },
    interfaces: [
      {
        name: 'e1',
        ip_addresses: [{ address: '10.0.0.1/24', family: { value: 4, label: 'IPv4' } }],
        link_peers: [{ name: 'f1', device: { name: 'r2' } }],
        connected_endpoints: [{ __typename: 'InterfaceType', name: 'f1' }],
      },
      { name: 'e2', ip_addresses: [], link_peers: [], connected_endpoints: [] },
    ],
  })
  assert.deepEqual(
    data.device_list.map(({ name }: any) => name),
    ['r1', 'r2'],
  )
})

test('values: ids and decimals as texts, choices as stored, moments with an offset, custom fields', async () => {
  const { site, cable_list } = await get(
    `{site(id:${paris.id}){id class_type display status latitude created custom_fields custom_field_data}
      cable_list{length _abs_length a_terminations{__typename ... on InterfaceType{id}}}}`,
  )
  assert.match(site.created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00$/)
  assert.deepEqual(
    { ...site, created: '' },
    {
      id: String(paris.id),
      class_type: 'Site',
      display: 'Paris',
      status: 'active',
      latitude: '48.500000',
      created: '',
      custom_fields: { floor: 3 },
      custom_field_data: { floor: 3 },
    },
  )
  assert.deepEqual(cable_list, [
    { length: '2.50', _abs_length: '2.5000', a_terminations: [{ __typename: 'InterfaceType', id: String(e1.id) }] },
  ])
})

test('an object of one of several models is asked by fragments, and its members by their own', async () => {
  const { prefix_list } = await get(
    '{prefix_list{prefix scope{__typename ... on SiteType{x:name} ... on RegionType{x:slug}}}}',
  )
  assert.deepEqual(prefix_list, [
    { prefix: '10.0.0.0/8', scope: { __typename: 'SiteType', x: 'Paris' } },
    { prefix: '10.0.0.0/24', scope: { __typename: 'RegionType', x: 'france' } },
  ])
})

test('filters: members together, OR as the alternative to all of them, NOT without', async () => {
  assert.deepEqual(await slugs('name:{starts_with:"P"}'), ['paris'])
  assert.deepEqual(await slugs('name:{i_contains:"O"} status:{exact:STATUS_ACTIVE}'), ['lyon'])
  assert.deepEqual(await slugs('name:{exact:"Oslo"} OR:{name:{exact:"Lyon"}}'), ['lyon', 'oslo'])
  assert.deepEqual(await slugs('NOT:{status:{exact:STATUS_ACTIVE}}'), ['oslo'])
  assert.deepEqual(await slugs('NOT:{region:{slug:{exact:"france"}}}'), ['oslo'])
  assert.deepEqual(await slugs('AND:{name:{contains:"y"} OR:{name:{contains:"P"}}}'), ['lyon', 'paris'])
  assert.deepEqual(await slugs('name:{in_list:[]}'), [])
  assert.deepEqual(await slugs('name:{} OR:{}'), ['lyon', 'oslo', 'paris'])
  assert.deepEqual(await slugs('name:{contains:"%"}'), [])
  assert.deepEqual(await slugs('latitude:{comparison_lookup:{gt:48}}'), ['paris'])
  assert.deepEqual(await slugs('custom_field_data:{path:"floor",lookup:{int_comparison_lookup:{gte:3}}}'), ['paris'])
})

test('filters on related objects join them: rows repeat but for DISTINCT; conditions hold for one', async () => {
  assert.deepEqual(await slugs('tags:{slug:{in_list:["red","blue"]}}'), ['lyon', 'paris', 'paris'])
  assert.deepEqual(await slugs('tags:{slug:{in_list:["red","blue"]}} DISTINCT:true'), ['lyon', 'paris'])
  assert.deepEqual(await slugs('tags:{slug:{exact:"red"}} AND:{tags:{slug:{exact:"blue"}}}'), [])
  assert.deepEqual(await slugs('NOT:{tags:{slug:{exact:"blue"}}}'), ['lyon', 'oslo'])
  assert.deepEqual(await slugs('tags:{id:{is_null:true}}'), ['oslo'])
  const policies = async (filters: string) =>
    (await get(`{vlan_translation_policy_list(filters:{${filters}}){name}}`)).vlan_translation_policy_list.length
  assert.equal(await policies('tags:{id:{is_null:true}}'), 1, 'of what has no tags ever')
  assert.equal(await policies('tags:{}'), 1)
  assert.equal(await policies('tags:{id:{is_null:false}}'), 0)
  assert.equal(await policies('NOT:{tags:{slug:{exact:"red"}}}'), 1)
  assert.equal(await policies('custom_field_data:{path:"a",lookup:{string_lookup:{exact:"red"}}}'), 0)
  const { device_list } = await get(
    '{device_list(filters:{interfaces:{ip_addresses:{address:{starts_with:"10."}}}}){name}}',
  )
  assert.deepEqual(device_list, [{ name: 'r1' }])
})

test('trees: a node, those below it, and those above it, at once or behind a reference', async () => {
  const at = (match: string) => slugs(`region_id:{id:${europe.id},match_type:${match}}`)
  assert.deepEqual(await at('EXACT'), [])
  assert.deepEqual(await at('DESCENDANTS'), ['lyon', 'paris'])
  assert.deepEqual(await at('SELF_AND_DESCENDANTS'), ['lyon', 'paris'])
  assert.deepEqual(await slugs(`region_id:{id:${france.id},match_type:EXACT}`), ['lyon', 'paris'])
  assert.deepEqual(await at('CHILDREN'), ['lyon', 'paris'])
  assert.deepEqual(await at('SIBLINGS'), [])
  const { device_list, region } = await get(
    `{device_list(filters:{site:{region_id:{id:${europe.id},match_type:DESCENDANTS}}}){name}
      region(id:${france.id}){lft rght level tree_id}}`,
  )
  assert.deepEqual(device_list, [{ name: 'r1' }, { name: 'r2' }])
  assert.deepEqual(region, { lft: 2, rght: 3, level: 1, tree_id: 1 })
})

test('networks: those around an address, those strictly around a network; what is none is passed over', async () => {
  const found = async (filters: string) =>
    (await get(`{prefix_list(filters:{${filters}}){prefix}}`)).prefix_list.map(({ prefix }: any) => prefix)
  assert.deepEqual(await found('contains:"10.0.0.7"'), ['10.0.0.0/8', '10.0.0.0/24'])
  assert.deepEqual(await found('contains:["10.0.0.0/24","x"]'), ['10.0.0.0/8'])
  assert.deepEqual((await found('contains:["x"]')).length, 2)
})

test('pages: limits, offsets and cursors, in lists below others for each parent', async () => {
  assert.deepEqual(await slugs('', 'pagination:{offset:1,limit:1}'), ['oslo'])
  assert.deepEqual(await slugs('', 'pagination:{limit:0}'), ['lyon', 'oslo', 'paris'])
  assert.deepEqual(await slugs('', `pagination:{start:${lyon.id}}`), ['lyon', 'oslo'])
  const { device_list } = await get('{device_list{name interfaces(pagination:{limit:1}){name}}}')
  assert.deepEqual(device_list, [
    { name: 'r1', interfaces: [{ name: 'e1' }] },
    { name: 'r2', interfaces: [{ name: 'f1' }] },
  ])
  for (const wrong of ['offset:-1', 'start:-1', 'start:1,offset:1']) {
    const { data, errors } = await ask(`{site_list(pagination:{${wrong}}){id}}`)
    assert.equal(data, null)
    assert.deepEqual(errors![0]!.path, ['site_list'])
  }
})

test('fragments, aliases, variables and directives; keys in the order that was asked', async () => {
  const reply = await client.call('POST', '/graphql/', {
    query: `query($id:ID!,$more:Boolean!){b:site(id:$id){...s slug @include(if:$more) status @skip(if:$more)}
      __typename}
      fragment s on SiteType{name id ...{region{slug}}}`,
    variables: { id: oslo.id, more: true },
  })
  assert.equal(
    reply.text,
    `{"data":{"b":{"name":"Oslo","id":"${oslo.id}","region":null,"slug":"oslo"},"__typename":"Query"}}`,
  )
})

test('variables of every kind of type: scalars, enumerations, inputs, one of several, lists', async () => {
  const data = await get(
    `query($n:Int,$s:SiteStatusEnum,$f:DeviceFilter,$u:FloatLookup,$l:[String!],$p:OffsetPaginationInput,$t:DateTime){
      a:site_list(pagination:{limit:$n}){slug} b:site_list(filters:{status:{exact:$s}}){slug}
      c:device_list(filters:$f,pagination:$p){name} d:site_list(filters:{latitude:$u}){slug}
      e:site_list(filters:{slug:{in_list:$l},created:{gte:$t}}){slug}}`,
    {
      n: 1,
      s: 'STATUS_PLANNED',
      f: { name: { exact: 'r2' } },
      u: { comparison_lookup: { gt: 48 } },
      l: 'paris',
      p: { limit: 5 },
      t: '2020-01-01',
    },
  )
  assert.deepEqual(data, {
    a: [{ slug: 'lyon' }],
    b: [{ slug: 'oslo' }],
    c: [{ name: 'r2' }],
    d: [{ slug: 'paris' }],
    e: [{ slug: 'paris' }],
  })
  for (const type of ['Zzz', 'SiteType', 'LinkPeerType']) {
    const { data: none, errors } = await ask(`query($v:${type}){site_list(pagination:{limit:$v}){id}}`)
    assert.equal(none, null)
    assert.ok(errors!.length > 0)
  }
})

test('what is wrong is told with its place: in the query without a path, in an answer with one', async () => {
  for (const query of ['{', '{}', '{site(id:1){}}', '{sites{id}}', '{site_list(filters:{zzz:1}){id}}', 'mutation{x}']) {
    const { data, errors } = await ask(query)
    assert.equal(data, null, query)
    assert.equal(errors![0]!.path, undefined, query)
  }
  for (const [query, at] of [
    ['{site(id:99999){id}}', 'site'],
    ['{a:site(id:"x"){id}}', 'a'],
    ['{site_list(filters:{name:{regex:"("}}){id}}', 'site_list'],
    ['{asn_list(filters:{asn:{filter_lookup:{exact:"x"}}}){id}}', 'asn_list'],
  ]) {
    const { data, errors } = await ask(query!)
    assert.equal(data, null, query)
    assert.deepEqual(errors![0]!.path, [at], query)
  }
})

test('a list is two statements, however much is asked of its objects', () => {
  const { db } = client.running.store
  const prepare = db.raw.prepare.bind(db.raw)
  const made: string[] = []
  db.raw.prepare = ((sql: string) => {
    made.push(sql)
    return prepare(sql)
  }) as typeof db.raw.prepare
  return get(
    '{device_list(filters:{site:{slug:{i_ends_with:"n"}}}){name site{name} interfaces{name ' +
      'ip_addresses{address vrf{name}} cable{terminations{id}}}}}',
  ).then(() => {
    db.raw.prepare = prepare
    // How large a table is, asked once for the query's cost.
    const isOfSize = /^select (?:max\(id\) as id|count\(\*\) as others) /
    assert.equal(made.filter((sql) => !isOfSize.test(sql)).length, 2, made.join('\n'))
  })
})

test('texts are compared letter by letter, also where the search finds them', async () => {
  const drawn = new Random(seedOf())
  const letters = ['a', 'A', 'b', 'é', '%', '_', '"', ' ', 'ab', 'AB', '\\', '.']
  const text = (most: number) => Array.from({ length: 1 + drawn.below(most) }, () => drawn.pick(letters)).join('')
  const descriptions = new Map<string, string>()
  for (let i = 0; i < 60; i++) {
    const description = text(8).trim()
    const { id } = await create('dcim/manufacturers', { name: `n${i}`, slug: `n${i}`, description })
    descriptions.set(String(id), description)
  }
  const lower = (each: string) => each.toLowerCase()
  const compared: Record<string, (value: string, sought: string) => boolean> = {
    exact: (value, sought) => value === sought,
    contains: (value, sought) => value.includes(sought),
    starts_with: (value, sought) => value.startsWith(sought),
    ends_with: (value, sought) => value.endsWith(sought),
    i_exact: (value, sought) => lower(value) === lower(sought),
    i_contains: (value, sought) => lower(value).includes(lower(sought)),
    i_starts_with: (value, sought) => lower(value).startsWith(lower(sought)),
    i_ends_with: (value, sought) => lower(value).endsWith(lower(sought)),
  }
  for (let i = 0; i < 200; i++) {
    const whole = drawn.pick([...descriptions.values()])
    const sought = drawn.chance(0.5) ? text(4) : whole.slice(drawn.below(whole.length), 1 + drawn.below(whole.length))
    const [lookup, holds] = drawn.pick(Object.entries(compared))
    const isNot = drawn.chance(0.3)
    const wanted = [...descriptions].filter(([, value]) => holds(value, sought) !== isNot).map(([id]) => id)
    const filter = `{description:{${lookup}:${JSON.stringify(sought)}}}`
    const query = `{manufacturer_list(filters:${isNot ? `{NOT:${filter} name:{starts_with:"n"}}` : filter}){id}}`
    const found = (await get(query)).manufacturer_list.map(({ id }: { id: string }) => id)
    const made = found.filter((id: string) => descriptions.has(id))
    assert.deepEqual(made.toSorted(), wanted.toSorted(), query)
  }
})
