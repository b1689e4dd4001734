import { CircuitStatusChoices } from '../../choices/circuits.ts'
import { countOf, choice, comments, description, owned, primary, ref, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, relatedBy, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const virtualCircuit = model(
  'circuits.virtualcircuit',
  {
    cid: text({ label: 'Circuit ID', max: 100 }),
    provider_network: ref('circuits.providernetwork', { related: 'virtual_circuits' }),
    provider_account: ref('circuits.provideraccount', {
      nullable: true,
      apiDefault: null,
      related: 'virtual_circuits',
    }),
    type: ref('circuits.virtualcircuittype', { related: 'virtual_circuits' }),
    status: choice(CircuitStatusChoices, { default: 'active' }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'virtual_circuits', filter: false }),
    description,
    ...owned,
    comments,
    ...primary,
  },
  {
    path: 'circuits/virtual-circuits',
    label: 'virtual circuit',
    plural: 'virtual circuits',
    objectName: 'VirtualCircuit',
    graphql: { filters: 'group_assignments -contacts' },
    display: 'cid',
    brief: ['id', 'url', 'display', 'cid', 'provider_network', 'description'],
    order: ['provider_network', 'provider_account', 'cid'],
    unique: [{ fields: ['provider_network', 'cid'] }, { fields: ['provider_account', 'cid'] }],
    features: primaryFeatures('contacts'),
    search: { text: ['comments', 'cid', 'description'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      ...relatedBy('provider', 'circuits.provider', { path: 'provider_network.provider' }),
      provider_account: relatedFilter('provider_account', 'circuits.provideraccount', { by: 'account' }),
      type: relatedFilter('type', 'circuits.virtualcircuittype', { by: 'slug' }),
    },
    pages: {
      named: 'cid',
      labels: { termination_count: 'Terminations' },
      columns: `
        cid provider_network.provider provider_account provider_network type status tenant
        termination_count description
      `,
      extra: { termination_count: countOf('circuits.virtualcircuittermination', 'virtual_circuit') },
      filters: { Provider: 'provider_id provider_account_id provider_network_id', Attributes: 'type_id status' },
      form: {
        'Virtual circuit': 'provider_network provider_account cid type status description tags',
        Tenancy: 'tenant',
      },
      bulk: 'provider_network provider_account type status description tenant',
      panels: {
        'Virtual circuit':
          'provider_network.provider provider_network provider_account cid type status tenant description',
      },
      tables: [
        ['circuits.circuitgroupassignment', 'member_type=circuits.virtualcircuit&member_id', 'Group assignments'],
        ['circuits.virtualcircuittermination', 'virtual_circuit_id', 'Terminations'],
      ],
      weights: { cid: 100, description: 500, comments: 5000 },
    },
  },
)

behaviour(virtualCircuit, {
  validate: ({ row, errors, tools }) => {
    const account =
      row.provider_account_id === null ? undefined : tools.row('circuits.provideraccount', row.provider_account_id)
    if (account && account.provider_id !== tools.row('circuits.providernetwork', row.provider_network_id)!.provider_id)
      errors.provider_account = ['The assigned account must belong to the provider of the network.']
  },
})
