import { comments, countOf, description, integer, owned, primary, ref, slug, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const wirelessLanGroup = model('wireless.wirelesslangroup', {
  name: text({ unique: true, max: 100, natural: true }),
  slug: slug({ unique: true }),
  parent: ref('wireless.wirelesslangroup', { nullable: true, apiDefault: null, onDelete: 'cascade', related: 'children', shape: ['id', 'url', 'display_url', 'display', 'name', 'slug', '_depth'] }),
  description,
  ...primary,
  wirelesslan_count: countOf('wireless.wirelesslan', 'group', { cumulative: true, nested: 0 }),
  ...owned,
  comments,
  _depth: integer({ readOnly: true, filter: false }),
}, {
  path: 'wireless/wireless-lan-groups', label: 'wireless LAN group', plural: 'wireless LAN groups', objectName: 'WirelessLANGroup',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'wirelesslan_count', '_depth'],
  order: ['name'],
  tree: { parent: 'parent', by: 'name' },
  unique: [{ fields: ['parent', 'name'] }],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['comments', 'description', 'name', 'slug'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    parent: relatedFilter('parent', 'wireless.wirelesslangroup', { by: 'slug' }),
    ancestor_id: relatedFilter('parent', 'wireless.wirelesslangroup', { tree: true }),
    ancestor: relatedFilter('parent', 'wireless.wirelesslangroup', { by: 'slug', tree: true }),
  },
})
