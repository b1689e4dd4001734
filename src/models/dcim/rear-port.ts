import { PortTypeChoices } from '../../choices/dcim.ts'
import {
  cabledComponentFilters,
  cabledOptions,
  componentOf,
  componentPlace,
  passThrough,
} from '../../rules/component-fields.ts'
import { prepareComponent } from '../../rules/places.ts'
import { checkMappings, forgetPort, mappedPorts, mappings, storeMappings } from '../../rules/port-mappings.ts'
import { pathsAction } from '../../rules/trace.ts'
import { choice, color, description, integer, reverseOf } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { behaviour, model } from '../../declare/model.ts'

export const rearPort = model(
  'dcim.rearport',
  {
    ...componentOf('rearports'),
    type: choice(PortTypeChoices),
    color: color({ blank: true }),
    positions: integer({ min: 1, max: 1024, default: 1 }),
    front_ports: mappedPorts('dcim.portmapping', 'rear'),
    description,
    ...passThrough,
  },
  {
    path: 'dcim/rear-ports',
    label: 'rear port',
    plural: 'rear ports',
    objectName: 'RearPort',
    graphql: { members: 'mappings', filters: 'inventory_items' },
    ...cabledOptions,
    filters: {
      ...cabledComponentFilters,
      front_port_id: relatedFilter('mappings.front_port', 'dcim.frontport'),
    },
    pages: {
      extra: {
        inventory_items: reverseOf('dcim.inventoryitem', 'component'),
        mappings: mappings('dcim.portmapping', 'rear'),
      },
      labels: { link_peers: 'Far end' },
      columns: 'name device label type color positions mappings description',
      filters: {
        Attributes: 'name label type color',
        ...componentPlace,
        Cable: 'cabled occupied',
      },
      form: { '': 'device module name label type color positions mark_connected description tags' },
      within: 'name label type color positions mappings description cable link_peers',
      series: 'name label',
      bulk: 'module type label color description mark_connected',
      panels: { 'Rear port': 'device module name label type color positions description' },
      tables: [['dcim.inventoryitem', 'component_type=dcim.rearport&component_id', undefined, 'if any']],
      weights: { name: 100, label: 200, description: 500 },
      narrow: { device_id: 'device' },
    },
  },
)

behaviour(rearPort, {
  actions: pathsAction('dcim.rearport'),
  validate: (event) => checkMappings(event, 'dcim.portmapping', 'rear'),
  saved: (event) => storeMappings(event, 'dcim.portmapping', 'rear', { device_id: event.row.device_id }),
  deleted: ({ row, tools }) => forgetPort(tools, 'rear', row.id),
  prepare: (event) => prepareComponent(event),
})
