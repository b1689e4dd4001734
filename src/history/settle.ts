import type { Field, Row, Stored } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { countersOf, fieldsOf, memo, modelNamed, pointersTo, referencesTo, sumsOf } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { WriteEvent } from '../declare/behaviour.ts'
import { recable } from '../rules/recabling.ts'
import { dropLetGo } from '../store/held-members.ts'
import { storePlace } from '../store/tree.ts'
import { isDuplicate } from '../store/unique.ts'
import type { Writing } from '../store/write.ts'
import { same } from './changes.ts'
import { giverOf } from './merge.ts'
import { endModelOf, referencesIn } from './references.ts'

/** A row as it was and as it is. */
export interface Settled {
  m: AnyModel
  id: number
  before: Row | null
  after: Row | null
}

/** What a row keeps of others would make it the same as another in what must tell them apart; `row`: as it would be. */
export class Displaced extends Error {
  readonly m: AnyModel
  readonly row: Row

  constructor(m: AnyModel, row: Row) {
    super(`${m.label} ${row.id} has no place`)
    this.m = m
    this.row = row
  }
}

/** What depends on rows that were put to another state, one thing after the other. */
export const SettleSteps: readonly ((w: Writing, rows: readonly Settled[]) => void)[] = [
  recount,
  sumUp,
  point,
  places,
  (w, rows) => {
    for (const each of rows) if (each.after) returned(w, each)
  },
  together,
  (w, rows) => recable(w.tools, rows),
]
/** Works out again what depends on rows that were put to another state; may be done again. */
export const settle = (w: Writing, rows: readonly Settled[]): void => {
  for (const step of SettleSteps) step(w, rows)
}

/** Works out again what rows that stay keep of rows that go (the group of their site), so that they need not go too. */
export function unmark(w: Writing, going: ReadonlyMap<AnyModel, ReadonlySet<number>>): void {
  const keeping = [...going].flatMap(([m, ids]) =>
    referencesTo(m).flatMap(({ from, name }) =>
      name.startsWith('_') && !from.internal
        ? w.db
            .all<Row>(
              `select * from ${q(from.table)} where ${q(`${name}_id`)} in (select value from json_each(?))`,
              JSON.stringify([...ids]),
            )
            .map((row): Settled => ({ m: from, id: row.id as number, before: row, after: row }))
        : [],
    ),
  )
  const stale = keeping.filter(({ m, id }) => !going.get(m)?.has(id))
  if (stale.length) settle(w, stale)
}

/**
 * Has a model's own rules do what they do after a change, with records of their own; once. `goes`: whether an object is
 * not there any more in the end; `isGiven`: whether a row gets members of a table, by its id.
 */
export function follow(
  w: Writing,
  { m, id, before, after }: Settled,
  goes: (m: AnyModel, id: number) => boolean = () => false,
  isGiven: (table: string, id: number) => boolean = () => false,
): void {
  const isSettled = m.behaviour.settled || endModelOf(m) // of a cable all is worked out by its ends
  if (!before || !after || isSettled || !isWritten(m, before, after, goes)) return
  const row = w.row(m, id) ?? after // with what is worked out by now
  dropLetGo(w.db, m, before, row, (table) => isGiven(table, id))
  m.behaviour.saved?.(eventOf(w, row, before))
}

/**
 * Whether more changed than what no write of the row is about: custom values, which come and go with their fields, and
 * references that the deletion of an object emptied.
 */
function isWritten(m: AnyModel, before: Row, after: Row, goes: (m: AnyModel, id: number) => boolean): boolean {
  const emptied = new Set(
    referencesIn(m, before).flatMap(({ columns, beside, onDelete, to, id }) =>
      onDelete === 'set null' && goes(to, id) ? [...columns, ...beside] : [],
    ),
  )
  return Object.keys(after).some(
    (name) =>
      name !== 'custom_field_data' &&
      name !== 'last_updated' &&
      !(emptied.has(name) && after[name] === null) &&
      !same(after[name], before[name]),
  )
}
/** What models work out for all of their rows together. */
function together(w: Writing, rows: readonly Settled[]): void {
  for (const [m, all] of Map.groupBy(rows, (each) => each.m)) {
    const changed = m.behaviour.settled ? all.filter(({ before, after }) => before !== after) : []
    if (changed.length) m.behaviour.settled!({ rows: changed, tools: w.tools })
  }
}

const at = (row: Row | null, column: string): number | null => (row?.[column] as number | null | undefined) ?? null

/** Stored counters of the rows that others were or are counted for. */
function recount(w: Writing, rows: readonly Settled[]): void {
  const owners = new Map<string, { table: string; column: string; of: string; by: string; ids: Set<number> }>()
  const add = (owner: AnyModel, column: string, id: number | null): void => {
    if (id === null) return
    const counter = (owner.fields[column].counter as { model: string; by: string })!
    const key = `${owner.table}.${column}`
    const entry = owners.get(key) ?? {
      table: owner.table,
      column,
      of: modelNamed(counter.model).table,
      by: `${counter.by}_id`,
      ids: new Set<number>(),
    }
    entry.ids.add(id)
    owners.set(key, entry)
  }
  for (const { m, id, before, after } of rows) {
    for (const { from, name, field } of countersOf(m))
      for (const row of [before, after]) add(from, name, at(row, `${field.counter!.by}_id`))
    for (const [name, field] of fieldsOf(m)) if (field.counter && after) add(m, name, id)
  }
  for (const { table, column, of, by, ids } of owners.values())
    for (const id of ids)
      w.db.run(
        `update ${q(table)} set ${q(column)} = (select count(*) from ${q(of)} c where c.${q(by)} = ${q(table)}.id)
          where id = ?`,
        id,
      )
}

/**
 * Sums of the rows that refer to others; of a row that nothing refers to, what it was to have: the rules of what went
 * may have emptied it.
 */
function sumUp(w: Writing, rows: readonly Settled[]): void {
  const sum = (owner: AnyModel, column: string, id: number, otherwise?: Stored): void => {
    const { model, by, of } = (owner.fields[column] as Field).sum!
    const [found] = w.db.all<{ n: number; sum: number }>(
      `select count(*) as n, sum(${q(of)}) as sum from ${q(modelNamed(model).table)} where ${q(`${by}_id`)} = +?`,
      id,
    )
    const value = found!.n ? found!.sum : otherwise
    if (value !== undefined)
      w.db.run(`update ${q(owner.table)} set ${q(column)} = ? where id = ? and ${q(column)} is not ?`, value, id, value)
  }
  for (const { m, id, before, after } of rows) {
    for (const { from, name, field } of sumsOf(m))
      for (const row of [before, after]) {
        const owner = at(row, `${field.sum!.by}_id`)
        if (owner !== null) sum(from, name, owner)
      }
    for (const [name, field] of fieldsOf(m)) if (field.sum && after) sum(m, name, id, after[name])
  }
}

/** References that follow from those of the rows that they name. */
function point(w: Writing, rows: readonly Settled[]): void {
  const find = (owner: AnyModel, name: string, id: number): void => {
    const { model, points } = (owner.fields[name] as Field).target!
    const found = w.tools.first(modelNamed(model), { [`${points!.by}_id`]: id, ...points!.when }, { only: ['id'] })
    const column = q(`${name}_id`)
    const to = found?.id ?? null
    w.db.run(`update ${q(owner.table)} set ${column} = ? where id = ? and ${column} is not ?`, to, id, to)
  }
  for (const { m, id, before, after } of rows) {
    for (const { from, name, field } of pointersTo(m))
      for (const row of [before, after]) {
        const owner = at(row, `${field.target!.points!.by}_id`)
        if (owner !== null) find(from, name, owner)
      }
    for (const [name, { target }] of fieldsOf(m)) if (target?.points && after) find(m, name, id)
  }
}

/** Depth and place of nodes that came back or moved, with all below them. */
function places(w: Writing, rows: readonly Settled[]): void {
  for (const m of new Set(rows.map((each) => each.m))) {
    if (!m.tree) continue
    const parent = `${m.tree.parent}_id`
    const moved = rows.filter(
      ({ m: of, before, after }) =>
        of === m &&
        after &&
        (!before ||
          before[parent] !== after[parent] ||
          (m.tree!.by !== undefined && before[m.tree!.by] !== after[m.tree!.by])),
    )
    const ids = new Set(moved.map(({ id }) => id))
    for (const { id } of moved) {
      const row = w.row(m, id) // it may have gone along with another
      if (row && !ids.has(at(row, parent) ?? 0)) storePlace(w.db, m, row)
    }
  }
}

/** A write event of a row that has no body. */
export const eventOf = (w: Writing, row: Row, before: Row | undefined, given: Record<string, unknown> = {}) =>
  ({ row, before, errors: {}, given, body: {}, tools: w.tools, recordSoFar: () => {} }) as WriteEvent<Row>

/** Columns in which rows of a model keep what follows from others: nobody writes them. */
const keptOf = memo(
  (m: AnyModel): ReadonlySet<string> =>
    new Set(
      fieldsOf(m).flatMap(([name, field]) =>
        Object.keys(field.columns(name)).filter(
          (column) => column.startsWith('_') || field.options.hidden || field.options.prepared,
        ),
      ),
    ),
)

/** Stores columns of a row that follow from others. Throws `Displaced` where another row has its place then. */
function keep(w: Writing, m: AnyModel, row: Row, columns: Row): void {
  const sets = Object.keys(columns).map((name) => `${q(name)} = ?`)
  try {
    w.db.run(`update ${q(m.table)} set ${sets.join(', ')} where id = ?`, ...Object.values(columns), row.id)
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw new Displaced(m, { ...row, ...columns })
  }
}

/** What a row keeps of others (where it is, in other units): as the model's rules fill it. */
function returned(w: Writing, { m, id, before }: Settled): void {
  const row = w.row(m, id)
  if (!row) return
  const filled = { ...row }
  m.behaviour.prepare?.(eventOf(w, filled, { ...row }))
  const isOwn = (name: string) => keptOf(m).has(name) || giverOf(m, row, name) !== undefined
  const own = Object.keys(filled).filter((name) => isOwn(name) && filled[name] !== row[name])
  const isPacked = (value: Stored | undefined) => Buffer.isBuffer(value)
  const changed = own.filter((name) => !isPacked(filled[name]))
  if (changed.length) keep(w, m, row, Object.fromEntries(changed.map((name) => [name, filled[name]!])))
  if (m.tree && changed.includes(`${m.tree.parent}_id`)) storePlace(w.db, m, w.row(m, id)!)
  if (before) return
  m.behaviour.returned?.({ row, tools: w.tools })
}
