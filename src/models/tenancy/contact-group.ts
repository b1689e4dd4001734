import { groupOf } from '../../rules/group-fields.ts'
import { comments, countOf, integer, owned } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, treeFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const contactGroup = model(
  'tenancy.contactgroup',
  {
    ...groupOf('tenancy.contactgroup'),
    contact_count: countOf('tenancy.contact', 'groups', { cumulative: true, nested: 0 }),
    ...owned,
    comments,
    _depth: integer({ readOnly: true, filter: false }),
  },
  {
    path: 'tenancy/contact-groups',
    label: 'contact group',
    plural: 'contact groups',
    objectName: 'ContactGroup',
    graphql: { filters: '-comments' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'contact_count', '_depth'],
    order: ['name'],
    tree: { parent: 'parent', by: 'name' },
    unique: [{ fields: ['parent', 'name'] }],
    features: primaryFeatures(),
    search: { text: ['comments', 'description', 'name', 'slug'] },
    filters: {
      ...primaryFilters,
      ...treeFilters('tenancy.contactgroup'),
      contact_id: relatedFilter('contacts', 'tenancy.contact'),
    },
    pages: {
      columns: 'name contact_count description',
      filters: { 'Contact group': 'parent_id' },
      form: { 'Contact group': 'parent name slug description tags' },
      bulk: 'parent description',
      panels: { 'Contact group': 'parent name description' },
      tables: [['tenancy.contactgroup', 'parent_id', 'Child groups']],
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
