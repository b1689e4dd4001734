import { comments, description, owned, primary, ref, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const providerNetwork = model(
  'circuits.providernetwork',
  {
    provider: ref('circuits.provider', { related: 'networks' }),
    name: text({ max: 100, natural: true }),
    service_id: text({ blank: true, label: 'Service ID', max: 100 }),
    description,
    ...owned,
    comments,
    ...primary,
  },
  {
    path: 'circuits/provider-networks',
    label: 'provider network',
    plural: 'provider networks',
    objectName: 'ProviderNetwork',
    graphql: { members: 'circuit_terminations=circuits.circuittermination._provider_network -virtual_circuits' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['provider', 'name'],
    unique: [{ fields: ['provider', 'name'] }],
    features: primaryFeatures(),
    search: { text: ['comments', 'description', 'name', 'service_id'] },
    filters: {
      ...primaryFilters,
      provider: relatedFilter('provider', 'circuits.provider', { by: 'slug' }),
    },
    pages: {
      columns: 'name provider service_id description',
      filters: { Attributes: 'provider_id service_id' },
      form: { '': 'provider name service_id description tags' },
      bulk: 'provider service_id description',
      panels: { 'Provider network': 'provider name service_id description' },
      tables: [
        ['circuits.circuit', 'provider_network_id'],
        ['circuits.virtualcircuit', 'provider_network_id'],
      ],
      weights: { name: 100, service_id: 200, description: 500, comments: 5000 },
      narrow: { provider_id: 'provider' },
    },
  },
)
