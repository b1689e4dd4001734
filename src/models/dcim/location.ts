import { moveLocation } from '../../rules/places.ts'
import { LocationStatusChoices } from '../../choices/dcim.ts'
import { choice, comments, countOf, description, integer, owned, primary, ref, slug, text } from '../../fields/index.ts'
import { contactFilters, primaryFilters, siteFilters, tenancyFilters, treeFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const location = model(
  'dcim.location',
  {
    name: text({ max: 100 }),
    slug: slug(),
    site: ref('dcim.site', { onDelete: 'cascade', related: 'locations' }),
    parent: ref('dcim.location', {
      nullable: true,
      apiDefault: null,
      onDelete: 'cascade',
      related: 'children',
      shape: ['id', 'url', 'display_url', 'display', 'name', 'slug', '_depth'],
    }),
    status: choice(LocationStatusChoices, { default: 'active' }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'locations', filter: false }),
    facility: text({ blank: true, max: 50 }),
    description,
    ...primary,
    rack_count: countOf('dcim.rack', 'location', { cumulative: true, nested: 0 }),
    device_count: countOf('dcim.device', 'location', { cumulative: true, nested: 0 }),
    prefix_count: countOf('ipam.prefix', '_location'),
    ...owned,
    comments,
    _depth: integer({ readOnly: true, filter: false }),
  },
  {
    path: 'dcim/locations',
    label: 'location',
    plural: 'locations',
    objectName: 'Location',
    graphql: {
      members: `
        vlan_groups powerpanel_set=dcim.powerpanel.location
        cabletermination_set=dcim.cabletermination._location clusters=virtualization.cluster._location:whole
        circuit_terminations=circuits.circuittermination._location:whole
      `,
      filters: 'prefixes vlan_groups -parent -comments',
    },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'rack_count', '_depth'],
    order: ['name'],
    tree: { parent: 'parent', by: 'name' },
    unique: [
      { fields: ['site', 'parent', 'name'] },
      { fields: ['site', 'name'], when: { isNull: ['parent'] } },
      { fields: ['site', 'parent', 'slug'] },
      { fields: ['site', 'slug'], when: { isNull: ['parent'] } },
    ],
    features: primaryFeatures('contacts', 'image_attachments'),
    search: { text: ['name', 'slug', 'description', 'comments', 'facility'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      ...contactFilters,
      ...siteFilters(),
      ...treeFilters('dcim.location'),
    },
    pages: {
      columns: 'name site status facility tenant rack_count device_count vlangroup_count description',
      extra: { vlangroup_count: countOf('ipam.vlangroup', 'scope') },
      filters: { Attributes: 'region_id site_group_id site_id parent_id status facility' },
      form: { Location: 'site parent name slug status facility description tags', Tenancy: 'tenant' },
      bulk: 'site parent status tenant facility description',
      panels: { Location: 'parent name description site status tenant facility' },
      tables: [
        ['dcim.location', 'parent_id', 'Child locations'],
        ['dcim.device', 'location_id&rack_id=null&parent_bay_id=null', 'Non-Racked devices'],
      ],
      weights: { name: 100, facility: 100, slug: 110, description: 500, comments: 5000 },
      narrow: { site_id: 'site' },
    },
  },
)

behaviour(location, {
  validate: ({ row, errors, tools }) => {
    if (row.parent_id !== null && tools.row('dcim.location', row.parent_id)?.site_id !== row.site_id)
      errors.__all__ = ['The parent location must belong to the same site.']
  },
  saved: ({ row, before, tools }) => {
    if (before && before.site_id !== row.site_id) moveLocation(tools, row.id, row.site_id)
  },
})
