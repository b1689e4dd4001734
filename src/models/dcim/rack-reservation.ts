import { methodFilter } from '../../filters/method.ts'
import { arrayFilter } from '../../filters/array.ts'
import { RackReservationStatusChoices } from '../../choices/dcim.ts'
import {
  choice,
  comments,
  computed,
  customFields,
  integers,
  owned,
  ref,
  stamps,
  tags,
  text,
} from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, relatedBy, siteFilters, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

const unitCount = (operator: string) =>
  methodFilter(
    ([value], c) =>
      Number.isFinite(Number(value))
        ? `json_array_length(${c.t}.units) ${operator} ${c.bind(Number(value))}`
        : undefined,
    { single: true, type: 'number' },
  )

export const rackReservation = model(
  'dcim.rackreservation',
  {
    rack: ref('dcim.rack', { onDelete: 'cascade', related: 'reservations' }),
    units: integers(0, 32767, { min: 1, most: 1000, filter: false }),
    unit_count: computed((t) => `json_array_length(${t}.units)`, {
      schema: { type: 'integer' },
      graphql: { type: 'Int!', input: 'IntComparisonFilterLookup' },
    }),
    status: choice(RackReservationStatusChoices, { default: 'active' }),
    ...stamps,
    user: ref('users.user'),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'rackreservations', filter: false }),
    description: text({ max: 200 }),
    ...owned,
    comments,
    tags: tags(),
    custom_fields: customFields(),
  },
  {
    path: 'dcim/rack-reservations',
    label: 'rack reservation',
    plural: 'rack reservations',
    objectName: 'RackReservation',
    display: (t, sql) => {
      sql.uses('dcim_rack')
      return `'Reservation for rack ' || (select case
        when r.facility_id <> '' then r.name || ' (' || r.facility_id || ')' else r.name end from dcim_rack r
        where r.id = ${t}.rack_id)`
    },
    brief: ['id', 'url', 'display', 'units', 'status', 'user', 'description'],
    order: ['created'],
    relatedObject: 'rack',
    features: primaryFeatures(),
    search: { text: ['description', 'user.username', 'rack.name', 'rack.facility_id'] },
    filters: {
      unit: arrayFilter('units', { integer: true, lookups: ['n', 'lt', 'lte', 'gt', 'gte', 'empty'] }),
      unit_count_min: unitCount('>='),
      unit_count_max: unitCount('<='),
      ...primaryFilters,
      ...tenancyFilters,
      ...siteFilters('rack.site'),
      ...relatedBy('location', 'dcim.location', { path: 'rack.location', tree: true }),
      ...relatedBy('group', 'dcim.rackgroup', { path: 'rack.group' }),
      user: relatedFilter('user', 'users.user', { by: 'username' }),
    },
    pages: {
      labels: { unit_count: 'Units in all' },
      help: { units: 'Units, as 1-4, 7.' },
      columns: 'rack.site rack units unit_count status user description',
      filters: {
        Reservation: 'status user_id unit_count_min unit_count_max',
        Rack: 'region_id site_group_id site_id location_id group_id rack_id',
      },
      form: { Reservation: 'rack units status user description tags', Tenancy: 'tenant' },
      bulk: 'status user tenant description',
      panels: {
        Rack: 'rack.site.region rack.site rack.location rack.group rack',
        Reservation: 'units unit_count status tenant user description',
      },
      weights: { description: 500, comments: 5000 },
    },
  },
)

behaviour(rackReservation, {
  validate: ({ row, errors, tools }) => {
    const rack = tools.row('dcim.rack', row.rack_id)!
    const units = JSON.parse(row.units!) as number[]
    const outside = units.filter((unit) => unit < rack.starting_unit || unit >= rack.starting_unit + rack.u_height)
    if (outside.length) errors.units = [`Invalid unit(s) for this rack: ${outside.join(', ')}`]
    const others = new Set(
      tools
        .rows('dcim.rackreservation', { rack_id: row.rack_id, id: { not: row.id ?? 0 } }, { only: ['units'] })
        .flatMap((other) => JSON.parse(other.units!) as number[]),
    )
    const taken = units.filter((unit) => others.has(unit))
    if (taken.length) errors.units ??= [`The following units have already been reserved: ${taken.join(', ')}`]
  },
})

behaviour(rackReservation, {
  importColumns: {
    columns: { site: 'dcim.site', location: 'dcim.location' },
    narrows: {
      site: [
        ['location', 'site'],
        ['rack', 'site'],
      ],
      location: [['rack', 'location']],
    },
    read: () => ({}),
  },
})
