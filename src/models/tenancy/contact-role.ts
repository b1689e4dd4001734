import { comments, description, owned, primary, slug, text } from '../../fields/index.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const contactRole = model('tenancy.contactrole', {
  name: text({ unique: true, max: 100 }),
  slug: slug({ unique: true }),
  description,
  ...owned,
  comments,
  ...primary,
}, {
  path: 'tenancy/contact-roles', label: 'contact role', plural: 'contact roles', objectName: 'ContactRole',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['name'],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['description', 'name', 'slug'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
  },
})
