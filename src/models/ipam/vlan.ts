import { l2vpnEnd } from '../../rules/l2vpn.ts'
import { availableVlanFilters, linkedVlanFilter } from '../../rules/vlans.ts'
import { VLANQinQRoleChoices, VLANStatusChoices } from '../../choices/ipam.ts'
import {
  choice,
  comments,
  countOf,
  description,
  integer,
  owned,
  primary,
  ref,
  reverseOf,
  text,
} from '../../fields/index.ts'
import { numberFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, relatedBy, siteFilters, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const vlan = model(
  'ipam.vlan',
  {
    site: ref('dcim.site', { nullable: true, related: 'vlans' }),
    group: ref('ipam.vlangroup', { nullable: true, apiDefault: null, related: 'vlans' }),
    vid: integer({ label: 'VLAN ID', min: 1, max: 4094 }),
    name: text({ max: 64 }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'vlans', filter: false }),
    status: choice(VLANStatusChoices, { default: 'active' }),
    role: ref('ipam.role', { onDelete: 'set null', related: 'vlans' }),
    description,
    qinq_role: choice(VLANQinQRoleChoices, {
      help: 'Service VLANs carry the customer VLANs that name them.',
      nullable: true,
    }),
    qinq_svlan: ref('ipam.vlan', {
      nullable: true,
      apiDefault: null,
      related: 'qinq_cvlans',
      shape: ['id', 'url', 'display', 'vid', 'name', 'description'],
    }),
    ...owned,
    comments,
    l2vpn_termination: l2vpnEnd,
    ...primary,
    prefix_count: countOf('ipam.prefix', 'vlan'),
  },
  {
    path: 'ipam/vlans',
    label: 'VLAN',
    plural: 'VLANs',
    objectName: 'VLAN',
    graphql: {
      members: `
        wirelesslan_set=wireless.wirelesslan.vlan -l2vpn_termination -interfaces_svlan -qinq_cvlans
        -vminterfaces_svlan
      `,
      filters: 'qinq_cvlans l2vpn_terminations=l2vpn_terminations.l2vpn',
    },
    display: (t) => `${t}.name || ' (' || ${t}.vid || ')'`,
    brief: ['id', 'url', 'display', 'vid', 'name', 'description'],
    key: ['vid', 'group', 'site', 'name?'],
    order: ['site', 'group', 'vid'],
    unique: [
      { fields: ['group', 'vid'] },
      { fields: ['group', 'name'] },
      { fields: ['qinq_svlan', 'vid'] },
      { fields: ['qinq_svlan', 'name'] },
    ],
    features: primaryFeatures(),
    search: { text: ['name', 'description'], integer: ['vid'] },
    filters: {
      ...availableVlanFilters,
      interface_id: linkedVlanFilter('dcim'),
      vminterface_id: linkedVlanFilter('virtualization'),
      ...primaryFilters,
      ...tenancyFilters,
      ...siteFilters(),
      group: relatedFilter('group', 'ipam.vlangroup', { by: 'slug' }),
      role: relatedFilter('role', 'ipam.role', { by: 'slug' }),
      qinq_svlan_vid: numberFilter('qinq_svlan.vid'),
      ...relatedBy('l2vpn', 'vpn.l2vpn', { path: 'l2vpn_terminations.l2vpn', by: 'identifier' }),
    },
    pages: {
      beside: 'group',
      extra: { prefixes: reverseOf('ipam.prefix', 'vlan') },
      columns: 'vid name site group prefixes tenant status role description',
      filters: {
        Location: 'region_id site_group_id site_id',
        Attributes: 'group_id status role_id vid l2vpn_id',
        'Q-in-Q/802.1ad': 'qinq_role qinq_svlan_id',
      },
      series: 'vid name',
      pattern: '[100-109]',
      form: { '': 'site group vid name status role tenant qinq_role qinq_svlan description tags' },
      bulk: 'status role tenant description qinq_role qinq_svlan site group',
      panels: {
        VLAN: 'site.region site group vid name tenant status role description qinq_role qinq_svlan l2vpn_termination',
      },
      tables: [
        ['ipam.prefix', 'vlan_id', 'Prefixes'],
        ['ipam.vlan', 'qinq_svlan_id', 'Customer VLANs'],
      ],
      tabs: {
        interfaces: ['dcim.interface', 'vlan_id', 'Device interfaces', 'always'],
        vminterfaces: ['virtualization.vminterface', 'vlan_id', 'VM interfaces', 'always'],
      },
      weights: { name: 100, vid: 100, description: 500, comments: 5000 },
      offers: { qinq_svlan: 'qinq_role=svlan' },
      narrow: { group_id: 'vlan_group' },
    },
  },
)

behaviour(vlan, {
  validate: ({ row, errors, tools }) => {
    const group = row.group_id === null ? undefined : tools.row('ipam.vlangroup', row.group_id)
    if (group) {
      const ranges = JSON.parse(group.vid_ranges as string) as [number, number][]
      if (!ranges.some(([low, high]) => low <= row.vid && row.vid <= high))
        errors.vid = [`VID must be in the ranges of the group ${group.name}.`]
      if (row.site_id !== null && group.scope_type === 'dcim.site' && group.scope_id !== row.site_id)
        errors.__all__ = ['The group is assigned to another site.']
      if (
        row.site_id !== null &&
        group.scope_type === 'dcim.sitegroup' &&
        tools.row('dcim.site', row.site_id)?.group_id !== group.scope_id
      )
        errors.__all__ = ['The site is not a member of the site group of the VLAN group.']
    }
    if (row.qinq_svlan_id !== null && row.qinq_role !== 'cvlan')
      errors.qinq_svlan = ['Only Q-in-Q customer VLANs may be assigned to a service VLAN.']
    if (row.qinq_role === 'cvlan' && row.qinq_svlan_id === null)
      errors.qinq_role = ['A Q-in-Q customer VLAN must be assigned to a service VLAN.']
  },
})
