import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptModels } from '../../src/engine/kept-counts.ts'
import { keptCounts } from '../../src/services/count-checks.ts'
import { rebuildCounts } from '../../src/store/kept-counts.ts'
import { creating, serve } from '../support/server.ts'

/** Lists of large tables say how many rows there are, whatever of it was counted before. */
const { call, running } = await serve()
const { store } = running
store.db.raw.pragma('synchronous = off')
const create = creating({ call })

const Questions: Record<string, [path: string, table: string, where: Record<string, string>]> = {
  addresses: ['ipam/ip-addresses', 'ipam_ipaddress', { '': 'true', 'status=active': "status = 'active'" }],
  roles: [
    'ipam/ip-addresses',
    'ipam_ipaddress',
    {
      'status=active&role=vip': "status = 'active' and role = 'vip'",
      'status__n=active': "status <> 'active'",
      'role=null': 'role is null',
      'status=active&dns_name=a': "status = 'active' and dns_name = 'a'",
      'status__isw=active': "status like 'active%'",
    },
  ],
  changes: [
    'core/object-changes',
    'core_objectchange',
    {
      '': 'true',
      'action=create': "action = 'create'",
      'action=update&changed_object_type=ipam.ipaddress':
        "action = 'update' and changed_object_type = 'ipam.ipaddress'",
      'user=admin': 'user_id = 1',
    },
  ],
  macs: ['dcim/mac-addresses', 'dcim_macaddress', { '': 'true' }],
}
async function counts(when: string): Promise<void> {
  for (const [path, table, where] of Object.values(Questions))
    for (const [query, sql] of Object.entries(where)) {
      const { n } = store.db.raw.prepare(`select count(*) as n from ${table} where ${sql}`).get() as { n: number }
      const { json, text } = await call('GET', `/api/${path}/?${query}&limit=1`)
      assert.equal(json.count, n, `${when}: ${path} ${query} ${text.slice(0, 200)}`)
    }
  assert.deepEqual(keptCounts(store, false).problems, [], when)
}
const address = (i: number) => ({ address: `10.${i >> 8}.${i & 255}.1/32`, status: i % 3 ? 'active' : 'reserved' })

test('counts through creations, changes, deletions and refusals, counted before or not', async () => {
  await counts('at first')
  const made: { id: number }[] = await create(
    'ipam/ip-addresses',
    Array.from({ length: 40 }, (_, i) => address(i)),
  )
  await counts('created')
  rebuildCounts(store.db.raw)
  await counts('counted')
  await create(
    'ipam/ip-addresses',
    Array.from({ length: 10 }, (_, i) => address(100 + i)),
  )
  await create('dcim/mac-addresses', { mac_address: '00:00:00:00:00:01' })
  await counts('more')
  for (const [i, { id }] of made.slice(0, 12).entries())
    await call(
      'PATCH',
      `/api/ipam/ip-addresses/${id}/`,
      i % 2 ? { status: 'deprecated' } : { role: 'vip', dns_name: 'a' },
    )
  await counts('changed')
  await call(
    'DELETE',
    '/api/ipam/ip-addresses/',
    made.slice(6, 20).map(({ id }) => ({ id })),
  )
  await counts('deleted')
  const refused = await call('POST', '/api/ipam/ip-addresses/', [address(500), { address: 'none' }])
  assert.equal(refused.status, 400)
  await counts('refused')
  store.db.run('delete from core_objectchange where id < 20')
  store.db.run(`insert into ipam_ipaddress (id, address, address_host, address_mask, status, role)
    select ${made[8]!.id}, address || 'x', address_host, address_mask, status, 'vip' from ipam_ipaddress limit 1`)
  await counts('by other means')
})

test('counts follow on their own where much is written', async () => {
  const upto = () =>
    Object.fromEntries(
      (store.db.raw.prepare('select * from count_upto').all() as { name: string; id: number }[]).map((row) => [
        row.name,
        row.id,
      ]),
    )
  const before = upto()
  for (let n = 0; n < 3; n++)
    await create(
      'ipam/ip-addresses',
      Array.from({ length: 500 }, (_, i) => address(1000 + n * 500 + i)),
    )
  assert.ok(upto().ipam_ipaddress! > before.ipam_ipaddress! + 900)
  assert.ok(upto().core_objectchange! > before.core_objectchange! + 900)
  await counts('many')
})

test('the check finds wrong counts and puts them right', async () => {
  store.db.raw.exec(
    'update count_ipam_ipaddress set n = n + 1 where rowid = (select min(rowid) from count_ipam_ipaddress)',
  )
  assert.equal(keptCounts(store, false).problems.length, 1)
  keptCounts(store, true)
  await counts('repaired')
  assert.ok(keptModels.length > 5)
})
