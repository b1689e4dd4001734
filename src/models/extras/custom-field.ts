import { checkDefinition, spread, strip } from '../../rules/custom-field-definitions.ts'
import {
  CustomFieldFilterLogicChoices,
  CustomFieldTypeChoices,
  CustomFieldUIEditableChoices,
  CustomFieldUIVisibleChoices,
} from '../../choices/extras.ts'
import {
  boolean,
  choice,
  comments,
  computed,
  contentType,
  contentTypes,
  decimal,
  description,
  integer,
  json,
  owned,
  ref,
  stamps,
  text,
} from '../../fields/index.ts'
import { contentTypeFilter, typeIdFilter } from '../../filters/content-type.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { schemaFault } from '../../rules/schemas.ts'

export const customField = model(
  'extras.customfield',
  {
    object_types: contentTypes('custom_fields', { filter: false }),
    type: choice(CustomFieldTypeChoices, { required: true, default: 'text' }),
    related_object_type: contentType('feature:all', { nullable: true, listed: true }),
    data_type: computed(
      (t) =>
        `case when ${t}.type in ('integer', 'decimal', 'boolean') then ${t}.type
          when ${t}.type in ('json', 'object') then 'object' when ${t}.type like 'multi%' then 'array'
          else 'string' end`,
      { schema: { type: 'string' } },
    ),
    name: text({
      help: 'Name in the API: letters, digits and underscores.',
      unique: true,
      max: 50,
      pattern: { regex: /^(?!.*__)[a-z0-9_]+$/i, message: 'Enter a valid value.' },
    }),
    label: text({ blank: true, max: 50 }),
    group_name: text({ help: 'Fields of one group are shown together.', blank: true, max: 50 }),
    description,
    required: boolean({ default: false }),
    unique: boolean({
      help: 'No two objects of a type may have the same value.',
      label: 'Must be unique',
      default: false,
    }),
    search_weight: integer({
      min: 0,
      max: 32767,
      default: 1000,
    }),
    filter_logic: choice(CustomFieldFilterLogicChoices, {
      help: 'Loose filters find parts of a text, exact ones the whole; a disabled one is not offered.',
      default: 'loose',
      single: true,
    }),
    ui_visible: choice(CustomFieldUIVisibleChoices, {
      help: 'Whether pages show the field.',
      default: 'always',
      single: true,
    }),
    ui_editable: choice(CustomFieldUIEditableChoices, {
      help: 'Whether pages let people change the field.',
      default: 'yes',
      single: true,
    }),
    is_cloneable: boolean({ help: 'The value is taken over when an object is cloned.', default: false }),
    default: json({ help: 'JSON of the value that new objects get; texts stand in double quotes.', nullable: true }),
    related_object_filter: json({
      help: 'Query parameters, as a JSON object, that objects to choose from have to meet.',
      nullable: true,
    }),
    weight: integer({
      help: 'Fields of less weight come first.',
      label: 'Display weight',
      min: 0,
      max: 32767,
      default: 100,
    }),
    validation_minimum: decimal({
      help: 'The least number that is allowed.',
      nullable: true,
      label: 'Minimum value',
      digits: 16,
      places: 4,
    }),
    validation_maximum: decimal({
      help: 'The greatest number that is allowed.',
      nullable: true,
      label: 'Maximum value',
      digits: 16,
      places: 4,
    }),
    validation_regex: text({ help: 'Pattern that texts have to match, such as ^[A-Z]{3}$.', blank: true, max: 500 }),
    validation_schema: json({ help: 'JSON schema that values have to satisfy.', nullable: true, check: schemaFault }),
    choice_set: ref('extras.customfieldchoiceset', { nullable: true, related: 'choices_for' }),
    ...owned,
    comments,
    ...stamps,
  },
  {
    path: 'extras/custom-fields',
    label: 'custom field',
    plural: 'custom fields',
    objectName: 'CustomField',
    graphql: { members: '-object_types', filters: 'object_types:ContentTypeFilter -validation_schema' },
    display: (t) =>
      `case when ${t}.label <> '' then ${t}.label
        else upper(substr(${t}.name, 1, 1)) || lower(substr(replace(${t}.name, '_', ' '), 2)) end`,
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['group_name', 'weight', 'name'],
    features: ['change_logging', 'cloning', 'custom_validation', 'event_rules', 'export_templates'],
    search: { text: ['comments', 'description', 'group_name', 'name', 'label'] },
    filters: {
      ...primaryFilters,
      object_type_id: typeIdFilter('object_types'),
      object_type: contentTypeFilter('object_types', { char: true }),
      related_object_type_id: typeIdFilter('related_object_type'),
      related_object_type: contentTypeFilter('related_object_type'),
      choice_set: relatedFilter('choice_set', 'extras.customfieldchoiceset', { by: 'name' }),
    },
    pages: {
      labels: {
        is_cloneable: 'Cloneable',
        default: 'Default value',
        validation_regex: 'Regular expression',
        ui_visible: 'Visible',
        ui_editable: 'Editable',
      },
      when: {
        'related_object_type related_object_filter': 'type=object multiobject',
        choice_set: 'type=select multiselect',
        'validation_minimum validation_maximum': 'type=integer decimal',
        validation_regex: 'type=text longtext url',
        validation_schema: 'type=json',
      },
      help: {
        label: 'As pages call it; the name where it is empty.',
        search_weight: 'Lower comes first in the search; 0 leaves it out.',
      },
      columns: 'name object_types label group_name type required unique description',
      filters: {
        Attributes: 'object_type_id type group_name weight required unique',
        'Type options': 'choice_set_id related_object_type_id',
        Behavior: 'ui_visible ui_editable is_cloneable',
        Validation: 'validation_minimum validation_maximum validation_regex',
      },
      form: {
        'Custom field': 'object_types name label group_name description type required unique default',
        'Type options': 'choice_set related_object_type related_object_filter',
        Validation: 'validation_minimum validation_maximum validation_regex validation_schema',
        Behavior: 'search_weight filter_logic ui_visible ui_editable weight is_cloneable',
      },
      bulk: `
        group_name description weight required unique choice_set ui_visible ui_editable is_cloneable
        validation_minimum validation_maximum validation_regex validation_schema
      `,
      panels: {
        'Custom field': `
            name type label group_name description required unique is_cloneable choice_set default
            related_object_filter
          `,
        Behavior: 'search_weight filter_logic weight ui_visible ui_editable',
        'Validation rules': 'validation_minimum validation_maximum validation_regex',
        'Object types': 'object_types related_object_type',
        'Validation schema': 'validation_schema',
      },
      weights: { name: 100, label: 100, description: 500, comments: 5000 },
    },
  },
)

behaviour(customField, {
  validate: (event) => checkDefinition(event as never),
  saved: (event) => spread(event as never),
  deleted: ({ row, tools }) => strip(tools, JSON.parse(row.object_types) as string[], row.name),
})
