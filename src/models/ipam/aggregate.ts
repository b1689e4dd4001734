import { aggregateUse, prefixesIn } from '../../rules/address-use.ts'
import { containsFilter, networkFilter, networkSearch } from '../../filters/network.ts'
import { address, comments, date, description, familyOf, owned, primary, ref } from '../../fields/index.ts'
import { numberFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { contactFilters, primaryFilters, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const aggregate = model(
  'ipam.aggregate',
  {
    family: familyOf('prefix'),
    prefix: address({ network: true }),
    rir: ref('ipam.rir', { related: 'aggregates' }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'aggregates', filter: false }),
    date_added: date({ nullable: true }),
    description,
    ...owned,
    comments,
    ...primary,
  },
  {
    path: 'ipam/aggregates',
    label: 'aggregate',
    plural: 'aggregates',
    objectName: 'Aggregate',
    graphql: {
      members: 'rir:RIRType',
      filters: 'contains:[String!]',
      parameters: { contains: containsFilter('prefix', true) },
    },
    display: 'prefix',
    brief: ['id', 'url', 'display', 'family', 'prefix', 'description'],
    key: ['prefix'],
    order: ['prefix'],
    features: primaryFeatures('contacts'),
    search: { text: ['description'], also: networkSearch('prefix') },
    filters: {
      prefix: networkFilter('prefix', { single: true }),
      ...primaryFilters,
      ...tenancyFilters,
      ...contactFilters,
      family: numberFilter('prefix_host', {
        lookups: [],
        single: true,
        expression: (e) => `unicode(substr(${e}, 1, 1))`,
      }),
      rir: relatedFilter('rir', 'ipam.rir', { by: 'slug' }),
    },
    pages: {
      columns: 'prefix rir tenant child_count utilization date_added description',
      extra: { child_count: prefixesIn, utilization: aggregateUse },
      filters: { Attributes: 'family rir_id' },
      form: { Aggregate: 'prefix rir date_added description tags', Tenancy: 'tenant' },
      bulk: 'rir tenant date_added description',
      panels: { Aggregate: 'family rir prefix utilization tenant date_added description' },
      tabs: { prefixes: true },
      weights: { prefix: 120, description: 500, date_added: 2000, comments: 5000 },
    },
  },
)

behaviour(aggregate, {
  validate: ({ row, before, errors, tools }) => {
    if (before?.prefix === row.prefix) return
    const other = tools.first('ipam.aggregate', {
      prefix_host: { to: row.prefix_last },
      prefix_last: { from: row.prefix_host },
      id: { not: row.id ?? 0 },
    })
    if (other) errors.prefix = [`Aggregates cannot overlap: ${row.prefix} overlaps ${other.prefix}.`]
  },
})
