import { PortTypeChoices } from '../../choices/dcim.ts'
import { checkTemplate } from '../../domain/component-templates.ts'
import { checkMappings, mappedPorts, storeMappings } from '../../domain/port-mappings.ts'
import { choice, color, computed, description, integer, ref, stamps, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../registry/model.ts'

export const frontPortTemplate = model('dcim.frontporttemplate', {
  device_type: ref('dcim.devicetype', { nullable: true, apiDefault: null, onDelete: 'cascade', related: 'frontporttemplates' }),
  module_type: ref('dcim.moduletype', { nullable: true, apiDefault: null, onDelete: 'cascade', related: 'frontporttemplates' }),
  name: text({ max: 64, natural: true }),
  label: text({ blank: true, max: 64 }),
  type: choice(PortTypeChoices),
  color: color({ blank: true }),
  positions: integer({ min: 1, max: 1024, default: 1 }),
  rear_ports: mappedPorts('dcim.porttemplatemapping', 'front'),
  description,
  ...stamps,
}, {
  path: 'dcim/front-port-templates', label: 'front port template', plural: 'front port templates', objectName: 'FrontPortTemplate',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['device_type', 'module_type', 'name'],
  unique: [{ fields: ['device_type', 'name'] }, { fields: ['module_type', 'name'] }],
  features: ['change_logging', 'custom_validation', 'event_rules'],
  displayUrl: false,
  relatedObject: 'device_type|module_type',
  search: { text: ['name', 'description'] },
  filters: {
    ...changelogFilters,
    rear_port_id: relatedFilter('mappings.rear_port', 'dcim.rearporttemplate'),
  },
})

behaviour(frontPortTemplate, {
  validate: (event) => {
    checkTemplate(event)
    checkMappings(event, 'dcim.porttemplatemapping', 'front')
  },
  saved: (event) => storeMappings(event, 'dcim.porttemplatemapping', 'front', { device_type_id: event.row.device_type_id, module_type_id: event.row.module_type_id }),
})
