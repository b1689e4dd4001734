import type { Field, Pair, Shape } from '../fields/field.ts'
import type { SqlContext } from '../fields/context.ts'
import { lit, q } from '../lib/sql.ts'
import { allModels, fieldsOf, modelNamed, typesWith } from './catalog.ts'
import { extraOf } from './extra.ts'
import type { AnyModel } from '../declare/model.ts'
import { deferredShape } from '../fields/generic.ts'
import { orderOf } from './order.ts'

/** A custom field as reads need it: its name, and how its stored value becomes JSON. */
export interface CustomColumn {
  name: string
  kind: 'plain' | 'object' | 'multiobject'
  target?: string
}

/** Which members of an object an answer has. */
export interface View {
  members?: readonly string[] | undefined
  omit?: readonly string[] | undefined
  brief?: boolean
  /**
   * Members for pages beside those of the API: paths through references (`site.region`), and what a model declares for
   * them alone.
   */
  also?: readonly string[] | undefined
}

/** A statement that makes the JSON of rows, and the tables its result depends on. */
export interface Rendering {
  sql: string
  uses: ReadonlySet<string>
  /** Tables of which a row's JSON depends only on rows that refer to it, with the columns by which they do. */
  by: ReadonlyMap<string, ReadonlySet<string>>
  /** Place in FROM of the rows themselves. */
  row: number
  /** It tells, as `moment`, when a row was changed, or else made, which is shown anyway. */
  tellsMoment: boolean
}

interface Making {
  aliases: number
  uses: Set<string>
  /** As in a rendering; true for tables any row of which may count. */
  by: Map<string, Set<string> | true>
  custom: (m: AnyModel) => readonly CustomColumn[]
  depth: number
}

const MaxDepth = 6

/** True in a `rendering` of few rows. */
const Few = '(select count(*) from json_each(:ids)) <= 10'

function contextFor(m: AnyModel, making: Making, isNested: boolean, forced?: Shape): SqlContext {
  return {
    owner: m,
    isNested,
    forced,
    few: Few,
    models: allModels,
    model: modelNamed,
    typesWith,
    alias: () => `x${++making.aliases}`,
    uses: (table, by) => note(making, table, by),
    nested: (target, alias, shape) => nested(target, alias, shape, making),
    object: (target, t, id, shape) => referred(target, t, id, shape, making),
    ordered: (target, alias) => ordered(target, alias, making),
    customFields: (t) => customJson(m, t, making),
  }
}

function note(making: Making, table: string, by?: { t: string; column: string }): void {
  making.uses.add(table)
  const known = making.by.get(table)
  if (by?.t !== Root) making.by.set(table, true)
  else if (known !== true) making.by.set(table, (known ?? new Set()).add(by.column))
}

/**
 * A referred object: of the rendered row itself one that the reader fills in, as many rows have the same; deeper ones
 * at once. Of an object inside another too, where what it refers to shows no others.
 */
function referred(target: AnyModel, t: string, id: string, shape: Shape | undefined, making: Making): string {
  if (t === Root && (making.depth === 0 || isLeaf(target, shape))) return deferredShape(target.name, id, shape)
  const a = `x${++making.aliases}`
  note(making, target.table)
  return `json((select ${nested(target, a, shape, making)} from ${q(target.table)} ${a} where ${a}.id = ${id}))`
}

/** True for a shape of columns alone. */
const isLeaf = (target: AnyModel, shape: Shape = target.nested ?? target.brief): boolean =>
  shape.every((item) => {
    if (typeof item !== 'string') return false
    const field = target.fields[item] as Field | undefined
    return field ? !field.target && item in field.columns(item) : ['id', 'url', 'display_url', 'display'].includes(item)
  })

function ordered(target: AnyModel, alias: string, making: Making): { joins: string; terms: string } {
  const { joins, terms, uses } = orderOf(target, undefined, alias, () => `x${++making.aliases}`)
  for (const table of uses) note(making, table)
  return { joins, terms }
}

/** Members id, url, display_url and display, which no model declares. */
function head(m: AnyModel, t: string, context: SqlContext): Pair[] {
  return [
    ['id', `${t}.id`],
    ['url', `:base || '/api/${m.path}/' || ${t}.id || '/'`],
    ...(m.displayUrl === false
      ? []
      : [['display_url', `:base || '/${m.displayUrl ?? m.path}/' || ${t}.id || '/'`] as const]),
    ['display', typeof m.display === 'function' ? m.display(t, context) : `${t}.${q(m.display)}`],
  ]
}

/** Every member of a row, in the order of the declaration. */
function membersOf(m: AnyModel, t: string, context: SqlContext): Pair[] {
  const pairs = head(m, t, context)
  for (const [name, field] of fieldsOf(m))
    if (!field.options.hidden && !field.options.writeOnly) pairs.push(...field.output(t, name, context))
  return inOrder(m, pairs)
}

/** Members in the order of a full answer: those that the model puts first, then the others as they come. */
function inOrder(m: AnyModel, pairs: readonly Pair[]): Pair[] {
  const { leading } = m
  if (!leading) return [...pairs]
  const first = leading.flatMap((name) => pairs.filter(([key]) => key === name))
  return [...first, ...pairs.filter(([key]) => !leading.includes(key))]
}

const object = (pairs: readonly Pair[]): string =>
  `json_object(${pairs.map(([key, sql]) => `${lit(key)}, ${sql}`).join(', ')})`

function nested(m: AnyModel, t: string, shape: Shape | undefined, making: Making): string {
  if (making.depth >= MaxDepth) return object(head(m, t, contextFor(m, making, true)).slice(0, 2))
  making.depth++
  const pairs = nestedPairs(m, t, shape ?? m.nested ?? m.brief, making).flatMap(([own]) => own)
  making.depth--
  return object(pairs)
}

/** The members that each item of a shape brings, with the shape of its own that it may have. */
function nestedPairs(m: AnyModel, t: string, wanted: Shape, making: Making): [Pair[], Shape | undefined][] {
  const context = contextFor(m, making, true)
  const heads = new Map(head(m, t, context))
  return wanted.map((item) => {
    const [name, inner] = typeof item === 'string' ? [item, undefined] : Object.entries(item)[0]!
    const known = heads.get(name)
    const field = m.fields[name]
    if (known !== undefined) return [[[name, known]], inner]
    if (field) return [field.output(t, name, inner ? contextFor(m, making, true, inner) : context), inner]
    return [genericMember(m, t, name, context), inner]
  })
}

/** `<as>_type` and `<as>_id` are members of a field of another name. */
function genericMember(m: AnyModel, t: string, name: string, context: SqlContext): Pair[] {
  for (const [own, field] of fieldsOf(m)) {
    if (field.keys?.(own).includes(name)) return field.output(t, own, context).filter(([key]: Pair) => key === name)
  }
  return []
}

function customJson(m: AnyModel, t: string, making: Making): string {
  const columns = making.custom(m)
  note(making, 'extras_customfield')
  if (columns.length === 0) return `json('{}')`
  return object(
    columns.map((column) => {
      const value = `${t}.custom_field_data -> ${lit(`$."${column.name}"`)}`
      if (column.kind === 'plain') return [column.name, value] as const
      const target = modelNamed(column.target!)
      note(making, target.table)
      const a = `x${++making.aliases}`
      const raw = `${t}.custom_field_data ->> ${lit(`$."${column.name}"`)}`
      const row = nested(target, a, undefined, making)
      const { joins, terms } = ordered(target, a, making)
      return [
        column.name,
        column.kind === 'object'
          ? `json((select ${row} from ${q(target.table)} ${a} where ${a}.id = ${raw}))`
          : `case when ${raw} is null then null else json((select json_group_array(${row} order by ${terms})
            from (select distinct value from json_each(${raw})) ${a}j
            cross join ${q(target.table)} ${a} on ${a}.id = ${a}j.value ${joins})) end`,
      ] as const
    }),
  )
}

/** Names of all members of a model's full answer, in order. */
export function memberNames(m: AnyModel): string[] {
  const making = begun(() => [])
  return membersOf(m, 't', contextFor(m, making, false)).map(([key]) => key)
}

/** Names of all members of a model's nested object, in order, each with the shape of its own that it may have. */
export function nestedMembers(m: AnyModel, shape?: Shape): [string, Shape | undefined][] {
  const making = begun(() => [])
  const pairs = nestedPairs(m, 't', shape ?? m.nested ?? m.brief, making)
  return pairs.flatMap(([own, inner]) => own.map(([key]): [string, Shape | undefined] => [key, inner]))
}

/** Alias of the rows that are rendered. */
const Root = 't'

const begun = (custom: Making['custom']): Making => ({
  aliases: 0,
  uses: new Set(),
  by: new Map(),
  custom,
  depth: 0,
})

/**
 * `select t.id, <json>` over the ids in the JSON list `:ids`; one statement however many objects. Where the JSON tells
 * when a row was changed, or else made, so does a column `moment`.
 */
export function rendering(
  m: AnyModel,
  view: View | { nested: Shape | undefined },
  custom: Making['custom'],
): Rendering {
  const making = begun(custom)
  making.uses.add(m.table)
  const pairs = 'nested' in view ? [] : chosen(m, view, making)
  const json =
    'nested' in view
      ? nested(m, Root, view.nested, making)
      : object([
          ...pairs,
          ...(view.also ?? []).map((path): Pair => [path, asJson(through(m, 't', path.split('.'), making))]),
        ])
  const changed = momentOf(m)
  const tellsMoment = changed !== undefined && pairs.some(([key]) => key === changed)
  const columns = `t.id as id, ${json} as json${tellsMoment ? `, t.${changed} as moment` : ''}`
  const sql = `select ${columns} from json_each(:ids) j join ${q(m.table)} t on t.id = j.value`
  const by = new Map(
    [...making.by].flatMap(([table, columns]) => (columns === true ? [] : [[table, columns] as const])),
  )
  return { sql, uses: making.uses, by, row: 1, tellsMoment }
}

/** The column that says when a row was changed, or else when it was made. */
export const momentOf = ({ fields }: AnyModel): 'last_updated' | 'created' | undefined =>
  fields.last_updated ? 'last_updated' : fields.created ? 'created' : undefined

/** Through a second subquery JSON becomes text; `json()` makes it JSON again. */
const asJson = (sql: string): string => (/\bjson/.test(sql) ? `json(${sql})` : sql)

/** SQL of the value at the end of a path of references from row alias `t`. */
function through(m: AnyModel, t: string, [head, ...rest]: readonly string[], making: Making): string {
  const field = (extraOf(m)[head!] ?? m.fields[head!]) as Field | undefined
  if (!field) throw new Error(`${m.name} has no member ${head}`)
  note(making, m.table)
  const to = field.target ?? field.object
  if (rest.length === 0 || !to) {
    const pairs = field.output(t, head!, contextFor(m, making, false))
    return (pairs.find(([key]) => key === head) ?? pairs[0])?.[1] ?? 'null'
  }
  const target = modelNamed(to.model)
  const a = `x${++making.aliases}`
  const id = field.object ? field.object.id(t, contextFor(m, making, false)) : `${t}.${q(`${head}_id`)}`
  return `(select ${through(target, a, rest, making)} from ${q(target.table)} ${a} where ${a}.id = ${id})`
}

function chosen(m: AnyModel, view: View, making: Making): Pair[] {
  const context = contextFor(m, making, false)
  if (view.members === undefined && view.omit === undefined && !view.brief) return membersOf(m, 't', context)
  const wanted = view.members ? new Set(view.members) : view.omit ? undefined : new Set<string>(m.brief)
  const left = new Set(view.members ? [] : view.omit)
  const keep = (key: string) => (wanted ? wanted.has(key) : !left.has(key))
  const pairs: Pair[] = head(m, 't', context).filter(([key]) => keep(key))
  const inBrief = view.brief && !view.members && !view.omit
  for (const [name, field] of fieldsOf(m)) {
    if (field.options.hidden || field.options.writeOnly) continue
    const keys = new Set([name, ...(field.keys?.(name) ?? [])])
    if (wanted && ![...keys].some((key) => wanted.has(key))) continue
    pairs.push(...field.output('t', name, context).filter(([key]: Pair) => keep(key)))
  }
  if (!inBrief) return inOrder(m, pairs)
  const byKey = new Map(pairs)
  return m.brief.filter((key) => byKey.has(key)).map((key) => [key, byKey.get(key)!] as const)
}
