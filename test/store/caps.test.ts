import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

/** Answers stay right where there is much of something. */
const { call, running } = await serve()
running.store.db.raw.pragma('synchronous = off')
const make = new Maker(call)
const idsOf = async (path: string): Promise<number[]> => {
  const reply = await call('GET', `/api/${path}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.json.results.map((row: { id: number }) => row.id)
}

test('a filter whose value names thousands of objects', async () => {
  const { db } = running.store
  const type = await make.shared('dcim.devicetype')
  const [role, site] = [await make.shared('dcim.devicerole'), await make.shared('dcim.site')]
  const first = await make.fresh('dcim.device', { device_type: type, role, site })
  const nic = await make.fresh('dcim.interface', { device: first, name: 'eth0' })
  const columns = (table: string): string[] =>
    (db.raw.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name).filter((n) => n !== 'id')
  /** Copies one row thousands of times, with other values in some columns: far faster than by requests. */
  const copies = (table: string, id: number, other: Record<string, string>): void => {
    const names = columns(table)
    db.run(
      `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')})
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 6000)
       select ${names.map((name) => other[name] ?? `t."${name}"`).join(', ')} from ${table} t, n where t.id = ${id}`,
    )
  }
  copies('dcim_device', first, { name: "'copy ' || i" })
  copies('dcim_interface', nic, { device_id: `${first} + i` })
  const last = Math.max(...(await idsOf('dcim/interfaces/?limit=1&ordering=-id')))
  const device = (await call('GET', `/api/dcim/interfaces/${last}/`)).json.device.id
  const address = await make.fresh('ipam.ipaddress', {
    address: '10.0.0.1/24',
    assigned_object_type: 'dcim.interface',
    assigned_object_id: last,
  })
  assert.deepEqual(await idsOf('ipam/ip-addresses/?interface=eth0'), [address])
  assert.deepEqual(await idsOf('ipam/ip-addresses/?interface__n=eth0'), [])
  assert.equal((await call('GET', '/api/dcim/interfaces/?name=eth0&limit=1')).json.count, 6001)
  const mac = await make.fresh('dcim.macaddress', {
    mac_address: '00:00:5E:00:00:01',
    assigned_object_type: 'dcim.interface',
    assigned_object_id: last,
  })
  assert.deepEqual(await idsOf('dcim/mac-addresses/?interface=eth0'), [mac])
  assert.ok(device > first + 5000)
})

test('a filter by the name of many roots of a tree finds what is below each of them', async () => {
  const parents: number[] = []
  for (let i = 0; i < 60; i++)
    parents.push(await make.fresh('dcim.location', { name: 'Hall', slug: 'hall', site: await make.fresh('dcim.site') }))
  const site = (await call('GET', `/api/dcim/locations/${parents.at(-1)}/`)).json.site.id
  const below = await make.fresh('dcim.location', { name: 'Row', slug: 'row', site, parent: parents.at(-1)! })
  const rack = await make.fresh('dcim.rack', { site, location: below })
  assert.deepEqual(await idsOf('dcim/racks/?location=hall'), [rack])
  assert.deepEqual(await idsOf('dcim/locations/?ancestor=hall&limit=500'), [below])
})

test('a row cannot go below itself, however deep the tree', async () => {
  const chain = 1100
  const bodies = Array.from({ length: chain }, (_, i) => ({ name: `Region ${i}`, slug: `region-${i}` }))
  const made = (await call('POST', '/api/dcim/regions/', bodies)).json.map(({ id }: { id: number }) => id) as number[]
  const { db } = running.store
  for (let i = 1; i < chain; i++) db.run('update dcim_region set parent_id = ? where id = ?', made[i - 1], made[i])
  const reply = await call('PATCH', `/api/dcim/regions/${made[0]}/`, { parent: made.at(-1) })
  assert.equal(reply.status, 400, reply.text)
  assert.ok('parent' in reply.json)
})

test('each of many orders counts', async () => {
  const site = await make.fresh('dcim.site', { name: 'Order', slug: 'order' })
  const tenants: number[] = []
  for (const name of ['Zulu', 'Alpha'])
    tenants.push(await make.fresh('tenancy.tenant', { name, slug: name.toLowerCase() }))
  const racks: number[] = []
  for (const tenant of tenants) racks.push(await make.fresh('dcim.rack', { site, tenant }))
  const ordering = 'site,location,role,rack_type,group,owner,tenant'
  assert.deepEqual(await idsOf(`dcim/racks/?site=order&ordering=${ordering}`), racks.toReversed())
})
