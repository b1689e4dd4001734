import { vlanGroupColumn } from '../../rules/import-columns.ts'
import { places } from '../../rules/component-fields.ts'
import { l2vpnEnd } from '../../rules/l2vpn.ts'
import {
  InterfaceDuplexChoices,
  InterfaceModeChoices,
  InterfacePoEModeChoices,
  InterfacePoETypeChoices,
  InterfaceTypeChoices,
  WirelessChannelChoices,
  WirelessRoleChoices,
} from '../../choices/dcim.ts'
import { cable, connector, interfaceConnected, interfacePeers, onActivePath, path } from '../../rules/cabled-fields.ts'
import { memberFilters } from '../../rules/devices.ts'
import {
  checkMode,
  checkRadioAndPower,
  checkVlans,
  assignedCounts,
  isWireless,
  primaryMac,
  takePrimaryMac,
  Virtual,
} from '../../rules/interfaces.ts'
import { prepareComponent } from '../../rules/places.ts'
import { traceAction } from '../../rules/trace.ts'
import { jsonBoolean } from '../../fields/boolean.ts'
import {
  boolean,
  choice,
  computed,
  decimal,
  description,
  integer,
  owned,
  primary,
  ref,
  refs,
  reverseOf,
  text,
  wwn,
} from '../../fields/index.ts'
import { conditionFilter, hasFilter } from '../../filters/boolean.ts'
import { deviceComponentFilters, pathEndpointFilters, vlanInterfaceFilters } from '../../filters/dcim.ts'
import { macFilter } from '../../filters/mac.ts'
import { methodFilter } from '../../filters/method.ts'
import { numberFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { labelled, primaryFeatures } from '../../declare/presets.ts'
import { interfaceNameKey } from '../../lib/interface-name.ts'
import { parseMac } from '../../lib/mac.ts'

/** What an interface shows of another one of its device. */
const InterfaceShape = [
  'id',
  'url',
  'display_url',
  'display',
  { device: ['id', 'url', 'display_url', 'display', 'name'] },
  'name',
  'cable',
  '_occupied',
] as const

export const deviceInterface = model(
  'dcim.interface',
  {
    device: ref('dcim.device', { onDelete: 'cascade', related: 'interfaces', filter: false }),
    vdcs: refs('dcim.virtualdevicecontext', { related: 'interfaces', filter: false }),
    module: ref('dcim.module', {
      nullable: true,
      onDelete: 'cascade',
      related: 'interfaces',
      shape: ['id', 'url', 'display', 'device', 'module_bay'],
    }),
    name: text({ max: 64, natural: true, keys: { _natural: interfaceNameKey } }),
    label: text({ blank: true, max: 64 }),
    type: choice(InterfaceTypeChoices),
    enabled: boolean({ default: true }),
    parent: ref('dcim.interface', {
      nullable: true,
      onDelete: 'restrict',
      related: 'child_interfaces',
      shape: InterfaceShape,
    }),
    bridge: ref('dcim.interface', {
      onDelete: 'set null',
      related: 'bridge_interfaces',
      shape: InterfaceShape,
    }),
    bridge_interfaces: reverseOf('dcim.interface', 'bridge', {
      shape: InterfaceShape,
    }),
    lag: ref('dcim.interface', {
      onDelete: 'set null',
      related: 'member_interfaces',
      shape: InterfaceShape,
    }),
    mtu: integer({ nullable: true, label: 'MTU', min: 1, max: 65536 }),
    mac_address: computed(primaryMac, { schema: { type: 'string', nullable: true }, type: 'string' }),
    primary_mac_address: ref('dcim.macaddress', { onDelete: 'set null', related: false, unique: true }),
    mac_addresses: reverseOf('dcim.macaddress', 'assigned_object'),
    speed: integer({ unit: 'Kbps', nullable: true, label: 'Speed (Kbps)', min: 0 }),
    duplex: choice(InterfaceDuplexChoices, { nullable: true, blank: true }),
    wwn: wwn({ nullable: true, blank: true, apiDefault: null }),
    mgmt_only: boolean({
      help: 'Used for management alone, not for traffic.',
      label: 'Management only',
      default: false,
    }),
    description,
    mode: choice(InterfaceModeChoices, { blank: true, dbNull: true, filter: false }),
    rf_role: choice(WirelessRoleChoices, { blank: true, dbNull: true }),
    rf_channel: choice(WirelessChannelChoices, { blank: true, dbNull: true }),
    poe_mode: choice(InterfacePoEModeChoices, { blank: true, dbNull: true }),
    poe_type: choice(InterfacePoETypeChoices, { blank: true, dbNull: true }),
    rf_channel_frequency: decimal({
      unit: 'MHz',
      nullable: true,
      label: 'Channel frequency (MHz)',
      digits: 8,
      places: 3,
    }),
    rf_channel_width: decimal({ unit: 'MHz', nullable: true, label: 'Channel width (MHz)', digits: 7, places: 3 }),
    tx_power: integer({
      unit: 'dBm',
      help: 'Transmit power in dBm.',
      nullable: true,
      label: 'Transmit power (dBm)',
      min: -40,
      max: 127,
    }),
    untagged_vlan: ref('ipam.vlan', { onDelete: 'set null', related: 'interfaces_as_untagged', filter: false }),
    tagged_vlans: refs('ipam.vlan', {
      related: 'interfaces_as_tagged',
      filter: false,
      heldBy: { field: 'mode', value: 'tagged' },
    }),
    qinq_svlan: ref('ipam.vlan', { onDelete: 'set null', related: 'interfaces_svlan', filter: false }),
    vlan_translation_policy: ref('ipam.vlantranslationpolicy', { nullable: true, filter: false }),
    ...cable,
    wireless_link: ref('wireless.wirelesslink', {
      readOnly: true,
      onDelete: 'set null',
      related: false,
      shape: ['id', 'url', 'display_url', 'display', 'ssid'],
    }),
    ...interfacePeers,
    wireless_lans: refs('wireless.wirelesslan', { related: 'interfaces', filter: false }),
    vrf: ref('ipam.vrf', { onDelete: 'set null', related: 'interfaces', filter: false }),
    l2vpn_termination: l2vpnEnd,
    ...interfaceConnected,
    ...owned,
    ...primary,
    ...assignedCounts,
    _occupied: computed(
      (t) => jsonBoolean(`(${t}.cable_id is not null or ${t}.wireless_link_id is not null or ${t}.mark_connected = 1)`),
      { schema: { type: 'boolean' } },
    ),
    ...places,
    ...connector,
    ...path,
  },
  {
    path: 'dcim/interfaces',
    label: 'interface',
    plural: 'interfaces',
    objectName: 'Interface',
    graphql: {
      members: 'ip_addresses _name=name_natural speed:BigInt -virtual_circuit_termination',
      filters: `
        inventory_items vcdcs=vdcs speed:BigIntegerLookup ip_addresses fhrp_group_assignments
        tunnel_terminations l2vpn_terminations=l2vpn_terminations.l2vpn cabled:Boolean connected:Boolean
        kind:InterfaceKindEnum -vdcs -bridge_interfaces -untagged_vlan_id -qinq_svlan_id
        -vlan_translation_policy_id
      `,
      parameters: { connected: conditionFilter((t) => onActivePath(t)) },
    },
    display: labelled,
    brief: ['id', 'url', 'display', 'device', 'name', 'description', 'cable', '_occupied'],
    order: ['device', 'name_natural'],
    large: ['type', 'enabled'],
    unique: [{ fields: ['device', 'name'] }],
    features: primaryFeatures(),
    relatedObject: 'device',
    search: { text: ['description', 'name', 'label'] },
    filters: {
      occupied: conditionFilter(
        (t) => `${t}.cable_id is not null or ${t}.wireless_link_id is not null or ${t}.mark_connected = 1`,
      ),
      kind: methodFilter(
        ([value], c) => {
          const virtual = `${c.t}.type in ('virtual', 'lag', 'bridge')`
          const wireless = `(${c.t}.type like 'ieee802.11%' or ${c.t}.type like 'ieee802.15%'
            or ${c.t}.type in ('other-wireless', 'gsm', 'cdma', 'lte', '4g', '5g'))`
          const kinds = new Map(Object.entries({ physical: `(not ${virtual} and not ${wireless})`, virtual, wireless }))
          return kinds.get(value!) ?? 'false'
        },
        { single: true },
      ),
      ...memberFilters,
      ...primaryFilters,
      ...deviceComponentFilters,
      ...pathEndpointFilters,
      ...vlanInterfaceFilters,
      cable_connector: numberFilter('cable_connector'),
      cabled: hasFilter('cable'),
      cable_id: relatedFilter('cable', 'dcim.cable'),
      mac_address: macFilter('mac_addresses.mac_address', parseMac),
      primary_mac_address: relatedFilter('primary_mac_address', 'dcim.macaddress', { by: 'mac_address' }),
      vdc_id: relatedFilter('vdcs', 'dcim.virtualdevicecontext'),
      vdc_identifier: relatedFilter('vdcs', 'dcim.virtualdevicecontext', { by: 'identifier' }),
      vdc: relatedFilter('vdcs', 'dcim.virtualdevicecontext', { by: 'name' }),
      wireless_lan_id: relatedFilter('wireless_lans', 'wireless.wirelesslan'),
      virtual_circuit_id: relatedFilter('virtual_circuit_termination.virtual_circuit', 'circuits.virtualcircuit'),
      virtual_circuit_termination_id: relatedFilter(
        'virtual_circuit_termination',
        'circuits.virtualcircuittermination',
      ),
    },
    pages: {
      extra: {
        inventory_items: reverseOf('dcim.inventoryitem', 'component'),
        ip_addresses: reverseOf('ipam.ipaddress', 'assigned_object'),
        fhrp_groups: reverseOf('ipam.fhrpgroupassignment', 'interface'),
        tunnel: reverseOf('vpn.tunneltermination', 'termination', {
          label: 'Tunnel',
          shape: ['id', 'url', 'display', 'tunnel'],
        }),
      },
      beside: 'device',
      labels: {
        mode: '802.1Q mode',
        primary_mac_address: 'Primary MAC address',
        vlan_translation_policy: 'VLAN translation',
        count_ipaddresses: 'IP address count',
        count_fhrp_groups: 'FHRP group count',
        connected_endpoints: 'Connection',
      },
      when: {
        'untagged_vlan vlan_translation_policy': 'mode=*',
        tagged_vlans: 'mode=tagged',
        qinq_svlan: 'mode=q-in-q',
        'rf_role rf_channel rf_channel_frequency rf_channel_width wireless_lans tx_power':
          'type=ieee802.11* other-wireless',
        poe_type: 'poe_mode=*',
      },
      columns: 'name device label enabled type description',
      filters: {
        Attributes: 'name label kind type speed duplex enabled mgmt_only',
        Addressing: 'vrf_id l2vpn_id mac_address wwn',
        PoE: 'poe_mode poe_type',
        '802.1Q switching': 'mode vlan_translation_policy_id',
        Wireless: 'rf_role rf_channel rf_channel_width tx_power',
        Location: 'region_id site_group_id site_id location_id rack_id',
        Device: 'device_type_id device_role_id device_id device_status virtual_chassis_id vdc_id',
        Connection: 'cabled connected occupied',
      },
      form: {
        Interface: 'device module name label type speed duplex description tags',
        Addressing: 'vrf primary_mac_address wwn',
        Operation: 'vdcs mtu tx_power enabled mgmt_only mark_connected',
        'Related interfaces': 'parent bridge lag',
        PoE: 'poe_mode poe_type',
        '802.1Q switching': 'mode untagged_vlan tagged_vlans qinq_svlan vlan_translation_policy',
        Wireless: 'rf_role rf_channel rf_channel_frequency rf_channel_width wireless_lans',
      },
      within: 'name label enabled type parent lag mtu mode description ip_addresses cable connected_endpoints',
      series: 'name label',
      bulk: `
        module type label speed duplex description vrf wwn vdcs mtu tx_power enabled mgmt_only mark_connected
        poe_mode poe_type parent bridge lag mode untagged_vlan qinq_svlan vlan_translation_policy tagged_vlans
        rf_role rf_channel rf_channel_frequency rf_channel_width wireless_lans
      `,
      panels: {
        Interface: `
            device module name label type speed duplex mtu enabled mgmt_only description poe_mode poe_type mode
            qinq_svlan untagged_vlan tx_power l2vpn_termination
          `,
        'Related interfaces': 'parent bridge lag',
        Addressing: 'primary_mac_address wwn vrf vlan_translation_policy',
      },
      tables: [
        ['ipam.ipaddress', 'interface_id', 'IP addresses'],
        ['ipam.fhrpgroupassignment', 'interface_type=dcim.interface&interface_id', 'FHRP groups'],
        ['dcim.macaddress', 'interface_id', 'MAC addresses'],
        ['ipam.vlan', 'interface_id'],
        ['ipam.vlantranslationrule', 'policy_id=$vlan_translation_policy!', 'VLAN translation'],
        ['dcim.virtualdevicecontext', 'interface_id', undefined, 'if any'],
        ['vpn.tunneltermination', 'interface_id', undefined, 'if any'],
        ['dcim.inventoryitem', 'component_type=dcim.interface&component_id', undefined, 'if any'],
        ['dcim.interface', 'lag_id', 'LAG members', 'if any or type=lag'],
        ['dcim.interface', 'bridge_id', 'Bridged interfaces', 'if any or type=bridge'],
        ['dcim.interface', 'parent_id', 'Child interfaces', 'if any'],
      ],
      weights: { name: 100, label: 200, wwn: 300, description: 500, mtu: 2000, speed: 2000 },
      offers: {
        parent: 'virtual_chassis_member_id=$device',
        bridge: 'virtual_chassis_member_id=$device',
        lag: 'virtual_chassis_member_id=$device&type=lag',
        untagged_vlan: 'available_on_device=$device',
        tagged_vlans: 'available_on_device=$device',
        qinq_svlan: 'available_on_device=$device&qinq_role=svlan',
      },
      narrow: { device_id: 'device' },
    },
  },
)

behaviour(deviceInterface, {
  actions: traceAction('dcim.interface'),
  prepare: (event) => {
    const { row, errors } = event
    prepareComponent(event)
    checkMode(event as never)
    checkVlans(event as never, 'dcim.interface', event.row._site_id)
    if (!row.mode) row.untagged_vlan_id = event.given.untagged_vlan ? row.untagged_vlan_id : null
    const [, frequency, width] = /-([\d.]+)-([\d.]+)$/.exec(row.rf_channel ?? '') ?? []
    if (frequency && width) {
      if (row.rf_channel_frequency === null) row.rf_channel_frequency = Number(frequency)
      if (row.rf_channel_width === null) row.rf_channel_width = Number(width)
      if (row.rf_channel_frequency !== Number(frequency))
        errors.rf_channel_frequency = ['Cannot specify a frequency other than that of the channel.']
      if (row.rf_channel_width !== Number(width))
        errors.rf_channel_width = ['Cannot specify a width other than that of the channel.']
    }
  },
  validate: (event) => {
    const { row, errors, tools } = event
    const device = tools.row('dcim.device', row.device_id)!
    const isVirtual = Virtual.has(row.type)
    if (isVirtual && row.cable_id !== null) errors.type = [`${row.type} interfaces cannot have a cable attached.`]
    if (isVirtual && row.mark_connected)
      errors.mark_connected = [`${row.type} interfaces cannot be marked as connected.`]
    if (row.parent_id !== null && row.type !== 'virtual')
      errors.parent = ['Only virtual interfaces may be assigned to a parent interface.']
    if (row.lag_id !== null && row.type === 'virtual')
      errors.lag = ['Virtual interfaces cannot have a parent LAG interface.']
    for (const name of ['parent', 'bridge', 'lag'] as const) {
      const id = row[`${name}_id`]
      const other = id === null ? undefined : tools.row('dcim.device', tools.row('dcim.interface', id)!.device_id)
      if (
        other &&
        other.id !== device.id &&
        (device.virtual_chassis_id === null || other.virtual_chassis_id !== device.virtual_chassis_id)
      )
        errors[name] ??= [`The selected ${name} interface belongs to a different device.`]
    }
    checkRadioAndPower(row, errors)
    for (const name of ['rf_channel', 'rf_channel_frequency', 'rf_channel_width'] as const)
      if (row[name] && !isWireless(row.type)) errors[name] ??= ['May be set only on wireless interfaces.']
  },
  saved: (event) => takePrimaryMac('dcim.interface', event as never),
})

behaviour(deviceInterface, {
  importColumns: vlanGroupColumn,
})
