import { EventRuleActionChoices } from '../../choices/extras.ts'
import { boolean, choice, contentTypes, customFields, description, generic, json, listOf, owned, stamps, tags, text } from '../../fields/index.ts'
import { contentTypeFilter, typeIdFilter } from '../../filters/content-type.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const eventRule = model('extras.eventrule', {
  object_types: contentTypes('event_rules', { filter: false }),
  name: text({ unique: true, max: 150 }),
  enabled: boolean({ default: true }),
  event_types: listOf((value) => ({ value }), { filter: false }),
  conditions: json({ nullable: true }),
  action_type: choice(EventRuleActionChoices, { required: true, default: 'webhook' }),
  action_object: generic('feature:event_rules', { related: 'events' }),
  description,
  custom_fields: customFields(),
  ...owned,
  tags: tags(),
  ...stamps,
  action_data: json({ hidden: true, nullable: true }),
  comments: text({ hidden: true, blank: true }),
}, {
  path: 'extras/event-rules', label: 'event rule', plural: 'event rules', objectName: 'EventRule',
  display: 'name',
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  features: ['change_logging', 'custom_fields', 'custom_validation', 'event_rules', 'export_templates', 'tags'],
  search: { text: ['comments', 'name', 'description'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    object_type_id: typeIdFilter('object_types'),
    object_type: contentTypeFilter('object_types', { char: true }),
  },
})
