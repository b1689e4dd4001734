import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const { call } = client
const make = new Maker(call)
const create = creating(client)
const idsOf = (list: readonly { id: number }[]) => list.map(({ id }) => id)
/** Ids of all rows of a list, in its own order. */
const listed = async (path: string): Promise<number[]> =>
  idsOf((await call('GET', `/api/${path}/?fields=id`)).json.results)

// each in an order that its ids do not tell
const named = (name: string, more = {}) => ({ name, slug: name.toLowerCase(), ...more })
const top = await make.fresh('dcim.region', named('Z'))
await make.fresh('dcim.region', named('A'))
await make.fresh('dcim.region', named('B', { parent: top }))
for (const name of ['Zeta', 'Alpha']) {
  const manufacturer = await make.fresh('dcim.manufacturer', named(name))
  await make.fresh('dcim.devicetype', { manufacturer, model: 'M' })
  await make.fresh('ipam.vlan', { site: await make.fresh('dcim.site', named(name)), vid: name === 'Zeta' ? 1 : 9 })
}
const lists = { 'dcim.region': 'dcim/regions', 'dcim.devicetype': 'dcim/device-types', 'ipam.vlan': 'ipam/vlans' }

test('objects in a custom field come in the order of their list', async () => {
  for (const [type, path] of Object.entries(lists)) {
    const all = await listed(path)
    assert.notDeepEqual(all, all.toSorted(), `${path} shows nothing`)
    const name = type.replace('.', '_')
    await create('extras/custom-fields', {
      name,
      type: 'multiobject',
      related_object_type: type,
      object_types: ['tenancy.tenant'],
    })
    const tenant = await create('tenancy/tenants', { ...named(name), custom_fields: { [name]: all.toSorted() } })
    assert.deepEqual(idsOf(tenant.custom_fields[name]), all, type)
  }
})

test('so do the objects of many-to-many fields', async () => {
  const [regions, types] = await Promise.all(Object.values(lists).map(listed))
  const context = await create('extras/config-contexts', {
    name: 'c',
    data: { a: 1 },
    regions: regions!.toSorted(),
    device_types: types!.toSorted(),
  })
  assert.deepEqual(idsOf(context.regions), regions)
  assert.deepEqual(idsOf(context.device_types), types)
})
