import { ConsolePortTypeChoices } from '../../choices/dcim.ts'
import { named, templateOf, templateOptions } from '../../rules/component-fields.ts'
import { checkTemplate } from '../../rules/component-templates.ts'
import { choice, description, stamps } from '../../fields/index.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'

export const consoleServerPortTemplate = model(
  'dcim.consoleserverporttemplate',
  {
    ...templateOf('consoleserverporttemplates'),
    ...named,
    type: choice(ConsolePortTypeChoices, { blank: true, dbNull: true, single: true }),
    description,
    ...stamps,
  },
  {
    path: 'dcim/console-server-port-templates',
    label: 'console server port template',
    plural: 'console server port templates',
    objectName: 'ConsoleServerPortTemplate',
    graphql: { filters: '-module_type_id' },
    ...templateOptions,
    filters: {
      ...changelogFilters,
    },
    pages: {
      form: { '': 'device_type module_type name label type description' },
      within: 'name label type description',
      series: 'name label',
      bulk: 'label type description',
      narrow: { device_type_id: 'device_type' },
    },
  },
)

behaviour(consoleServerPortTemplate, {
  validate: (event) => checkTemplate(event as never),
})
