import { type FilterContext, FilterError } from '../../filters/filter.ts'
import { methodFilter } from '../../filters/method.ts'
import { color, contentTypes, countOf, description, integer, ref, slug, stamps, text } from '../../fields/index.ts'
import { typeIdFilter } from '../../filters/content-type.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'

/** SQL of the "app.model" names of object type ids. */
function typeNames(ids: readonly string[], c: FilterContext): string {
  if (ids.some((id) => !/^\d{1,15}$/.test(id))) throw new FilterError('Enter a whole number.')
  return `select app_label || '.' || model from core_objecttype
    where id in (${ids.map((id) => c.bind(Number(id))).join(', ')})`
}

/** Tags that some object of these types has. */
function tagged(c: FilterContext, types: string): string {
  c.uses('extras_taggeditem')
  return `${c.t}.id in (select tag_id from extras_taggeditem where object_type in (${types}))`
}

export const tag = model(
  'extras.tag',
  {
    name: text({ unique: true, max: 100 }),
    slug: slug({
      unique: true,
      pattern: {
        regex: /^[-\p{L}\p{N}_]+$/u,
        message: 'Enter a valid slug consisting of letters, numbers, underscores or hyphens.',
      },
    }),
    color: color({ default: '9e9e9e' }),
    description,
    weight: integer({ help: 'Tags of less weight come first.', min: 0, max: 32767, default: 1000 }),
    object_types: contentTypes('tags', { default: [], filter: false }),
    tagged_items: countOf('extras.taggeditem', 'tag'),
    ...stamps,
    owner: ref('users.owner', { hidden: true, entered: true, nullable: true, related: false }),
  },
  {
    path: 'extras/tags',
    label: 'tag',
    plural: 'tags',
    objectName: 'Tag',
    graphql: { members: 'owner', filters: '-weight' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'color', 'description'],
    order: ['weight', 'name'],
    features: ['change_logging', 'cloning', 'custom_validation', 'event_rules', 'export_templates'],
    search: { text: ['description', 'name', 'slug'] },
    filters: {
      content_type: methodFilter((values, c) =>
        tagged(c, values.map((value) => c.bind(value.toLowerCase())).join(', ')),
      ),
      content_type_id: methodFilter((values, c) => tagged(c, typeNames(values, c)), { type: 'integer' }),
      for_object_type_id: methodFilter(
        (values, c) =>
          `(${c.t}.object_types = '[]' or exists (select 1 from json_each(${c.t}.object_types)
            where value in (${typeNames(values, c)})))`,
        { type: 'integer' },
      ),
      ...primaryFilters,
      object_types: typeIdFilter('object_types'),
    },
    pages: {
      columns: 'name tagged_items slug color description',
      tabs: { objects: true },
      filters: { Attributes: 'content_type_id for_object_type_id' },
      form: { Tag: 'name slug color weight description object_types' },
      bulk: 'color description weight',
      panels: { Tag: 'name slug description color weight tagged_items', 'Object types': 'object_types' },
      weights: { name: 100, slug: 110, description: 500 },
    },
  },
)
