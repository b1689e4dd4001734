import { groupOf } from '../../rules/group-fields.ts'
import { comments, countOf, integer, owned } from '../../fields/index.ts'
import { contactFilters, primaryFilters, treeFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures, uniqueWithin } from '../../declare/presets.ts'

export const region = model(
  'dcim.region',
  {
    ...groupOf('dcim.region'),
    site_count: countOf('dcim.site', 'region', { cumulative: true, nested: 0 }),
    prefix_count: countOf('ipam.prefix', '_region'),
    ...owned,
    comments,
    _depth: integer({ readOnly: true, filter: false }),
  },
  {
    path: 'dcim/regions',
    label: 'region',
    plural: 'regions',
    objectName: 'Region',
    graphql: {
      members: `
        vlan_groups clusters=virtualization.cluster._region:whole
        circuit_terminations=circuits.circuittermination._region:whole
      `,
      filters: 'prefixes vlan_groups -parent -comments',
    },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'site_count', '_depth'],
    order: ['name'],
    tree: { parent: 'parent', by: 'name' },
    unique: uniqueWithin('parent', 'name', 'slug'),
    features: primaryFeatures('contacts'),
    search: { text: ['comments', 'description', 'name', 'slug'] },
    filters: {
      ...primaryFilters,
      ...contactFilters,
      ...treeFilters('dcim.region'),
    },
    pages: {
      columns: 'name site_count description',
      filters: { Region: 'parent_id' },
      form: { '': 'parent name slug description tags' },
      bulk: 'parent description',
      panels: { Region: 'parent name description' },
      tables: [['dcim.region', 'parent_id', 'Child regions']],
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
