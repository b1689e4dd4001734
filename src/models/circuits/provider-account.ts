import { comments, description, owned, primary, ref, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, contactFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const providerAccount = model('circuits.provideraccount', {
  provider: ref('circuits.provider', { related: 'accounts' }),
  name: text({ blank: true, apiDefault: '', max: 100 }),
  account: text({ label: 'Account ID', max: 100 }),
  description,
  ...owned,
  comments,
  ...primary,
}, {
  path: 'circuits/provider-accounts', label: 'provider account', plural: 'provider accounts', objectName: 'ProviderAccount',
  display: (t) => `case when ${t}.name <> '' then ${t}.account || ' (' || ${t}.name || ')' else ${t}.account end`,
  brief: ['id', 'url', 'display', 'name', 'account', 'description'],
  order: ['provider', 'account'],
  unique: [{ fields: ['provider', 'account'] }],
  features: ['bookmarks', 'change_logging', 'cloning', 'contacts', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['comments', 'account', 'name', 'description'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    ...contactFilters,
    provider: relatedFilter('provider', 'circuits.provider', { by: 'slug' }),
  },
})
