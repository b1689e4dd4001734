import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'

/** Lists by tags and by the parts that a device has find exactly the devices that have them. */
const { call } = await serve()
const create = creating({ call })

const manufacturer = (await create('dcim/manufacturers', { name: 'M', slug: 'm' })).id
const device_type = (await create('dcim/device-types', { manufacturer, model: 'M', slug: 'm' })).id
const role = (await create('dcim/device-roles', { name: 'R', slug: 'r' })).id
const site = (await create('dcim/sites', { name: 'S', slug: 's' })).id
const Tags = 3
const tags: number[] = []
for (let i = 0; i < Tags; i++) tags.push((await create('extras/tags', { name: `T${i}`, slug: `t${i}` })).id)
/** Device i has tag j where bit j of i is set. */
const devices: { id: number }[] = await create(
  'dcim/devices',
  Array.from({ length: 16 }, (_, i) => ({
    ...{ device_type, role, site, name: `d${i}`, tags: tags.filter((_, j) => i & (1 << j)) },
  })),
)
await create('dcim/sites', { name: 'Same id as a device', slug: 'other', tags })

async function found(query: string): Promise<number[]> {
  const { status, json } = await call('GET', `/api/dcim/devices/?limit=0&${query}`)
  assert.equal(status, 200, query)
  assert.equal(json.count, json.results.length, query)
  return json.results
    .map(({ id }: { id: number }) => devices.findIndex((device) => device.id === id))
    .toSorted((a: number, b: number) => a - b)
}
const all = devices.map((_, i) => i)

test('a list by tags has the objects with every one of them', async () => {
  for (let asked = 1; asked < 1 << Tags; asked++) {
    const names = tags.flatMap((id, j) => (asked & (1 << j) ? [{ id, slug: `t${j}` }] : []))
    const slugs = names.map(({ slug }) => `tag=${slug}`).join('&')
    const expected = all.filter((i) => (i & asked) === asked)
    assert.deepEqual(await found(slugs), expected, slugs)
    assert.deepEqual(await found(names.map(({ id }) => `tag_id=${id}`).join('&')), expected)
    assert.deepEqual(await found(`${slugs}&tag=null`), [])
    assert.deepEqual(
      await found(slugs.replaceAll('tag=', 'tag__any=')),
      all.filter((i) => (i & asked) !== 0),
    )
    assert.deepEqual(
      await found(slugs.replaceAll('tag=', 'tag__n=')),
      all.filter((i) => (i & asked) === 0),
    )
  }
  assert.deepEqual(await found('tag=null'), [0, 8])
  assert.deepEqual(await found('tag=t0&tag=t0'), await found('tag=t0'))
})

test('objects with every one of more tags than SQLite selects from at once', async () => {
  const many: { id: number; slug: string }[] = await create(
    'extras/tags',
    Array.from({ length: 600 }, (_, i) => ({ name: `many ${i}`, slug: `many-${i}` })),
  )
  const one = devices[5]!.id
  assert.equal((await call('PATCH', `/api/dcim/devices/${one}/`, { tags: many.map(({ id }) => id) })).status, 200)
  const query = many.map(({ id }) => `tag_id=${id}`).join('&')
  assert.deepEqual(await found(query), [5])
  assert.deepEqual(await found(`${query}&tag=t0`), [])
})

test('devices with parts are found as parts come and go', async () => {
  const kinds: Record<string, readonly [string, Record<string, unknown>][]> = {
    interfaces: [['dcim/interfaces', { type: 'virtual' }]],
    console_ports: [['dcim/console-ports', {}]],
    console_server_ports: [['dcim/console-server-ports', {}]],
    power_ports: [['dcim/power-ports', {}]],
    power_outlets: [['dcim/power-outlets', {}]],
    pass_through_ports: [
      ['dcim/rear-ports', { type: '8p8c' }],
      ['dcim/front-ports', { type: '8p8c' }],
    ],
  }
  for (const [filter, parts] of Object.entries(kinds))
    for (const [at, [path, body]] of parts.entries()) {
      const [first, second] = [at * 2, at * 2 + 3]
      const has = async (expected: number[]) => {
        assert.deepEqual(await found(`${filter}=true`), expected, `${path} ${filter}`)
        assert.deepEqual(
          await found(`${filter}=false`),
          all.filter((i) => !expected.includes(i)),
        )
      }
      await has([])
      const made: { id: number }[] = await create(
        path,
        [first, first, second].map((i, n) => ({ device: devices[i]!.id, name: `part ${n}`, ...body })),
      )
      await has([first, second])
      await call('DELETE', `/api/${path}/${made[0]!.id}/`)
      await has([first, second])
      await call('DELETE', `/api/${path}/${made[1]!.id}/`)
      await has([second])
      await call('DELETE', `/api/${path}/${made[2]!.id}/`)
      await has([])
    }
})

test('the tags that a config context is for are not its own', async () => {
  const tag = await create('extras/tags', { name: 'Devices', slug: 'devices', object_types: ['dcim.device'] })
  const body = { name: 'For tagged devices', data: { a: 1 }, tags: ['devices'] }
  const { id } = await create('extras/config-contexts', body)
  const uses = async () => (await call('GET', `/api/extras/tags/${tag.id}/`)).json.tagged_items
  assert.equal(await uses(), 0)
  assert.equal((await call('PATCH', `/api/extras/config-contexts/${id}/`, { tags: ['devices', 't0'] })).status, 200)
  assert.equal(await uses(), 0)
  assert.equal((await call('GET', `/api/extras/tagged-objects/?tag=devices`)).json.count, 0)
})

test('tags of objects that do not show them are in their change records, and can be undone', async () => {
  const policy = (await create('ipam/vlan-translation-policies', { name: 'P', add_tags: [tags[0]] })).id
  const rule = (await create('ipam/vlan-translation-rules', { policy, local_vid: 1, remote_vid: 2 })).id
  const from = { name: 'D', type: 'local', source_url: '/srv/none' }
  const source = (await create('core/data-sources', from)).id
  const changes = async (type: string, id: number) =>
    (await call('GET', `/api/core/object-changes/?changed_object_type=${type}&changed_object_id=${id}&ordering=id`))
      .json.results as { request_id: string; prechange_data: { tags: string[] }; postchange_data: { tags: string[] } }[]
  const [made] = await changes('ipam.vlantranslationpolicy', policy)
  assert.deepEqual(made!.postchange_data.tags, ['T0'])
  for (const [path, type, id] of [
    ['ipam/vlan-translation-policies', 'ipam.vlantranslationpolicy', policy],
    ['ipam/vlan-translation-rules', 'ipam.vlantranslationrule', rule],
    ['core/data-sources', 'core.datasource', source],
  ] as const) {
    const { status } = await call('PATCH', `/api/${path}/${id}/`, { add_tags: [tags[2], tags[1]] })
    assert.equal(status, 200)
    const change = (await changes(type, id)).at(-1)!
    const before = change.prechange_data.tags
    assert.deepEqual([before, change.postchange_data.tags], [before, [...before, 'T1', 'T2']], type)
    const undone = await call('POST', '/api/core/object-changes/revert/', { request_id: change.request_id })
    assert.equal(undone.status, 200, JSON.stringify(undone.json))
    assert.deepEqual((await changes(type, id)).at(-1)!.postchange_data.tags, before, type)
    assert.equal((await call('GET', `/api/${path}/?tag=t2&id=${id}`)).json.count, 0)
  }
})
