import { ConsolePortSpeedChoices, ConsolePortTypeChoices } from '../../choices/dcim.ts'
import {
  cabledComponentFilters,
  cabledOptions,
  componentOf,
  componentPlace,
  pathEnd,
} from '../../rules/component-fields.ts'
import { prepareComponent } from '../../rules/places.ts'
import { traceAction } from '../../rules/trace.ts'
import { choice, description, reverseOf } from '../../fields/index.ts'
import { choiceFilter } from '../../filters/choice.ts'
import { pathEndpointFilters } from '../../filters/dcim.ts'
import { CharLookupsNoEmpty } from '../../filters/filter.ts'
import { behaviour, model } from '../../declare/model.ts'

export const consolePort = model(
  'dcim.consoleport',
  {
    ...componentOf('consoleports'),
    type: choice(ConsolePortTypeChoices, { blank: true, dbNull: true }),
    speed: choice(ConsolePortSpeedChoices, { nullable: true, single: true, filter: false }),
    description,
    ...pathEnd,
  },
  {
    path: 'dcim/console-ports',
    label: 'console port',
    plural: 'console ports',
    objectName: 'ConsolePort',
    graphql: { filters: 'inventory_items' },
    ...cabledOptions,
    filters: {
      ...cabledComponentFilters,
      ...pathEndpointFilters,
      speed: choiceFilter('speed', ConsolePortSpeedChoices, { single: true, lookups: CharLookupsNoEmpty }),
    },
    pages: {
      extra: {
        inventory_items: reverseOf('dcim.inventoryitem', 'component'),
      },
      labels: { connected_endpoints: 'Connection' },
      columns: 'name device label type speed description',
      filters: {
        Attributes: 'name label type speed',
        ...componentPlace,
        Connection: 'cabled connected occupied',
      },
      form: { '': 'device module name label type speed mark_connected description tags' },
      within: 'name label type speed description cable connected_endpoints',
      series: 'name label',
      bulk: 'module type label speed description mark_connected',
      panels: { 'Console port': 'device module name label type speed description' },
      tables: [['dcim.inventoryitem', 'component_type=dcim.consoleport&component_id', undefined, 'if any']],
      weights: { name: 100, label: 200, description: 500, speed: 2000 },
      narrow: { device_id: 'device' },
    },
  },
)

behaviour(consolePort, {
  actions: traceAction('dcim.consoleport'),
  prepare: (event) => prepareComponent(event),
})
