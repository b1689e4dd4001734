import {
  PowerFeedPhaseChoices,
  PowerFeedStatusChoices,
  PowerFeedSupplyChoices,
  PowerFeedTypeChoices,
} from '../../choices/dcim.ts'
import { refreshFeeds } from '../../rules/places.ts'
import { availablePower } from '../../rules/power.ts'
import { cabled, connected, connector, occupied, path } from '../../rules/cabled-fields.ts'
import { traceAction } from '../../rules/trace.ts'
import { choice, comments, description, integer, owned, primary, ref, text } from '../../fields/index.ts'
import { cabledFilters, pathEndpointFilters } from '../../filters/dcim.ts'
import { numberFilter } from '../../filters/number.ts'
import { primaryFilters, siteFilters, tenancyFilters } from '../../filters/shared.ts'
import { feedUse } from '../../rules/rack-use.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const powerFeed = model(
  'dcim.powerfeed',
  {
    power_panel: ref('dcim.powerpanel', { related: 'powerfeeds' }),
    rack: ref('dcim.rack', { nullable: true, apiDefault: null, related: 'powerfeeds' }),
    name: text({ max: 100, natural: true }),
    status: choice(PowerFeedStatusChoices, { default: 'active', apiDefault: 'active' }),
    type: choice(PowerFeedTypeChoices, { single: true, default: 'primary', apiDefault: 'primary' }),
    supply: choice(PowerFeedSupplyChoices, { single: true, default: 'ac', apiDefault: 'ac' }),
    phase: choice(PowerFeedPhaseChoices, { single: true, default: 'single-phase', apiDefault: 'single-phase' }),
    voltage: integer({ unit: 'V', min: -32768, max: 32767, default: 120 }),
    amperage: integer({ unit: 'A', min: 1, max: 32767, default: 15 }),
    max_utilization: integer({
      unit: '%',
      help: 'How much of the power may be drawn, in percent.',
      min: 1,
      max: 100,
      default: 80,
    }),
    ...cabled,
    ...connected,
    description,
    tenant: ref('tenancy.tenant', { nullable: true, related: 'power_feeds', filter: false }),
    ...owned,
    comments,
    ...primary,
    ...occupied,
    ...connector,
    ...path,
    available_power: integer({ hidden: true, prepared: true, default: 0 }),
  },
  {
    path: 'dcim/power-feeds',
    label: 'power feed',
    plural: 'power feeds',
    objectName: 'PowerFeed',
    graphql: { members: 'available_power', filters: 'available_power' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'cable', 'description', '_occupied'],
    order: ['power_panel', 'name'],
    unique: [{ fields: ['power_panel', 'name'] }],
    features: primaryFeatures(),
    search: { text: ['comments', 'power_panel.name', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      ...tenancyFilters,
      ...cabledFilters,
      ...pathEndpointFilters,
      available_power: numberFilter('available_power'),
      cable_connector: numberFilter('cable_connector'),
      ...siteFilters('power_panel.site'),
    },
    pages: {
      extra: feedUse,
      labels: { connected_endpoints: 'Connected to' },
      columns: 'name power_panel rack status type supply voltage amperage phase cable link_peers',
      filters: {
        Location: 'region_id site_group_id site_id power_panel_id rack_id',
        Attributes: 'status type supply phase voltage amperage max_utilization',
      },
      form: {
        'Power feed': 'power_panel rack name status type description mark_connected tags',
        Characteristics: 'supply voltage amperage phase max_utilization',
        Tenancy: 'tenant',
      },
      bulk: `
        power_panel rack status type mark_connected description tenant supply phase voltage amperage
        max_utilization
      `,
      panels: {
        'Power feed': 'power_panel rack type status description tenant connected_endpoints utilization',
        'Electrical characteristics': 'supply voltage amperage phase max_utilization',
      },
      sticker: ['{power_panel} · {rack}', '{voltage} V · {amperage} A · {phase}'],
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)

behaviour(powerFeed, {
  prepare: ({ row }) => {
    row.available_power = availablePower(row)
  },
  validate: ({ row, errors, tools }) => {
    const panel = tools.row('dcim.powerpanel', row.power_panel_id)!
    if (row.rack_id !== null && tools.row('dcim.rack', row.rack_id)!.site_id !== panel.site_id)
      errors.__all__ = ['The rack and the power panel of a feed must be at the same site.']
    if (row.voltage === 0) errors.voltage = ['Ensure this value is not 0.']
    if (row.voltage < 0 && row.supply === 'ac') errors.voltage = ['Voltage cannot be negative for AC supply.']
    if (row.mark_connected && row.cable_id !== null)
      errors.mark_connected = ['Cannot mark as connected with a cable attached.']
  },
  saved: ({ row, before, tools }) => {
    if (before && (before.rack_id !== row.rack_id || before.power_panel_id !== row.power_panel_id))
      refreshFeeds(tools, 'feed', row.id)
  },
  actions: traceAction('dcim.powerfeed'),
})

behaviour(powerFeed, {
  importColumns: {
    columns: { site: 'dcim.site', location: 'dcim.location' },
    narrows: {
      site: [
        ['location', 'site'],
        ['power_panel', 'site'],
        ['rack', 'site'],
      ],
      location: [['rack', 'location']],
    },
    read: () => ({}),
  },
})
