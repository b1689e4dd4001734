import { refreshFeeds } from '../../rules/places.ts'
import { comments, countOf, customFields, description, owned, ref, stamps, tags, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { contactFilters, primaryFilters, siteFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const powerPanel = model(
  'dcim.powerpanel',
  {
    site: ref('dcim.site'),
    location: ref('dcim.location', { nullable: true, apiDefault: null, filter: false }),
    name: text({ max: 100, natural: true }),
    description,
    ...owned,
    comments,
    tags: tags(),
    custom_fields: customFields(),
    powerfeed_count: countOf('dcim.powerfeed', 'power_panel'),
    ...stamps,
  },
  {
    path: 'dcim/power-panels',
    label: 'power panel',
    plural: 'power panels',
    objectName: 'PowerPanel',
    graphql: { members: '-image_attachments', filters: 'location_id:TreeNodeFilter' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description', 'powerfeed_count'],
    nested: ['id', 'url', 'display', 'name', 'description'],
    order: ['site', 'name'],
    unique: [{ fields: ['site', 'name'] }],
    features: primaryFeatures('contacts', 'image_attachments'),
    search: { text: ['name', 'description'] },
    filters: {
      ...primaryFilters,
      ...contactFilters,
      ...siteFilters(),
      location_id: relatedFilter('location', 'dcim.location', { tree: true }),
    },
    pages: {
      beside: 'site',
      columns: 'name site location powerfeed_count',
      filters: { Location: 'region_id site_group_id site_id location_id' },
      form: { 'Power panel': 'site location name description tags' },
      bulk: 'site location description',
      panels: { 'Power panel': 'site location description' },
      tables: [['dcim.powerfeed', 'power_panel_id']],
      weights: { name: 100, description: 500, comments: 5000 },
      narrow: { site_id: 'site' },
    },
  },
)

behaviour(powerPanel, {
  validate: ({ row, errors, tools }) => {
    if (row.location_id !== null && tools.row('dcim.location', row.location_id)!.site_id !== row.site_id)
      errors.__all__ = ['The location of a power panel must be at its site.']
  },
  saved: ({ row, before, tools }) => {
    if (before && (before.site_id !== row.site_id || before.location_id !== row.location_id))
      refreshFeeds(tools, 'panel', row.id)
  },
})
