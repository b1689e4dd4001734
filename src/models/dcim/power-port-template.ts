import { PowerPortTypeChoices } from '../../choices/dcim.ts'
import { checkTemplate } from '../../domain/component-templates.ts'
import { choice, description, integer, ref, stamps, text } from '../../fields/index.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../registry/model.ts'

export const powerPortTemplate = model('dcim.powerporttemplate', {
  device_type: ref('dcim.devicetype', { nullable: true, apiDefault: null, onDelete: 'cascade', related: 'powerporttemplates' }),
  module_type: ref('dcim.moduletype', { nullable: true, apiDefault: null, onDelete: 'cascade', related: 'powerporttemplates' }),
  name: text({ max: 64, natural: true }),
  label: text({ blank: true, max: 64 }),
  type: choice(PowerPortTypeChoices, { nullable: true, blank: true, single: true }),
  maximum_draw: integer({ nullable: true, min: 1, max: 2147483647 }),
  allocated_draw: integer({ nullable: true, min: 1, max: 2147483647 }),
  description,
  ...stamps,
}, {
  path: 'dcim/power-port-templates', label: 'power port template', plural: 'power port templates', objectName: 'PowerPortTemplate',
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
  },
})

behaviour(powerPortTemplate, {
  validate: (event) => checkTemplate(event as never),
})
