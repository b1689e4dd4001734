import { PortTypeChoices } from '../../choices/dcim.ts'
import { named, templateOf, templateOptions } from '../../rules/component-fields.ts'
import { checkTemplate } from '../../rules/component-templates.ts'
import { checkMappings, mappedPorts, mappings, storeMappings } from '../../rules/port-mappings.ts'
import { choice, color, description, integer, stamps } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'

export const frontPortTemplate = model(
  'dcim.frontporttemplate',
  {
    ...templateOf('frontporttemplates'),
    ...named,
    type: choice(PortTypeChoices),
    color: color({ blank: true }),
    positions: integer({ min: 1, max: 1024, default: 1 }),
    rear_ports: mappedPorts('dcim.porttemplatemapping', 'front'),
    description,
    ...stamps,
  },
  {
    path: 'dcim/front-port-templates',
    label: 'front port template',
    plural: 'front port templates',
    objectName: 'FrontPortTemplate',
    graphql: { members: 'mappings', filters: '-module_type_id -positions' },
    ...templateOptions,
    filters: {
      ...changelogFilters,
      rear_port_id: relatedFilter('mappings.rear_port', 'dcim.rearporttemplate'),
    },
    pages: {
      extra: { mappings: mappings('dcim.porttemplatemapping', 'front') },
      form: { '': 'device_type module_type name label type color positions rear_ports description' },
      within: 'name label type color positions mappings description',
      series: 'name label rear_ports',
      bulk: 'label type color description',
      narrow: { device_type_id: 'device_type' },
    },
  },
)

behaviour(frontPortTemplate, {
  validate: (event) => {
    checkTemplate(event)
    checkMappings(event, 'dcim.porttemplatemapping', 'front')
  },
  saved: (event) =>
    storeMappings(event, 'dcim.porttemplatemapping', 'front', {
      device_type_id: event.row.device_type_id,
      module_type_id: event.row.module_type_id,
    }),
})
