import { moveRack } from '../../rules/places.ts'
import { elevation } from '../../rules/elevation.ts'
import { rackUse } from '../../rules/rack-use.ts'
import {
  FromType,
  measureRack,
  mountingDepth,
  rackGrams,
  rackOutside,
  rackUnits,
  rackWeights,
} from '../../rules/rack-fields.ts'
import { mountedIn } from '../../rules/racks.ts'
import { RackAirflowChoices, RackStatusChoices, RackWidthChoices } from '../../choices/dcim.ts'
import { choice, comments, countOf, description, owned, primary, ref, text } from '../../fields/index.ts'
import { choiceFilter } from '../../filters/choice.ts'
import { CharLookupsNoEmpty } from '../../filters/filter.ts'
import { relatedFilter } from '../../filters/related.ts'
import { contactFilters, primaryFilters, relatedBy, siteFilters, tenancyFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

/** What a type gives, of that which people enter. */
const Given = FromType.filter((name) => !name.startsWith('_'))

export const rack = model(
  'dcim.rack',
  {
    name: text({ max: 100, natural: true }),
    facility_id: text({ nullable: true, blank: true, apiDefault: null, label: 'Facility ID', max: 50 }),
    site: ref('dcim.site', { related: 'racks' }),
    location: ref('dcim.location', { apiDefault: null, onDelete: 'set null', related: 'racks', filter: false }),
    group: ref('dcim.rackgroup', { nullable: true, related: 'racks' }),
    tenant: ref('tenancy.tenant', { nullable: true, related: 'racks', filter: false }),
    status: choice(RackStatusChoices, { default: 'active' }),
    role: ref('dcim.rackrole', { nullable: true, related: 'racks' }),
    serial: text({ blank: true, label: 'Serial number', max: 50, iexact: true }),
    asset_tag: text({ nullable: true, blank: true, unique: true, max: 50 }),
    rack_type: ref('dcim.racktype', {
      nullable: true,
      apiDefault: null,
      related: 'racks',
      gives: Given,
    }),
    ...rackUnits,
    ...rackWeights,
    ...rackOutside,
    ...mountingDepth,
    airflow: choice(RackAirflowChoices, { blank: true, dbNull: true, single: true }),
    description,
    ...owned,
    comments,
    ...primary,
    device_count: countOf('dcim.device', 'rack'),
    powerfeed_count: countOf('dcim.powerfeed', 'rack'),
    ...rackGrams,
  },
  {
    path: 'dcim/racks',
    label: 'rack',
    plural: 'racks',
    objectName: 'Rack',
    graphql: {
      members: 'vlan_groups cabletermination_set=dcim.cabletermination._rack',
      filters: 'weight:FloatFilterLookup location_id:TreeNodeFilter vlan_groups',
    },
    display: (t) =>
      `case when ${t}.facility_id <> '' then ${t}.name || ' (' || ${t}.facility_id || ')' else ${t}.name end`,
    brief: ['id', 'url', 'display', 'name', 'description', 'device_count'],
    nested: ['id', 'url', 'display', 'name', 'description'],
    key: ['name', 'site', 'location?'],
    order: ['site', 'location', 'name'],
    unique: [{ fields: ['location', 'name'] }, { fields: ['location', 'facility_id'] }],
    features: primaryFeatures('contacts', 'image_attachments'),
    search: { text: ['comments', 'description', 'asset_tag', 'serial', 'name', 'facility_id'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      ...contactFilters,
      ...siteFilters(),
      ...relatedBy('location', 'dcim.location', { tree: true }),
      group: relatedFilter('group', 'dcim.rackgroup', { by: 'slug' }),
      ...relatedBy('manufacturer', 'dcim.manufacturer', { path: 'rack_type.manufacturer' }),
      rack_type: relatedFilter('rack_type', 'dcim.racktype', { by: 'slug' }),
      width: choiceFilter('width', RackWidthChoices, { lookups: CharLookupsNoEmpty }),
      role: relatedFilter('role', 'dcim.rackrole', { by: 'slug' }),
    },
    pages: {
      beside: 'site location group',
      labels: { group: 'Rack group', max_weight: 'Maximum weight' },
      help: { rack_type: 'Where one is chosen, dimensions, numbering and weights come from it.' },
      when: { [Given.join(' ')]: 'rack_type=' },
      columns:
        'name site location group status facility_id tenant role rack_type u_height device_count get_utilization',
      extra: rackUse,
      views: { 'dcim/rack-elevations': 'Elevations' },
      filters: {
        Location: 'region_id site_group_id site_id location_id group_id',
        Rack: 'status role_id manufacturer_id rack_type_id serial asset_tag',
        Hardware: 'form_factor width u_height airflow',
        Numbering: 'starting_unit desc_units',
        Weight: 'weight max_weight weight_unit',
      },
      form: {
        Rack: 'site location group name status role rack_type description airflow tags',
        'Inventory control': 'facility_id serial asset_tag',
        Tenancy: 'tenant',
        Dimensions: `
            form_factor width starting_unit u_height desc_units outer_width outer_height outer_depth outer_unit
            mounting_depth
          `,
        Weight: 'weight max_weight weight_unit',
      },
      bulk: `
        status group role tenant serial asset_tag rack_type description site location outer_width outer_height
        outer_depth outer_unit form_factor width u_height desc_units airflow mounting_depth weight max_weight
        weight_unit
      `,
      panels: {
        Rack: `
          site.region site location group name facility_id tenant status rack_type role description serial
          asset_tag airflow get_utilization get_power_utilization
        `,
        Dimensions: 'form_factor width u_height outer_width outer_height outer_depth mounting_depth',
        Numbering: 'starting_unit desc_units',
        Weight: 'weight max_weight total_weight weight_utilization',
      },
      tabs: {
        nonracked_devices: ['dcim.device', 'rack_id&position__empty=true', 'Non-racked devices', 'always'],
        reservations: ['dcim.rackreservation', 'rack_id', 'Reservations', 'always'],
      },
      sticker: ['{site} · {location}', '{facility_id} · {u_height}U', '{asset_tag} · {serial}'],
      weights: { asset_tag: 50, serial: 60, name: 100, facility_id: 200, description: 500, comments: 5000 },
      narrow: { site_id: 'site', location_id: 'location' },
    },
  },
)

behaviour(rack, {
  prepare: ({ row, errors, tools }) => {
    const type = row.rack_type_id === null ? undefined : tools.row('dcim.racktype', row.rack_type_id)
    if (type) Object.assign(row, Object.fromEntries(FromType.map((name) => [name, type[name] ?? null])))
    measureRack({ row, errors }, 'outer width/height/depth')
  },
  validate: ({ row, before, errors, tools }) => {
    if (row.location_id !== null && tools.row('dcim.location', row.location_id)?.site_id !== row.site_id)
      errors.__all__ = ['Assigned location must belong to the parent site.']
    if (!before) return
    const mounted = mountedIn(tools, row.id)
    const [lowest, highest] = [
      Math.min(...mounted.map((d) => d.position)),
      Math.max(...mounted.map((d) => d.position + d.u_height)),
    ]
    if (highest > row.starting_unit + row.u_height)
      errors[row.rack_type_id === null ? 'u_height' : 'rack_type'] = [
        `Rack must be at least ${highest - row.starting_unit}U tall to house currently installed devices.`,
      ]
    if (lowest < row.starting_unit)
      errors[row.rack_type_id === null ? 'starting_unit' : 'rack_type'] = [
        `Rack unit numbering must begin at ${lowest} or less to house currently installed devices.`,
      ]
  },
  saved: ({ row, before, tools }) => {
    if (before && (before.site_id !== row.site_id || before.location_id !== row.location_id)) moveRack(tools, row)
  },
  actions: { elevation },
})
