import { groupOf } from '../../rules/group-fields.ts'
import { comments, countOf, integer, owned } from '../../fields/index.ts'
import { contactFilters, primaryFilters, treeFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures, uniqueWithin } from '../../declare/presets.ts'

export const siteGroup = model(
  'dcim.sitegroup',
  {
    ...groupOf('dcim.sitegroup'),
    site_count: countOf('dcim.site', 'group', { cumulative: true, nested: 0 }),
    prefix_count: countOf('ipam.prefix', '_site_group'),
    ...owned,
    comments,
    _depth: integer({ readOnly: true, filter: false }),
  },
  {
    path: 'dcim/site-groups',
    label: 'site group',
    plural: 'site groups',
    objectName: 'SiteGroup',
    graphql: {
      members: `
        vlan_groups clusters=virtualization.cluster._site_group:whole
        circuit_terminations=circuits.circuittermination._site_group:whole
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
      ...treeFilters('dcim.sitegroup'),
    },
    pages: {
      columns: 'name site_count description',
      filters: { 'Site group': 'parent_id' },
      form: { '': 'parent name slug description tags' },
      bulk: 'parent description',
      panels: { 'Site group': 'parent name description' },
      tables: [['dcim.sitegroup', 'parent_id', 'Child groups']],
      weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    },
  },
)
