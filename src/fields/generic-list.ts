import * as v from 'valibot'
import type { ModelName } from '../models/index.ts'
import type { Control } from './control.ts'
import { type Common, type Field, FieldError } from './field.ts'
import { facts, nestedItem, type OptionFacts } from './facts.ts'
import type { ResolveContext, SqlContext } from './context.ts'
import { lit, q } from '../lib/sql.ts'
import { genericJson } from './generic.ts'
import { integerInput } from './number.ts'
import { pythonType } from './refs.ts'
import { listTexts } from './texts.ts'
import { isObject, textOfJson } from '../lib/json.ts'

interface GenericListOptions extends Common {
  /**
   * Model of the rows between, its reference to this object, its generic reference, and what tells these rows from
   * others.
   */
  through: ModelName
  by: string
  generic: string
  where: Readonly<Record<string, string>>
  order: string
}

/** One object of a list, as a body names it. */
export interface ObjectName {
  type: string
  id: number
}

/**
 * Objects of several models, kept in rows of another model that a rule writes: `[{object_type, object_id, object}]`.
 */
export function genericList(
  models: readonly ModelName[],
  options: GenericListOptions,
): Field<{ cols: {}; in: readonly ObjectName[]; optional: true }> {
  const o = options
  const item = {
    type: 'object',
    properties: { object_type: { type: 'string' }, object_id: { type: 'integer' } },
    required: ['object_type', 'object_id'],
  }
  const mine = (a: string, id: string) =>
    [
      `${a}.${q(`${o.by}_id`)} = ${id}`,
      ...Object.entries(o.where).map(([column, value]) => `${a}.${q(column)} = ${lit(value)}`),
    ].join(' and ')
  const self = {
    kind: 'generic-list',
    listed: { models, through: o.through, generic: o.generic, order: o.order, mine },
    options: o,
    required: false,
    readOnly: o.readOnly ?? false,
    columns: () => ({}),
    input: () => v.unknown(),
    ...listTexts(
      (each, context) => {
        const { object_type: type, object, ...rest } = each as Record<string, unknown>
        if (object === undefined || typeof type !== 'string' || !models.includes(type as never)) return each
        const id = context.refer(type, object)
        return { ...rest, object_type: type, ...(typeof id === 'object' ? { object: id } : { object_id: id }) }
      },
      (each, context) => {
        const { object_type: type, object_id: id } = each as { object_type: string; object_id: number }
        const named = context.name(type, id)
        return typeof named === 'number' ? { object_type: type, object_id: id } : { object_type: type, object: named }
      },
    ),
    resolve: (value: unknown, context: ResolveContext, name: string) => {
      if (!Array.isArray(value)) throw new FieldError(`Expected a list of items but got type "${pythonType(value)}".`)
      return value.map((each) => readName(each, models, context, name))
    },
    output: (t: string, name: string, sql: SqlContext) => {
      const table = sql.model(o.through).table
      sql.uses(table, { t, column: `${o.by}_id` })
      const a = sql.alias()
      const [type, id] = [`${a}.${q(`${o.generic}_type`)}`, `${a}.${q(`${o.generic}_id`)}`]
      const object = genericJson(sql, models, type, id)
      return [
        [
          name,
          `json((select json_group_array(json_object('object_type', ${type}, 'object_id', ${id}, 'object', ${object})
            order by ${a}.${q(o.order)}, ${a}.id) from ${q(table)} ${a} where ${mine(a, `${t}.id`)}))`,
        ] as const,
      ]
    },
    recorded: (id: string) =>
      `select json_group_array(a.id order by a.id) from ${q(o.through.replace('.', '_'))} a where ${mine('a', id)}`,
    control: (): Control => ({ as: 'object', models, multiple: true }),
    describe: (name: string): Record<string, OptionFacts> =>
      facts('field', name, self, {
        child: nestedItem({
          ...facts('field', 'object_type', { required: true, readOnly: false, options: {} }),
          ...facts('integer', 'object_id', { required: true, readOnly: false, options: {} }),
          ...facts('field', 'object', { required: false, readOnly: true, options: {} }),
        }),
      }),
    schema: (name: string) => ({
      [name]: {
        read: {
          type: 'array',
          items: {
            ...item,
            properties: { ...item.properties, object: { type: ['object', 'null'], additionalProperties: {} } },
          },
        },
        write: { type: 'array', items: item },
      },
    }),
  }
  return self
}

function readName(value: unknown, models: readonly string[], context: ResolveContext, field: string): ObjectName {
  if (!isObject(value))
    throw new FieldError({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${pythonType(value)}.`] })
  const { object_type: type, object_id: id } = value as Record<string, unknown>
  if (type === undefined || id === undefined)
    throw new FieldError(
      [
        {
          ...(type === undefined ? { object_type: ['This field is required.'] } : {}),
          ...(id === undefined ? { object_id: ['This field is required.'] } : {}),
        },
      ],
      field,
    )
  if (typeof type !== 'string' || !context.typesWith('all').has(type))
    throw new FieldError([{ object_type: [`Invalid content type: ${textOfJson(type).slice(0, 100)}`] }])
  if (!models.includes(type)) throw new FieldError([{ object_type: [`Objects of type ${type} are not allowed here.`] }])
  const number = v.safeParse(integerInput, id)
  if (!number.success) throw new FieldError([{ object_id: [number.issues[0].message] }])
  if (!context.exists(type, number.output))
    throw new FieldError([{ object_id: [`Related object not found using the provided numeric ID: ${number.output}`] }])
  return { type, id: number.output }
}
