import type { Row, Stored } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { Refused, type WriteEvent, type WriteTools } from '../declare/behaviour.ts'
import { compileRegex } from '../lib/regex.ts'
import { choicesOf, hasCustomFields } from './choice-sets.ts'
import { checkCustomValue } from './custom-values.ts'
import type { AnyModel } from '../declare/model.ts'
import { sqlOf } from '../declare/statement.ts'

const Text = new Set(['text', 'longtext', 'url'])
const Numeric = new Set(['integer', 'decimal'])
const Select = new Set(['select', 'multiselect'])
const Objects = new Set(['object', 'multiobject'])

/** Rules of a custom field's own declaration. */
export function checkDefinition({ row, before, errors, tools }: WriteEvent<Row>): void {
  const type = row.type as string
  if (before && before.type !== type) errors.type = ['The type of a custom field cannot change.']
  if (Select.has(type) && row.choice_set_id === null)
    errors.choice_set = ['Selection fields must specify a set of choices.']
  if (!Select.has(type) && row.choice_set_id !== null)
    errors.choice_set = ['Choices may be set only on selection fields.']
  if (Objects.has(type) && !row.related_object_type)
    errors.related_object_type = ['Object fields must define an object type.']
  if (!Objects.has(type) && row.related_object_type) errors.type = [`${type} fields may not define an object type.`]
  for (const limit of ['validation_minimum', 'validation_maximum'])
    if (row[limit] !== null && !Numeric.has(type)) errors[limit] = ['A limit may be set only for numeric fields.']
  if (row.validation_regex && !Text.has(type))
    errors.validation_regex = ['A regular expression may be set only for text and URL fields.']
  else if (row.validation_regex && !compileRegex(row.validation_regex as string))
    errors.validation_regex = ['Enter a valid regular expression.']
  if (row.validation_schema !== null && type !== 'json')
    errors.validation_schema = ['A schema may be set only for JSON fields.']
  if (row.unique === 1 && type === 'boolean') errors.unique = ['Uniqueness cannot be enforced for boolean fields.']
  if (row.related_object_filter !== null && !Objects.has(type))
    errors.related_object_filter = ['A related object filter can be defined only for object fields.']
  else if (row.related_object_filter !== null && !isObject(row.related_object_filter))
    errors.related_object_filter = ['A filter must be a JSON object that maps attributes to values.']
  if (row.default !== null && Object.keys(errors).length === 0) checkDefault(row, errors, tools)
}

const isObject = (json: Stored | undefined): boolean => typeof json === 'string' && json.startsWith('{')

function checkDefault(row: Row, errors: Record<string, unknown>, tools: WriteTools): void {
  const set =
    row.choice_set_id === null ? undefined : tools.row('extras.customfieldchoiceset', row.choice_set_id as number)
  const choices = new Set(set ? choicesOf(set as never).map(([value]) => value) : [])
  const related = (model: string, value: unknown): number => {
    if (!model || !Number.isInteger(value)) throw new Refused(400, {})
    return Number(value)
  }
  try {
    checkCustomValue(
      { ...row, choices, required: 0 } as never,
      JSON.parse(row.default as string),
      { related } as never,
      true,
    )
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    errors.default = ['Invalid default value for the type of this field.']
  }
}

const path = (name: string): string => `$."${name}"`

/** Of each row's custom fields: puts a value where there is none, gives another name to one, takes one out. */
const Fill = sqlOf(
  (m) => `
    update ${q(m.table)} set custom_field_data = json_set(custom_field_data, ?, json(?))
    where custom_field_data -> ? is null`,
  hasCustomFields,
)
const Rename = sqlOf(
  (m) => `
    update ${q(m.table)}
    set custom_field_data = json_remove(json_set(custom_field_data, ?, json(custom_field_data -> ?)), ?)
    where custom_field_data -> ? is not null`,
  hasCustomFields,
)
const Remove = sqlOf(
  (m) => `
    update ${q(m.table)} set custom_field_data = json_remove(custom_field_data, ?)
    where custom_field_data -> ? is not null`,
  hasCustomFields,
)

/** Models of these types whose rows keep values. */
const keepers = (tools: WriteTools, types: readonly string[]): AnyModel[] =>
  types.map((type) => tools.model(type)).filter(hasCustomFields)

/**
 * Writes a new field's default into the rows of its types, renames and removes keys as the declaration changed. Where
 * it refers to other objects than before, it begins anew: ids of the old ones would be those of strangers.
 */
export function spread({ row, before, tools }: WriteEvent<Row>): void {
  const types = JSON.parse(row.object_types as string) as string[]
  const all = before ? (JSON.parse(before.object_types as string) as string[]) : []
  const had = before?.related_object_type === row.related_object_type ? all : []
  strip(
    tools,
    all.filter((type) => !had.includes(type) || !types.includes(type)),
    (before?.name ?? row.name) as string,
  )
  for (const m of keepers(tools, types)) {
    if (!had.includes(m.name) && row.default !== null) {
      tools.run(Fill(m), path(row.name as string), row.default as string, path(row.name as string))
    } else if (before && before.name !== row.name) {
      const was = path(before.name as string)
      tools.run(Rename(m), path(row.name as string), was, was, was)
    }
  }
}

/** Takes a field's values out of the rows of some types. */
export function strip(tools: WriteTools, types: readonly string[], name: string): void {
  for (const m of keepers(tools, types)) tools.run(Remove(m), path(name), path(name))
}
