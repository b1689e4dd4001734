type Call = (method: string, path: string, body?: unknown) => Promise<{ status: number; json: any }>

/** An image of one pixel. */
export const Pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Fills a server with something of nearly every kind, cycles of references among it. Answers ids by name. */
export async function fill(call: Call): Promise<Record<string, number>> {
  const ids: Record<string, number> = {}
  const make = async (path: string, body: Record<string, unknown>, as?: string): Promise<number> => {
    const { status, json } = await call('POST', `/api/${path}/`, body)
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`)
    if (as) ids[as] = json.id
    return json.id
  }
  const change = async (path: string, id: number, body: unknown) => {
    const { status, json } = await call('PATCH', `/api/${path}/${id}/`, body)
    if (status !== 200) throw new Error(`${path}/${id}: ${status} ${JSON.stringify(json)}`)
  }
  const of = (name: string, id: number) => ({ object_type: name, object_id: id })

  const gone = await make('dcim/sites', { name: 'Gone', slug: 'gone' })
  await call('DELETE', `/api/dcim/sites/${gone}/`) // ids have a gap from here on

  const tag = await make('extras/tags', {
    name: 'Core',
    slug: 'core',
    object_types: ['dcim.site', 'dcim.device', 'ipam.prefix'],
  })
  const choices = await make('extras/custom-field-choice-sets', {
    name: 'Tiers',
    extra_choices: [
      ['a', 'Tier A'],
      ['b', 'Tier B'],
    ],
  })
  const field = (name: string, type: string, more = {}) =>
    make('extras/custom-fields', { name, type, object_types: ['dcim.site', 'dcim.device'], ...more })
  await field('tier', 'select', { choice_set: choices })
  await field('backup', 'object', { related_object_type: 'dcim.device' })
  await field('partners', 'multiobject', { related_object_type: 'dcim.site' })
  await field('facts', 'json')
  await field('bought', 'date')
  await field('spots', 'multiselect', { choice_set: choices })
  await field('seats', 'integer')
  await field('share', 'decimal')
  await field('staffed', 'boolean')
  await field('visited', 'datetime')
  await field('plan', 'url')
  await field('notes', 'longtext')

  const group = await make('users/groups', { name: 'Operators' })
  const user = await make('users/users', {
    username: 'olga',
    password: 'Long-Enough-Passw0rd',
    first_name: 'Olga',
    groups: [group],
  })
  await make('users/permissions', {
    name: 'see sites',
    object_types: ['dcim.site'],
    actions: ['view'],
    constraints: { name: 'Lab' },
    groups: [group],
    users: [user],
  })
  const ownerGroup = await make('users/owner-groups', { name: 'Teams' })
  const owner = await make('users/owners', {
    name: 'Network team',
    group: ownerGroup,
    user_groups: [group],
    users: [user],
  })
  const tenantGroup = await make('tenancy/tenant-groups', { name: 'Customers', slug: 'customers' })
  const tenant = await make('tenancy/tenants', { name: 'Acme', slug: 'acme', group: tenantGroup })
  const contactGroup = await make('tenancy/contact-groups', { name: 'Staff', slug: 'staff' })
  const contact = await make('tenancy/contacts', { name: 'Nina', email: 'nina@example.com', groups: [contactGroup] })
  const contactRole = await make('tenancy/contact-roles', { name: 'On call', slug: 'on-call' })

  const europe = await make('dcim/regions', { name: 'Europe', slug: 'europe' })
  const alps = await make('dcim/regions', { name: 'Alps', slug: 'alps', parent: europe })
  await make('dcim/regions', { name: 'Africa', slug: 'africa' })
  const siteGroup = await make('dcim/site-groups', { name: 'Branches', slug: 'branches' })
  const lab = await make(
    'dcim/sites',
    {
      name: 'Lab',
      slug: 'lab',
      region: alps,
      group: siteGroup,
      tenant,
      latitude: 46.5,
      tags: [tag],
      owner,
      time_zone: 'Europe/Zurich',
      custom_fields: {
        ...{ tier: 'a', facts: { b: 1, a: [2] }, bought: '2024-02-29', spots: ['a', 'b'], seats: -3, share: 1.5 },
        ...{ staffed: true, visited: '2024-02-29T12:00:00Z', plan: 'https://example.com/?a=1&b=<2>', notes: 'a\n  b' },
      },
    },
    'lab',
  )
  const depot = await make('dcim/sites', {
    name: 'Depot',
    slug: 'depot',
    custom_fields: { partners: [lab], spots: [], staffed: false, seats: 0, notes: '' },
  })
  const floor = await make('dcim/locations', { name: 'Floor', slug: 'floor', site: lab })
  const room = await make('dcim/locations', { name: 'Room 10', slug: 'room-10', site: lab, parent: floor })
  await make('dcim/locations', { name: 'Room 9', slug: 'room-9', site: lab, parent: floor })
  await make('tenancy/contact-assignments', {
    ...of('dcim.site', lab),
    contact,
    role: contactRole,
    priority: 'primary',
  })
  const rackRole = await make('dcim/rack-roles', { name: 'Network', slug: 'network' })
  const maker = await make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  const rackType = await make('dcim/rack-types', {
    manufacturer: maker,
    model: 'Tall',
    slug: 'tall',
    form_factor: '4-post-cabinet',
    u_height: 48,
    weight: 100.5,
    max_weight: 900,
    weight_unit: 'kg',
  })
  const rack = await make(
    'dcim/racks',
    { name: 'R1', site: lab, location: room, role: rackRole, rack_type: rackType },
    'rack',
  )
  await make('dcim/rack-reservations', { rack, units: [1, 2], user, description: 'for later' })

  const switchType = await make(
    'dcim/device-types',
    { manufacturer: maker, model: 'Switch', slug: 'switch', u_height: 1, weight: 4.25, weight_unit: 'kg' },
    'switchType',
  )
  const port = await make('dcim/power-port-templates', { device_type: switchType, name: 'PSU0' })
  await make('dcim/power-outlet-templates', { device_type: switchType, name: 'Out1', power_port: port })
  for (const name of ['Gi0/1', 'Gi0/2', 'Gi0/10'])
    await make('dcim/interface-templates', { device_type: switchType, name, type: '1000base-t' })
  await make('dcim/console-port-templates', { device_type: switchType, name: 'con0', type: 'rj-45' })
  await make('dcim/console-server-port-templates', { device_type: switchType, name: 'srv0' })
  await make('dcim/module-bay-templates', { device_type: switchType, name: 'Slot 1', position: '1' })
  await make('dcim/inventory-item-templates', { device_type: switchType, name: 'Fan', manufacturer: maker })
  const panelType = await make('dcim/device-types', { manufacturer: maker, model: 'Panel', slug: 'panel', u_height: 1 })
  const rearTemplate = await make('dcim/rear-port-templates', {
    device_type: panelType,
    name: 'Rear',
    type: 'lc',
    positions: 2,
  })
  for (const position of [1, 2]) {
    await make('dcim/front-port-templates', {
      device_type: panelType,
      name: `Front ${position}`,
      type: 'lc',
      rear_ports: [{ position: 1, rear_port: rearTemplate, rear_port_position: position }],
    })
  }
  const chassisType = await make('dcim/device-types', {
    manufacturer: maker,
    model: 'Chassis',
    slug: 'chassis',
    u_height: 8,
    subdevice_role: 'parent',
  })
  await make('dcim/device-bay-templates', { device_type: chassisType, name: 'Bay 1' })
  const bladeType = await make('dcim/device-types', {
    manufacturer: maker,
    model: 'Blade',
    slug: 'blade',
    u_height: 0,
    subdevice_role: 'child',
  })
  const moduleType = await make('dcim/module-types', { manufacturer: maker, model: 'Card' })
  await make('dcim/interface-templates', { module_type: moduleType, name: 'Te{module}/1', type: '10gbase-x-sfpp' })
  await make('dcim/module-bay-templates', { module_type: moduleType, name: 'Sub {module}', position: '1' })

  const role = await make('dcim/device-roles', { name: 'Access', slug: 'access' })
  const platform = await make('dcim/platforms', { name: 'OS', slug: 'os', manufacturer: maker })
  const device = (name: string, type: number, more = {}) =>
    make(
      'dcim/devices',
      { name, device_type: type, role, site: lab, platform: type === switchType ? platform : null, ...more },
      name,
    )
  const sw1 = await device('sw1', switchType, {
    rack,
    location: room,
    position: 10,
    face: 'front',
    tags: [tag],
    serial: 'S1',
  })
  const sw2 = await device('sw2', switchType, {
    rack,
    location: room,
    position: 12,
    face: 'front',
    custom_fields: { backup: sw1, partners: [lab, depot] },
  })
  const panels = [await device('panel1', panelType), await device('panel2', panelType)] as const
  const chassis = await device('chassis', chassisType)
  const blade = await device('blade', bladeType)
  const one = async (path: string, query: string): Promise<number> =>
    (await call('GET', `/api/${path}/?${query}`)).json.results[0].id
  await change('dcim/device-bays', await one('dcim/device-bays', `device_id=${chassis}`), { installed_device: blade })
  const chain = await make('dcim/virtual-chassis', { name: 'Stack' })
  await change('dcim/devices', sw1, { virtual_chassis: chain, vc_position: 1 })
  await change('dcim/devices', sw2, { virtual_chassis: chain, vc_position: 2 })
  await change('dcim/virtual-chassis', chain, { master: sw1 })
  await make('dcim/modules', {
    device: sw1,
    module_bay: await one('dcim/module-bays', `device_id=${sw1}`),
    module_type: moduleType,
  })
  await make('dcim/virtual-device-contexts', { name: 'vdc', device: sw1, status: 'active' })

  const gi = (of: number, name: string) => one('dcim/interfaces', `device_id=${of}&name=${encodeURIComponent(name)}`)
  const end = (type: string, id: number) => [of(type, id)]
  const front = (panel: number, n: number) =>
    one('dcim/front-ports', `device_id=${panel}&name=${encodeURIComponent(`Front ${n}`)}`)
  const rear = (panel: number) => one('dcim/rear-ports', `device_id=${panel}`)
  const cable = (a: object[], b: object[], more = {}) =>
    make('dcim/cables', { a_terminations: a, b_terminations: b, ...more })
  await cable(end('dcim.interface', await gi(sw1, 'Gi0/1')), end('dcim.frontport', await front(panels[0], 1)), {
    label: 'left',
    length: 3,
    length_unit: 'm',
  })
  await cable(end('dcim.rearport', await rear(panels[0])), end('dcim.rearport', await rear(panels[1])), { type: 'smf' })
  await cable(end('dcim.frontport', await front(panels[1], 1)), end('dcim.interface', await gi(sw2, 'Gi0/1')))
  const feedPanel = await make('dcim/power-panels', { site: lab, name: 'P1' })
  const feed = await make('dcim/power-feeds', { power_panel: feedPanel, rack, name: 'F1' })
  await cable(end('dcim.powerfeed', feed), end('dcim.powerport', await one('dcim/power-ports', `device_id=${sw1}`)))

  const vrf = await make('ipam/vrfs', { name: 'Blue', rd: '65000:1', enforce_unique: false })
  const vlanGroup = await make('ipam/vlan-groups', {
    name: 'Lab VLANs',
    slug: 'lab-vlans',
    scope_type: 'dcim.site',
    scope_id: lab,
    vid_ranges: [
      [1, 99],
      [200, 299],
    ],
  })
  const vlan = await make('ipam/vlans', { vid: 10, name: 'users', group: vlanGroup })
  const vlan2 = await make('ipam/vlans', { vid: 20, name: 'phones', group: vlanGroup })
  await change('dcim/interfaces', await gi(sw1, 'Gi0/2'), {
    mode: 'tagged',
    untagged_vlan: vlan,
    tagged_vlans: [vlan2],
    description: 'uplink',
  })
  const rir = await make('ipam/rirs', { name: 'Private', slug: 'private', is_private: true })
  await make('ipam/aggregates', { prefix: '10.0.0.0/8', rir })
  for (const prefix of ['10.0.0.0/8', '10.1.0.0/16', '10.1.1.0/24', '10.1.1.0/24', '2001:db8::/32'])
    await make('ipam/prefixes', { prefix, vrf, scope_type: 'dcim.location', scope_id: room, tags: [tag] })
  await make('ipam/prefixes', { prefix: '10.1.0.0/16', vlan, scope_type: 'dcim.region', scope_id: alps })
  await make('ipam/ip-ranges', { start_address: '10.1.1.10/24', end_address: '10.1.1.20/24', vrf })
  const address = await make('ipam/ip-addresses', {
    address: '10.1.1.1/24',
    ...{ assigned_object_type: 'dcim.interface', assigned_object_id: await gi(sw1, 'Gi0/1') },
    dns_name: 'sw1.example.com',
  })
  await make('ipam/ip-addresses', { address: '192.0.2.1/32', nat_inside: address, tenant })
  await change('dcim/devices', sw1, { primary_ip4: address })
  const mac = await make('dcim/mac-addresses', {
    mac_address: '00:11:22:33:44:55',
    assigned_object_type: 'dcim.interface',
    assigned_object_id: await gi(sw1, 'Gi0/1'),
  })
  await change('dcim/interfaces', await gi(sw1, 'Gi0/1'), { primary_mac_address: mac })
  await make('ipam/services', {
    name: 'ssh',
    protocol: 'tcp',
    ports: [22, 2222],
    parent_object_type: 'dcim.device',
    parent_object_id: sw1,
    ipaddresses: [address],
  })
  const target = await make('ipam/route-targets', { name: '65000:100' })
  await change('ipam/vrfs', vrf, { import_targets: [target], export_targets: [target] })
  await make('ipam/asns', { asn: 65001, rir })

  const provider = await make('circuits/providers', { name: 'Carrier', slug: 'carrier' })
  const circuitType = await make('circuits/circuit-types', { name: 'Transit', slug: 'transit' })
  const circuit = await make('circuits/circuits', {
    cid: 'C-1',
    provider,
    type: circuitType,
    distance: 12.5,
    distance_unit: 'km',
  })
  const network = await make('circuits/provider-networks', { name: 'Cloud', provider })
  const side = await make('circuits/circuit-terminations', {
    circuit,
    term_side: 'A',
    termination_type: 'dcim.site',
    termination_id: lab,
  })
  await make('circuits/circuit-terminations', {
    circuit,
    term_side: 'Z',
    termination_type: 'circuits.providernetwork',
    termination_id: network,
  })
  await cable(end('dcim.interface', await gi(sw2, 'Gi0/10')), end('circuits.circuittermination', side))

  const clusterType = await make('virtualization/cluster-types', { name: 'KVM', slug: 'kvm' })
  const cluster = await make('virtualization/clusters', {
    name: 'C1',
    type: clusterType,
    scope_type: 'dcim.site',
    scope_id: lab,
  })
  const machine = await make('virtualization/virtual-machines', { name: 'vm1', cluster, vcpus: 2.5, memory: 4096 })
  const nic = await make('virtualization/interfaces', { name: 'eth0', virtual_machine: machine })
  const vmAddress = await make('ipam/ip-addresses', {
    address: '10.1.1.2/24',
    assigned_object_type: 'virtualization.vminterface',
    assigned_object_id: nic,
  })
  await change('virtualization/virtual-machines', machine, { primary_ip4: vmAddress })
  await make('virtualization/virtual-disks', { name: 'sda', virtual_machine: machine, size: 100 })

  const radio = async (of: number) => make('dcim/interfaces', { device: of, name: 'wlan0', type: 'ieee802.11ac' })
  await make('wireless/wireless-links', {
    interface_a: await radio(sw1),
    interface_b: await radio(sw2),
    ssid: 'bridge',
  })
  await make('wireless/wireless-lans', { ssid: 'guests', vlan, scope_type: 'dcim.site', scope_id: lab })
  const l2vpn = await make('vpn/l2vpns', { name: 'wan', slug: 'wan', type: 'vxlan' })
  await make('vpn/l2vpn-terminations', { l2vpn, assigned_object_type: 'ipam.vlan', assigned_object_id: vlan2 })
  await make('extras/config-contexts', { name: 'ntp', data: { servers: ['192.0.2.9'] }, sites: [lab] })
  await make('extras/journal-entries', {
    assigned_object_type: 'dcim.site',
    assigned_object_id: lab,
    comments: 'moved in',
    kind: 'success',
  })
  await make('extras/saved-filters', {
    name: 'active',
    slug: 'active',
    object_types: ['dcim.site'],
    parameters: { status: ['active'] },
  })
  return ids
}
