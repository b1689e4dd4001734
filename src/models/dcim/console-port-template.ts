import { ConsolePortTypeChoices } from '../../choices/dcim.ts'
import { named, templateOf, templateOptions } from '../../rules/component-fields.ts'
import { checkTemplate } from '../../rules/component-templates.ts'
import { choice, description, stamps } from '../../fields/index.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'

export const consolePortTemplate = model(
  'dcim.consoleporttemplate',
  {
    ...templateOf('consoleporttemplates'),
    ...named,
    type: choice(ConsolePortTypeChoices, { blank: true, dbNull: true, single: true }),
    description,
    ...stamps,
  },
  {
    path: 'dcim/console-port-templates',
    label: 'console port template',
    plural: 'console port templates',
    objectName: 'ConsolePortTemplate',
    graphql: { filters: '-module_type_id' },
    ...templateOptions,
    filters: {
      ...changelogFilters,
    },
    pages: {
      form: { '': 'device_type module_type name label type description' },
      within: 'name label type description',
      series: 'name label',
      bulk: 'label type',
      narrow: { device_type_id: 'device_type' },
    },
  },
)

behaviour(consolePortTemplate, {
  validate: (event) => checkTemplate(event as never),
})
