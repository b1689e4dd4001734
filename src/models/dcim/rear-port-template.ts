import { PortTypeChoices } from '../../choices/dcim.ts'
import { named, templateOf, templateOptions } from '../../rules/component-fields.ts'
import { checkTemplate } from '../../rules/component-templates.ts'
import { checkMappings, mappedPorts, mappings, storeMappings } from '../../rules/port-mappings.ts'
import { choice, color, description, integer, stamps } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'

export const rearPortTemplate = model(
  'dcim.rearporttemplate',
  {
    ...templateOf('rearporttemplates'),
    ...named,
    type: choice(PortTypeChoices),
    color: color({ blank: true }),
    positions: integer({ min: 1, max: 1024, default: 1 }),
    front_ports: mappedPorts('dcim.porttemplatemapping', 'rear'),
    description,
    ...stamps,
  },
  {
    path: 'dcim/rear-port-templates',
    label: 'rear port template',
    plural: 'rear port templates',
    objectName: 'RearPortTemplate',
    graphql: { members: 'mappings', filters: '-module_type_id' },
    ...templateOptions,
    filters: {
      ...changelogFilters,
      front_port_id: relatedFilter('mappings.front_port', 'dcim.frontporttemplate'),
    },
    pages: {
      extra: { mappings: mappings('dcim.porttemplatemapping', 'rear') },
      form: { '': 'device_type module_type name label type color positions description' },
      within: 'name label type color positions mappings description',
      series: 'name label',
      bulk: 'label type color description',
      narrow: { device_type_id: 'device_type' },
    },
  },
)

behaviour(rearPortTemplate, {
  validate: (event) => {
    checkTemplate(event)
    checkMappings(event, 'dcim.porttemplatemapping', 'rear')
  },
  saved: (event) =>
    storeMappings(event, 'dcim.porttemplatemapping', 'rear', {
      device_type_id: event.row.device_type_id,
      module_type_id: event.row.module_type_id,
    }),
})
