import { comments, countOf, description, owned, primary, refs, reverseTaking, slug, text } from '../../fields/index.ts'
import { contactFilters, primaryFilters, relatedBy } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const provider = model(
  'circuits.provider',
  {
    name: text({ unique: true, max: 100, natural: true }),
    slug: slug({ unique: true }),
    accounts: reverseTaking('circuits.provideraccount', 'provider', {
      shape: ['id', 'url', 'display_url', 'display', 'name', 'account'],
    }),
    description,
    ...owned,
    comments,
    asns: refs('ipam.asn', { related: 'providers', filter: false }),
    ...primary,
    circuit_count: countOf('circuits.circuit', 'provider'),
  },
  {
    path: 'circuits/providers',
    label: 'provider',
    plural: 'providers',
    objectName: 'Provider',
    graphql: { filters: 'circuits -accounts' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'circuit_count'],
    nested: ['id', 'url', 'display', 'name', 'slug', 'description'],
    order: ['name'],
    features: primaryFeatures('contacts'),
    search: { text: ['comments', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      ...contactFilters,
      ...relatedBy('region', 'dcim.region', { path: 'circuits.terminations._region', tree: true }),
      ...relatedBy('site_group', 'dcim.sitegroup', { path: 'circuits.terminations._site_group', tree: true }),
      ...relatedBy('site', 'dcim.site', { path: 'circuits.terminations._site' }),
      ...relatedBy('asn', 'ipam.asn', { path: 'asns', by: 'asn' }),
    },
    pages: {
      columns: 'name account_count circuit_count',
      extra: { account_count: countOf('circuits.provideraccount', 'provider') },
      filters: { Location: 'region_id site_group_id site_id', ASN: 'asn_id' },
      form: { '': 'name slug asns description tags' },
      bulk: 'asns description',
      panels: { Provider: 'name asns description' },
      tables: [
        ['circuits.provideraccount', 'provider_id'],
        ['circuits.circuit', 'provider_id'],
      ],
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)
