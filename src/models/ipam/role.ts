import { comments, countOf, description, integer, owned, primary, slug, text } from '../../fields/index.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const role = model(
  'ipam.role',
  {
    name: text({ unique: true, max: 100 }),
    slug: slug({ unique: true }),
    weight: integer({ help: 'Roles of less weight come first.', min: 0, max: 32767, default: 1000 }),
    description,
    ...owned,
    comments,
    ...primary,
    prefix_count: countOf('ipam.prefix', 'role'),
    vlan_count: countOf('ipam.vlan', 'role'),
    asn_count: countOf('ipam.asn', 'role'),
  },
  {
    path: 'ipam/roles',
    label: 'role',
    plural: 'roles',
    objectName: 'Role',
    graphql: { members: '-asns' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'prefix_count', 'vlan_count', 'asn_count'],
    nested: ['id', 'url', 'display', 'name', 'slug', 'description'],
    order: ['weight', 'name'],
    features: primaryFeatures(),
    search: { text: ['description', 'name', 'slug'] },
    filters: {
      ...primaryFilters,
    },
    pages: {
      columns: 'name prefix_count iprange_count vlan_count asn_count description',
      extra: { iprange_count: countOf('ipam.iprange', 'role') },
      form: { Role: 'name slug weight description tags' },
      bulk: 'weight description',
      panels: { Role: 'name description weight' },
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
