import { comments, countOf, customFields, description, owned, ref, stamps, tags, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, contactFilters, ownerFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../registry/model.ts'

export const powerPanel = model('dcim.powerpanel', {
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
}, {
  path: 'dcim/power-panels', label: 'power panel', plural: 'power panels', objectName: 'PowerPanel',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'description', 'powerfeed_count'],
  nested: ['id', 'url', 'display', 'name', 'description'],
  order: ['site', 'name'],
  unique: [{ fields: ['site', 'name'] }],
  features: ['bookmarks', 'change_logging', 'cloning', 'contacts', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'image_attachments', 'journaling', 'notifications', 'tags'],
  search: { text: ['name', 'description'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    ...contactFilters,
    region_id: relatedFilter('site.region', 'dcim.region', { tree: true }),
    region: relatedFilter('site.region', 'dcim.region', { by: 'slug', tree: true }),
    site_group_id: relatedFilter('site.group', 'dcim.sitegroup', { tree: true }),
    site_group: relatedFilter('site.group', 'dcim.sitegroup', { by: 'slug', tree: true }),
    site: relatedFilter('site', 'dcim.site', { by: 'slug' }),
    location_id: relatedFilter('location', 'dcim.location', { tree: true }),
  },
})

behaviour(powerPanel, {
  validate: ({ row, errors, tools }) => {
    if (row.location_id !== null && tools.row('dcim.location', row.location_id)!.site_id !== row.site_id) errors.__all__ = ['The location of a power panel must be at its site.']
  },
})
