import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { Random, seedOf } from '../support/random.ts'
import { creating, serve } from '../support/server.ts'

/** Every page of a list is the part of the whole list that it says it is, wherever it is read from. */
const { call, running } = await serve({ maxPageSize: 0 })
running.store.db.raw.pragma('synchronous = off')
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
