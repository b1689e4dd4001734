import { comments, countOf, description, integer, owned, primary, ref, slug, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const contactGroup = model('tenancy.contactgroup', {
  name: text({ max: 100 }),
  slug: slug(),
  parent: ref('tenancy.contactgroup', { nullable: true, apiDefault: null, onDelete: 'cascade', related: 'children', shape: ['id', 'url', 'display_url', 'display', 'name', 'slug', '_depth'] }),
  description,
  ...primary,
  contact_count: countOf('tenancy.contact', 'groups', { cumulative: true, nested: 0 }),
  ...owned,
  comments,
  _depth: integer({ readOnly: true, filter: false }),
}, {
  path: 'tenancy/contact-groups', label: 'contact group', plural: 'contact groups', objectName: 'ContactGroup',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'contact_count', '_depth'],
  order: ['name'],
  tree: { parent: 'parent', by: 'name' },
  unique: [{ fields: ['parent', 'name'] }],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['comments', 'description', 'name', 'slug'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    parent: relatedFilter('parent', 'tenancy.contactgroup', { by: 'slug' }),
    ancestor_id: relatedFilter('parent', 'tenancy.contactgroup', { tree: true }),
    ancestor: relatedFilter('parent', 'tenancy.contactgroup', { by: 'slug', tree: true }),
    contact_id: relatedFilter('contacts', 'tenancy.contact'),
  },
})
