import { linkTable, type Row } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { type Errors, Refused } from '../declare/behaviour.ts'
import {
  countersOf,
  fieldsOf,
  genericPrefix,
  genericsTo,
  linksTo,
  modelNamed,
  referencesTo,
} from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { record, snapshot } from './changelog.ts'
import { rowChange } from './statement-changes.ts'
import { count } from './counters.ts'
import { protectedBy } from './custom-rules.ts'
import { fileFields, retire } from './uploads.ts'
import { checkUnique, uniqueColumns } from './unique.ts'
import type { Connection } from './database.ts'
import type { Writing } from './write.ts'

/** Rows to delete, and columns and links of others to empty. */
interface Plan {
  doomed: Map<AnyModel, Map<number, Row>>
  nulls: { m: AnyModel; id: number; column: string }[]
  links: { m: AnyModel; name: string; id: number; to: number }[]
  blocking: { m: AnyModel; id: number; restrict: boolean }[]
  /** References that are emptied at once, however many there are: of rows of which nothing else follows. */
  sweeps: { m: AnyModel; column: string; to: readonly number[] }[]
}
/** A row that goes. */
interface Doomed {
  m: AnyModel
  row: Row
}

/**
 * Deletes rows with all that depends on them, each with its change record; 409 with the list when something protects
 * them.
 */
export function deleteRows(w: Writing, m: AnyModel, ids: readonly number[]): void {
  for (const id of Object.keys(w.store.config.protectionRules).length ? ids : []) {
    const row = w.row(m, id)
    const why = row && protectedBy(w.store.config.protectionRules, m, row)
    if (why) throw new Refused(409, { detail: why })
  }
  const plan = collect(w, m, ids, isPlain)
  const isDoomed = (m: AnyModel, id: number) => plan.doomed.get(m)?.has(id) ?? false
  const blocking = keptBy(plan)
  if (blocking.length) {
    const seen = blocking.slice(0, 50).filter((b) => w.actor.superuser || w.tools.mayOn('view', b.m.name, b.id))
    const named = seen.map((b) => `${w.display(b.m, b.id)} (${b.id})`)
    const told = named.length ? `: ${named.join(', ')}` : '.'
    throw new Refused(409, {
      detail: `Unable to delete object. ${blocking.length} dependent objects were found${told}`,
    })
  }
  carryOut(w, plan, isDoomed)
}

/**
 * What deleting some rows would do: rows that go with them and rows that lose a reference, by model, and rows that
 * prevent it.
 */
interface Consequences {
  goes: ReadonlyMap<AnyModel, readonly number[]>
  emptied: ReadonlyMap<AnyModel, number>
  /** The references that are emptied. */
  nulls: readonly { m: AnyModel; id: number; column: string }[]
  blocking: readonly { m: AnyModel; id: number }[]
}

/** What deleting some rows of a model would do; nothing is changed. */
export function consequencesOf(db: Connection, m: AnyModel, ids: readonly number[]): Consequences {
  const plan = collect({ db }, m, ids)
  const own = new Set(ids)
  const isDoomed = (of: AnyModel, id: number) => plan.doomed.get(of)?.has(id) ?? false
  const goes = [...plan.doomed].map(
    ([of, rows]) => [of, [...rows.keys()].filter((id) => of !== m || !own.has(id))] as const,
  )
  const emptied = new Map<AnyModel, number>()
  for (const { m: of, id } of plan.nulls) if (!isDoomed(of, id)) emptied.set(of, (emptied.get(of) ?? 0) + 1)
  return {
    goes: new Map(goes.filter(([, rows]) => rows.length > 0)),
    emptied,
    nulls: plan.nulls.filter(({ m: of, id }) => !isDoomed(of, id)),
    blocking: keptBy(plan),
  }
}

/** What keeps the rows of a plan, once each, however many of them it refers to. */
function keptBy({ doomed, blocking }: Plan): { m: AnyModel; id: number }[] {
  const keeping = blocking.filter(({ m, id, restrict }) => !(restrict && doomed.get(m)?.has(id)))
  return [...new Map(keeping.map((each) => [`${each.m.name} ${each.id}`, each])).values()]
}

/** Whether nothing follows from it that a reference is emptied: no change record, no rule, no other row like it. */
const isPlain = (m: AnyModel, column: string): boolean =>
  m.changeLogged === false && !m.behaviour.prepare && !m.behaviour.saved && !uniqueColumns(m).includes(column)

/**
 * Finds all that goes with some rows: whatever refers to a row that goes, by its own rule; `sweeps` says which
 * references need not be found one by one.
 */
function collect(
  w: Pick<Writing, 'db'>,
  first: AnyModel,
  firstIds: readonly number[],
  sweeps: (m: AnyModel, column: string) => boolean = () => false,
): Plan {
  const plan: Plan = { doomed: new Map(), nulls: [], links: [], blocking: [], sweeps: [] }
  /** All rows of a question; where work is not to take long, just enough to see that it would. */
  const found = <T>(sql: string, ...values: unknown[]): T[] => {
    const { pace } = w.db
    const rows = w.db.all<T>(`${sql} limit ?`, ...values, pace ? pace.rows + 1 : -1)
    pace?.check(rows.length)
    return rows
  }
  const waiting: { m: AnyModel; ids: readonly number[] }[] = [{ m: first, ids: firstIds }]
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { m, ids } = next
    const seen = plan.doomed.get(m) ?? new Map<number, Row>()
    plan.doomed.set(m, seen)
    w.db.pace?.check(ids.length)
    const fresh = w.db.all<Row>(
      `select * from ${q(m.table)} where id in (select value from json_each(?))`,
      JSON.stringify(ids.filter((id) => !seen.has(id))),
    )
    if (fresh.length === 0) continue
    for (const row of fresh) seen.set(row.id as number, row)
    const list = JSON.stringify(fresh.map((row) => row.id))
    for (const { from, name, field } of referencesTo(m)) {
      const column = `${name}_id`
      const { onDelete } = field.target!
      if (onDelete === 'set null' && sweeps(from, column)) {
        plan.sweeps.push({ m: from, column, to: [...seen.keys()] })
        continue
      }
      const sql = `select id from ${q(from.table)} where ${q(column)} in (select value from json_each(?))`
      const changes = onDelete === 'cascade' || onDelete === 'set null'
      const rows = changes ? found<{ id: number }>(sql, list) : w.db.all<{ id: number }>(sql, list)
      if (rows.length === 0) continue
      if (onDelete === 'cascade') waiting.push({ m: from, ids: rows.map(({ id }) => id) })
      else if (onDelete === 'set null') for (const { id } of rows) plan.nulls.push({ m: from, id, column })
      else for (const { id } of rows) plan.blocking.push({ m: from, id, restrict: onDelete === 'restrict' })
    }
    for (const { from, name, field } of genericsTo(m)) {
      if (field.generic!.onDelete === 'keep') continue
      const as = genericPrefix(field, name)
      const rows = found<{ id: number }>(
        `select id from ${q(from.table)} where ${q(`${as}_type`)} = ? and ${q(`${as}_id`)} in (select value
          from json_each(?))`,
        m.name,
        list,
      )
      if (rows.length) waiting.push({ m: from, ids: rows.map(({ id }) => id) })
    }
    for (const { from, name } of linksTo(m)) {
      const rows = found<{ from_id: number; to_id: number }>(
        `select from_id, to_id from ${q(linkTable(from.table, name))} where to_id in (select value from json_each(?))`,
        list,
      )
      for (const row of rows) plan.links.push({ m: from, name, id: row.from_id, to: row.to_id })
    }
  }
  return plan
}

/** References from rows that go to rows that go, without those that are emptied beforehand anyway. */
function* referencesAmong(
  doomed: Plan['doomed'],
): Generator<Doomed & { column: string; nullable: boolean; parent: Row }> {
  for (const [m, rows] of doomed)
    for (const [name, { target, columns }] of fieldsOf(m)) {
      const parents = target && target.onDelete !== 'set null' ? doomed.get(modelNamed(target.model)) : undefined
      if (!parents?.size) continue
      const column = `${name}_id`
      const nullable = columns(name)[column]?.null ?? false
      for (const row of rows.values()) {
        const parent = parents.get(row[column] as number)
        if (parent && parent !== row) yield { m, row, column, nullable, parent }
      }
    }
}

/**
 * The rows in an order in which each goes before what it refers to, whatever their ids; those of a circle are missing.
 */
function childrenFirst(doomed: Plan['doomed'], references: Iterable<Doomed & { parent: Row }>): Doomed[] {
  const nodes = new Map<Row, Doomed & { referrers: number; parents: Row[] }>()
  for (const [m, rows] of doomed) for (const row of rows.values()) nodes.set(row, { m, row, referrers: 0, parents: [] })
  for (const { row, parent } of references) {
    nodes.get(row)!.parents.push(parent)
    nodes.get(parent)!.referrers++
  }
  // What was found last goes first.
  const order = [...nodes.values()].filter(({ referrers }) => referrers === 0).reverse()
  for (const { parents } of order)
    for (const parent of parents) {
      const node = nodes.get(parent)!
      if (--node.referrers === 0) order.push(node)
    }
  return order
}

/**
 * The order of deletion. Where rows refer to each other in a circle, references that may be empty are emptied; else
 * throws `Refused`.
 */
function orderOf(w: Writing, doomed: Plan['doomed']): Doomed[] {
  const total = [...doomed.values()].reduce((sum, rows) => sum + rows.size, 0)
  const order = childrenFirst(doomed, referencesAmong(doomed))
  if (order.length === total) return order
  const kept: (Doomed & { parent: Row })[] = []
  for (const { m, row, column, nullable, parent } of referencesAmong(doomed)) {
    if (nullable) w.db.run(`update ${q(m.table)} set ${q(column)} = null where id = ?`, row.id)
    else kept.push({ m, row, parent })
  }
  const second = childrenFirst(doomed, kept)
  if (second.length === total) return second
  throw new Refused(409, { detail: 'Unable to delete object. Objects that depend on it refer to each other.' })
}

function carryOut(w: Writing, plan: Plan, isDoomed: (m: AnyModel, id: number) => boolean): void {
  const order = orderOf(w, plan.doomed)
  const snapshots = order.map(({ m, row }) => (m.changeLogged === false ? null : snapshot(w.db, m, row)))
  const labels = order.map(({ m, row }) => (m.changeLogged === false ? '' : w.display(m, row.id as number)))
  const kept = order.map(({ m, row }) => w.feed.keep(m, row.id as number))
  for (const { m, row } of order) m.behaviour.deleting?.({ row, tools: w.tools })
  for (const { m, id, column } of plan.nulls) {
    if (isDoomed(m, id)) w.db.run(`update ${q(m.table)} set ${q(column)} = null where id = ?`, id)
    else release(w, m, id, column)
  }
  for (const { m, column, to } of plan.sweeps) sweep(w, m, column, JSON.stringify(to))
  for (const { m, name, id, to } of plan.links) unlink(w, m, name, id, to, isDoomed(m, id))
  const linked = linkedAmong(w, plan.doomed)
  order.forEach(({ m, row }, i) => {
    for (const [table, ids] of linked.get(m) ?? [])
      if (ids.has(row.id as number)) w.db.run(`delete from ${q(table)} where from_id = ?`, row.id)
    w.db.runFor(rowChange(m.table, 'all', row.id as number, row), `delete from ${q(m.table)} where id = ?`, row.id)
    for (const name of fileFields(m)) retire(w.db, row[name])
    for (const { from, name, field } of countersOf(m))
      count(w.db, from, name, row[`${field.counter!.by}_id`] as number | null, -1)
    record(w, m, row, labels[i]!, 'delete', snapshots[i]!, null, kept[i])
  })
  for (const { m, row } of order) m.behaviour.deleted?.({ row, tools: w.tools })
}

/** The rows that have links of their own, by model and table of links. */
function linkedAmong(w: Writing, doomed: Plan['doomed']): Map<AnyModel, [table: string, ids: Set<number>][]> {
  const found = new Map<AnyModel, [string, Set<number>][]>()
  for (const [m, rows] of doomed) {
    const ids = JSON.stringify([...rows.keys()])
    for (const [name, { links }] of fieldsOf(m)) {
      if (!links || links.via) continue
      const table = linkTable(m.table, name)
      const sql = `select distinct from_id as id from ${q(table)} where from_id in (select value from json_each(?))`
      const linked = w.db.all<{ id: number }>(sql, ids)
      if (linked.length > 0) found.set(m, [...(found.get(m) ?? []), [table, new Set(linked.map(({ id }) => id))]])
    }
  }
  return found
}

/** Empties a reference; 409 when the row would then be the same as another. */
function release(w: Writing, m: AnyModel, id: number, column: string): void {
  const before = w.row(m, id)!
  const errors: Errors = {}
  checkUnique(w.db, m, { ...before, [column]: null }, before, errors)
  if (Object.keys(errors).length) {
    const why = Object.values(errors).flat().join(' ')
    throw new Refused(409, {
      detail: `Unable to delete object. ${w.display(m, id)} (${id}) depends on it: ${why}`,
    })
  }
  w.tools.patch(m, id, { [column]: null })
}

/** Empties references to some rows, in one statement. */
function sweep(w: Writing, m: AnyModel, column: string, to: string): void {
  const where = `${q(column)} in (select value from json_each(?))`
  const { pace } = w.db
  if (pace) {
    const rows = w.db.all(`select 1 from ${q(m.table)} where ${where} limit ?`, to, pace.rows + 1)
    pace.check(rows.length)
  }
  w.db.run(`update ${q(m.table)} set ${q(column)} = null where ${where}`, to)
}

function unlink(w: Writing, m: AnyModel, name: string, id: number, to: number, doomed: boolean): void {
  const row = doomed ? undefined : w.row(m, id)
  const was = row && m.changeLogged !== false ? snapshot(w.db, m, row) : null
  w.db.run(`delete from ${q(linkTable(m.table, name))} where from_id = ? and to_id = ?`, id, to)
  if (row && was) record(w, m, row, w.display(m, id), 'update', was, snapshot(w.db, m, row))
}
