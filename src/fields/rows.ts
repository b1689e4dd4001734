import { isObject } from '../lib/json.ts'
import * as v from 'valibot'
import type { ModelName } from '../models/index.ts'
import type { Control } from './control.ts'
import { type Common, type Field, FieldError } from './field.ts'
import { facts, nestedItem, type OptionFacts } from './facts.ts'
import type { ResolveContext, SqlContext } from './context.ts'
import { q } from '../lib/sql.ts'
import { integerInput } from './number.ts'
import { pythonType } from './refs.ts'
import { listTexts } from './texts.ts'

/** One member of a row: the column it is kept in, and what it may be. */
interface RowMember {
  column: string
  target?: ModelName
  min?: number
  max?: number
  default?: number
}

/**
 * Rows of another model that belong to this object, shown and written as a list of small objects; a rule of the model
 * replaces them.
 */
export function rowsOf(
  model: ModelName,
  by: string,
  members: Readonly<Record<string, RowMember>>,
  options?: Common,
): Field<{ cols: {}; in: readonly Record<string, number>[]; optional: true }> {
  const o = options ?? {}
  const item = {
    type: 'object',
    properties: Object.fromEntries(Object.keys(members).map((key) => [key, { type: 'integer' }])),
    required: Object.keys(members).filter((key) => members[key]!.default === undefined),
  }
  const self = {
    kind: 'rows',
    options: o,
    required: false,
    readOnly: o.readOnly ?? false,
    columns: () => ({}),
    input: () => v.unknown(),
    ...listTexts(
      (each, context) => renamed(each, members, context.refer),
      (each, context) => renamed(each, members, context.name),
    ),
    resolve: (value: unknown, context: ResolveContext) => {
      if (!Array.isArray(value)) throw new FieldError(`Expected a list of items but got type "${pythonType(value)}".`)
      const checked = value.map((each) => readRow(each, members, context))
      if (checked.some((each) => Object.keys(each.errors).length))
        throw new FieldError(checked.map((each) => each.errors))
      return checked.map((each) => each.row)
    },
    output: (t: string, name: string, sql: SqlContext) => {
      const table = sql.model(model).table
      sql.uses(table, { t, column: by })
      const a = sql.alias()
      const pairs = Object.entries(members)
        .map(([key, { column }]) => `'${key}', ${a}.${q(column)}`)
        .join(', ')
      return [
        [
          name,
          `json((select json_group_array(json_object(${pairs}) order by ${a}.id) from ${q(table)} ${a}
            where ${a}.${q(by)} = ${t}.id))`,
        ] as const,
      ]
    },
    control: (): Control => ({ as: 'area', code: true, json: true }),
    look: 'code' as const,
    describe: (name: string): Record<string, OptionFacts> =>
      facts('field', name, self, { child: nestedItem(Object.assign({}, ...Object.entries(members).map(factsOf))) }),
    schema: (name: string) => ({
      [name]: { read: { type: 'array', items: item }, write: { type: 'array', items: item } },
    }),
  }
  return self
}

/** What OPTIONS says of one member of a row. */
const factsOf = ([key, member]: [string, RowMember]): Record<string, OptionFacts> =>
  facts(
    member.target ? 'field' : 'integer',
    key,
    { required: member.default === undefined, readOnly: false, options: {} },
    {
      ...(member.min === undefined ? {} : { min_value: member.min }),
      ...(member.max === undefined ? {} : { max_value: member.max }),
    },
  )

/** A row whose objects are named another way. */
const renamed = (
  row: unknown,
  members: Readonly<Record<string, RowMember>>,
  name: (model: string, object: unknown) => unknown,
): unknown =>
  typeof row !== 'object' || row === null
    ? row
    : Object.fromEntries(
        Object.entries(row).map(([key, value]) => {
          const target = members[key]?.target
          return [key, target && value !== null ? name(target, value) : value]
        }),
      )

function readRow(
  value: unknown,
  members: Readonly<Record<string, RowMember>>,
  context: ResolveContext,
): { row: Record<string, number>; errors: Record<string, unknown> } {
  const row: Record<string, number> = {}
  const errors: Record<string, unknown> = {}
  if (!isObject(value))
    return { row, errors: { non_field_errors: [`Invalid data. Expected a dictionary, but got ${pythonType(value)}.`] } }
  for (const [key, member] of Object.entries(members)) {
    const raw = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : member.default
    if (raw === undefined) errors[key] = ['This field is required.']
    else if (member.target) {
      const id = v.safeParse(integerInput, raw)
      if (!id.success) errors[key] = [`Incorrect type. Expected pk value, received ${pythonType(raw)}.`]
      else if (!context.exists(member.target, id.output))
        errors[key] = [`Invalid pk "${id.output}" - object does not exist.`]
      else row[key] = id.output
    } else {
      const number = v.safeParse(integerInput, raw)
      if (!number.success) errors[key] = [number.issues[0].message]
      else if (member.min !== undefined && number.output < member.min)
        errors[key] = [`Ensure this value is greater than or equal to ${member.min}.`]
      else if (member.max !== undefined && number.output > member.max)
        errors[key] = [`Ensure this value is less than or equal to ${member.max}.`]
      else row[key] = number.output
    }
  }
  return { row, errors }
}
