import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, there, sync, byFile, areSame, conflicts } = sides

/** What both sides make that cannot be together: where, by the source, and by the kit. */
interface Pair {
  path: string
  theirs: object
  ours: object
}
async function pairs(name: string): Promise<Pair[]> {
  const { site, maker, role, rack, a } = sides.parts
  const named = { name, slug: name.toLowerCase() }
  const vrf = (await make('ipam/vrfs', { name, enforce_unique: true })).id
  const rir = (await make('ipam/rirs', named)).id
  const group = (await make('ipam/vlan-groups', named)).id
  const n = Number(name.slice(1))
  const provider = (await make('circuits/providers', named)).id
  const circuit = (
    await make('circuits/circuits', { cid: name, provider, type: (await make('circuits/circuit-types', named)).id })
  ).id
  const clusters = (await make('virtualization/cluster-types', named)).id
  const cluster = (await make('virtualization/clusters', { name, type: clusters })).id
  const tunnel = (await make('vpn/tunnels', { name, status: 'active', encapsulation: 'gre' })).id
  const l2vpn = (await make('vpn/l2vpns', { ...named, type: 'vpls' })).id
  const vlan = (await make('ipam/vlans', { vid: 50 + n, name })).id
  const card = (await make('dcim/module-types', { manufacturer: maker, model: name })).id
  const bay = (await make('dcim/module-bays', { device: a, name })).id
  const contact = (await make('tenancy/contacts', { name })).id
  const by = (await make('tenancy/contact-roles', named)).id
  const parent = (
    await make('dcim/device-types', {
      manufacturer: maker,
      model: name,
      slug: name.toLowerCase(),
      u_height: 2,
    })
  ).id
  const port = (await make('dcim/interfaces', { device: a, name: `if ${name}`, type: '1000base-t' })).id
  return [
    { path: 'ipam/ip-addresses', theirs: { address: '10.0.0.1/24', vrf }, ours: { address: '10.0.0.1/25', vrf } },
    { path: 'ipam/prefixes', theirs: { prefix: '10.0.0.0/24', vrf }, ours: { prefix: '10.0.0.0/24', vrf } },
    {
      path: 'ipam/ip-ranges',
      theirs: { start_address: '10.0.1.1/24', end_address: '10.0.1.50/24', vrf },
      ours: { start_address: '10.0.1.40/24', end_address: '10.0.1.90/24', vrf },
    },
    { path: 'ipam/aggregates', theirs: { prefix: `10.${n}.0.0/16`, rir }, ours: { prefix: `10.${n}.4.0/24`, rir } },
    { path: 'ipam/asns', theirs: { asn: 65000 + n, rir }, ours: { asn: 65000 + n, rir } },
    { path: 'ipam/vlans', theirs: { vid: 7, name: 'x', group }, ours: { vid: 7, name: 'y', group } },
    {
      path: 'dcim/devices',
      theirs: { name, device_type: parent, role, site, rack, position: n * 3, face: 'front' },
      ours: { name: `o${name}`, device_type: parent, role, site, rack, position: n * 3 + 1, face: 'front' },
    },
    {
      path: 'dcim/rack-reservations',
      theirs: { rack, units: [n * 2], user: 1, description: 'x' },
      ours: { rack, units: [n * 2, n * 2 + 1], user: 1, description: 'y' },
    },
    {
      path: 'circuits/circuit-terminations',
      theirs: { circuit, term_side: 'A', termination_type: 'dcim.site', termination_id: site },
      ours: { circuit, term_side: 'A', termination_type: 'dcim.site', termination_id: site },
    },
    { path: 'virtualization/virtual-machines', theirs: { name, cluster }, ours: { name: name.toLowerCase(), cluster } },
    {
      path: 'vpn/tunnel-terminations',
      theirs: { tunnel, role: 'peer', termination_type: 'dcim.interface', termination_id: port },
      ours: { tunnel, role: 'hub', termination_type: 'dcim.interface', termination_id: port },
    },
    {
      path: 'vpn/l2vpn-terminations',
      theirs: { l2vpn, assigned_object_type: 'ipam.vlan', assigned_object_id: vlan },
      ours: { l2vpn, assigned_object_type: 'ipam.vlan', assigned_object_id: vlan },
    },
    {
      path: 'dcim/modules',
      theirs: { device: a, module_bay: bay, module_type: card },
      ours: { device: a, module_bay: bay, module_type: card, serial: '1' },
    },
    {
      path: 'tenancy/contact-assignments',
      theirs: { object_type: 'dcim.site', object_id: site, contact, role: by },
      ours: { object_type: 'dcim.site', object_id: site, contact, role: by, priority: 'primary' },
    },
    {
      path: 'dcim/device-roles',
      theirs: { name: `r${name}`, slug: `r${n}` },
      ours: { name: `r${name}`, slug: `r${n}` },
    },
  ]
}

for (const [n, take, way] of [
  [1, 'ours', 'flag'],
  [2, 'theirs', 'flag'],
  [3, 'ours', 'file'],
  [4, 'theirs', 'file'],
] as const)
  test(`what both sides make and cannot be together: one conflict each, decided for ${take} by ${way}`, async () => {
    const all = await pairs(`N${n}`)
    await sync('pull')
    const made: { path: string; ours: number; theirs: number }[] = []
    for (const { path, theirs, ours } of all)
      made.push({ path, theirs: (await make(path, theirs)).id, ours: (await makeHere(path, ours)).id })
    const said = await sides.kit.sync('push')
    assert.equal(said.code, 1, said.out)
    const told = conflicts()
    for (const { path, ours, theirs } of made) {
      const found = told.filter(
        (each) => [ours, theirs].includes(each.object_id) && each.key.startsWith(path.split('/')[0]),
      )
      assert.ok(found.length >= 1, `${path}: ${JSON.stringify(told.map(({ key }) => key))}`)
      for (const each of found) {
        assert.ok(each.ours !== null && each.theirs !== null, `${path}: ${JSON.stringify(each)}`)
        assert.doesNotMatch(each.if_theirs, /nothing can be done/)
      }
    }
    if (way === 'file') await byFile(take)
    else await sync('push', { [take]: true })
    for (const { path, ours, theirs } of made) {
      const winner = take === 'ours' ? ours : theirs
      await there('GET', `${path}/${winner}`)
    }
    await areSame(...new Set(all.map(({ path }) => path)))
  })
