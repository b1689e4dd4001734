import type { Stored } from '../fields/field.ts'
import { anyOf, FilterError } from '../filters/filter.ts'
import { lit, q } from '../lib/sql.ts'
import type { AnyModel } from '../declare/model.ts'
import { type Actor, permittedRows } from '../engine/actor.ts'
import type { Relation } from '../engine/catalog.ts'
import { contextOn, type FilterSource, MaxCompared, placeOf } from '../engine/filters.ts'
import { comparing } from '../engine/paths.ts'
import { type Comparison, comparisonsOf } from './comparisons.ts'
import { idOf, inJson, inList, kindOf, lookups } from './lookups.ts'
import { Refusal } from './refusal.ts'
import { endOf } from './tree.ts'
import { Networks } from './networks.ts'

type Given = Readonly<Record<string, unknown>>

/** What compiling a filter asks of its surroundings. */
export interface Source extends FilterSource {
  readonly actor: Actor
  /** About how many objects of the second model belong to one of the first. */
  readonly fan: (of: AnyModel, to: AnyModel) => number
  /** Notes that so many rows may be looked at; throws `Refusal` past the bound. */
  readonly spend: (rows: number) => void
  /** About how many objects there are of a model. */
  readonly size: (of: AnyModel) => number
}

/**
 * Joins of one SELECT; those of the same relation of the same row are one, so that its conditions hold for one related
 * row.
 */
interface Scope {
  readonly joins: string[]
  readonly known: Map<string, Node>
  /** About how many rows one row becomes by these joins. */
  fan: number
}
export const scope = (): Scope => ({ joins: [], known: new Map(), fan: 1 })

/**
 * A row that conditions compare: its model, its alias, and where only some rows may be looked at, what holds of those.
 */
interface Node {
  readonly m: AnyModel
  readonly t: string
  readonly guard: string | undefined
}

/** SQLite joins 64 tables at most. */
const MaxJoins = 40
/** Rows that a filter compares for what one row of an answer costs. */
export const RowsPerCost = 20
const Joined = new Set(['AND', 'OR', 'NOT', 'DISTINCT'])

/**
 * The condition of a filter on row alias `t`; the joins that it needs are added to the scope. Undefined for none.
 * Throws `Refusal`.
 */
export const filtered = (m: AnyModel, t: string, given: Given, into: Scope, c: Source): string | undefined =>
  conditionOf({ m, t, guard: undefined }, given, into, c)

function conditionOf(node: Node, given: Given, into: Scope, c: Source): string | undefined {
  const own: (string | undefined)[] = []
  const comparisons = comparisonsOf(node.m)
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || Joined.has(name)) continue
    const comparison = comparisons.get(name)
    if (!comparison) throw new Refusal(`${node.m.plural} cannot be filtered by ${name}.`)
    own.push(guarded(node, name, one(node, name, comparison, value, into, c)))
  }
  return joined(own, given, {
    and: (inner) => conditionOf(node, inner, into, c),
    not: (inner) => without(node, inner, c),
  })
}

/** Members are joined by AND; `OR` is the alternative to all the others. */
function joined(
  own: readonly (string | undefined)[],
  given: Given,
  of: { and: (given: Given) => string | undefined; not: (given: Given) => string | undefined },
): string | undefined {
  const nested = (name: string, compile: (given: Given) => string | undefined) =>
    given[name] ? compile(given[name] as Given) : undefined
  const all = [...own, nested('AND', of.and), nested('NOT', of.not)].filter((each) => each !== undefined)
  const and = all.length ? `(${all.join(' and ')})` : undefined
  const or = nested('OR', of.and)
  return and && or ? `(${and} or ${or})` : (and ?? or)
}

/** No row that this one is joined with fulfils the filter. */
function without(node: Node, given: Given, c: Source): string | undefined {
  const into = scope()
  const condition = conditionOf(node, given, into, c)
  if (condition === undefined) return undefined
  c.spend((c.size(node.m) * (into.fan - 1)) / RowsPerCost)
  return into.joins.length
    ? `not exists (select 1 from (select 1) ${into.joins.join(' ')} where ${condition})`
    : `(${condition}) is not true`
}

/**
 * What a path may compare of an object that is not for the actor: its id, and what other answers show of it (its brief
 * members).
 */
const isOpen = ({ m }: Node, name: string): boolean => name === 'id' || m.brief.includes(name)

const guarded = (node: Node, name: string, condition: string | undefined): string | undefined =>
  condition === undefined || node.guard === undefined || isOpen(node, name)
    ? condition
    : `(${node.guard} and ${condition})`

function one(
  node: Node,
  name: string,
  comparison: Comparison,
  value: unknown,
  into: Scope,
  c: Source,
): string | undefined {
  const { m, t } = node
  switch (comparison.as) {
    case 'value':
      return ofValue(node, comparison, comparison.of(t, comparing(m, c)), value, c)
    case 'related': {
      if (Object.keys(value as Given).length === 0) return undefined
      return conditionOf(along(node, comparison.way, into, c), value as Given, into, c)
    }
    case 'key': {
      const at = along(node, comparison.way, into, c)
      const bound = c.bind(idOf(value))
      const those = comparison.isType
        ? `(select app_label || '.' || model from core_objecttype where id = ${bound})`
        : bound
      return `${comparison.of(at.t)} = ${those}`
    }
    case 'node':
      return around(node, comparison.way, value as { id: unknown; match_type: string }, into, c)
    case 'type':
      return ofType(comparison.isList ? each(comparison.of(t), into, c) : comparison.of(t), value as Given, c)
    case 'file':
      return ofFile(comparison.of(t), value as Given, c)
    case 'parameter':
      return ofParameter(node, name, comparison, value, c)
    case 'nothing':
      return comparison.model
        ? ofNothing(comparison.model, value as Given, into, c)
        : inJson('null', value as Given, c.bind)
  }
}

/** A filter of what no object is related to: of a row that is not there. */
function ofNothing(m: AnyModel, given: Given, into: Scope, c: Source): string | undefined {
  const t = c.alias()
  into.joins.push(`left join ${q(m.table)} ${t} on false`)
  return conditionOf({ m, t, guard: undefined }, given, into, c)
}

const Lists = new Set(['IntegerArrayLookup', 'StringArrayLookup', 'IntegerRangeArrayLookup', 'ExtraChoicesLookup'])

function ofValue(
  { m, t }: Node,
  { input, isList, parse }: Extract<Comparison, { as: 'value' }>,
  e: string,
  value: unknown,
  c: Source,
): string | undefined {
  if (Lists.has(input)) return inList(e, input, value as Given, c.bind)
  if (input === 'JSONFilter') return inJson(e, value as Given, c.bind)
  if (Array.isArray(value))
    return `exists (select 1 from json_each(${e}) j
      where j.value in (select value from json_each(${c.bind(JSON.stringify(value))})))`
  if (typeof value !== 'object') return `${e} = ${c.bind(value as Stored)}`
  const place = isList ? undefined : placeOf(m, t, e)
  const kind = kindOf(input, c.bind, parse, place && { ...c, place })
  if (!isList) return lookups(e, value as Given, kind)
  const condition = lookups('j.value', value as Given, kind)
  return condition && `exists (select 1 from json_each(${e}) j where ${condition})`
}

/** The node at the end of some relations, joined where it is not yet. */
function along(from: Node, way: readonly Relation[], into: Scope, c: Source): Node {
  let node = from
  for (const step of way) node = join(node, step, into, c)
  return node
}

function join(from: Node, step: Relation, into: Scope, c: Source): Node {
  const key = JSON.stringify([from.t, { ...step, model: step.model.name }])
  const known = into.known.get(key)
  if (known) return known
  if (into.joins.length >= MaxJoins) throw new Refusal(`A filter follows at most ${MaxJoins} relations.`)
  const { t } = from
  const a = c.alias()
  const table = q(step.model.table)
  c.uses(step.model.table)
  const only = from.guard ? ` and ${from.guard}` : ''
  const typed = (row: string) => (step.type ? ` and ${row}.${q(step.type.column)} = ${lit(step.type.value)}` : '')
  const visible = permittedRows(c.actor, 'view', step.model, a, c)
  if (step.way === 'to')
    into.joins.push(`left join ${table} ${a} on ${a}.id = ${t}.${q(step.column)}${typed(t)}${only}`)
  else if (step.way === 'back')
    into.joins.push(
      `left join ${table} ${a}
        on ${a}.${q(step.column)} = ${t}.id${typed(a)}${only}${visible ? ` and ${visible}` : ''}`,
    )
  else {
    const l = c.alias()
    c.uses(step.table)
    const those = visible ? ` and ${l}.${q(step.to)} in (select ${a}.id from ${table} ${a} where ${visible})` : ''
    into.joins.push(
      `left join ${q(step.table)} ${l} on ${l}.${q(step.from)} = ${t}.id${typed(l)}${only}${those}`,
      `left join ${table} ${a} on ${a}.id = ${l}.${q(step.to)}`,
    )
  }
  if (step.way !== 'to') into.fan *= c.fan(from.m, step.model)
  const node: Node = { m: step.model, t: a, guard: step.way === 'to' ? visible : undefined }
  into.known.set(key, node)
  return node
}

/** Each item of a JSON list, as rows that the row is joined with. */
function each(list: string, into: Scope, c: Source): string {
  const j = c.alias()
  into.joins.push(`left join json_each(${list}) ${j}`)
  return `${j}.value`
}

/** A node of a tree, or those around it, at the end of some relations. */
function around(
  from: Node,
  way: readonly Relation[],
  { id, match_type: match }: { id: unknown; match_type: string },
  into: Scope,
  c: Source,
): string {
  const last = way.at(-1)!
  const isColumn = last.way === 'to' && !last.type
  const node = along(from, isColumn ? way.slice(0, -1) : way, into, c)
  const e = isColumn ? `${node.t}.${q(last.column)}` : `${node.t}.id`
  const table = q(last.model.table)
  c.uses(last.model.table)
  const bound = c.bind(idOf(id))
  const found = (condition: string) => (node === from || !node.guard ? condition : `(${node.guard} and ${condition})`)
  const below = `select d.id from ${table} n join ${table} d on d._place > n._place and d._place < ${endOf('n')}
    where n.id = ${bound}`
  const above = `with recursive up(id) as (select parent_id from ${table} where id = ${bound}
    union select p.parent_id from ${table} p join up on p.id = up.id) select id from up where id is not null`
  const parent = `(select parent_id from ${table} where id = ${bound})`
  const conditions: Readonly<Record<string, string>> = {
    EXACT: `${e} = ${bound}`,
    DESCENDANTS: `${e} in (${below})`,
    SELF_AND_DESCENDANTS: `(${e} = ${bound} or ${e} in (${below}))`,
    CHILDREN: `${e} in (select id from ${table} where parent_id = ${bound})`,
    SIBLINGS: `${e} in (select id from ${table} where parent_id is ${parent} and id <> ${bound}
      and exists (select 1 from ${table} where id = ${bound}))`,
    ANCESTORS: `${e} in (${above})`,
    PARENT: `${e} = ${parent}`,
  }
  return found(conditions[match]!)
}

/** A content type, by the parts of its name or the id of its object type. */
function ofType(e: string, given: Given, c: Source): string | undefined {
  const own = Object.entries(given)
    .filter(([name, value]) => value !== null && !Joined.has(name))
    .map(([name, value]) => {
      const text = kindOf('Str', c.bind)
      if (name === 'app_label') return lookups(`substr(${e}, 1, instr(${e}, '.') - 1)`, value as Given, text)
      if (name === 'model') return lookups(`substr(${e}, instr(${e}, '.') + 1)`, value as Given, text)
      if (name !== 'id') throw new Refusal(`A content type cannot be filtered by ${name}.`)
      const id = `(select o.id from core_objecttype o where o.app_label || '.' || o.model = ${e})`
      return lookups(id, value as Given, kindOf('ID', c.bind))
    })
  return joined(own, given, {
    and: (inner) => ofType(e, inner, c),
    not: (inner) => {
      const condition = ofType(e, inner, c)
      return condition && `(${condition}) is not true`
    },
  })
}

/** A file that is there or not, by its name. */
function ofFile(e: string, given: Given, c: Source): string {
  const conditions = Object.entries(given).map(([name, value]) => {
    if (name === 'name') return lookups(e, value as Given, kindOf('Str', c.bind)) ?? 'true'
    const isNull = name === 'id' ? (value as Given).is_null : undefined
    if (typeof isNull !== 'boolean') return 'false' // nothing else is known of a file
    return `coalesce(${e}, '') ${isNull ? '=' : '<>'} ''`
  })
  return conditions.length ? conditions.join(' and ') : 'true'
}

function ofParameter(
  { m, t }: Node,
  name: string,
  { filter }: Extract<Comparison, { as: 'parameter' }>,
  value: unknown,
  c: Source,
): string | undefined {
  const given = (Array.isArray(value) ? value : [value]).map(String)
  const values = Networks.passed(name, given)
  if (given.length && values.length === 0) return undefined
  if (values.length === 0) return 'false'
  try {
    const context = contextOn(m, t, c)
    if (filter.multiple) return filter.compile(values, '', context) ?? 'true'
    if (values.length > MaxCompared) throw new Refusal(`Give no more than ${MaxCompared} values of ${name}.`)
    return anyOf(values.map((each) => filter.compile([each], '', context) ?? 'true'))
  } catch (error) {
    if (error instanceof FilterError) return 'false' // what it names is not there
    throw error
  }
}
