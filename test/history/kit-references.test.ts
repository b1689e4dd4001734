import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, sync, areSame, conflicts } = sides
const keys = () => conflicts().map(({ key }) => key)

test('a member of what goes is told of, also where its link has the number of an object that goes', async () => {
  const region = await make('dcim/regions', { name: 'North', slug: 'north' })
  await sync('pull')
  const body = { data: { a: 1 } }
  const first = await makeHere('extras/config-contexts', { name: 'first', ...body })
  await sync('push')
  await here('PATCH', `extras/config-contexts/${first.id}`, { description: 'changed' })
  const context = await makeHere('extras/config-contexts', { name: 'second', regions: [region.id], ...body })
  await there('DELETE', `extras/config-contexts/${first.id}`)
  await there('DELETE', `dcim/regions/${region.id}`)
  assert.equal((await sides.kit.sync('push')).code, 1)
  assert.deepEqual(keys(), [`extras.configcontext:${first.id}`, `dcim.region:${region.id}`])
  const said = await sync('push', { theirs: true })
  assert.match(said, /^decided for theirs: dcim.region \d+ "North"/m)
  assert.match(said, new RegExp(`ours: the regions of config context second \\(${context.id}\\)`))
  await areSame('extras/config-contexts', 'dcim/regions')
})

test('a member of what goes along with what was deleted is told of', async () => {
  const { site } = sides.parts
  const type = await make('virtualization/cluster-types', { name: 'Edge', slug: 'edge' })
  for (const take of ['ours', 'theirs'] as const) {
    const location = await make('dcim/locations', { name: take, slug: take, site })
    await sync('pull')
    const scope = { scope_type: 'dcim.location', scope_id: location.id }
    const cluster = await makeHere('virtualization/clusters', { name: take, type: type.id, ...scope })
    const context = await makeHere('extras/config-contexts', { name: take, clusters: [cluster.id], data: { a: 1 } })
    await there('DELETE', `dcim/locations/${location.id}`)
    const said = await sync('push', { [take]: true })
    const { clusters } = await there('GET', `extras/config-contexts/${context.id}`)
    assert.equal(clusters.length, take === 'ours' ? 1 : 0)
    if (take === 'theirs')
      assert.match(said, new RegExp(`ours: the clusters of config context theirs \\(${context.id}\\)`))
    await areSame('extras/config-contexts', 'virtualization/clusters', 'dcim/locations')
  }
})

test('what was there before refers again to what it did when the new reference gives way, and stays', async () => {
  const groups: { id: number }[] = []
  for (const name of ['old', 'new', 'low'])
    groups.push(
      await make('dcim/site-groups', { name, slug: name, ...(name === 'low' ? { parent: groups[0]?.id } : {}) }),
    )
  const [old, fresh, low] = groups as [{ id: number }, { id: number }, { id: number }]
  const role = await make('dcim/device-roles', { name: 'Edge', slug: 'edge' })
  const chassis = await make('dcim/virtual-chassis', { name: 'stack' })
  const { site, role: known } = sides.parts
  await there('PATCH', `dcim/sites/${site}`, { group: old.id })
  const device = await make('dcim/devices', sides.device('sw-b'))
  await sync('pull')
  await here('PATCH', `dcim/site-groups/${low.id}`, { parent: fresh.id })
  await here('PATCH', `dcim/sites/${site}`, { group: fresh.id })
  await here('PATCH', `dcim/devices/${device.id}`, { role: role.id, virtual_chassis: chassis.id, vc_position: 3 })
  const below = await make('dcim/sites', { name: 'Below', slug: 'below', group: low.id })
  await there('DELETE', `dcim/site-groups/${fresh.id}`)
  await there('DELETE', `dcim/device-roles/${role.id}`)
  await there('DELETE', `dcim/virtual-chassis/${chassis.id}`)
  assert.equal((await sides.kit.sync('push')).code, 1)
  assert.match(JSON.stringify(conflicts()), /refers to what it did before/)
  await sync('push', { theirs: true })
  assert.equal((await there('GET', `dcim/site-groups/${low.id}`)).parent.id, old.id)
  assert.equal((await there('GET', `dcim/sites/${site}`)).group.id, old.id)
  assert.equal((await there('GET', `dcim/sites/${below.id}`)).group.id, low.id)
  const { role: is, virtual_chassis, vc_position } = await there('GET', `dcim/devices/${device.id}`)
  assert.deepEqual([is.id, virtual_chassis, vc_position], [known, null, null])
  await areSame('dcim/sites', 'dcim/site-groups', 'dcim/devices', 'dcim/device-roles')
})

test('a new part of what was deleted is not taken where it cannot be without it', async () => {
  const type = await make('dcim/device-types', { manufacturer: sides.parts.maker, model: 'Gone', slug: 'gone' })
  await sync('pull')
  await here('DELETE', `dcim/device-types/${type.id}`)
  const part = await make('dcim/power-outlet-templates', { name: 'out', device_type: type.id })
  assert.equal((await sides.kit.sync('push')).code, 1)
  assert.deepEqual(keys(), [`dcim.poweroutlettemplate:${part.id}.device_type`])
  assert.equal(conflicts()[0].if_ours, 'it is not taken')
  await sync('push', { ours: true })
  await areSame('dcim/device-types', 'dcim/power-outlet-templates')
})

test('what comes refers to what it does here where its new reference was deleted, and the rest is taken', async () => {
  const role = await make('dcim/device-roles', { name: 'Core', slug: 'core' })
  const chassis = await make('dcim/virtual-chassis', { name: 'ring' })
  const [group, gone] = [
    await make('dcim/site-groups', { name: 'kept', slug: 'kept' }),
    await make('dcim/site-groups', { name: 'gone', slug: 'gone' }),
  ]
  const site = await make('dcim/sites', { name: 'Moved', slug: 'moved', group: group.id })
  const device = await make('dcim/devices', sides.device('sw-c'))
  await sync('pull')
  await here('DELETE', `dcim/device-roles/${role.id}`)
  await here('DELETE', `dcim/virtual-chassis/${chassis.id}`)
  await here('DELETE', `dcim/site-groups/${gone.id}`)
  const more = { role: role.id, virtual_chassis: chassis.id, vc_position: 3, serial: 'S1' }
  await there('PATCH', `dcim/devices/${device.id}`, more)
  await there('PATCH', `dcim/sites/${site.id}`, { group: gone.id, facility: 'F1' })
  await sync('push', { ours: true })
  const { role: is, virtual_chassis, vc_position, serial } = await there('GET', `dcim/devices/${device.id}`)
  assert.deepEqual([is.id, virtual_chassis, vc_position, serial], [sides.parts.role, null, null, 'S1'])
  const now = await there('GET', `dcim/sites/${site.id}`)
  assert.deepEqual([now.group.id, now.facility], [group.id, 'F1'])
  await areSame('dcim/sites', 'dcim/devices')
})

test('what rules forbid without a new reference to what was deleted is not taken, or stays as it was', async () => {
  const { site } = sides.parts
  const named = (name: string, more: object = {}) => ({ name, slug: name, ...more })
  const region = await make('dcim/regions', named('over'))
  const provider = (await make('circuits/providers', named('carrier'))).id
  const circuit = await make('circuits/circuits', {
    cid: 'line',
    provider,
    type: (await make('circuits/circuit-types', named('fibre'))).id,
  })
  const type = (await make('virtualization/cluster-types', named('pool'))).id
  const cluster = await make('virtualization/clusters', { name: 'pool', type })
  const old = await make('virtualization/virtual-machines', { name: 'old', site })
  await sync('pull')
  await here('DELETE', `dcim/regions/${region.id}`)
  await here('DELETE', `virtualization/clusters/${cluster.id}`)
  const below = await make('dcim/regions', named('below', { parent: region.id }))
  await make('circuits/circuit-terminations', {
    circuit: circuit.id,
    term_side: 'A',
    termination_type: 'dcim.region',
    termination_id: below.id,
  })
  await make('virtualization/virtual-machines', { name: 'new', cluster: cluster.id })
  await there('PATCH', `virtualization/virtual-machines/${old.id}`, { cluster: cluster.id, site: null })
  await sync('push', { ours: true })
  assert.equal((await there('GET', 'circuits/circuit-terminations')).count, 0)
  const machines = (await there('GET', 'virtualization/virtual-machines')).results as any[]
  assert.deepEqual(
    machines.map(({ name, site: at }) => [name, at.id]),
    [['old', site]],
  )
  await areSame('dcim/regions', 'circuits/circuits', 'circuits/circuit-terminations', 'virtualization/virtual-machines')
})

test('what somebody took from an object before it was deleted stays away where that comes back', async () => {
  const assigned = { assigned_object_type: 'dcim.interface', assigned_object_id: sides.parts.p4 }
  const address = await make('ipam/ip-addresses', { address: '10.7.0.1/24', ...assigned })
  await sync('pull')
  await here('PATCH', `ipam/ip-addresses/${address.id}`, { assigned_object_type: null, assigned_object_id: null })
  await here('DELETE', `dcim/interfaces/${sides.parts.p4}`)
  await there('PATCH', `dcim/interfaces/${sides.parts.p4}`, { description: 'changed' })
  await sync('push', { theirs: true })
  assert.equal((await there('GET', `dcim/interfaces/${sides.parts.p4}`)).description, 'changed')
  assert.equal((await there('GET', `ipam/ip-addresses/${address.id}`)).assigned_object, null)
  await areSame('dcim/interfaces', 'ipam/ip-addresses')
})

test('a circuit ends at a provider network that the other side deleted: either decision ends it', async () => {
  const { site } = sides.parts
  const provider = (await make('circuits/providers', { name: 'Hauler', slug: 'hauler' })).id
  const type = (await make('circuits/circuit-types', { name: 'Wave', slug: 'wave' })).id
  const circuit = (await make('circuits/circuits', { cid: 'wave', provider, type })).id
  const at = (termination_type: string, termination_id: number) => ({ termination_type, termination_id })
  for (const [side, ending, deleting] of [
    ['ours', here, there],
    ['theirs', there, here],
  ] as const)
    for (const take of ['ours', 'theirs'] as const) {
      const network = (await make('circuits/provider-networks', { provider, name: `${side} ${take}` })).id
      const path = 'circuits/circuit-terminations'
      const old = await make(path, { circuit, term_side: 'Z', ...at('dcim.site', site!) })
      await sync('pull')
      const place = at('circuits.providernetwork', network)
      const made = await ending('POST', path, { circuit, term_side: 'A', ...place })
      await ending('PATCH', `${path}/${old.id}`, place)
      await deleting('DELETE', `circuits/provider-networks/${network}`)
      assert.equal((await sides.kit.sync('push')).code, 1)
      await sync('push', { [take]: true })
      const left: any[] = (await there('GET', path)).results
      assert.deepEqual(
        left.map(({ id, termination }) => [id, termination.id]).toSorted(),
        side === take
          ? [
              [made.id, network],
              [old.id, network],
            ].toSorted()
          : [[old.id, site]],
      )
      await areSame(path, 'circuits/provider-networks')
      for (const { id } of left) await there('DELETE', `${path}/${id}`)
    }
})

test('nothing that kits have refers to what they do not have', async () => {
  const group = (await make('ipam/fhrp-groups', { protocol: 'vrrp2', group_id: 7 })).id
  await there('PATCH', `dcim/sites/${sides.parts.site}`, { tags: [sides.parts.tag] })
  for (const [type, listed] of [
    ['core.kit', 'core/kits'],
    ['extras.taggeditem', 'extras/tagged-objects'],
  ] as const) {
    const [{ id }] = (await there('GET', listed)).results
    for (const [path, body] of [
      ['ipam/fhrp-group-assignments', { group, interface_type: type, interface_id: id, priority: 1 }],
      ['vpn/l2vpn-terminations', { assigned_object_type: type, assigned_object_id: id }],
    ] as const) {
      const { status, json } = await sides.source.call('POST', `/api/${path}/`, body)
      assert.equal(status, 400)
      assert.match(JSON.stringify(json), new RegExp(`_type":\\["Objects of type ${type} are not allowed here`))
    }
  }
})

test('tags of objects that do not show them come along: they are added and taken away by name', async () => {
  const policy = (await make('ipam/vlan-translation-policies', { name: 'tagged' })).id
  const rule = (await make('ipam/vlan-translation-rules', { policy, local_vid: 1, remote_vid: 2 })).id
  const from = { type: 'local', source_url: '/srv/none' }
  const data = (await make('core/data-sources', { name: 'tagged', ...from })).id
  const tag = { id: (await make('extras/tags', { name: 'unseen', slug: 'unseen' })).id }
  await sync('pull')
  const places = [`ipam/vlan-translation-policies/${policy}`, `ipam/vlan-translation-rules/${rule}`]
  for (const place of places) await here('PATCH', place, { add_tags: [tag] })
  await there('PATCH', `core/data-sources/${data}`, { add_tags: [tag] })
  await sync('push')
  await areSame('extras/tagged-objects')
  const tagged = async () =>
    (await sides.source.call('GET', '/api/extras/tagged-objects/?tag=unseen')).json.count as number
  assert.equal(await tagged(), 3)
  for (const place of places) await here('PATCH', place, { remove_tags: [tag] })
  await sync('push')
  assert.equal(await tagged(), 1)
})

test('a primary address of an interface that the other side deleted goes or stays as that is decided', async () => {
  const { site, type: device_type, role } = sides.parts
  let count = 0
  for (const [owners, ports, of, port] of [
    ['virtualization/virtual-machines', 'virtualization/interfaces', 'virtual_machine', 'virtualization.vminterface'],
    ['dcim/devices', 'dcim/interfaces', 'device', 'dcim.interface'],
  ] as const)
    for (const side of ['ours', 'theirs'] as const) {
      const name = `primary${++count}`
      const more = owners === 'dcim/devices' ? { device_type, role } : {}
      const owner = (await make(owners, { name, site, ...more })).id
      const body = { name: 'mgmt', [of]: owner, ...(owners === 'dcim/devices' ? { type: 'virtual' } : {}) }
      const id = (await make(ports, body)).id
      const address = (await make('ipam/ip-addresses', { address: `10.9.${count}.1/24` })).id
      await sync('pull')
      await there('DELETE', `${ports}/${id}`)
      await here('PATCH', `ipam/ip-addresses/${address}`, { assigned_object_type: port, assigned_object_id: id })
      await here('PATCH', `${owners}/${owner}`, { primary_ip4: address })
      await sync('push', { [side]: true })
      await areSame(owners, ports, 'ipam/ip-addresses')
      const { primary_ip4 } = await there('GET', `${owners}/${owner}`)
      assert.equal(primary_ip4?.id, side === 'ours' ? address : undefined)
    }
})
