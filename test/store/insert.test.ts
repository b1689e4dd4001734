import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const create = creating(client)
const { call } = client

/** What a site may say or leave out; more combinations than statements are kept for. */
const said = {
  latitude: 1.5,
  longitude: -2.5,
  time_zone: 'UTC',
  description: 'text',
  facility: 'F1',
  tenant: 0,
  region: 0,
} as Record<string, unknown>

test('rows keep what they say and what they leave out, in any combination', async () => {
  said.tenant = (await create('tenancy/tenants', { name: 'T', slug: 't' })).id
  said.region = (await create('dcim/regions', { name: 'R', slug: 'r' })).id
  const keys = Object.keys(said)
  const bodies = Array.from({ length: 2 ** keys.length }, (_, n) => ({
    name: `Site ${n}`,
    slug: `site-${n}`,
    ...Object.fromEntries(keys.flatMap((key, i) => ((n >> i) & 1 ? [[key, said[key]]] : []))),
  }))
  for (const order of [bodies.slice(0, 64), bodies.slice(64).toReversed()]) {
    const { status, json } = await call('POST', '/api/dcim/sites/', order)
    assert.equal(status, 201)
    for (const [i, made] of (json as Record<string, unknown>[]).entries())
      for (const key of keys) {
        const given = (order[i] as Record<string, unknown>)[key]
        const shown = made[key] as { id?: number } | null
        const nothing = key === 'description' || key === 'facility' ? '' : null
        assert.deepEqual(shown?.id ?? shown, given ?? nothing, `${order[i]!.name} ${key}`)
      }
  }
  const { json } = await call('GET', `/api/dcim/sites/?region_id=${String(said.region)}&tenant_id=null&limit=1`)
  assert.equal(json.count, 32)
})

test('what is unique is refused where there is something, and may be nothing in many rows', async () => {
  const maker = await create('dcim/manufacturers', { name: 'M', slug: 'm' })
  const type = await create('dcim/device-types', { manufacturer: maker.id, model: 'D', slug: 'd' })
  const role = await create('dcim/device-roles', { name: 'Role', slug: 'role' })
  const site = await create('dcim/sites', { name: 'S', slug: 's' })
  const rack = await create('dcim/racks', { name: 'Rack', site: site.id })
  const device = (more: object) => ({ device_type: type.id, role: role.id, site: site.id, ...more })
  const many = await call('POST', '/api/dcim/devices/', [
    device({ name: 'a', asset_tag: 'A1', rack: rack.id, position: 1, face: 'front' }),
    device({ name: 'b' }),
    device({ name: 'c' }),
    device({ name: 'd', rack: rack.id }),
    device({ name: 'e', rack: rack.id }),
  ])
  assert.equal(many.status, 201, JSON.stringify(many.json))
  const tag = await call('POST', '/api/dcim/devices/', device({ name: 'f', asset_tag: 'A1' }))
  assert.equal(tag.status, 400)
  assert.ok(tag.json.asset_tag)
  const { db } = client.running.store
  const column = (name: string, value: unknown) =>
    db.raw.prepare(`update dcim_device set ${name} = ? where name = 'b'`).run(value)
  assert.throws(() => column('asset_tag', 'A1'), /UNIQUE/) // also past the rules
  const plan = db.all<{ detail: string }>('explain query plan select 1 from dcim_device where asset_tag = +?', 'A1')
  assert.match(plan[0]!.detail, /dcim_device_asset_tag_uq/)
  const found = await call('GET', `/api/dcim/devices/?rack_id=${rack.id}&limit=1`)
  assert.equal(found.json.count, 3)
})
