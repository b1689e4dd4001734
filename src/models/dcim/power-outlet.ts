import { PowerOutletFeedLegChoices, PowerOutletStatusChoices, PowerOutletTypeChoices } from '../../choices/dcim.ts'
import {
  cabledComponentFilters,
  cabledOptions,
  componentOf,
  componentPlace,
  pathEnd,
} from '../../rules/component-fields.ts'
import { prepareComponent } from '../../rules/places.ts'
import { traceAction } from '../../rules/trace.ts'
import { choice, color, description, ref, reverseOf } from '../../fields/index.ts'
import { pathEndpointFilters } from '../../filters/dcim.ts'
import { behaviour, model } from '../../declare/model.ts'

export const powerOutlet = model(
  'dcim.poweroutlet',
  {
    ...componentOf('poweroutlets'),
    type: choice(PowerOutletTypeChoices, { nullable: true, blank: true }),
    status: choice(PowerOutletStatusChoices, { default: 'enabled' }),
    color: color({ blank: true }),
    power_port: ref('dcim.powerport', { onDelete: 'set null', related: 'poweroutlets' }),
    feed_leg: choice(PowerOutletFeedLegChoices, {
      help: 'The phase of a three-phase feed.',
      nullable: true,
      blank: true,
    }),
    description,
    ...pathEnd,
  },
  {
    path: 'dcim/power-outlets',
    label: 'power outlet',
    plural: 'power outlets',
    objectName: 'PowerOutlet',
    graphql: { filters: 'inventory_items' },
    ...cabledOptions,
    filters: {
      ...cabledComponentFilters,
      ...pathEndpointFilters,
    },
    pages: {
      extra: {
        inventory_items: reverseOf('dcim.inventoryitem', 'component'),
      },
      labels: { connected_endpoints: 'Connection' },
      columns: 'name device label type status color power_port feed_leg description',
      filters: {
        Attributes: 'name label type color status',
        ...componentPlace,
        Connection: 'cabled connected occupied',
      },
      form: { '': 'device module name label type status color power_port feed_leg mark_connected description tags' },
      within: 'name label type status color power_port feed_leg description cable connected_endpoints',
      series: 'name label',
      bulk: 'module type label status description mark_connected color feed_leg power_port',
      panels: { 'Power outlet': 'device module name label type status description color power_port feed_leg' },
      tables: [['dcim.inventoryitem', 'component_type=dcim.poweroutlet&component_id', undefined, 'if any']],
      weights: { name: 100, label: 200, description: 500 },
      narrow: { device_id: 'device' },
    },
  },
)

behaviour(powerOutlet, {
  validate: ({ row, errors, tools }) => {
    if (row.power_port_id !== null && tools.row('dcim.powerport', row.power_port_id)!.device_id !== row.device_id)
      errors.__all__ = ['The parent power port must belong to the same device.']
  },
  actions: traceAction('dcim.poweroutlet'),
  prepare: (event) => prepareComponent(event),
})
