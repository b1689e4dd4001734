import { changeCircuitEnd } from '../../rules/cables.ts'
import { CircuitTerminationSideChoices } from '../../choices/circuits.ts'
import { cabled, connector, occupied } from '../../rules/cabled-fields.ts'
import { placeOf } from '../../rules/scope.ts'
import { pathsAction } from '../../rules/trace.ts'
import { choice, description, generic, integer, primary, ref, text } from '../../fields/index.ts'
import { cabledFilters } from '../../filters/dcim.ts'
import { numberFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, scopedFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'

export const circuitTermination = model(
  'circuits.circuittermination',
  {
    circuit: ref('circuits.circuit', { onDelete: 'cascade', related: 'terminations' }),
    term_side: choice(CircuitTerminationSideChoices, { label: 'Termination side', raw: true, single: true }),
    termination: generic(['circuits.providernetwork', 'dcim.location', 'dcim.region', 'dcim.site', 'dcim.sitegroup'], {
      nullable: true,
      apiDefault: null,
    }),
    port_speed: integer({ unit: 'Kbps', nullable: true, label: 'Port speed (Kbps)', min: 0, max: 2147483647 }),
    upstream_speed: integer({
      unit: 'Kbps',
      help: 'Where it is not the port speed.',
      nullable: true,
      label: 'Upstream speed (Kbps)',
      min: 0,
      max: 2147483647,
    }),
    xconnect_id: text({
      help: 'What the provider of the cross-connect calls it.',
      blank: true,
      label: 'Cross-connect ID',
      max: 50,
    }),
    pp_info: text({ help: 'Patch panels and ports on the way.', blank: true, label: 'Patch panel/port(s)', max: 100 }),
    description,
    ...cabled,
    ...primary,
    ...occupied,
    ...connector,
    _provider_network: ref('circuits.providernetwork', { hidden: true, nullable: true, related: false }),
    _location: ref('dcim.location', { hidden: true, nullable: true, onDelete: 'cascade', related: false }),
    _site: ref('dcim.site', { hidden: true, nullable: true, onDelete: 'cascade', related: false }),
    _region: ref('dcim.region', { hidden: true, nullable: true, onDelete: 'cascade', related: false }),
    _site_group: ref('dcim.sitegroup', { hidden: true, nullable: true, onDelete: 'cascade', related: false }),
  },
  {
    path: 'circuits/circuit-terminations',
    label: 'circuit termination',
    plural: 'circuit terminations',
    objectName: 'CircuitTermination',
    graphql: { filters: '-circuit_id' },
    display: (t, sql) => {
      sql.uses('circuits_circuit')
      return `(select c.cid from circuits_circuit c where c.id = ${t}.circuit_id) || ': Termination ' || ${t}.term_side`
    },
    brief: ['id', 'url', 'display', 'circuit', 'term_side', 'description', 'cable', '_occupied'],
    order: ['circuit', 'term_side'],
    relatedObject: 'circuit',
    unique: [{ fields: ['circuit', 'term_side'] }],
    features: [
      'change_logging',
      'custom_fields',
      'custom_links',
      'custom_validation',
      'event_rules',
      'export_templates',
      'tags',
    ],
    search: { text: ['description', 'pp_info', 'circuit.cid', 'xconnect_id'] },
    filters: {
      ...changelogFilters,
      ...cabledFilters,
      cable_connector: numberFilter('cable_connector'),
      ...scopedFilters,
      provider_network_id: relatedFilter('_provider_network', 'circuits.providernetwork'),
      provider_id: relatedFilter('circuit.provider_id', 'circuits.provider'),
      provider: relatedFilter('circuit.provider', 'circuits.provider', { by: 'slug' }),
    },
    pages: {
      labels: { termination: 'Termination point', pp_info: 'Patch panel/port' },
      columns: 'circuit circuit.provider term_side termination description',
      filters: {
        Circuit: 'circuit_id term_side',
        Provider: 'provider_id',
        Termination: 'region_id site_group_id site_id location_id',
      },
      form: {
        'Circuit termination': 'circuit term_side description tags termination mark_connected',
        'Termination details': 'port_speed upstream_speed xconnect_id pp_info',
      },
      within: 'term_side termination port_speed upstream_speed xconnect_id cable description',
      bulk: 'description termination mark_connected port_speed upstream_speed',
      panels: {
        'Circuit termination':
          'circuit circuit.provider term_side termination port_speed upstream_speed xconnect_id pp_info description',
      },
      weights: { xconnect_id: 300, pp_info: 300, description: 500, port_speed: 2000, upstream_speed: 2000 },
    },
  },
)

const pointerOf = (side: string) => (side === 'A' ? 'termination_a_id' : 'termination_z_id')

behaviour(circuitTermination, {
  actions: pathsAction('circuits.circuittermination'),
  prepare: ({ row, errors, tools }) => {
    Object.assign(row, placeOf(tools, row.termination_type, row.termination_id))
    row._provider_network_id = row.termination_type === 'circuits.providernetwork' ? row.termination_id : null
    if (row.termination_id === null) errors.__all__ = ['A circuit termination must attach to a termination point.']
    if (row.mark_connected && row.cable_id !== null)
      errors.mark_connected = ['Cannot mark as connected with a cable attached.']
  },
  saved: ({ row, before, tools }) => {
    const isMoved = !before || before.circuit_id !== row.circuit_id || before.term_side !== row.term_side
    if (isMoved) {
      if (before) {
        const left = pointerOf(before.term_side)
        tools.set('circuits.circuit', { id: before.circuit_id, [left]: row.id }, { [left]: null })
      }
      tools.set('circuits.circuit', { id: row.circuit_id }, { [pointerOf(row.term_side)]: row.id })
    }
    if (isMoved || before.termination_id !== row.termination_id || before.termination_type !== row.termination_type)
      changeCircuitEnd(tools, row)
    if (before && before.circuit_id !== row.circuit_id) changeCircuitEnd(tools, before)
  },
  returned: ({ row, tools }) => changeCircuitEnd(tools, row),
  deleted: ({ row, tools }) => changeCircuitEnd(tools, row),
})
