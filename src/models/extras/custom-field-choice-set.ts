import { FilterError } from '../../filters/filter.ts'
import { methodFilter } from '../../filters/method.ts'
import {
  baseChoices,
  checkChoices,
  choiceColumns,
  choicesAction,
  choiceWord,
  countOfChoices,
  pairOf,
} from '../../rules/choice-sets.ts'
import { CustomFieldChoiceColorChoices, CustomFieldChoiceSetBaseChoices } from '../../choices/extras.ts'
import { boolean, choice, computed, description, json, listOf, owned, stamps, text } from '../../fields/index.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { textOfJson } from '../../lib/json.ts'

/** A value with its label; numbers count as texts. */
const choicePair = (value: unknown) => {
  const pair = Array.isArray(value)
    ? value.map((part: unknown) => (typeof part === 'number' ? String(part) : part))
    : []
  if (pair.length !== 2 || !pair.every((part) => typeof part === 'string'))
    return { error: 'Each choice must be a pair of value and label.' }
  return pair.some((part) => part.length > 100)
    ? { error: 'Ensure that values and labels have no more than 100 characters.' }
    : { value: pair }
}

const colors = new Set<unknown>(CustomFieldChoiceColorChoices.map(([value]) => value))

export const customFieldChoiceSet = model(
  'extras.customfieldchoiceset',
  {
    name: text({ unique: true, max: 100 }),
    description,
    base_choices: choice(CustomFieldChoiceSetBaseChoices, {
      help: 'Choices to begin with, such as airports; the extra ones are added to them.',
      nullable: true,
      single: true,
    }),
    extra_choices: listOf(choicePair, {
      help: 'Pairs of a value and what people call it.',
      items: { type: 'array', items: { type: 'string', maxLength: 100 }, minItems: 2, maxItems: 2 },
      default: [],
      required: true,
      filter: false,
      fromWord: pairOf,
      toWord: choiceWord,
      lines: true,
    }),
    choice_colors: json({ default: {}, object: true, map: true }),
    order_alphabetically: boolean({ help: 'Sorted by what people call them, not in the order given.', default: false }),
    choices_count: computed(countOfChoices, { schema: { type: 'integer' }, type: 'integer' }),
    ...owned,
    ...stamps,
  },
  {
    path: 'extras/custom-field-choice-sets',
    label: 'custom field choice set',
    plural: 'custom field choice sets',
    objectName: 'CustomFieldChoiceSet',
    graphql: {
      members: 'extra_choices:[[String!]!]',
      filters: 'extra_choices:ExtraChoicesLookup choice_colors:[CustomFieldChoiceColorEnum!]',
    },
    display: 'name',
    displayUrl: 'extras/custom-field-choices',
    brief: ['id', 'url', 'display', 'name', 'description', 'choices_count'],
    order: ['name'],
    features: ['change_logging', 'cloning', 'custom_validation', 'event_rules', 'export_templates'],
    search: { text: ['name', 'description'] },
    filters: {
      choice: methodFilter(
        (values, c) =>
          `exists (select 1 from json_each(${c.t}.extra_choices)
            where value ->> 0 in (${values.map((value) => c.bind(value)).join(', ')}))`,
      ),
      choice_colors: methodFilter((values, c) => {
        const wrong = values.find((value) => !colors.has(value))
        if (wrong !== undefined)
          throw new FilterError(`Select a valid choice. ${wrong} is not one of the available choices.`)
        return `exists (select 1 from json_each(${c.t}.choice_colors)
          where value in (${values.map((value) => c.bind(value)).join(', ')}))`
      }),
      ...primaryFilters,
    },
    pages: {
      labels: { choices_count: 'Choices' },
      beside: 'extra_choices',
      help: {
        extra_choices: 'One a line, as value, value:label or value:label:colour.',
        choice_colors:
          'Of choices that the base has: JSON of colours by value, as {"NO": "red"}. ' +
          `Colours: ${CustomFieldChoiceColorChoices.map(([value]) => value).join(', ')}.`,
      },
      columns: 'name base_choices choices_count description',
      filters: { Choices: 'base_choices choice choice_colors' },
      form: {
        'Custom field choice set': 'name description base_choices extra_choices choice_colors order_alphabetically',
      },
      bulk: 'base_choices description order_alphabetically',
      tables: [['extras.customfield', 'choice_set_id']],
      panels: {
        'Custom field choice set': 'name description base_choices choices_count order_alphabetically',
        Choices: 'extra_choices',
      },
    },
  },
)

behaviour(customFieldChoiceSet, {
  actions: { choices: choicesAction },
  importColumns: choiceColumns,
  validate: (event) => {
    const { row, errors } = event
    checkChoices(event)
    const chosen = JSON.parse(row.choice_colors ?? '{}') as Record<string, unknown>
    const wrong = Object.values(chosen).find((color) => !colors.has(color))
    const values = new Set((JSON.parse(row.extra_choices ?? '[]') as [string, string][]).map(([value]) => value))
    for (const [value] of baseChoices(row.base_choices)) values.add(value)
    const stray = row.base_choices === 'UN_LOCODE' ? undefined : Object.keys(chosen).find((value) => !values.has(value))
    if (stray !== undefined) errors.choice_colors = [`${stray} is not one of the choices.`]
    if (wrong !== undefined) errors.choice_colors = [`${textOfJson(wrong)} is not a valid color.`]
  },
})
