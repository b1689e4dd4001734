import { ConsolePortTypeChoices } from '../../choices/dcim.ts'
import { checkTemplate } from '../../domain/component-templates.ts'
import { choice, description, ref, stamps, text } from '../../fields/index.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../registry/model.ts'

export const consolePortTemplate = model('dcim.consoleporttemplate', {
  device_type: ref('dcim.devicetype', { nullable: true, apiDefault: null, onDelete: 'cascade', related: 'consoleporttemplates' }),
  module_type: ref('dcim.moduletype', { nullable: true, apiDefault: null, onDelete: 'cascade', related: 'consoleporttemplates' }),
  name: text({ max: 64, natural: true }),
  label: text({ blank: true, max: 64 }),
  type: choice(ConsolePortTypeChoices, { blank: true, dbNull: true, single: true }),
  description,
  ...stamps,
}, {
  path: 'dcim/console-port-templates', label: 'console port template', plural: 'console port templates', objectName: 'ConsolePortTemplate',
  display: (t) => `case when ${t}.label <> '' then ${t}.name || ' (' || ${t}.label || ')' else ${t}.name end`,
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

behaviour(consolePortTemplate, {
  validate: (event) => checkTemplate(event as never),
})
