import { comments, countOf, description, owned, primary, text } from '../../fields/index.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const cableBundle = model('dcim.cablebundle', {
  name: text({ unique: true, max: 100 }),
  description,
  ...owned,
  comments,
  ...primary,
  cable_count: countOf('dcim.cable', 'bundle'),
}, {
  path: 'dcim/cable-bundles', label: 'cable bundle', plural: 'cable bundles', objectName: 'CableBundle',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['comments', 'name', 'description'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
  },
})
