import {
  boolean,
  contentTypes,
  description,
  integer,
  json,
  owned,
  ref,
  slug,
  stamps,
  text,
} from '../../fields/index.ts'
import { contentTypeFilter, typeIdFilter } from '../../filters/content-type.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, usableFilter } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { giveMaker } from '../../rules/personal.ts'

export const savedFilter = model(
  'extras.savedfilter',
  {
    object_types: contentTypes('all', { filter: false }),
    name: text({ unique: true, max: 100 }),
    slug: slug({ unique: true }),
    description,
    user: ref('users.user', { raw: true, nullable: true, onDelete: 'set null' }),
    weight: integer({ help: 'Those of less weight come first.', min: 0, max: 32767, default: 100 }),
    enabled: boolean({ default: true }),
    shared: boolean({ help: 'Other users may choose it too.', default: true }),
    parameters: json({
      object: true,
      check: (given) => (Object.keys(given as object).length === 0 ? 'This field may not be empty.' : undefined),
    }),
    ...owned,
    ...stamps,
  },
  {
    path: 'extras/saved-filters',
    label: 'saved filter',
    plural: 'saved filters',
    objectName: 'SavedFilter',
    graphql: { members: '-object_types' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
    order: ['weight', 'name'],
    features: ['change_logging', 'cloning', 'custom_validation', 'event_rules', 'export_templates'],
    search: { text: ['name', 'description'] },
    personal: true,
    filters: {
      usable: usableFilter,
      ...primaryFilters,
      object_type_id: typeIdFilter('object_types'),
      object_type: contentTypeFilter('object_types', { char: true }),
      user: relatedFilter('user', 'users.user', { by: 'username' }),
    },
    pages: {
      help: {
        parameters: 'JSON of query parameters, as {"status": ["active"]}.',
      },
      columns: 'name object_types user description enabled shared',
      filters: { Attributes: 'object_type_id enabled shared weight' },
      form: { 'Saved filter': 'name slug object_types description weight enabled shared', Parameters: 'parameters' },
      bulk: 'description weight enabled shared',
      panels: {
        'Saved filter': 'name description user enabled shared weight',
        'Object types': 'object_types',
        Parameters: 'parameters',
      },
    },
  },
)

behaviour(savedFilter, { prepare: giveMaker })
