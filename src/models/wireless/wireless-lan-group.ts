import { comments, countOf, description, integer, owned, primary, ref, slug, text } from '../../fields/index.ts'
import { primaryFilters, treeFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const wirelessLanGroup = model(
  'wireless.wirelesslangroup',
  {
    name: text({ unique: true, max: 100, natural: true }),
    slug: slug({ unique: true }),
    parent: ref('wireless.wirelesslangroup', {
      nullable: true,
      apiDefault: null,
      onDelete: 'cascade',
      related: 'children',
      shape: ['id', 'url', 'display_url', 'display', 'name', 'slug', '_depth'],
    }),
    description,
    ...primary,
    wirelesslan_count: countOf('wireless.wirelesslan', 'group', { cumulative: true, nested: 0 }),
    ...owned,
    comments,
    _depth: integer({ readOnly: true, filter: false }),
  },
  {
    path: 'wireless/wireless-lan-groups',
    label: 'wireless LAN group',
    plural: 'wireless LAN groups',
    objectName: 'WirelessLANGroup',
    graphql: { filters: '-parent -comments' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'wirelesslan_count', '_depth'],
    order: ['name'],
    tree: { parent: 'parent', by: 'name' },
    unique: [{ fields: ['parent', 'name'] }],
    features: primaryFeatures(),
    search: { text: ['comments', 'description', 'name', 'slug'] },
    filters: {
      ...primaryFilters,
      ...treeFilters('wireless.wirelesslangroup'),
    },
    pages: {
      columns: 'name wirelesslan_count description',
      filters: { 'Wireless LAN group': 'parent_id' },
      form: { 'Wireless LAN group': 'parent name slug description tags' },
      bulk: 'parent description',
      panels: { 'Wireless LAN group': 'parent name description' },
      tables: [['wireless.wirelesslangroup', 'parent_id', 'Child groups']],
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
