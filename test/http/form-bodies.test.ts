import assert from 'node:assert/strict'
import { test } from 'node:test'
import { png } from '../support/samples.ts'
import { creating, serve } from '../support/server.ts'

const server = await serve()
const make = creating(server)
const tag = (await make('extras/tags', { name: 'One', slug: 'one' })).id
const other = (await make('extras/tags', { name: 'Two', slug: 'two' })).id
const rir = (await make('ipam/rirs', { name: 'R', slug: 'r' })).id
const asn = (await make('ipam/asns', { asn: 65001, rir })).id
const second = (await make('ipam/asns', { asn: 65002, rir })).id
const maker = (await make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })).id
const platform = (await make('dcim/platforms', { name: 'P', slug: 'p' })).id

const formOf = (entries: readonly (readonly [string, string | Blob])[]): FormData => {
  const form = new FormData()
  for (const [name, value] of entries)
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, 'a.png')
  return form
}
const send = (method: string, path: string, ...entries: (readonly [string, string | Blob])[]) =>
  server.call(method, `/api/${path}/`, formOf(entries))

let count = 0
/** Makes a site by a form and answers it. */
async function site(...entries: (readonly [string, string])[]) {
  const slug = `s${++count}`
  const { status, json } = await send('POST', 'dcim/sites', ['name', slug], ['slug', slug], ...entries)
  assert.equal(status, 201, JSON.stringify(json))
  return json
}
const idsOf = (objects: { id: number }[]) => objects.map(({ id }) => id).sort((a, b) => a - b)

test('a field that is a list takes one value, several, and those that are numbered', async () => {
  for (const name of ['asns', 'asns[0]']) assert.deepEqual(idsOf((await site([name, String(asn)])).asns), [asn], name)
  const both = await site(['asns[1]', String(asn)], ['asns[0]', String(second)], ['tags', String(tag)])
  assert.deepEqual(idsOf(both.asns), [asn, second])
  assert.deepEqual(idsOf(both.tags), [tag])
  const named = await site(['tags[0]', String(tag)], ['tags[1]slug', 'two'])
  assert.deepEqual(idsOf(named.tags), [tag, other])
  const path = `dcim/sites/${named.id}`
  assert.deepEqual((await send('PATCH', path, ['remove_tags', String(tag)])).json.tags[0].slug, 'two')
  assert.deepEqual((await send('PATCH', path, ['tags', ''])).json.tags, [])
  assert.deepEqual(Object.keys((await send('PATCH', path, ['tags', 'x'])).json), ['tags'])
})

test('lists of words, of numbers and of objects are lists with one item too', async () => {
  const set = await send('POST', 'extras/custom-field-choice-sets', ['name', 'C'], ['extra_choices', 'a:A'])
  assert.deepEqual(set.json.extra_choices, [['a', 'A']])
  const field = await send(
    'POST',
    'extras/custom-fields',
    ...Object.entries({ name: 'c', type: 'text', object_types: 'dcim.site' }),
  )
  assert.deepEqual(field.json.object_types, ['dcim.site'])
  const service = await send(
    'POST',
    'ipam/service-templates',
    ...Object.entries({ name: 'S', protocol: 'tcp', ports: '80' }),
  )
  assert.deepEqual(service.json.ports, [80])
})

test('a file comes with tags and with references', async () => {
  const type = await send(
    'POST',
    'dcim/device-types',
    ['manufacturer', String(maker)],
    ['model', 'M'],
    ['slug', 'm'],
    ['u_height', ''],
    ['weight', ''],
    ['default_platform', String(platform)],
  )
  assert.equal(type.status, 201, type.text)
  assert.deepEqual([type.json.u_height, type.json.weight, type.json.default_platform.id], [1, null, platform])
  const path = `dcim/device-types/${type.json.id}`
  const filled = await send('PATCH', path, ['front_image', png()], ['tags', String(tag)])
  assert.match(filled.json.front_image, /\.png$/)
  assert.deepEqual(idsOf(filled.json.tags), [tag])
  const emptied = await send('PATCH', path, ['front_image', ''], ['default_platform', ''], ['airflow', ''])
  assert.deepEqual(
    [emptied.json.front_image, emptied.json.default_platform, emptied.json.airflow],
    [null, null, null],
    emptied.text,
  )
  assert.deepEqual(Object.keys((await send('PATCH', path, ['model', png()])).json), ['model'])
})

test('an empty text is no number, no text that must be there, and no object', async () => {
  const made = await site(['latitude', ''], ['description', ''], ['region', ''], ['status', ''])
  assert.deepEqual([made.latitude, made.description, made.region, made.status.value], [null, '', null, 'active'])
  const path = `dcim/sites/${made.id}`
  assert.deepEqual((await send('PATCH', path, ['name', ''])).json, { name: ['This field may not be blank.'] })
  const vlanGroup = await send(
    'POST',
    'ipam/vlan-groups',
    ...Object.entries({ name: 'G', slug: 'g', scope_type: '', scope_id: '' }),
  )
  assert.deepEqual([vlanGroup.status, vlanGroup.json.scope_type, vlanGroup.json.scope_id], [201, null, null])
})

test('of several values of a field that takes one the last counts', async () => {
  const { id } = await site()
  assert.equal((await send('PATCH', `dcim/sites/${id}`, ['name', 'a'], ['name', 'b'])).json.name, 'b')
})

test('objects are named by their attributes, and JSON is read', async () => {
  const region = (await make('dcim/regions', { name: 'North', slug: 'north' })).id
  assert.equal((await site(['region.slug', 'north'])).region.id, region)
  const context = { name: 'X', is_active: 'True', data: '{"a":[1]}' }
  assert.deepEqual((await send('POST', 'extras/config-contexts', ...Object.entries(context))).json.data, { a: [1] })
  const broken = await send('POST', 'extras/config-contexts', ...Object.entries({ ...context, name: 'Y', data: '{' }))
  assert.deepEqual([broken.status, Object.keys(broken.json)], [400, ['data']])
  await make('extras/custom-fields', { name: 'size', type: 'integer', object_types: ['dcim.site'] })
  await make('extras/custom-fields', { name: 'word', type: 'text', object_types: ['dcim.site'] })
  assert.equal((await site(['custom_fields', '{"size":5}'])).custom_fields.size, 5)
  assert.equal((await site(['custom_fields.word', 'w'])).custom_fields.word, 'w')
  const lost = await send('PATCH', `dcim/sites/${(await site()).id}`, ['custom_fields', 'size'])
  assert.deepEqual([lost.status, Object.keys(lost.json)], [400, ['custom_fields']])
})

test('what is taken of what is free takes forms as well', async () => {
  const { id } = await make('ipam/prefixes', { prefix: '10.1.0.0/24' })
  const { status, json } = await send(
    'POST',
    `ipam/prefixes/${id}/available-ips`,
    ['tags', String(tag)],
    ['tenant', ''],
  )
  assert.deepEqual([status, json.address, json.tags?.[0]?.id, json.tenant], [201, '10.1.0.1/24', tag, null])
})
