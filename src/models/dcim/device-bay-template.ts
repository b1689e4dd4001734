import { named } from '../../rules/component-fields.ts'
import { checkBayTemplate } from '../../rules/component-templates.ts'
import { boolean, description, ref, stamps } from '../../fields/index.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { labelled } from '../../declare/presets.ts'

export const deviceBayTemplate = model(
  'dcim.devicebaytemplate',
  {
    device_type: ref('dcim.devicetype', { onDelete: 'cascade', related: 'devicebaytemplates' }),
    ...named,
    enabled: boolean({ default: true }),
    description,
    ...stamps,
  },
  {
    path: 'dcim/device-bay-templates',
    label: 'device bay template',
    plural: 'device bay templates',
    objectName: 'DeviceBayTemplate',
    display: labelled,
    brief: ['id', 'url', 'display', 'name', 'enabled', 'description'],
    order: ['device_type', 'name'],
    unique: [{ fields: ['device_type', 'name'] }],
    features: ['change_logging', 'custom_validation', 'event_rules'],
    displayUrl: false,
    relatedObject: 'device_type',
    search: { text: ['name', 'description'] },
    filters: {
      ...changelogFilters,
    },
    pages: {
      form: { '': 'device_type name label enabled description' },
      within: 'name label enabled description',
      series: 'name label',
      bulk: 'label description enabled',
    },
  },
)

behaviour(deviceBayTemplate, {
  validate: (event) => checkBayTemplate(event as never),
})
