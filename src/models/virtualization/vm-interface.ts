import { vlanGroupColumn } from '../../rules/import-columns.ts'
import { l2vpnEnd } from '../../rules/l2vpn.ts'
import { checkVlans, assignedCounts, primaryMac, takePrimaryMac } from '../../rules/interfaces.ts'
import { InterfaceModeChoices } from '../../choices/dcim.ts'
import {
  boolean,
  choice,
  computed,
  description,
  integer,
  owned,
  primary,
  ref,
  refs,
  reverseOf,
  text,
} from '../../fields/index.ts'
import { vlanInterfaceFilters } from '../../filters/dcim.ts'
import { macFilter } from '../../filters/mac.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, relatedBy } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'
import { interfaceNameKey } from '../../lib/interface-name.ts'
import { parseMac } from '../../lib/mac.ts'

export const vmInterface = model(
  'virtualization.vminterface',
  {
    virtual_machine: ref('virtualization.virtualmachine', { onDelete: 'cascade', related: 'interfaces' }),
    name: text({ max: 64, keys: { _natural: interfaceNameKey } }),
    enabled: boolean({ default: true }),
    parent: ref('virtualization.vminterface', {
      nullable: true,
      onDelete: 'restrict',
      related: 'child_interfaces',
      shape: [
        'id',
        'url',
        'display_url',
        'display',
        { virtual_machine: ['id', 'url', 'display_url', 'display', 'name'] },
        'name',
      ],
    }),
    bridge: ref('virtualization.vminterface', {
      onDelete: 'set null',
      related: 'bridge_interfaces',
      shape: [
        'id',
        'url',
        'display_url',
        'display',
        { virtual_machine: ['id', 'url', 'display_url', 'display', 'name'] },
        'name',
      ],
    }),
    mtu: integer({ nullable: true, label: 'MTU', min: 1, max: 65536 }),
    mac_address: computed(primaryMac, {
      schema: { type: 'string', nullable: true },
      type: 'string',
      graphql: { type: 'String' },
    }),
    primary_mac_address: ref('dcim.macaddress', { onDelete: 'set null', related: false, unique: true }),
    mac_addresses: reverseOf('dcim.macaddress', 'assigned_object'),
    description,
    mode: choice(InterfaceModeChoices, { blank: true, dbNull: true, filter: false }),
    untagged_vlan: ref('ipam.vlan', { onDelete: 'set null', related: 'vminterfaces_as_untagged', filter: false }),
    tagged_vlans: refs('ipam.vlan', {
      related: 'vminterfaces_as_tagged',
      filter: false,
      heldBy: { field: 'mode', value: 'tagged' },
    }),
    qinq_svlan: ref('ipam.vlan', { onDelete: 'set null', related: 'vminterfaces_svlan', filter: false }),
    vlan_translation_policy: ref('ipam.vlantranslationpolicy', { nullable: true, filter: false }),
    vrf: ref('ipam.vrf', { onDelete: 'set null', related: 'vminterfaces', filter: false }),
    l2vpn_termination: l2vpnEnd,
    ...owned,
    ...primary,
    ...assignedCounts,
  },
  {
    path: 'virtualization/interfaces',
    label: 'interface',
    plural: 'interfaces',
    objectName: 'VMInterface',
    graphql: {
      root: 'vm_interface',
      members: 'ip_addresses _name=name_natural mac_address -l2vpn_termination',
      filters: `
        bridge:InterfaceFilter ip_addresses fhrp_group_assignments tunnel_terminations
        l2vpn_terminations=l2vpn_terminations.l2vpn -untagged_vlan_id -qinq_svlan_id
        -vlan_translation_policy_id
      `,
    },
    display: 'name',
    brief: ['id', 'url', 'display', 'virtual_machine', 'name', 'description'],
    order: ['virtual_machine', 'name_natural'],
    large: ['enabled'],
    unique: [{ fields: ['virtual_machine', 'name'] }],
    features: primaryFeatures(),
    search: { text: ['name', 'description'] },
    filters: {
      ...primaryFilters,
      ...vlanInterfaceFilters,
      ...relatedBy('cluster', 'virtualization.cluster', { path: 'virtual_machine.cluster', by: 'name' }),
      virtual_machine: relatedFilter('virtual_machine', 'virtualization.virtualmachine', { by: 'name' }),
      mac_address: macFilter('mac_addresses.mac_address', parseMac),
      primary_mac_address: relatedFilter('primary_mac_address', 'dcim.macaddress', { by: 'mac_address' }),
    },
    pages: {
      extra: {
        ip_addresses: reverseOf('ipam.ipaddress', 'assigned_object'),
        fhrp_groups: reverseOf('ipam.fhrpgroupassignment', 'interface'),
        tunnel: reverseOf('vpn.tunneltermination', 'termination', {
          label: 'Tunnel',
          shape: ['id', 'url', 'display', 'tunnel'],
        }),
      },
      labels: {
        mode: '802.1Q mode',
        primary_mac_address: 'Primary MAC address',
        vlan_translation_policy: 'VLAN translation',
        count_ipaddresses: 'IP address count',
        count_fhrp_groups: 'FHRP group count',
      },
      when: {
        'untagged_vlan vlan_translation_policy': 'mode=*',
        tagged_vlans: 'mode=tagged',
        qinq_svlan: 'mode=q-in-q',
      },
      columns: 'name virtual_machine enabled description',
      filters: {
        'Virtual machine': 'cluster_id virtual_machine_id',
        Attributes: 'enabled',
        Addressing: 'vrf_id l2vpn_id mac_address',
        '802.1Q switching': 'mode vlan_translation_policy_id',
      },
      form: {
        Interface: 'virtual_machine name description tags',
        Addressing: 'vrf primary_mac_address',
        Operation: 'mtu enabled',
        'Related interfaces': 'parent bridge',
        '802.1Q switching': 'mode untagged_vlan tagged_vlans qinq_svlan vlan_translation_policy',
      },
      within: 'name enabled primary_mac_address mtu mode description ip_addresses',
      series: 'name',
      bulk: 'mtu enabled vrf description parent bridge mode untagged_vlan tagged_vlans vlan_translation_policy',
      panels: {
        'VM interface': `
            virtual_machine name enabled parent bridge description mtu mode qinq_svlan untagged_vlan l2vpn_termination
          `,
        Addressing: 'primary_mac_address vrf vlan_translation_policy',
      },
      tables: [
        ['ipam.ipaddress', 'vminterface_id'],
        ['ipam.fhrpgroupassignment', 'interface_type=virtualization.vminterface&interface_id', 'FHRP groups'],
        ['dcim.macaddress', 'vminterface_id'],
        ['ipam.vlan', 'vminterface_id', 'Assigned VLANs'],
        ['ipam.vlantranslationrule', 'policy_id=$vlan_translation_policy!', 'VLAN translation'],
        ['vpn.tunneltermination', 'vminterface_id', undefined, 'if any'],
        ['virtualization.vminterface', 'bridge_id', 'Bridged interfaces', 'if any'],
        ['virtualization.vminterface', 'parent_id', 'Child interfaces', 'if any'],
      ],
      weights: { name: 100, description: 500, mtu: 2000 },
      offers: {
        untagged_vlan: 'available_on_virtualmachine=$virtual_machine',
        tagged_vlans: 'available_on_virtualmachine=$virtual_machine',
        qinq_svlan: 'available_on_virtualmachine=$virtual_machine&qinq_role=svlan',
      },
      narrow: { virtual_machine_id: 'virtual_machine' },
    },
  },
)

behaviour(vmInterface, {
  prepare: ({ row }) => {
    if (!row.mode) row.untagged_vlan_id = null
  },
  validate: (event) => {
    const { row, errors, tools } = event
    for (const name of ['parent', 'bridge'] as const) {
      const id = row[`${name}_id`]
      if (id !== null && tools.row('virtualization.vminterface', id)!.virtual_machine_id !== row.virtual_machine_id)
        errors[name] = [`The selected ${name} interface belongs to a different virtual machine.`]
    }
    checkVlans(
      event as never,
      'virtualization.vminterface',
      tools.row('virtualization.virtualmachine', row.virtual_machine_id)!.site_id,
    )
  },
  saved: (event) => takePrimaryMac('virtualization.vminterface', event as never),
})

behaviour(vmInterface, {
  importColumns: vlanGroupColumn,
})
