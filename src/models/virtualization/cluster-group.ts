import { comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { changelogFilters, contactFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const clusterGroup = model('virtualization.clustergroup', {
  name: text({ unique: true, max: 100 }),
  slug: slug({ unique: true }),
  description,
  ...owned,
  comments,
  ...primary,
  cluster_count: countOf('virtualization.cluster', 'group'),
}, {
  path: 'virtualization/cluster-groups', label: 'cluster group', plural: 'cluster groups', objectName: 'ClusterGroup',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'cluster_count'],
  nested: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['name'],
  features: ['bookmarks', 'change_logging', 'cloning', 'contacts', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['description', 'name', 'slug'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    ...contactFilters,
  },
})
