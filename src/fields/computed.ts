import { numberFilter } from '../filters/number.ts'
import type { ModelName } from '../models/index.ts'
import type { Common, Field, Shape } from './field.ts'
import { facts, type NestedOf, type OptionFacts } from './facts.ts'
import type { SqlContext } from './context.ts'
import type { Graph } from './graph.ts'
import { q } from '../lib/sql.ts'

interface ComputedOptions extends Common {
  /** JSON schema of the value. */
  schema?: object
  /** Left out of nested objects. */
  plain?: boolean
  orderable?: boolean
  /** Type in OPTIONS, where it is not "field", and what else OPTIONS says. */
  type?: string
  facts?: object
  /** How pages show the value where its JSON does not say it. */
  look?: Field['look']
  /** The value is a nested object of this model, or null; `id`: SQL of which one. */
  object?: { model: ModelName; shape?: Shape; id?: (t: string, sql: SqlContext) => string }
  /** The value is a list of objects of these models, left to be filled in; `name`: what GraphQL calls one of them. */
  objects?: { models: readonly ModelName[]; name: string }
  graphql?: Graph
}

/** A read-only value worked out in SQL. The expression must give JSON (use `json()` for objects) or a scalar. */
export function computed(
  expression: (t: string, sql: SqlContext) => string,
  options?: ComputedOptions,
): Field<{ cols: {}; in: never; optional: true }> {
  const o = options ?? {}
  const nested: NestedOf | undefined = o.object && { '~nested': o.object.model, '~shape': o.object.shape }
  const self = {
    kind: 'computed',
    options: { ...o, readOnly: true },
    required: false,
    readOnly: true,
    columns: () => ({}),
    output: (t: string, name: string, sql: SqlContext) =>
      o.plain && sql.isNested ? [] : [[name, expression(t, sql)] as const],
    flat: (t: string, name: string, sql: SqlContext) =>
      isPlain(o.schema) ? [[name, expression(t, sql)] as const] : [],
    ...(o.look ? { look: o.look } : {}),
    ...(o.graphql ? { graphql: o.graphql } : {}),
    ...(o.objects ? { objects: o.objects } : {}),
    ...(o.object?.id ? { object: { model: o.object.model, id: o.object.id } } : {}),
    ...(o.orderable ? { compare: (t: string, _name: string, sql?: SqlContext) => expression(t, sql!) } : {}),
    describe: (name: string): Record<string, OptionFacts> =>
      facts(o.type ?? (nested ? 'nested object' : 'field'), name, self, {
        ...(nested ? { children: nested } : {}),
        ...o.facts,
      }),
    schema: (name: string) => ({
      [name]: { read: nested ? { ...nested, nullable: true } : (o.schema ?? { nullable: true }) },
    }),
  }
  return self
}

/** Whether a JSON schema is that of a number or a text, which SQL has as they are. */
const isPlain = (schema: object = {}): boolean =>
  [(schema as { type?: unknown }).type]
    .flat()
    .every((type) => ['integer', 'number', 'string', 'null'].includes(type as string))

/**
 * SQL of the count of a table's rows that refer to a node of a tree or to one below it: from sums over the whole tree
 * in the order of places, made once a statement. For many nodes, as walking down from each takes the square of their
 * number in a deep tree.
 */
function countBelow(t: string, sql: SqlContext, table: string, column: string): string {
  const tree = q(sql.owner.table)
  const [node, sums, next] = [sql.alias(), sql.alias(), sql.alias()]
  return `(with ${sums} as materialized (
      select ${node}.id, sum(coalesce(d.count, 0)) over (order by ${node}._place) as upto, coalesce(d.count, 0) as own
      from ${tree} ${node} left join (select ${column} as id, count(*) as count from ${table} group by 1) d
        on d.id = ${node}.id
    ) select coalesce((select upto - own from ${sums} where id = (
        select ${next}.id from ${tree} ${next} where ${next}._place > cast(${t}._place || x'${AfterAllBelow}' as blob)
        order by ${next}._place limit 1
      )), (select max(upto) from ${sums}))
      - (select upto - own from ${sums} where id = ${t}.id))`
}
/** What, after the place of a node, sorts after the places of all nodes below it, in hexadecimal digits. */
const AfterAllBelow = 'ff'.repeat(8)

/**
 * Number of rows of another model whose reference `by` is this object; in trees it may include descendants. Not shown
 * in nested objects.
 */
export function countOf(
  model: ModelName,
  by: string,
  options?: { cumulative?: boolean; label?: string; nested?: number },
): Field<{ cols: {}; in: never; optional: true }> {
  const expression = (t: string, sql: SqlContext): string => {
    const target = sql.model(model)
    const c = sql.alias()
    const me = options?.cumulative
      ? `in (with recursive s(id) as (select ${t}.id union all select k.id from ${q(sql.owner.table)} k
        join s on k.parent_id = s.id) select id from s)`
      : `= ${t}.id`
    const field = target.fields[by]
    const byMe = (column: string) => (options?.cumulative ? undefined : { t, column })
    if (options?.cumulative && field?.target) {
      sql.uses(target.table)
      const walked = `(select count(*) from ${q(target.table)} ${c} where ${c}.${q(`${by}_id`)} ${me})`
      const summed = countBelow(t, sql, q(target.table), q(`${by}_id`))
      return sql.few ? `case when ${sql.few} then ${walked} else ${summed} end` : summed
    }
    if (field?.generic) {
      const at = field.generic.as ?? by
      sql.uses(target.table, byMe(`${at}_id`))
      return `(select count(*) from ${q(target.table)} ${c}
        where ${c}.${q(`${at}_type`)} = '${sql.owner.name}' and ${c}.${q(`${at}_id`)} ${me})`
    }
    if (field?.links) {
      sql.uses(`${target.table}_${by}`, byMe('to_id'))
      return `(select count(${options?.cumulative ? `distinct ${c}.from_id` : '*'})
        from ${q(`${target.table}_${by}`)} ${c} where ${c}.to_id ${me})`
    }
    sql.uses(target.table, byMe(`${by}_id`))
    return `(select count(*) from ${q(target.table)} ${c} where ${c}.${q(`${by}_id`)} ${me})`
  }
  const base = computed((t, sql) => (sql.isNested ? String(options?.nested ?? 0) : expression(t, sql)), {
    schema: { type: 'integer', format: 'int64' },
    ...(options?.cumulative ? { type: 'integer' } : {}),
    ...(options?.label ? { label: options.label } : {}),
  })
  return {
    ...base,
    kind: 'count',
    counts: true,
    tally: { model, by },
    output: (t, name, sql) =>
      sql.isNested && options?.nested === undefined && !options?.cumulative ? [] : base.output(t, name, sql),
    compare: (t, _name, sql) => expression(t, sql!),
    flat: (t, name, sql) => [[name, expression(t, sql)]],
  }
}

/** A stored count of rows of another model, kept by the writer in the same transaction; shown in nested objects too. */
export function counter(
  model: ModelName,
  by: string,
  options?: Common,
): Field<{ cols: { '': number }; in: never; optional: true }> {
  const self = {
    kind: 'counter',
    options: { ...options, readOnly: true },
    required: false,
    readOnly: true,
    counter: { model, by },
    tally: { model, by },
    columns: (name: string) => ({ [name]: { type: 'integer' as const, default: 0 } }),
    output: (t: string, name: string) => [[name, `${t}.${q(name)}`] as const],
    compare: (t: string, name: string) => `${t}.${q(name)}`,
    parse: (raw: unknown) => (Number.isSafeInteger(Number(raw)) ? Number(raw) : undefined),
    graphql: { type: 'BigInt!', input: 'IntFilterLookup' },
    filters: (name: string) => ({ [name]: numberFilter(name) }),
    describe: (name: string): Record<string, OptionFacts> => facts('integer', name, self),
    schema: (name: string) => ({ [name]: { read: { type: 'integer' } } }),
  }
  return self
}
