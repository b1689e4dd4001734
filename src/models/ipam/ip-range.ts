import { IPRangeStatusChoices } from '../../choices/ipam.ts'
import { address, boolean, choice, comments, description, familyOf, integer, owned, primary, ref } from '../../fields/index.ts'
import { numberFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, contactFilters, ownerFilters, tenancyFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const ipRange = model('ipam.iprange', {
  family: familyOf('start_address'),
  start_address: address(),
  end_address: address(),
  size: integer({ readOnly: true }),
  vrf: ref('ipam.vrf', { nullable: true, related: 'ip_ranges' }),
  tenant: ref('tenancy.tenant', { nullable: true, related: 'ip_ranges', filter: false }),
  status: choice(IPRangeStatusChoices, { default: 'active' }),
  role: ref('ipam.role', { onDelete: 'set null', related: 'ip_ranges' }),
  description,
  ...owned,
  comments,
  ...primary,
  mark_populated: boolean({ default: false }),
  mark_utilized: boolean({ default: false }),
}, {
  path: 'ipam/ip-ranges', label: 'IP range', plural: 'IP ranges', objectName: 'IPRange',
  display: (t) => `ip_range_name(${t}.start_address, ${t}.end_address)`,
  brief: ['id', 'url', 'display', 'family', 'start_address', 'end_address', 'description'],
  order: ['vrf', 'start_address'],
  features: ['bookmarks', 'change_logging', 'cloning', 'contacts', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['description'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    ...tenancyFilters,
    ...contactFilters,
    family: numberFilter('start_address_host', { lookups: [], single: true, expression: (e) => `unicode(substr(${e}, 1, 1))` }),
    vrf: relatedFilter('vrf', 'ipam.vrf', { by: 'rd' }),
    role: relatedFilter('role', 'ipam.role', { by: 'slug' }),
  },
})
