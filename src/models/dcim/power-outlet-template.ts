import { PowerOutletFeedLegChoices, PowerOutletTypeChoices } from '../../choices/dcim.ts'
import { named, templateOf, templateOptions } from '../../rules/component-fields.ts'
import { checkOutletTemplate } from '../../rules/component-templates.ts'
import { choice, color, description, ref, stamps } from '../../fields/index.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'

export const powerOutletTemplate = model(
  'dcim.poweroutlettemplate',
  {
    ...templateOf('poweroutlettemplates'),
    ...named,
    type: choice(PowerOutletTypeChoices, { nullable: true, blank: true, single: true }),
    color: color({ blank: true }),
    power_port: ref('dcim.powerporttemplate', { onDelete: 'set null', related: 'poweroutlet_templates' }),
    feed_leg: choice(PowerOutletFeedLegChoices, {
      help: 'The phase of a three-phase feed.',
      nullable: true,
      blank: true,
    }),
    description,
    ...stamps,
  },
  {
    path: 'dcim/power-outlet-templates',
    label: 'power outlet template',
    plural: 'power outlet templates',
    objectName: 'PowerOutletTemplate',
    graphql: { filters: '-module_type_id -color' },
    ...templateOptions,
    filters: {
      ...changelogFilters,
    },
    pages: {
      form: { '': 'device_type module_type name label type color power_port feed_leg description' },
      within: 'name label type color power_port feed_leg description',
      series: 'name label',
      bulk: 'device_type label type color power_port feed_leg description',
      narrow: { device_type_id: 'device_type' },
    },
  },
)

behaviour(powerOutletTemplate, {
  validate: (event) => checkOutletTemplate(event as never),
})
