import { RackReservationStatusChoices } from '../../choices/dcim.ts'
import { choice, comments, computed, customFields, listOf, owned, ref, stamps, tags, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, ownerFilters, tenancyFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const rackReservation = model('dcim.rackreservation', {
  rack: ref('dcim.rack', { onDelete: 'cascade', related: 'reservations' }),
  units: listOf((value) => ({ value }), { itemType: 'integer', filter: false }),
  unit_count: computed(() => '0'),
  status: choice(RackReservationStatusChoices, { default: 'active' }),
  ...stamps,
  user: ref('users.user'),
  tenant: ref('tenancy.tenant', { nullable: true, related: 'rackreservations', filter: false }),
  description: text({ max: 200 }),
  ...owned,
  comments,
  tags: tags(),
  custom_fields: customFields(),
}, {
  path: 'dcim/rack-reservations', label: 'rack reservation', plural: 'rack reservations', objectName: 'RackReservation',
  display: (t) => `'Reservation for rack ' || (select case when r.facility_id <> '' then r.name || ' (' || r.facility_id || ')' else r.name end from dcim_rack r where r.id = ${t}.rack_id)`,
  brief: ['id', 'url', 'display', 'units', 'status', 'user', 'description'],
  order: ['created'],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['description', 'user.username', 'rack.name', 'rack.facility_id'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    ...tenancyFilters,
    site_id: relatedFilter('rack.site', 'dcim.site'),
    site: relatedFilter('rack.site', 'dcim.site', { by: 'slug' }),
    region_id: relatedFilter('rack.site.region', 'dcim.region', { tree: true }),
    region: relatedFilter('rack.site.region', 'dcim.region', { by: 'slug', tree: true }),
    site_group_id: relatedFilter('rack.site.group', 'dcim.sitegroup', { tree: true }),
    site_group: relatedFilter('rack.site.group', 'dcim.sitegroup', { by: 'slug', tree: true }),
    location_id: relatedFilter('rack.location', 'dcim.location', { tree: true }),
    location: relatedFilter('rack.location', 'dcim.location', { by: 'slug', tree: true }),
    group_id: relatedFilter('rack.group', 'dcim.rackgroup'),
    group: relatedFilter('rack.group', 'dcim.rackgroup', { by: 'slug' }),
    user: relatedFilter('user', 'users.user', { by: 'username' }),
  },
})
