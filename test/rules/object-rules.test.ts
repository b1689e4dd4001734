import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'

const server = await serve()
const send = (method: string, path: string, body?: object) => server.call(method, `/api/${path}`, body)
const make = creating(server)
const get = async (path: string) => (await send('GET', path)).json

const site = (await make('dcim/sites', { name: 'S', slug: 's' })).id
const elsewhere = (await make('dcim/sites', { name: 'S2', slug: 's2' })).id
const maker = (await make('dcim/manufacturers', { name: 'M', slug: 'm' })).id
const type = (await make('dcim/device-types', { manufacturer: maker, model: 'T', slug: 't' })).id
const chassisType = (
  await make('dcim/device-types', { manufacturer: maker, model: 'C', slug: 'c', subdevice_role: 'parent' })
).id
const bladeType = (
  await make('dcim/device-types', { manufacturer: maker, model: 'B', slug: 'b', u_height: 0, subdevice_role: 'child' })
).id
const role = (await make('dcim/device-roles', { name: 'R', slug: 'r' })).id
const device = async (name: string, more: object = {}): Promise<number> =>
  (await make('dcim/devices', { name, device_type: type, role, site, ...more })).id
const [one, two] = [await device('one'), await device('two')]
const iface = async (on: number, name: string, kind: string, more: object = {}): Promise<number> =>
  (await make('dcim/interfaces', { device: on, name, type: kind, ...more })).id

/** Every body is refused with 400 under the key. */
function refused(
  title: string,
  cases: readonly (readonly [method: string, path: string, body: () => object, key: string])[],
): void {
  test(title, async (t) => {
    for (const [method, path, body, key] of cases) {
      await t.test(`${method} ${path} ${key}`, async () => {
        const reply = await send(method, path, body())
        assert.equal(reply.status, 400, reply.text)
        assert.ok(key in reply.json, reply.text)
      })
    }
  })
}

const panel = (await make('dcim/power-panels', { site, name: 'P' })).id
const far = (await make('dcim/racks', { site: elsewhere, name: 'far' })).id
const farRoom = (await make('dcim/locations', { site: elsewhere, name: 'room', slug: 'room' })).id
const strange = (await make('dcim/power-ports', { device: two, name: 'psu' })).id
const vpn = (await make('vpn/l2vpns', { name: 'L', slug: 'l', type: 'vpws', identifier: 7 })).id
const vlans: number[] = []
for (const vid of [10, 11, 12]) vlans.push((await make('ipam/vlans', { vid, name: `v${vid}`, site })).id)
const ends: any[] = []
for (const id of vlans.slice(0, 2))
  ends.push(
    await make('vpn/l2vpn-terminations', { l2vpn: vpn, assigned_object_type: 'ipam.vlan', assigned_object_id: id }),
  )
const tunnel = (await make('vpn/tunnels', { name: 'T', encapsulation: 'gre', status: 'active' })).id
const tunnelEnd = {
  tunnel,
  role: 'peer',
  termination_type: 'dcim.interface',
  termination_id: await iface(one, 'tun0', 'virtual'),
}
await make('vpn/tunnel-terminations', tunnelEnd)

refused('power', [
  ['POST', 'dcim/power-panels/', () => ({ site, location: farRoom, name: 'x' }), '__all__'],
  ['POST', 'dcim/power-feeds/', () => ({ power_panel: panel, rack: far, name: 'x' }), '__all__'],
  ['POST', 'dcim/power-feeds/', () => ({ power_panel: panel, name: 'x', voltage: -48 }), 'voltage'],
  ['POST', 'dcim/power-feeds/', () => ({ power_panel: panel, name: 'x', voltage: 0, supply: 'dc' }), 'voltage'],
  [
    'POST',
    'dcim/power-ports/',
    () => ({ device: one, name: 'x', maximum_draw: 5, allocated_draw: 6 }),
    'allocated_draw',
  ],
  ['POST', 'dcim/power-outlets/', () => ({ device: one, name: 'x', power_port: strange }), '__all__'],
])

refused('VPNs', [
  ['POST', 'vpn/l2vpns/', () => ({ name: 'x', slug: 'x' }), 'type'],
  [
    'POST',
    'vpn/l2vpn-terminations/',
    () => ({ l2vpn: vpn, assigned_object_type: 'ipam.vlan', assigned_object_id: vlans[2] }),
    '__all__',
  ],
  ['POST', 'vpn/tunnel-terminations/', () => tunnelEnd, 'termination'],
  ['POST', 'vpn/ike-policies/', () => ({ name: 'x', version: 1 }), '__all__'],
  ['POST', 'vpn/ike-policies/', () => ({ name: 'x', version: 2, mode: 'main' }), '__all__'],
  ['POST', 'vpn/ipsec-proposals/', () => ({ name: 'x' }), '__all__'],
])
test('ends of tunnels without an object yet are of no same object', async () => {
  const end = { role: 'peer', termination_type: 'dcim.interface' }
  const other = (await make('vpn/tunnels', { name: 'T2', encapsulation: 'gre', status: 'active' })).id
  const { id } = await make('vpn/tunnel-terminations', { ...end, tunnel })
  assert.equal((await make('vpn/tunnel-terminations', { ...end, tunnel: other })).termination_id, null)
  const { termination_id } = tunnelEnd
  const taken = await send('PATCH', `vpn/tunnel-terminations/${id}/`, { termination_id })
  assert.deepEqual([taken.status, Object.keys(taken.json)], [400, ['termination', '__all__']])
})
test('an L2VPN is shown at the VLAN, found by site and region', async () => {
  assert.equal(ends[0].display, 'v10 (10) <> L (7)')
  assert.equal((await get(`ipam/vlans/${vlans[0]}/`)).l2vpn_termination.id, ends[0].id)
  assert.equal((await get(`vpn/l2vpn-terminations/?site_id=${site}`)).count, 2)
  assert.equal((await get('vpn/l2vpn-terminations/?region=none')).count, 0)
})

refused('services without a protocol', [
  [
    'POST',
    'ipam/services/',
    () => ({ parent_object_type: 'dcim.device', parent_object_id: one, name: 'x', ports: [1] }),
    'protocol',
  ],
  ['POST', 'ipam/service-templates/', () => ({ name: 'x', ports: [1] }), 'protocol'],
])

test('services: ports, display, who they belong to', async () => {
  const service = await make('ipam/services', {
    parent_object_type: 'dcim.device',
    parent_object_id: one,
    name: 'web',
    protocol: 'tcp',
    ports: [443, 80, 81],
  })
  assert.equal(service.display, 'web (TCP/80-81, 443)')
  assert.deepEqual(service.ports, [443, 80, 81])
  assert.equal((await get('ipam/services/?device=one')).count, 1)
  assert.equal((await get(`ipam/services/?virtual_machine_id=${one}`)).count, 0)
  assert.deepEqual(
    (
      await send('POST', 'ipam/services/', {
        parent_object_type: 'dcim.device',
        parent_object_id: one,
        name: 'x',
        protocol: 'tcp',
        ports: [1, 70000],
      })
    ).json,
    { ports: { 1: ['Ensure this value is less than or equal to 65535.'] } },
  )
})

test('FHRP groups: display, addresses, related addresses', async () => {
  const group = await make('ipam/fhrp-groups', { name: 'G', protocol: 'hsrp', group_id: 3 })
  const address = await make('ipam/ip-addresses', {
    address: '10.1.1.1/24',
    assigned_object_type: 'ipam.fhrpgroup',
    assigned_object_id: group.id,
  })
  const near = await make('ipam/ip-addresses', { address: '10.1.1.9/24' })
  const away = await make('ipam/ip-addresses', { address: '10.1.2.9/24' })
  const shown = await get(`ipam/fhrp-groups/${group.id}/`)
  assert.equal(shown.display, 'G HSRP: 3 (10.1.1.1/24)')
  assert.deepEqual(
    shown.ip_addresses.map((each: any) => each.id),
    [address.id],
  )
  assert.equal((await get(`ipam/fhrp-groups/?related_ip=${near.id}`)).count, 1)
  assert.equal((await get(`ipam/fhrp-groups/?related_ip=${away.id}`)).count, 0)
})

test('virtual chassis: the master joins, stays, and all leave when it goes', async () => {
  const chassis = await make('dcim/virtual-chassis', { name: 'VC', master: one })
  assert.deepEqual(
    [(await get(`dcim/devices/${one}/`)).vc_position, (await get(`dcim/virtual-chassis/${chassis.id}/`)).member_count],
    [1, 1],
  )
  assert.ok('master' in (await send('PATCH', `dcim/virtual-chassis/${chassis.id}/`, { master: two })).json)
  assert.equal(
    (await send('PATCH', `dcim/devices/${two}/`, { virtual_chassis: chassis.id, vc_position: 2 })).status,
    200,
  )
  const lag = await iface(one, 'ae0', 'lag')
  const member = await iface(two, 'xe0', '1000base-t', { lag })
  assert.equal((await send('DELETE', `dcim/virtual-chassis/${chassis.id}/`)).status, 409)
  assert.equal((await send('PATCH', `dcim/interfaces/${member}/`, { lag: null })).status, 200)
  assert.equal((await send('DELETE', `dcim/virtual-chassis/${chassis.id}/`)).status, 204)
  for (const id of [one, two]) {
    const left = await get(`dcim/devices/${id}/`)
    assert.deepEqual([left.virtual_chassis, left.vc_position, left.vc_priority], [null, null, null])
  }
})

test('device bays: who may be installed, and that children go where the parent is', async () => {
  const parent = await device('parent', { device_type: chassisType })
  const blade = await device('blade', { device_type: bladeType })
  const bay = await make('dcim/device-bays', { device: parent, name: 'bay' })
  const shut = await make('dcim/device-bays', { device: parent, name: 'shut', enabled: false })
  assert.deepEqual([bay._occupied, shut._occupied], [false, true])
  assert.ok('__all__' in (await send('POST', 'dcim/device-bays/', { device: one, name: 'x' })).json)
  assert.ok('__all__' in (await send('PATCH', `dcim/device-bays/${bay.id}/`, { installed_device: parent })).json)
  assert.ok(
    'installed_device' in (await send('PATCH', `dcim/device-bays/${shut.id}/`, { installed_device: blade })).json,
  )
  assert.equal((await send('PATCH', `dcim/device-bays/${bay.id}/`, { installed_device: blade })).json._occupied, true)
  assert.equal((await send('PATCH', `dcim/devices/${parent}/`, { site: elsewhere })).status, 200)
  const moved = await get(`dcim/devices/${blade}/`)
  assert.deepEqual(
    [moved.site.id, moved.parent_device.id, moved.parent_device.device_bay.name],
    [elsewhere, parent, 'bay'],
  )
})

test('inventory items form trees on one device', async () => {
  const root = await make('dcim/inventory-items', { device: one, name: 'root' })
  const child = await make('dcim/inventory-items', { device: one, name: 'child', parent: root.id })
  assert.deepEqual([root._depth, child._depth], [0, 1])
  assert.ok('__all__' in (await send('PATCH', `dcim/inventory-items/${root.id}/`, { device: two })).json)
  assert.ok('parent' in (await send('PATCH', `dcim/inventory-items/${root.id}/`, { parent: child.id })).json)
  assert.ok(
    'device' in
      (
        await send('POST', 'dcim/inventory-items/', {
          device: one,
          name: 'x',
          component_type: 'dcim.powerport',
          component_id: strange,
        })
      ).json,
  )
  assert.equal((await send('DELETE', `dcim/inventory-items/${root.id}/`)).status, 204)
  assert.equal((await send('GET', `dcim/inventory-items/${child.id}/`)).status, 404)
})

const clusterType = (await make('virtualization/cluster-types', { name: 'Half', slug: 'half' })).id
const contact = (await make('tenancy/contacts', { name: 'Half' })).id
const contactRole = (await make('tenancy/contact-roles', { name: 'Half', slug: 'half' })).id
refused('half a reference, and a type that is not allowed', [
  ...['ipam/prefixes', 'virtualization/clusters', 'wireless/wireless-lans'].flatMap(
    (path) =>
      [
        [
          'POST',
          `${path}/`,
          () => ({ prefix: '10.77.0.0/16', name: 'x', ssid: 'x', type: clusterType, scope_type: 'dcim.site' }),
          '__all__',
        ],
        [
          'POST',
          `${path}/`,
          () => ({ prefix: '10.77.0.0/16', name: 'x', ssid: 'x', type: clusterType, scope_id: site }),
          'scope_type',
        ],
      ] as const,
  ),
  ['POST', 'ipam/vlan-groups/', () => ({ name: 'x', slug: 'x', scope_type: 'dcim.site' }), 'scope_id'],
  ['POST', 'ipam/vlan-groups/', () => ({ name: 'x', slug: 'x', scope_id: site }), 'scope_type'],
  [
    'POST',
    'tenancy/contact-assignments/',
    () => ({ contact, role: contactRole, object_type: 'dcim.interface', object_id: strange }),
    '__all__',
  ],
])

test('provider accounts are told apart by number, and by name when they have one', async () => {
  const provider = (await make('circuits/providers', { name: 'Accounts', slug: 'accounts' })).id
  for (const body of [{ account: '1', name: 'N' }, { account: '2' }, { account: '3' }])
    await make('circuits/provider-accounts', { provider, ...body })
  assert.ok(
    '__all__' in (await send('POST', 'circuits/provider-accounts/', { provider, account: '4', name: 'N' })).json,
  )
})

test('names of virtual machine types are unique whatever their case', async () => {
  const kind = await make('virtualization/virtual-machine-types', { name: 'Small', slug: 'small' })
  assert.ok(
    '__all__' in (await send('POST', 'virtualization/virtual-machine-types/', { name: 'sMALL', slug: 'other' })).json,
  )
  assert.equal((await send('PATCH', `virtualization/virtual-machine-types/${kind.id}/`, { name: 'SMALL' })).status, 200)
})

test('the utilization of a VLAN group follows its VLANs', async () => {
  const group = (await make('ipam/vlan-groups', { name: 'G', slug: 'g', vid_ranges: [[1, 10]] })).id
  const shown = async () => (await get(`ipam/vlan-groups/?id=${group}&fields=utilization`)).results[0].utilization
  assert.equal(await shown(), '0.0')
  await make('ipam/vlans', { vid: 5, name: 'five', group })
  assert.equal(await shown(), '10.0')
})

test('a contact in several groups of a tree counts once', async () => {
  const outer = (await make('tenancy/contact-groups', { name: 'Outer', slug: 'outer' })).id
  const inner = (await make('tenancy/contact-groups', { name: 'Inner', slug: 'inner', parent: outer })).id
  await make('tenancy/contacts', { name: 'Both', groups: [outer, inner] })
  assert.deepEqual(
    (await get(`tenancy/contact-groups/?id=${outer}&id=${inner}`)).results.map((group: any) => group.contact_count),
    [1, 1],
  )
})

test('items refused among the next free ones are told in a list aligned with them', async () => {
  const prefix = (await make('ipam/prefixes', { prefix: '10.88.0.0/24' })).id
  const group = (await make('ipam/vlan-groups', { name: 'Free', slug: 'free' })).id
  const errors = async (path: string, body: object) => (await send('POST', path, body)).json
  assert.deepEqual(Object.keys((await errors(`ipam/prefixes/${prefix}/available-ips/`, [{}, { status: 'nope' }]))[1]), [
    'status',
  ])
  assert.deepEqual(Object.keys(await errors(`ipam/prefixes/${prefix}/available-ips/`, { status: 'nope' })), ['status'])
  assert.deepEqual(Object.keys((await errors(`ipam/vlan-groups/${group}/available-vlans/`, { vid: 1 }))[0]), ['name'])
  const twins = await errors(`ipam/vlan-groups/${group}/available-vlans/`, [{ name: 'same' }, { name: 'same' }])
  assert.deepEqual([twins[0], Object.keys(twins[1])], [{}, ['__all__']])
  assert.equal((await get(`ipam/vlans/?group_id=${group}`)).count, 0)
})

test('circuits point at terminations, groups show priority, virtual circuits end at virtual interfaces', async () => {
  const provider = (await make('circuits/providers', { name: 'P', slug: 'p' })).id
  const other = (await make('circuits/providers', { name: 'O', slug: 'o' })).id
  const account = (await make('circuits/provider-accounts', { provider: other, account: '1' })).id
  const kind = (await make('circuits/circuit-types', { name: 'K', slug: 'k' })).id
  const circuit = (await make('circuits/circuits', { cid: 'C1', provider, type: kind })).id
  assert.ok('__all__' in (await send('POST', 'circuits/circuit-terminations/', { circuit, term_side: 'A' })).json)
  const end = await make('circuits/circuit-terminations', {
    circuit,
    term_side: 'A',
    termination_type: 'dcim.site',
    termination_id: site,
  })
  assert.equal((await send('PATCH', `circuits/circuit-terminations/${end.id}/`, { term_side: 'Z' })).status, 200)
  const pointed = await get(`circuits/circuits/${circuit}/`)
  assert.deepEqual([pointed.termination_a, pointed.termination_z.id], [null, end.id])
  const group = (await make('circuits/circuit-groups', { name: 'G', slug: 'g' })).id
  assert.equal(
    (
      await make('circuits/circuit-group-assignments', {
        group,
        member_type: 'circuits.circuit',
        member_id: circuit,
        priority: 'primary',
      })
    ).display,
    'G (Primary)',
  )
  for (const [query, count] of [
    ['circuit=C1', 1],
    [`virtual_circuit_id=${circuit}`, 0],
    ['provider=p', 1],
    ['provider=o', 0],
    ['q=c1', 1],
  ])
    assert.equal((await get(`circuits/circuit-group-assignments/?${query}`)).count, count, String(query))
  const network = (await make('circuits/provider-networks', { provider, name: 'N' })).id
  const virtualType = (await make('circuits/virtual-circuit-types', { name: 'K', slug: 'k' })).id
  assert.ok(
    'provider_account' in
      (
        await send('POST', 'circuits/virtual-circuits/', {
          cid: 'V',
          provider_network: network,
          type: virtualType,
          provider_account: account,
        })
      ).json,
  )
  const virtual = (await make('circuits/virtual-circuits', { cid: 'V', provider_network: network, type: virtualType }))
    .id
  assert.ok(
    '__all__' in
      (
        await send('POST', 'circuits/virtual-circuit-terminations/', {
          virtual_circuit: virtual,
          interface: await iface(one, 'eth9', '1000base-t'),
        })
      ).json,
  )
  const hub = await iface(one, 'v9', 'virtual')
  assert.equal(
    (await make('circuits/virtual-circuit-terminations', { virtual_circuit: virtual, role: 'hub', interface: hub }))
      .display,
    'V: Hub termination',
  )
  const ends = async () =>
    (({ connected_endpoints, connected_endpoints_type, connected_endpoints_reachable }) => [
      connected_endpoints?.length ?? null,
      connected_endpoints_type,
      connected_endpoints_reachable,
    ])(await get(`dcim/interfaces/${hub}/`))
  assert.deepEqual(await ends(), [null, null, false])
  await make('circuits/virtual-circuit-terminations', {
    virtual_circuit: virtual,
    role: 'spoke',
    interface: await iface(two, 'v9', 'virtual'),
  })
  assert.deepEqual(await ends(), [1, 'circuits.virtualcircuittermination', false], 'no cable reaches it')
})

test('the disk of a virtual machine is the sum of its virtual disks', async () => {
  const machine = (await make('virtualization/virtual-machines', { name: 'vm', site })).id
  const disk = async () => (await get(`virtualization/virtual-machines/${machine}/`)).disk
  const [first, second] = [
    await make('virtualization/virtual-disks', { virtual_machine: machine, name: 'a', size: 5 }),
    await make('virtualization/virtual-disks', { virtual_machine: machine, name: 'b', size: 7 }),
  ]
  assert.equal(await disk(), 12)
  assert.ok('disk' in (await send('PATCH', `virtualization/virtual-machines/${machine}/`, { disk: 11 })).json)
  assert.equal((await send('PATCH', `virtualization/virtual-machines/${machine}/`, { disk: null })).json.disk, 12)
  await send('PATCH', `virtualization/virtual-disks/${first.id}/`, { size: 1 })
  assert.equal(await disk(), 8)
  for (const { id } of [first, second]) await send('DELETE', `virtualization/virtual-disks/${id}/`)
  assert.equal(await disk(), null)
})
