import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { Random, seedOf } from '../support/random.ts'
import { creating, serve } from '../support/server.ts'
import { statementsOf } from '../support/statements.ts'

/** Every page of a list is the part of the whole list that it says it is, wherever it is read from. */
const client = await serve({ maxPageSize: 0 })
const { call, running } = client
const create = creating({ call })
const seed = seedOf()
const random = new Random(seed)

const vrf = (await create('ipam/vrfs', { name: 'Red' })).id
const manufacturer = (await create('dcim/manufacturers', { name: 'M', slug: 'm' })).id
const device_type = (await create('dcim/device-types', { manufacturer, model: 'M', slug: 'm' })).id
const role = (await create('dcim/device-roles', { name: 'R', slug: 'r' })).id
const site = (await create('dcim/sites', { name: 'S', slug: 's' })).id
const tag = (await create('extras/tags', { name: 'Half', slug: 'half' })).id
const devices: { id: number }[] = await create(
  'dcim/devices',
  Array.from({ length: 60 }, (_, i) => ({
    ...{ device_type, role, site, status: i < 40 ? 'active' : 'planned' },
    ...(i % 7 ? { name: `Unit ${(i * 37) % 60}` } : {}),
    tags: i % 2 ? [tag] : [],
  })),
)
for (const { id } of devices)
  await create(
    'dcim/interfaces',
    Array.from({ length: 12 }, (_, i) => ({ device: id, name: `eth${i}`, type: i % 3 ? 'virtual' : '1000base-t' })),
  )
await create(
  'ipam/ip-addresses',
  Array.from({ length: 500 }, (_, i) => ({
    ...{ address: `10.0.${i >> 8}.${i & 255}/24`, status: i < 350 ? 'active' : 'reserved' },
    ...{ dns_name: i % 2 ? 'odd.example' : '', vrf: i % 5 ? null : vrf },
  })),
)
await create(
  'ipam/prefixes',
  Array.from({ length: 200 }, (_, i) => ({ prefix: `10.${i}.0.0/16`, vrf: i % 3 ? null : vrf, is_pool: i % 2 === 0 })),
)

const lists: Record<string, readonly string[]> = {
  'dcim/devices': [
    '',
    'status=active',
    'status=planned',
    'tag=half',
    'name__ic=unit',
    'role=r',
    'ordering=-name',
    'ordering=status',
  ],
  'dcim/interfaces': [
    '',
    'type=virtual',
    'name=eth3',
    'name__ic=eth1',
    'device__ic=x',
    'ordering=-device',
    'ordering=name',
  ],
  'ipam/ip-addresses': [
    '',
    'status=active',
    'status=reserved',
    'dns_name=odd.example',
    'parent=10.0.0.0/16',
    'ordering=vrf',
    'ordering=-vrf,status',
  ],
  'ipam/prefixes': [
    '',
    'is_pool=true',
    'within=10.0.0.0/8',
    `vrf_id=${vrf}`,
    'vrf_id=null',
    'ordering=-prefix',
    'ordering=-last_updated',
  ],
  'core/object-changes': [
    '',
    'action=create',
    'changed_object_type=dcim.interface',
    'changed_object_type=dcim.device',
    'user=admin',
    'ordering=action',
  ],
  'extras/tagged-objects': [''],
  'dcim/sites': ['', 'status=active'],
}
for (const [path, queries] of Object.entries(lists))
  for (const query of queries)
    test(`${path}?${query} (seed ${seed})`, async () => {
      const read = async (limit: number, offset: number) => {
        const reply = await call('GET', `/api/${path}/?${query}&fields=id&limit=${limit}&offset=${offset}`)
        assert.equal(reply.status, 200, reply.text)
        return reply.json as { count: number; results: { id: number }[] }
      }
      const all = await read(0, 0)
      assert.equal(all.count, all.results.length)
      for (let i = 0; i < 12; i++) {
        const limit = 1 + random.below(20)
        const offset = random.below(all.count + 5)
        const page = await read(limit, offset)
        assert.equal(page.count, all.count)
        assert.deepEqual(page.results, all.results.slice(offset, offset + limit), `limit ${limit} offset ${offset}`)
      }
    })

test('lists by a reference go along what is referred to, and are in the order in which sorting puts them', async () => {
  const tenants = await create('tenancy/tenants', [
    { name: 'Z', slug: 'z' },
    { name: 'A', slug: 'a' },
    { name: 'M', slug: 'm' },
  ])
  const given = devices.map(({ id }, i) => ({ id, tenant: [null, ...tenants.map((each: any) => each.id)][i % 4] }))
  assert.equal((await call('PATCH', '/api/dcim/devices/', given)).status, 200)
  const pages = { 'dcim/devices': ['tenant', 'site', 'device_type', 'rack', 'oob_ip'], 'dcim/interfaces': ['device'] }
  for (const [path, names] of Object.entries(pages))
    for (const ordering of names.flatMap((name) => [name, `-${name}`])) {
      const url = `/api/${path}/?fields=id&ordering=${ordering}`
      // One filter is enough to have all sorted.
      const sorted = (await call('GET', `${url}&limit=0&id__gte=0`)).json.results
      for (const offset of [0, 1, 13, 14, 29, 30, 31, 44, 45, 46, 50, 57]) {
        const { json, statements } = await statementsOf(client, `${url}&limit=5&offset=${offset}`)
        assert.deepEqual(json.results, sorted.slice(offset, offset + 5), `${ordering} from ${offset}`)
        const joined = statements.filter((sql) => /from "(dcim_device|dcim_interface)" t\s+(left )?join/.test(sql))
        assert.deepEqual(joined, [], ordering)
      }
    }
})

test('lists by id are not walked along where no id is missing, and right where some are', async () => {
  const read = async () => {
    const walks: string[] = []
    for (const ordering of ['id', '-id']) {
      const url = `/api/ipam/ip-addresses/?fields=id&ordering=${ordering}`
      const sorted = (await call('GET', `${url}&limit=0&id__gte=0`)).json.results
      for (const offset of [0, 3, 250, sorted.length - 3]) {
        const { json, statements } = await statementsOf(client, `${url}&limit=5&offset=${offset}`)
        assert.deepEqual(json.results, sorted.slice(offset, offset + 5), `${ordering} from ${offset}`)
        walks.push(...statements.filter((sql) => /offset :offset/.test(sql)))
      }
    }
    return walks
  }
  assert.deepEqual(await read(), [])
  const { results } = (await call('GET', '/api/ipam/ip-addresses/?fields=id&limit=1&offset=200&ordering=id')).json
  assert.equal((await call('DELETE', `/api/ipam/ip-addresses/${results[0].id}/`)).status, 204)
  assert.ok((await read()).length > 0)
})

test('what most rows meet is counted by the few that do not', async () => {
  for (const query of ['name__n=eth3', 'name__n=eth3&name__n=eth4', 'name__nic=eth1', 'enabled=true&name__n=eth0']) {
    const { json, statements } = await statementsOf(client, `/api/dcim/interfaces/?fields=id&limit=5&${query}`)
    const { results } = (await call('GET', `/api/dcim/interfaces/?fields=id&limit=0&ordering=id&${query}`)).json
    assert.equal(json.count, results.length, query)
    const counting = statements.filter((sql) => /^select count\(\*\) as n from "dcim_interface" t where/.test(sql))
    assert.ok(counting.length > 0 && !counting.some((sql) => /is not true/.test(sql)), `${query}: ${counting}`)
  }
})

test('the devices of a rack are found by the rack, whatever SQLite believes of roles', async () => {
  const { raw } = running.store.db
  raw.exec(`analyze; delete from sqlite_stat1;
    insert into sqlite_stat1 values ('dcim_device', 'dcim_device_role_id_ix', '100000 240'),
      ('dcim_device', 'dcim_device_unique2_uq', '100000 240 240 240'),
      ('dcim_devicerole', 'dcim_devicerole_order_ix', '10 1');
    analyze sqlite_schema`)
  const rack = (await create('dcim/racks', { name: 'R', site })).id
  const { statements } = await statementsOf(client, `/api/dcim/racks/${rack}/elevation/?render=svg`)
  const found = statements.find((sql) => /where d\.rack_id in/.test(sql))!
  const plan = raw.prepare(`explain query plan ${found}`).all('[1]') as { detail: string }[]
  assert.match(plan[0]!.detail, /^SEARCH d USING INDEX \w+ \(rack_id=\?\)/)
  raw.exec('drop table sqlite_stat1; drop table sqlite_stat4')
})

test('rows without a moment of change come last, and first in the opposite order', async () => {
  const ids = async (ordering: string) => {
    const { json } = await call('GET', `/api/ipam/prefixes/?fields=id,last_updated&limit=0&ordering=${ordering}`)
    return (json.results as { id: number; last_updated: string | null }[]).map((row) => (row.last_updated ? row.id : 0))
  }
  const all = await ids('last_updated')
  assert.deepEqual(await ids('-last_updated'), all.toReversed())
  running.store.db.run('update ipam_prefix set last_updated = null where id % 9 = 0')
  const some = await ids('last_updated')
  const none = some.filter((id) => id === 0)
  assert.deepEqual(some, [...all.filter((id) => id % 9 !== 0), ...none])
  assert.deepEqual(await ids('-last_updated'), some.toReversed())
})

test('the count and the rows of a page are of one moment, whatever another process writes meanwhile', async () => {
  const { db } = running.store
  const other = new Database(db.raw.name)
  const columns = other
    .prepare("select group_concat(name) from pragma_table_info('ipam_prefix') where name <> 'id'")
    .pluck()
    .get()
  const path = '/api/ipam/prefixes/?fields=id&limit=1&ordering=id&offset='
  const { count } = (await call('GET', `${path}0`)).json
  const last = (await call('GET', `${path}${count - 1}`)).json.results[0].id
  db.touchAll()
  const prepare = db.prepare.bind(db)
  let written = 0
  db.prepare = (sql: string) => {
    // between the statements of the page, as its rows are about to be selected
    if (/^select t\.id as id from "ipam_prefix"/.test(sql) && written++ === 0)
      other.exec(`insert into ipam_prefix (${columns}) select ${columns} from ipam_prefix limit 1`)
    return prepare(sql)
  }
  try {
    const page = (await call('GET', `${path}${count - 1}&description__n=none`)).json
    assert.equal(written, 1)
    assert.equal(page.count, count)
    assert.deepEqual(page.results, [{ id: last }])
  } finally {
    db.prepare = prepare
    other.close()
  }
  assert.equal((await call('GET', `${path}0`)).json.count, count + 1)
})
