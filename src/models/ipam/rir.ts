import { boolean, comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const rir = model('ipam.rir', {
  name: text({ unique: true, max: 100 }),
  slug: slug({ unique: true }),
  is_private: boolean({ label: 'Private', default: false }),
  description,
  ...owned,
  comments,
  ...primary,
  aggregate_count: countOf('ipam.aggregate', 'rir'),
}, {
  path: 'ipam/rirs', label: 'RIR', plural: 'RIRs', objectName: 'RIR',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'aggregate_count'],
  nested: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['name'],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['description', 'name', 'slug'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
  },
})
