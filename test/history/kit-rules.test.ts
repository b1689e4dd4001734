import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, conflicts, sync, areSame } = sides

test('an inventory item moved, then given children, moves with them in a merge; left, they conflict', async () => {
  const other = await make('dcim/devices', sides.device('sw-other'))
  for (const decision of [undefined, 'ours', 'theirs'] as const) {
    const item = await make('dcim/inventory-items', { device: sides.parts.a, name: `item ${decision}` })
    await sync('pull')
    await there('PATCH', `dcim/inventory-items/${item.id}`, { device: other.id })
    await make('dcim/inventory-items', { device: other.id, parent: item.id, name: `child ${decision}` })
    if (decision) {
      await makeHere('dcim/inventory-items', { device: sides.parts.a, parent: item.id, name: `mine ${decision}` })
      assert.equal((await sides.kit.sync('push')).code, 1)
      assert.equal(conflicts()[0].object_type, 'dcim.inventoryitem')
    }
    await sync('push', decision ? { [decision]: true } : {})
    const { device } = await here('GET', `dcim/inventory-items/${item.id}`)
    assert.equal(device.id, decision === 'ours' ? sides.parts.a : other.id, decision)
    await areSame('dcim/inventory-items')
  }
})

test('what stands on a side although its rules would refuse a change of it is no conflict of a merge', async () => {
  const [apart, parent] = [
    await make('dcim/devices', sides.device('sw-apart')),
    await make('dcim/inventory-items', { device: sides.parts.a, name: 'parent' }),
  ]
  const child = (name: string) => ({ device: apart.id, parent: parent.id, name }) // may be made so, but not changed
  const theirs = await make('dcim/inventory-items', child('child there'))
  await sync('pull')
  const refused = await sides.kit.call('PATCH', `/api/dcim/inventory-items/${theirs.id}/`, { label: 'x' })
  assert.equal(refused.status, 400, refused.text)
  await makeHere('dcim/inventory-items', child('child here'))
  await sync('push')
  await makeHere('extras/custom-fields', {
    name: 'everywhere',
    type: 'text',
    object_types: ['dcim.inventoryitem'],
    default: 'preset',
  })
  await sync('push')
  assert.equal((await there('GET', `dcim/inventory-items/${theirs.id}`)).custom_fields.everywhere, 'preset')
  await areSame('dcim/inventory-items', 'extras/custom-fields')
})

test('what is made in a kit against a rule of the source alone is not taken there', async () => {
  const { config } = sides.source.running.store
  const before = config.customValidators
  config.customValidators = { 'dcim.site': [{ name: { regex: '^[A-Z]' } }] }
  try {
    const { id } = await makeHere('dcim/sites', { name: 'small', slug: 'small' })
    const said = await sides.kit.sync('push')
    assert.equal(said.code, 1)
    assert.match(said.out, /dcim.site \d+ .*name/)
    await here('PATCH', `dcim/sites/${id}`, { name: 'Large' })
    await sync('push')
    await areSame('dcim/sites')
  } finally {
    config.customValidators = before
  }
})

test('what one side alone made of two objects is no conflict where the other touched one elsewhere', async () => {
  const platform = await make('dcim/platforms', { name: 'OS', slug: 'os' })
  const other = await make('dcim/manufacturers', { name: 'Other', slug: 'other' })
  await there('PATCH', `dcim/devices/${sides.parts.a}`, { platform: platform.id })
  await sync('pull')
  await there('PATCH', `dcim/platforms/${platform.id}`, { manufacturer: other.id }) // no rule asks its devices
  await here('PATCH', `dcim/devices/${sides.parts.a}`, { comments: 'touched' })
  await sync('push')
  assert.equal((await here('GET', `dcim/platforms/${platform.id}`)).manufacturer.id, other.id)
  await areSame('dcim/platforms', 'dcim/devices')
  for (const [makes, takes] of [
    [there, here],
    [here, there],
  ] as const) {
    const another = await make('dcim/manufacturers', { name: `Other ${makes === here}`, slug: `o-${makes === here}` })
    await sync('pull')
    await makes('PATCH', `dcim/platforms/${platform.id}`, { manufacturer: another.id })
    const name = makes === here ? 'by_here' : 'by_there'
    await makes('POST', 'extras/custom-fields', { name, type: 'text', object_types: ['dcim.device'], default: 'x' })
    await takes('PATCH', `dcim/platforms/${platform.id}`, { description: 'touched' })
    await sync('push')
    await areSame('dcim/platforms', 'dcim/devices', 'extras/custom-fields')
  }
})

test('new devices in a cluster that moves to another site there: they stay, whichever gives way', async () => {
  const type = await make('virtualization/cluster-types', { name: 'CT', slug: 'ct' })
  const away = await make('dcim/sites', { name: 'Away', slug: 'away' })
  for (const decision of ['ours', 'theirs'] as const) {
    const cluster = await make('virtualization/clusters', { name: `C ${decision}`, type: type.id })
    await sync('pull')
    const hosts: { id: number }[] = []
    for (const n of [1, 2, 3])
      hosts.push(await makeHere('dcim/devices', sides.device(`host ${n} ${decision}`, { cluster: cluster.id })))
    await there('PATCH', `virtualization/clusters/${cluster.id}`, { scope_type: 'dcim.site', scope_id: away.id })
    const name = `of_hosts_${decision}`
    await make('extras/custom-fields', { name, type: 'text', object_types: ['dcim.device'], default: 'x' })
    assert.equal((await sides.kit.sync('push')).code, 1)
    await sync('push', { [decision]: true })
    for (const { id } of hosts)
      assert.equal((await there('GET', `dcim/devices/${id}`)).cluster?.id, decision === 'ours' ? cluster.id : undefined)
    await areSame('dcim/devices', 'virtualization/clusters')
  }
})

test('new devices high up in a rack that is lower there: they lose their units alone, or it stays high', async () => {
  const { maker, site } = sides.parts
  const type = await make('dcim/device-types', { manufacturer: maker, model: '1U', slug: '1u', u_height: 1 })
  for (const decision of ['ours', 'theirs'] as const) {
    const rack = await make('dcim/racks', { name: `Low ${decision}`, site, u_height: 42 })
    await sync('pull')
    const devices: { id: number }[] = []
    for (const position of [30, 35, 40]) {
      const at = { device_type: type.id, rack: rack.id, position, face: 'front' }
      devices.push(await makeHere('dcim/devices', sides.device(`high ${position} ${decision}`, at)))
    }
    await there('PATCH', `dcim/racks/${rack.id}`, { u_height: 10, description: 'low' })
    await sync('push', { [decision]: true })
    const { u_height, description } = await there('GET', `dcim/racks/${rack.id}`)
    assert.deepEqual([u_height, description], [decision === 'ours' ? 42 : 10, 'low'])
    const seen = await Promise.all(devices.map(({ id }) => there('GET', `dcim/devices/${id}`)))
    assert.deepEqual(
      seen.map((each) => [each.rack?.id, each.position]),
      [30, 35, 40].map((position) => [rack.id, decision === 'ours' ? position : null]),
    )
    await areSame('dcim/racks', 'dcim/devices')
  }
})

test('a device whose chassis was deleted was not written by anybody, and takes nothing in its bays along', async () => {
  const { maker: manufacturer, role, site } = sides.parts
  const type = (model: string, subdevice_role: string, u_height: number) =>
    make('dcim/device-types', { manufacturer, model, slug: model, subdevice_role, u_height })
  const [holding, held] = [await type('blades', 'parent', 1), await type('blade', 'child', 0)]
  const elsewhere = await make('dcim/sites', { name: 'Elsewhere', slug: 'elsewhere' })
  const chassis = await make('dcim/virtual-chassis', { name: 'pair' })
  const member = { virtual_chassis: chassis.id, vc_position: 1, vc_priority: 7 }
  const parent = await make('dcim/devices', { name: 'blades', site, role, device_type: holding.id, ...member })
  const child = await make('dcim/devices', { name: 'blade', site: elsewhere.id, role, device_type: held.id })
  const bay = await make('dcim/device-bays', { device: parent.id, name: 'bay 1' })
  await sync('pull')
  await here('DELETE', `dcim/virtual-chassis/${chassis.id}`)
  await there('PATCH', `dcim/device-bays/${bay.id}`, { installed_device: child.id })
  await sync('push')
  assert.equal((await there('GET', `dcim/devices/${parent.id}`)).virtual_chassis, null)
  assert.equal((await there('GET', `dcim/devices/${child.id}`)).site.id, elsewhere.id)
  await areSame('dcim/devices', 'dcim/device-bays', 'dcim/virtual-chassis')
})

test('new devices of a platform that is limited there: asked, also beside values of a new custom field', async () => {
  const other = await make('dcim/manufacturers', { name: 'Limiting', slug: 'limiting' })
  for (const decision of ['ours', 'theirs'] as const) {
    const platform = await make('dcim/platforms', { name: `P ${decision}`, slug: `p-${decision}` })
    await sync('pull')
    const onIt = (name: string) => makeHere('dcim/devices', sides.device(name, { platform: platform.id }))
    const both = [await onIt(`on P ${decision}`), await onIt(`too on P ${decision}`)]
    await there('PATCH', `dcim/platforms/${platform.id}`, { manufacturer: other.id, description: 'limited' })
    const preset = { type: 'text', object_types: ['dcim.device'], default: 'x' }
    await make('extras/custom-fields', { name: `for_p_${decision}`, ...preset })
    assert.equal((await sides.kit.sync('push')).code, 1)
    await sync('push', { [decision]: true })
    const { manufacturer, description } = await there('GET', `dcim/platforms/${platform.id}`)
    assert.deepEqual([manufacturer?.id, description], [decision === 'ours' ? undefined : other.id, 'limited'])
    for (const { id } of both) {
      const made = await there('GET', `dcim/devices/${id}`)
      assert.equal(made.platform?.id, decision === 'ours' ? platform.id : undefined)
    }
    await areSame('dcim/devices', 'dcim/platforms')
  }
})

test('what was made beside something that was changed afterwards is taken; what it never allowed is not', async () => {
  const group = await makeHere('ipam/vlan-groups', { name: 'Floor', slug: 'floor', vid_ranges: [[1, 4094]] })
  const vlan = await makeHere('ipam/vlans', { name: 'late', vid: 26, group: group.id })
  await here('PATCH', `ipam/vlan-groups/${group.id}`, { vid_ranges: [[1, 23]] })
  await sync('push')
  assert.equal((await there('GET', `ipam/vlans/${vlan.id}`)).vid, 26)
  const rack = await make('dcim/racks', { name: 'shifted', site: sides.parts.site })
  await sync('pull')
  const kept = await makeHere('dcim/rack-reservations', { rack: rack.id, units: [1], user: 1, description: 'kept' })
  await here('PATCH', `dcim/racks/${rack.id}`, { starting_unit: 300 })
  await sync('push')
  assert.deepEqual((await there('GET', `dcim/rack-reservations/${kept.id}`)).units, [1])
  await areSame('ipam/vlans', 'ipam/vlan-groups', 'dcim/racks', 'dcim/rack-reservations')

  const { db } = sides.kit.running.store
  db.run('update dcim_rack set starting_unit = 1 where id = ?', rack.id) // by hand, past the rules
  const against = await makeHere('dcim/rack-reservations', { rack: rack.id, units: [2], user: 1, description: 'x' })
  db.run("update dcim_rackreservation set units = '[9999]' where id = ?", against.id)
  const said = await sides.kit.sync('push')
  assert.equal(said.code, 1)
  assert.match(said.out, /Invalid unit/)
})
