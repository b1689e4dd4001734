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
import { told } from '../../rules/import-columns.ts'

export const frontPort = model(
  'dcim.frontport',
  {
    ...componentOf('frontports'),
    type: choice(PortTypeChoices),
    color: color({ blank: true }),
    positions: integer({ min: 1, max: 1024, default: 1 }),
    rear_ports: mappedPorts('dcim.portmapping', 'front'),
    description,
    ...passThrough,
  },
  {
    path: 'dcim/front-ports',
    label: 'front port',
    plural: 'front ports',
    objectName: 'FrontPort',
    graphql: { members: 'mappings', filters: 'inventory_items -positions' },
    ...cabledOptions,
    filters: {
      ...cabledComponentFilters,
      rear_port_id: relatedFilter('mappings.rear_port', 'dcim.rearport'),
    },
    pages: {
      extra: {
        inventory_items: reverseOf('dcim.inventoryitem', 'component'),
        mappings: mappings('dcim.portmapping', 'front'),
      },
      labels: { link_peers: 'Far end' },
      columns: 'name device label type color positions mappings description',
      filters: {
        Attributes: 'name label type color',
        ...componentPlace,
        Cable: 'cabled occupied',
      },
      form: { '': 'device module name label type color positions rear_ports mark_connected description tags' },
      within: 'name label type color positions mappings description cable link_peers',
      series: 'name label rear_ports',
      bulk: 'module type label color description mark_connected',
      panels: { 'Front port': 'device module name label type color positions description' },
      tables: [['dcim.inventoryitem', 'component_type=dcim.frontport&component_id', undefined, 'if any']],
      weights: { name: 100, label: 200, description: 500 },
      narrow: { device_id: 'device' },
    },
  },
)

behaviour(frontPort, {
  actions: pathsAction('dcim.frontport'),
  validate: (event) => checkMappings(event, 'dcim.portmapping', 'front'),
  saved: (event) => storeMappings(event, 'dcim.portmapping', 'front', { device_id: event.row.device_id }),
  deleted: ({ row, tools }) => forgetPort(tools, 'front', row.id),
  prepare: (event) => prepareComponent(event),
})

behaviour(frontPort, {
  importColumns: {
    columns: { rear_port: 'text', rear_port_position: 'text' },
    read: ({ rear_port: name, rear_port_position: position = '1' }, find, body) =>
      name === undefined
        ? {}
        : {
            rear_ports: [
              {
                position: 1,
                rear_port: told('rear_port', () => find('dcim.rearport', { device: body.device, name })),
                rear_port_position: position,
              },
            ],
          },
  },
})
