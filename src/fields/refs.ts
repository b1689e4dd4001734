import * as v from 'valibot'
import { relatedFilter } from '../filters/related.ts'
import type { ModelName } from '../models/index.ts'
import type { Control } from './control.ts'
import { type Common, type Field, FieldError, linkTable, type Shape, type Target } from './field.ts'
import { facts, nestedItem, type OptionFacts } from './facts.ts'
import type { ResolveContext, SqlContext } from './context.ts'
import { q } from '../lib/sql.ts'
import { listTexts, objectTexts } from './texts.ts'

interface RefsOptions extends Common, Pick<Target, 'heldBy'> {
  related?: string | false
  shape?: Shape
  /** `app.model.field` whose links these are, seen from the other side. */
  via?: string
}

/** Table and columns of a many-to-many field's links. */
export function linkOf(
  owner: { table: string },
  name: string,
  via?: string,
): { table: string; from: string; to: string } {
  if (!via) return { table: linkTable(owner.table, name), from: 'from_id', to: 'to_id' }
  const [app, model, field] = via.split('.') as [string, string, string]
  return { table: linkTable(`${app}_${model}`, field), from: 'to_id', to: 'from_id' }
}

const list = v.array(v.unknown(), (issue) => `Expected a list of items but got type "${pythonType(issue.input)}".`)

/** Name of a JSON value's type as clients of this API know it. */
export function pythonType(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return { string: 'str', boolean: 'bool', object: 'dict' }[typeof value as string] ?? typeof value
}

/** Many to many: no column of its own, a link table, a list of nested objects in JSON. Written as a list of ids. */
export function refs<const N extends ModelName>(
  model: N,
  options?: RefsOptions,
): Field<{ cols: {}; in: number[]; optional: true }> {
  const o: RefsOptions = options ?? {}
  const self = {
    kind: 'refs',
    options: o,
    required: o.required ?? false,
    readOnly: o.readOnly ?? false,
    links: {
      model,
      onDelete: 'cascade' as const,
      related: o.related === false || o.via ? undefined : (o.related ?? '*'),
      via: o.via,
      heldBy: o.heldBy,
    },
    columns: () => ({}),
    input: () => list,
    ...objectTexts(model),
    resolve: (value: unknown, context: ResolveContext) => context.relatedIds(model, value as unknown[]),
    output: (t: string, name: string, sql: SqlContext) => {
      const target = sql.model(model)
      const [a, l] = [sql.alias(), sql.alias()]
      const { table: link, from, to } = linkOf(sql.owner, name, o.via)
      sql.uses(target.table)
      sql.uses(link, { t, column: from })
      const { joins, terms } = sql.ordered(target, a)
      return [
        [
          name,
          `json((select json_group_array(${sql.object(target, t, `${a}.id`, o.shape)} order by ${terms})
            from ${q(link)} ${l} join ${q(target.table)} ${a} on ${a}.id = ${l}.${to} ${joins}
            where ${l}.${from} = ${t}.id))`,
        ] as const,
      ]
    },
    flat: (t: string, name: string, sql: SqlContext) => {
      const l = sql.alias()
      const { table, from, to } = linkOf(sql.owner, name, o.via)
      return [
        [
          name,
          `(select json_group_array(${l}.${to} order by ${l}.${to})
            from ${q(table)} ${l} where ${l}.${from} = ${t}.id)`,
        ] as const,
      ]
    },
    filters: (name: string) => ({ [`${name}_id`]: relatedFilter(name, model) }),
    control: (): Control => ({ as: 'pick', model, multiple: true }),
    describe: (name: string): Record<string, OptionFacts> => facts('field', name, self),
    schema: (name: string) => ({
      [name]: {
        read: { type: 'array', items: { '~nested': model, '~shape': o.shape } },
        write: { type: 'array', items: { type: 'integer' } },
      },
    }),
  }
  return self
}

/** Many to many, written and read as a list of slugs. */
export function slugs<const N extends ModelName>(
  model: N,
  options?: Common,
): Field<{ cols: {}; in: readonly string[]; optional: true }> {
  const type = { type: 'array', items: { type: 'string' } }
  return {
    ...refs(model, { ...options, related: false }),
    ...listTexts(),
    namesObjects: undefined,
    resolve: (value: unknown, context: ResolveContext) =>
      (value as unknown[]).map((slug) => {
        if (typeof slug !== 'string') throw new FieldError('Invalid value.')
        return context.related(model, { slug }, { unrestricted: true })
      }),
    output: (t: string, name: string, sql: SqlContext) => {
      const target = sql.model(model)
      const a = sql.alias()
      const { joins, terms } = sql.ordered(target, a)
      const link = linkTable(sql.owner.table, name)
      sql.uses(target.table)
      sql.uses(link, { t, column: 'from_id' })
      return [
        [
          name,
          `json((select json_group_array(${a}.slug order by ${terms}) from ${q(target.table)} ${a} ${joins}
            where ${a}.id in (select to_id from ${q(link)} where from_id = ${t}.id)))`,
        ] as const,
      ]
    },
    control: (): Control => ({ as: 'pick', model, multiple: true, by: 'slug' }),
    schema: (name: string) => ({ [name]: { read: type, write: type } }),
  } as never
}

interface ReverseOptions extends Pick<Common, 'label' | 'writeOnly'> {
  shape?: Shape
}

/** Rows of another model whose reference `by` is this object, as a read-only list of nested objects. */
export function reverseOf(
  model: ModelName,
  by: string,
  options?: ReverseOptions,
): Field<{ cols: {}; in: never; optional: true }> {
  const self = {
    kind: 'reverse',
    reverse: { model, by },
    options: { ...options, readOnly: true },
    required: false,
    readOnly: true,
    columns: () => ({}),
    output: (t: string, name: string, sql: SqlContext) => {
      const target = sql.model(model)
      const a = sql.alias()
      const generic = target.fields[by]?.generic
      const at = generic?.as ?? by
      sql.uses(target.table, { t, column: `${at}_id` })
      const { joins, terms } = sql.ordered(target, a)
      const mine = generic
        ? `${a}.${q(`${at}_type`)} = '${sql.owner.name}' and ${a}.${q(`${at}_id`)} = ${t}.id`
        : `${a}.${q(`${by}_id`)} = ${t}.id`
      return [
        [
          name,
          `json((select json_group_array(${sql.object(target, t, `${a}.id`, options?.shape)} order by ${terms})
            from ${q(target.table)} ${a} ${joins} where ${mine}))`,
        ] as const,
      ]
    },
    describe: (name: string): Record<string, OptionFacts> =>
      facts('field', name, self, { child: nestedItem({ '~nested': model, '~shape': options?.shape }, true) }),
    schema: (name: string) => ({
      [name]: { read: { type: 'array', items: { '~nested': model, '~shape': options?.shape } } },
    }),
  }
  return self
}

/**
 * The same list, where a body may also name rows that come to this object from another; rows that it leaves out stay.
 */
export function reverseTaking(
  model: ModelName,
  by: string,
  options?: ReverseOptions,
): Field<{ cols: {}; in: readonly number[]; optional: true }> {
  const base = reverseOf(model, by, options)
  const self = {
    ...base,
    options: { ...options },
    readOnly: false,
    moves: { model, by },
    isList: true as const,
    input: () => list,
    resolve: (value: unknown, context: ResolveContext) => context.relatedIds(model, value as unknown[]),
    describe: (name: string): Record<string, OptionFacts> =>
      facts('field', name, self, options?.writeOnly ? { child: nestedItem({ '~nested': model }) } : {}),
    schema: (name: string) => ({
      [name]: {
        ...(options?.writeOnly ? {} : base.schema(name)[name]),
        write: { type: 'array', items: { type: 'integer' } },
      },
    }),
  }
  return self as never
}
