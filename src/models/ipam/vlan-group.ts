import { comments, computed, countOf, description, generic, integer, owned, primary, ref, slug, text } from '../../fields/index.ts'
import { changelogFilters, ownerFilters, tenancyFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const vlanGroup = model('ipam.vlangroup', {
  name: text({ max: 100, natural: true }),
  slug: slug(),
  scope: generic(['dcim.location', 'dcim.rack', 'dcim.rackgroup', 'dcim.region', 'dcim.site', 'dcim.sitegroup', 'virtualization.cluster', 'virtualization.clustergroup'], { nullable: true, related: 'vlan_groups', apiDefault: null }),
  vid_ranges: computed(() => "json('[]')"),
  total_vlan_ids: integer({ readOnly: true }),
  tenant: ref('tenancy.tenant', { nullable: true, related: 'vlan_groups', filter: false }),
  description,
  ...owned,
  comments,
  ...primary,
  vlan_count: countOf('ipam.vlan', 'group'),
  utilization: computed(() => 'null', { schema: { type: 'string', nullable: true } }),
}, {
  path: 'ipam/vlan-groups', label: 'VLAN group', plural: 'VLAN groups', objectName: 'VLANGroup',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'vlan_count'],
  nested: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['name'],
  unique: [{ fields: ['scope_type', 'scope_id', 'name'] }, { fields: ['scope_type', 'scope_id', 'slug'] }],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['name', 'description'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    ...tenancyFilters,
  },
})
