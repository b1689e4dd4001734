import { VLANQinQRoleChoices, VLANStatusChoices } from '../../choices/ipam.ts'
import { choice, comments, computed, countOf, description, integer, owned, primary, ref, text } from '../../fields/index.ts'
import { numberFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, ownerFilters, tenancyFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const vlan = model('ipam.vlan', {
  site: ref('dcim.site', { nullable: true, related: 'vlans' }),
  group: ref('ipam.vlangroup', { nullable: true, apiDefault: null, related: 'vlans' }),
  vid: integer({ label: 'VLAN ID', min: 1, max: 4094 }),
  name: text({ max: 64 }),
  tenant: ref('tenancy.tenant', { nullable: true, related: 'vlans', filter: false }),
  status: choice(VLANStatusChoices, { default: 'active' }),
  role: ref('ipam.role', { onDelete: 'set null', related: 'vlans' }),
  description,
  qinq_role: choice(VLANQinQRoleChoices, { nullable: true }),
  qinq_svlan: ref('ipam.vlan', { nullable: true, apiDefault: null, related: 'qinq_cvlans', shape: ['id', 'url', 'display', 'vid', 'name', 'description'] }),
  ...owned,
  comments,
  l2vpn_termination: computed(() => 'null'),
  ...primary,
  prefix_count: countOf('ipam.prefix', 'vlan'),
}, {
  path: 'ipam/vlans', label: 'VLAN', plural: 'VLANs', objectName: 'VLAN',
  display: (t) => `${t}.name || ' (' || ${t}.vid || ')'`,
  brief: ['id', 'url', 'display', 'vid', 'name', 'description'],
  order: ['site', 'group', 'vid'],
  unique: [{ fields: ['group', 'vid'] }, { fields: ['group', 'name'] }, { fields: ['qinq_svlan', 'vid'] }, { fields: ['qinq_svlan', 'name'] }],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['name', 'description'], integer: ['vid'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    ...tenancyFilters,
    region_id: relatedFilter('site.region', 'dcim.region', { tree: true }),
    region: relatedFilter('site.region', 'dcim.region', { by: 'slug', tree: true }),
    site_group_id: relatedFilter('site.group', 'dcim.sitegroup', { tree: true }),
    site_group: relatedFilter('site.group', 'dcim.sitegroup', { by: 'slug', tree: true }),
    site: relatedFilter('site', 'dcim.site', { by: 'slug' }),
    group: relatedFilter('group', 'ipam.vlangroup', { by: 'slug' }),
    role: relatedFilter('role', 'ipam.role', { by: 'slug' }),
    qinq_svlan_vid: numberFilter('qinq_svlan.vid'),
    l2vpn_id: relatedFilter('l2vpn_terminations.l2vpn', 'vpn.l2vpn'),
    l2vpn: relatedFilter('l2vpn_terminations.l2vpn', 'vpn.l2vpn', { by: 'identifier' }),
  },
})
