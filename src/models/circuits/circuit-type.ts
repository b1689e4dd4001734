import { color, comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const circuitType = model('circuits.circuittype', {
  name: text({ unique: true, max: 100 }),
  slug: slug({ unique: true }),
  color: color({ blank: true }),
  description,
  ...owned,
  comments,
  ...primary,
  circuit_count: countOf('circuits.circuit', 'type'),
}, {
  path: 'circuits/circuit-types', label: 'circuit type', plural: 'circuit types', objectName: 'CircuitType',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'circuit_count'],
  nested: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['name'],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['description', 'name', 'slug'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
  },
})
