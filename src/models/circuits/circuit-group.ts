import { comments, countOf, description, owned, primary, ref, slug, text } from '../../fields/index.ts'
import { primaryFilters, tenancyFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const circuitGroup = model(
  'circuits.circuitgroup',
  {
    name: text({ unique: true, max: 100 }),
    slug: slug({ unique: true }),
    description,
    tenant: ref('tenancy.tenant', { nullable: true, related: 'circuit_groups', filter: false }),
    ...owned,
    comments,
    ...primary,
    circuit_count: countOf('circuits.circuitgroupassignment', 'group'),
  },
  {
    path: 'circuits/circuit-groups',
    label: 'circuit group',
    plural: 'circuit groups',
    objectName: 'CircuitGroup',
    graphql: { members: '-assignments' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name'],
    order: ['name'],
    features: primaryFeatures(),
    search: { text: ['description', 'name', 'slug'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
    },
    pages: {
      labels: { circuit_count: 'Circuits' },
      columns: 'name description circuit_count',
      form: { 'Circuit group': 'name slug description tags', Tenancy: 'tenant' },
      bulk: 'description tenant',
      panels: { 'Circuit group': 'name description tenant' },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
