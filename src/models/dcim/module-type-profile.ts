import { comments, description, json, owned, primary, text } from '../../fields/index.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const moduleTypeProfile = model('dcim.moduletypeprofile', {
  name: text({ unique: true, max: 100 }),
  description,
  schema: json({ nullable: true }),
  ...owned,
  comments,
  ...primary,
}, {
  path: 'dcim/module-type-profiles', label: 'module type profile', plural: 'module type profiles', objectName: 'ModuleTypeProfile',
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
