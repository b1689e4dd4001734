import { countOf, comments, description, owned, primary, ref, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { contactFilters, primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const providerAccount = model(
  'circuits.provideraccount',
  {
    provider: ref('circuits.provider', { related: 'accounts' }),
    name: text({ blank: true, apiDefault: '', max: 100 }),
    account: text({ label: 'Account ID', max: 100 }),
    description,
    ...owned,
    comments,
    ...primary,
  },
  {
    path: 'circuits/provider-accounts',
    label: 'provider account',
    plural: 'provider accounts',
    objectName: 'ProviderAccount',
    graphql: { members: '-virtual_circuits' },
    display: (t) => `case when ${t}.name <> '' then ${t}.account || ' (' || ${t}.name || ')' else ${t}.account end`,
    brief: ['id', 'url', 'display', 'name', 'account', 'description'],
    order: ['provider', 'account'],
    unique: [{ fields: ['provider', 'account'] }, { fields: ['provider', 'name'], when: { isSet: ['name'] } }],
    features: primaryFeatures('contacts'),
    search: { text: ['comments', 'account', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      ...contactFilters,
      provider: relatedFilter('provider', 'circuits.provider', { by: 'slug' }),
    },
    pages: {
      columns: 'account name provider circuit_count',
      extra: { circuit_count: countOf('circuits.circuit', 'provider_account') },
      filters: { Attributes: 'provider_id account' },
      form: { '': 'provider account name description tags' },
      bulk: 'provider description',
      panels: { 'Provider account': 'provider account name description' },
      tables: [['circuits.circuit', 'provider_account_id']],
      weights: { name: 100, account: 200, comments: 5000 },
      narrow: { provider_id: 'provider' },
    },
  },
)
