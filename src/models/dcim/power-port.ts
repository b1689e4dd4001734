import { PowerPortTypeChoices } from '../../choices/dcim.ts'
import {
  cabledComponentFilters,
  cabledOptions,
  componentOf,
  componentPlace,
  draws,
  pathEnd,
} from '../../rules/component-fields.ts'
import { prepareComponent } from '../../rules/places.ts'
import { traceAction } from '../../rules/trace.ts'
import { choice, description, reverseOf } from '../../fields/index.ts'
import { pathEndpointFilters } from '../../filters/dcim.ts'
import { behaviour, model } from '../../declare/model.ts'

export const powerPort = model(
  'dcim.powerport',
  {
    ...componentOf('powerports'),
    type: choice(PowerPortTypeChoices, { nullable: true, blank: true }),
    ...draws,
    description,
    ...pathEnd,
  },
  {
    path: 'dcim/power-ports',
    label: 'power port',
    plural: 'power ports',
    objectName: 'PowerPort',
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
      columns: 'name device label type maximum_draw allocated_draw description',
      filters: {
        Attributes: 'name label type',
        ...componentPlace,
        Connection: 'cabled connected occupied',
      },
      form: { '': 'device module name label type maximum_draw allocated_draw mark_connected description tags' },
      within: 'name label type maximum_draw allocated_draw description cable connected_endpoints',
      series: 'name label',
      bulk: 'module type label description mark_connected maximum_draw allocated_draw',
      panels: { 'Power port': 'device module name label type description maximum_draw allocated_draw' },
      tables: [['dcim.inventoryitem', 'component_type=dcim.powerport&component_id', undefined, 'if any']],
      weights: { name: 100, label: 200, description: 500, maximum_draw: 2000, allocated_draw: 2000 },
      narrow: { device_id: 'device' },
    },
  },
)

behaviour(powerPort, {
  validate: ({ row, errors }) => {
    if (row.allocated_draw !== null && row.maximum_draw !== null && row.allocated_draw > row.maximum_draw)
      errors.allocated_draw = [`Allocated draw cannot exceed the maximum draw (${row.maximum_draw} W).`]
  },
  actions: traceAction('dcim.powerport'),
  prepare: (event) => prepareComponent(event),
})
