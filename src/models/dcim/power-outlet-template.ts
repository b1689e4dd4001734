import { PowerOutletFeedLegChoices, PowerOutletTypeChoices } from '../../choices/dcim.ts'
import { checkOutletTemplate } from '../../domain/component-templates.ts'
import { choice, color, description, ref, stamps, text } from '../../fields/index.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../registry/model.ts'

export const powerOutletTemplate = model('dcim.poweroutlettemplate', {
  device_type: ref('dcim.devicetype', { nullable: true, apiDefault: null, onDelete: 'cascade', related: 'poweroutlettemplates' }),
  module_type: ref('dcim.moduletype', { nullable: true, apiDefault: null, onDelete: 'cascade', related: 'poweroutlettemplates' }),
  name: text({ max: 64, natural: true }),
  label: text({ blank: true, max: 64 }),
  type: choice(PowerOutletTypeChoices, { nullable: true, blank: true, single: true }),
  color: color({ blank: true }),
  power_port: ref('dcim.powerporttemplate', { onDelete: 'set null', related: 'poweroutlet_templates' }),
  feed_leg: choice(PowerOutletFeedLegChoices, { nullable: true, blank: true }),
  description,
  ...stamps,
}, {
  path: 'dcim/power-outlet-templates', label: 'power outlet template', plural: 'power outlet templates', objectName: 'PowerOutletTemplate',
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

behaviour(powerOutletTemplate, {
  validate: (event) => checkOutletTemplate(event as never),
})
