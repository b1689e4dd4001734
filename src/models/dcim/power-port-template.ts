import { PowerPortTypeChoices } from '../../choices/dcim.ts'
import { draws, named, templateOf, templateOptions } from '../../rules/component-fields.ts'
import { checkTemplate } from '../../rules/component-templates.ts'
import { choice, description, stamps } from '../../fields/index.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'

export const powerPortTemplate = model(
  'dcim.powerporttemplate',
  {
    ...templateOf('powerporttemplates'),
    ...named,
    type: choice(PowerPortTypeChoices, { nullable: true, blank: true, single: true }),
    ...draws,
    description,
    ...stamps,
  },
  {
    path: 'dcim/power-port-templates',
    label: 'power port template',
    plural: 'power port templates',
    objectName: 'PowerPortTemplate',
    graphql: { filters: '-module_type_id' },
    ...templateOptions,
    filters: {
      ...changelogFilters,
    },
    pages: {
      form: { '': 'device_type module_type name label type maximum_draw allocated_draw description' },
      within: 'name label type maximum_draw allocated_draw description',
      series: 'name label',
      bulk: 'label type maximum_draw allocated_draw description',
      narrow: { device_type_id: 'device_type' },
    },
  },
)

behaviour(powerPortTemplate, {
  validate: (event) => {
    checkTemplate(event)
    const { row, errors } = event
    if (row.allocated_draw !== null && row.maximum_draw !== null && row.allocated_draw > row.maximum_draw)
      errors.allocated_draw = [`Allocated draw cannot exceed the maximum draw (${row.maximum_draw}W).`]
  },
})
