import { PortTypeChoices } from '../../choices/dcim.ts'
import { cabled, connector, occupied } from '../../domain/cabled-fields.ts'
import { prepareComponent } from '../../domain/places.ts'
import { checkMappings, forgetPort, mappedPorts, storeMappings } from '../../domain/port-mappings.ts'
import { pathsAction } from '../../domain/trace.ts'
import { choice, color, computed, description, integer, json, owned, primary, ref, text } from '../../fields/index.ts'
import { cabledFilters, deviceComponentFilters } from '../../filters/dcim.ts'
import { numberFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../registry/model.ts'

export const frontPort = model('dcim.frontport', {
  device: ref('dcim.device', { onDelete: 'cascade', related: 'frontports', filter: false }),
  module: ref('dcim.module', { nullable: true, onDelete: 'cascade', related: 'frontports', shape: ['id', 'url', 'display', 'device', 'module_bay'] }),
  name: text({ max: 64, natural: true }),
  label: text({ blank: true, max: 64 }),
  type: choice(PortTypeChoices),
  color: color({ blank: true }),
  positions: integer({ min: 1, max: 1024, default: 1 }),
  rear_ports: mappedPorts('dcim.portmapping', 'front'),
  description,
  ...cabled,
  ...owned,
  ...primary,
  ...occupied,
  _site: ref('dcim.site', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  _location: ref('dcim.location', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  _rack: ref('dcim.rack', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
  ...connector,
}, {
  path: 'dcim/front-ports', label: 'front port', plural: 'front ports', objectName: 'FrontPort',
  display: 'name',
  brief: ['id', 'url', 'display', 'device', 'name', 'description', 'cable', '_occupied'],
  order: ['device', 'name'],
  unique: [{ fields: ['device', 'name'] }],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  relatedObject: 'device',
  search: { text: ['description', 'name', 'label'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    ...cabledFilters,
    ...deviceComponentFilters,
    cable_connector: numberFilter('cable_connector'),
    rear_port_id: relatedFilter('mappings.rear_port', 'dcim.rearport'),
  },
})

behaviour(frontPort, {
  actions: pathsAction('dcim.frontport'),
  validate: (event) => checkMappings(event, 'dcim.portmapping', 'front'),
  saved: (event) => storeMappings(event, 'dcim.portmapping', 'front', { device_id: event.row.device_id }),
  deleted: ({ row, tools }) => forgetPort(tools, 'front', row.id),
  prepare: (event) => prepareComponent(event),
})
