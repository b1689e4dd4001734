import { ClusterStatusChoices } from '../../choices/virtualization.ts'
import { choice, comments, computed, countOf, description, generic, owned, primary, ref, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, contactFilters, ownerFilters, scopedFilters, tenancyFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const cluster = model('virtualization.cluster', {
  name: text({ max: 100, natural: true }),
  type: ref('virtualization.clustertype', { related: 'clusters' }),
  group: ref('virtualization.clustergroup', { nullable: true, apiDefault: null, related: 'clusters' }),
  status: choice(ClusterStatusChoices, { default: 'active' }),
  tenant: ref('tenancy.tenant', { nullable: true, related: 'clusters', filter: false }),
  scope: generic(['dcim.location', 'dcim.region', 'dcim.site', 'dcim.sitegroup'], { nullable: true, related: 'clusters', apiDefault: null }),
  description,
  ...owned,
  comments,
  ...primary,
  device_count: countOf('dcim.device', 'cluster'),
  virtualmachine_count: countOf('virtualization.virtualmachine', 'cluster'),
  allocated_vcpus: computed(() => 'null', { schema: { type: 'number' } }),
  allocated_memory: computed(() => '0', { schema: { type: 'integer' }, type: 'integer' }),
  allocated_disk: computed(() => '0', { schema: { type: 'integer' }, type: 'integer' }),
  _location: ref('dcim.location', { hidden: true, nullable: true, onDelete: 'cascade', related: false }),
  _site: ref('dcim.site', { hidden: true, nullable: true, onDelete: 'cascade', related: false }),
  _region: ref('dcim.region', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  _site_group: ref('dcim.sitegroup', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
}, {
  path: 'virtualization/clusters', label: 'cluster', plural: 'clusters', objectName: 'Cluster',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'description', 'virtualmachine_count'],
  nested: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  unique: [{ fields: ['group', 'name'] }, { fields: ['_site', 'name'] }],
  features: ['bookmarks', 'change_logging', 'cloning', 'contacts', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['comments', 'name', 'description'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    ...tenancyFilters,
    ...contactFilters,
    ...scopedFilters,
    group: relatedFilter('group', 'virtualization.clustergroup', { by: 'slug' }),
    type: relatedFilter('type', 'virtualization.clustertype', { by: 'slug' }),
  },
})
