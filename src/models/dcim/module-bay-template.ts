import { named, templateOf } from '../../rules/component-fields.ts'
import { checkTemplate } from '../../rules/component-templates.ts'
import { boolean, description, stamps, text } from '../../fields/index.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { labelled } from '../../declare/presets.ts'

export const moduleBayTemplate = model(
  'dcim.modulebaytemplate',
  {
    ...templateOf('modulebaytemplates'),
    ...named,
    position: text({ blank: true, max: 30 }),
    enabled: boolean({ default: true }),
    description,
    ...stamps,
  },
  {
    path: 'dcim/module-bay-templates',
    label: 'module bay template',
    plural: 'module bay templates',
    objectName: 'ModuleBayTemplate',
    graphql: { filters: '-module_type_id' },
    display: labelled,
    brief: ['id', 'url', 'display', 'name', 'enabled', 'description'],
    key: ['name', 'device_type', 'module_type'],
    order: ['device_type', 'module_type', 'name'],
    unique: [{ fields: ['device_type', 'name'] }, { fields: ['module_type', 'name'] }],
    features: ['change_logging', 'custom_validation', 'event_rules'],
    displayUrl: false,
    relatedObject: ['device_type', 'module_type'],
    search: { text: ['name', 'description'] },
    filters: {
      ...changelogFilters,
    },
    pages: {
      form: { '': 'device_type module_type name label position enabled description' },
      within: 'name label position enabled description',
      series: 'name label position',
      bulk: 'label description enabled',
    },
  },
)

behaviour(moduleBayTemplate, {
  validate: (event) => checkTemplate(event as never),
})
