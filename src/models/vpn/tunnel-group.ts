import { comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { changelogFilters, contactFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const tunnelGroup = model('vpn.tunnelgroup', {
  name: text({ unique: true, max: 100 }),
  slug: slug({ unique: true }),
  description,
  ...owned,
  comments,
  ...primary,
  tunnel_count: countOf('vpn.tunnel', 'group'),
}, {
  path: 'vpn/tunnel-groups', label: 'tunnel group', plural: 'tunnel groups', objectName: 'TunnelGroup',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'tunnel_count'],
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
