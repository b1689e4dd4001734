import { CustomFieldChoiceSetBaseChoices } from '../../choices/extras.ts'
import { boolean, choice, computed, description, json, listOf, owned, stamps, text } from '../../fields/index.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const customFieldChoiceSet = model('extras.customfieldchoiceset', {
  name: text({ unique: true, max: 100 }),
  description,
  base_choices: choice(CustomFieldChoiceSetBaseChoices, { nullable: true, single: true }),
  extra_choices: listOf((value) => ({ value }), { filter: false }),
  choice_colors: json({ default: {} }),
  order_alphabetically: boolean({ default: false }),
  choices_count: computed(() => '0', { schema: { type: 'integer' }, type: 'integer' }),
  ...owned,
  ...stamps,
}, {
  path: 'extras/custom-field-choice-sets', label: 'custom field choice set', plural: 'custom field choice sets', objectName: 'CustomFieldChoiceSet',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'description', 'choices_count'],
  order: ['name'],
  features: ['change_logging', 'cloning', 'custom_validation', 'event_rules', 'export_templates'],
  search: { text: ['name', 'description'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
  },
})
