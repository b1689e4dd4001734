import { color, contentTypes, countOf, description, integer, ref, slug, stamps, text } from '../../fields/index.ts'
import { typeIdFilter } from '../../filters/content-type.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const tag = model('extras.tag', {
  name: text({ unique: true, max: 100 }),
  slug: slug({ unique: true }),
  color: color({ default: '9e9e9e' }),
  description,
  weight: integer({ min: 0, max: 32767, default: 1000 }),
  object_types: contentTypes('tags', { default: [], filter: false }),
  tagged_items: countOf('extras.taggeditem', 'tag'),
  ...stamps,
  owner: ref('users.owner', { hidden: true, nullable: true, related: false }),
}, {
  path: 'extras/tags', label: 'tag', plural: 'tags', objectName: 'Tag',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'slug', 'color', 'description'],
  order: ['weight', 'name'],
  features: ['change_logging', 'cloning', 'custom_validation', 'event_rules', 'export_templates'],
  search: { text: ['description', 'name', 'slug'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    object_types: typeIdFilter('object_types'),
  },
})
