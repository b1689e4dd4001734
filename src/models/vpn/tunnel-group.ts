import { comments, countOf, description, owned, primary, slug, text } from '../../fields/index.ts'
import { contactFilters, primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { classifier, primaryFeatures } from '../../declare/presets.ts'

export const tunnelGroup = model(
  'vpn.tunnelgroup',
  {
    name: text({ unique: true, max: 100 }),
    slug: slug({ unique: true }),
    description,
    ...owned,
    comments,
    ...primary,
    tunnel_count: countOf('vpn.tunnel', 'group'),
  },
  {
    path: 'vpn/tunnel-groups',
    label: 'tunnel group',
    plural: 'tunnel groups',
    objectName: 'TunnelGroup',
    graphql: { filters: '-contacts' },
    ...classifier('tunnel_count'),
    features: primaryFeatures('contacts'),
    filters: {
      ...primaryFilters,
      ...contactFilters,
    },
    pages: {
      columns: 'name tunnel_count description',
      form: { 'Tunnel group': 'name slug description tags' },
      bulk: 'description',
      panels: { 'Tunnel group': 'name description' },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
