import { comments, countOf, description, integer, owned, primary, ref, slug, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, contactFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const region = model('dcim.region', {
  name: text({ max: 100 }),
  slug: slug(),
  parent: ref('dcim.region', { nullable: true, apiDefault: null, onDelete: 'cascade', related: 'children', shape: ['id', 'url', 'display_url', 'display', 'name', 'slug', '_depth'] }),
  description,
  ...primary,
  site_count: countOf('dcim.site', 'region', { cumulative: true, nested: 0 }),
  prefix_count: countOf('ipam.prefix', '_region'),
  ...owned,
  comments,
  _depth: integer({ readOnly: true, filter: false }),
}, {
  path: 'dcim/regions', label: 'region', plural: 'regions', objectName: 'Region',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'site_count', '_depth'],
  order: ['name'],
  tree: { parent: 'parent', by: 'name' },
  unique: [{ fields: ['parent', 'name'] }, { fields: ['name'], when: 't.parent_id is null' }, { fields: ['parent', 'slug'] }, { fields: ['slug'], when: 't.parent_id is null' }],
  features: ['bookmarks', 'change_logging', 'cloning', 'contacts', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['comments', 'description', 'name', 'slug'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    ...contactFilters,
    parent: relatedFilter('parent', 'dcim.region', { by: 'slug' }),
    ancestor_id: relatedFilter('parent', 'dcim.region', { tree: true }),
    ancestor: relatedFilter('parent', 'dcim.region', { by: 'slug', tree: true }),
  },
})
