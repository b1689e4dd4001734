import { comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const clusterType = model('virtualization.clustertype', {
  name: text({ unique: true, max: 100 }),
  slug: slug({ unique: true }),
  description,
  ...owned,
  comments,
  ...primary,
  cluster_count: countOf('virtualization.cluster', 'type'),
}, {
  path: 'virtualization/cluster-types', label: 'cluster type', plural: 'cluster types', objectName: 'ClusterType',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'cluster_count'],
  nested: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['name'],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['description', 'name', 'slug'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
  },
})
