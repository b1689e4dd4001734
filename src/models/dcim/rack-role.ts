import { color, comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const rackRole = model('dcim.rackrole', {
  name: text({ unique: true, max: 100 }),
  slug: slug({ unique: true }),
  color: color({ default: '9e9e9e' }),
  description,
  ...owned,
  comments,
  ...primary,
  rack_count: countOf('dcim.rack', 'role'),
}, {
  path: 'dcim/rack-roles', label: 'rack role', plural: 'rack roles', objectName: 'RackRole',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'rack_count'],
  nested: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['name'],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['description', 'name', 'slug'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
  },
})
