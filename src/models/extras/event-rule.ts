import { EventRuleActionChoices, EventTypeChoices } from '../../choices/extras.ts'
import {
  boolean,
  choice,
  contentTypes,
  customFields,
  description,
  generic,
  json,
  listOf,
  owned,
  stamps,
  tags,
  text,
} from '../../fields/index.ts'
import { contentTypeFilter, typeIdFilter } from '../../filters/content-type.ts'
import { checkConditions } from '../../rules/conditions.ts'
import { arrayFilter } from '../../filters/array.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { textOfJson } from '../../lib/json.ts'

const eventTypes = new Set<unknown>(EventTypeChoices.map(([value]) => value))

/** What each action acts through. */
const ActionTypes: Record<string, string> = {
  webhook: 'extras.webhook',
  notification: 'extras.notificationgroup',
  script: 'extras.script',
}

export const eventRule = model(
  'extras.eventrule',
  {
    object_types: contentTypes('event_rules', { filter: false }),
    name: text({ unique: true, max: 150 }),
    enabled: boolean({ default: true }),
    event_types: listOf(
      (value) => (eventTypes.has(value) ? { value } : { error: `"${textOfJson(value)}" is not a valid choice.` }),
      { choices: EventTypeChoices, min: 1, filter: false },
    ),
    conditions: json({
      help: 'A JSON object of conditions that the data of the event have to meet; none: all events.',
      nullable: true,
      check: checkConditions,
    }),
    action_type: choice(EventRuleActionChoices, { required: true, default: 'webhook' }),
    action_object: generic('feature:event_rules', {
      related: 'events',
      lateId: true,
      listed: true,
      offered: Object.values(ActionTypes),
    }),
    description,
    custom_fields: customFields(),
    ...owned,
    tags: tags(),
    ...stamps,
    action_data: json({
      hidden: true,
      entered: true,
      nullable: true,
      object: true,
    }),
    comments: text({ hidden: true, entered: true, blank: true, lines: 'markdown' }),
  },
  {
    path: 'extras/event-rules',
    label: 'event rule',
    plural: 'event rules',
    objectName: 'EventRule',
    graphql: {
      members: 'action_object_type action_object_id action_data comments -object_types',
      filters: 'action_object_type_id:ID action_data comments',
    },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    features: ['change_logging', 'custom_fields', 'custom_validation', 'event_rules', 'export_templates', 'tags'],
    search: { text: ['comments', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      object_type_id: typeIdFilter('object_types'),
      object_type: contentTypeFilter('object_types', { char: true }),
      event_type: arrayFilter('event_types'),
    },
    pages: {
      labels: { action_type: 'Type', action_object: 'Object' },
      help: {
        conditions: 'JSON. When it acts, as {"and": [{"attr": "status.value", "value": "active"}]}. Empty: always.',
        action_data:
          'A JSON object. A webhook gets its members among the data, where the object itself has none of that name.',
      },
      columns: 'name enabled action_type action_object object_types event_types',
      filters: { Attributes: 'object_type_id event_type action_type enabled' },
      form: {
        'Event rule': 'name object_types event_types enabled description tags',
        Conditions: 'conditions',
        Action: 'action_type action_object action_data',
      },
      bulk: 'enabled event_types description',
      tabs: { jobs: ['core.job', 'object_type=extras.eventrule&object_id', 'Deliveries'] },
      panels: {
        'Event rule': 'name enabled description',
        Action: 'action_type action_object action_data',
        'Object types': 'object_types event_types',
        Conditions: 'conditions',
      },
    },
  },
)

behaviour(eventRule, {
  validate: ({ row, errors }) => {
    if (row.action_type === 'script') errors.action_type = ['This server does not run scripts.']
    else if (row.action_object_type !== ActionTypes[row.action_type])
      errors.action_object_type = [
        `The action ${row.action_type} needs an object of type ${ActionTypes[row.action_type]}.`,
      ]
  },
})
