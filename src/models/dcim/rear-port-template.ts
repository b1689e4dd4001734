import { PortTypeChoices } from '../../choices/dcim.ts'
import { checkTemplate } from '../../domain/component-templates.ts'
import { checkMappings, mappedPorts, storeMappings } from '../../domain/port-mappings.ts'
import { choice, color, computed, description, integer, ref, stamps, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../registry/model.ts'

export const rearPortTemplate = model('dcim.rearporttemplate', {
  device_type: ref('dcim.devicetype', { nullable: true, apiDefault: null, onDelete: 'cascade', related: 'rearporttemplates' }),
  module_type: ref('dcim.moduletype', { nullable: true, apiDefault: null, onDelete: 'cascade', related: 'rearporttemplates' }),
  name: text({ max: 64, natural: true }),
  label: text({ blank: true, max: 64 }),
  type: choice(PortTypeChoices),
  color: color({ blank: true }),
  positions: integer({ min: 1, max: 1024, default: 1 }),
  front_ports: mappedPorts('dcim.porttemplatemapping', 'rear'),
  description,
  ...stamps,
}, {
  path: 'dcim/rear-port-templates', label: 'rear port template', plural: 'rear port templates', objectName: 'RearPortTemplate',
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
    front_port_id: relatedFilter('mappings.front_port', 'dcim.frontporttemplate'),
  },
})

behaviour(rearPortTemplate, {
  validate: (event) => {
    checkTemplate(event)
    checkMappings(event, 'dcim.porttemplatemapping', 'rear')
  },
  saved: (event) => storeMappings(event, 'dcim.porttemplatemapping', 'rear', { device_type_id: event.row.device_type_id, module_type_id: event.row.module_type_id }),
})
