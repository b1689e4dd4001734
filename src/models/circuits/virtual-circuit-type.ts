import { color, comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const virtualCircuitType = model('circuits.virtualcircuittype', {
  name: text({ unique: true, max: 100 }),
  slug: slug({ unique: true }),
  color: color({ blank: true }),
  description,
  ...owned,
  comments,
  ...primary,
  virtual_circuit_count: countOf('circuits.virtualcircuit', 'type'),
}, {
  path: 'circuits/virtual-circuit-types', label: 'virtual circuit type', plural: 'virtual circuit types', objectName: 'VirtualCircuitType',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'virtual_circuit_count'],
  nested: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['name'],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['description', 'name', 'slug'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
  },
})
