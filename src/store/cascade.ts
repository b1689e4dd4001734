import { linkTable, q, type Row } from '../fields/field.ts'
import { type Errors, Refused } from '../registry/behaviour.ts'
import { countersOf, fieldsOf, genericPrefix, genericsTo, linksTo, referencesTo } from '../registry/catalog.ts'
import type { AnyModel } from '../registry/model.ts'
import { record, snapshot } from './changelog.ts'
import { count } from './counters.ts'
import { protectedBy } from './custom-rules.ts'
import { discard, fileFields } from './uploads.ts'
import { checkUnique } from './unique.ts'
import type { Writing } from './write.ts'

/** Rows to delete, children first, and columns of others to empty. */
interface Plan {
  doomed: Map<AnyModel, Map<number, Row>>
  order: { m: AnyModel; row: Row }[]
  nulls: { m: AnyModel; id: number; column: string }[]
  links: { m: AnyModel; name: string; id: number; to: number }[]
  blocking: { m: AnyModel; id: number; column: string; restrict: boolean }[]
}

/** Deletes rows with all that depends on them, each with its change record; 409 with the list when something protects them. */
export function deleteRows(w: Writing, m: AnyModel, ids: readonly number[]): void {
  for (const id of Object.keys(w.store.config.protectionRules).length ? ids : []) {
    const row = w.row(m, id)
    const why = row && protectedBy(w.store.config.protectionRules, m, row)
    if (why) throw new Refused(409, { detail: why })
  }
  const plan: Plan = { doomed: new Map(), order: [], nulls: [], links: [], blocking: [] }
  collect(w, m, ids, plan)
  const blocking = plan.blocking.filter((b) => !(b.restrict && plan.doomed.get(b.m)?.has(b.id)))
  plan.nulls.push(...plan.blocking.filter((b) => b.restrict && plan.doomed.get(b.m)?.has(b.id)))
  if (blocking.length) {
    const named = blocking.slice(0, 50).map((b) => `${w.display(b.m, b.id)} (${b.id})`)
    throw new Refused(409, {
      detail: `Unable to delete object. ${blocking.length} dependent objects were found: ${named.join(', ')}`,
    })
  }
  carryOut(w, plan)
}

function collect(w: Writing, m: AnyModel, ids: readonly number[], plan: Plan): void {
  const seen = plan.doomed.get(m) ?? new Map<number, Row>()
  plan.doomed.set(m, seen)
  const fresh = w.db.all<Row>(
    `select * from ${q(m.table)} where id in (select value from json_each(?))`,
    JSON.stringify(ids.filter((id) => !seen.has(id))),
  )
  if (fresh.length === 0) return
  for (const row of fresh) seen.set(row.id as number, row)
  const list = JSON.stringify(fresh.map((row) => row.id))
  for (const { from, name, field } of referencesTo(m)) {
    const rows = w.db.all<{ id: number }>(
      `select id from ${q(from.table)} where ${q(`${name}_id`)} in (select value from json_each(?))`,
      list,
    )
    if (rows.length === 0) continue
    const onDelete = field.target!.onDelete
    if (onDelete === 'cascade')
      collect(
        w,
        from,
        rows.map((row) => row.id),
        plan,
      )
    else if (onDelete === 'set null')
      plan.nulls.push(...rows.map((row) => ({ m: from, id: row.id, column: `${name}_id` })))
    else
      plan.blocking.push(
        ...rows.map((row) => ({ m: from, id: row.id, column: `${name}_id`, restrict: onDelete === 'restrict' })),
      )
  }
  for (const { from, name, field } of genericsTo(m)) {
    if (field.generic!.onDelete === 'keep') continue
    const as = genericPrefix(field, name)
    const rows = w.db.all<{ id: number }>(
      `select id from ${q(from.table)} where ${q(`${as}_type`)} = ? and ${q(`${as}_id`)} in (select value from json_each(?))`,
      m.name,
      list,
    )
    if (rows.length)
      collect(
        w,
        from,
        rows.map((row) => row.id),
        plan,
      )
  }
  for (const { from, name } of linksTo(m)) {
    const rows = w.db.all<{ from_id: number; to_id: number }>(
      `select from_id, to_id from ${q(linkTable(from.table, name))} where to_id in (select value from json_each(?))`,
      list,
    )
    plan.links.push(...rows.map((row) => ({ m: from, name, id: row.from_id, to: row.to_id })))
  }
  for (const row of fresh) plan.order.push({ m, row })
}

function carryOut(w: Writing, plan: Plan): void {
  const isDoomed = (m: AnyModel, id: number) => plan.doomed.get(m)?.has(id) ?? false
  const snapshots = plan.order.map(({ m, row }) => (m.changeLogged === false ? null : snapshot(w.db, m, row)))
  const labels = plan.order.map(({ m, row }) => (m.changeLogged === false ? '' : w.display(m, row.id as number)))
  const kept = plan.order.map(({ m, row }) => w.feed.keep(m, row.id as number))
  for (const { m, row } of plan.order) m.behaviour.deleting?.({ row, tools: w.tools })
  for (const { m, id, column } of plan.nulls) {
    if (isDoomed(m, id)) w.db.run(`update ${q(m.table)} set ${q(column)} = null where id = ?`, id)
    else release(w, m, id, column)
  }
  for (const { m, name, id, to } of plan.links) unlink(w, m, name, id, to, isDoomed(m, id))
  plan.order.forEach(({ m, row }, i) => {
    for (const [name, field] of fieldsOf(m))
      if (field.links && !field.links.via)
        w.db.run(`delete from ${q(linkTable(m.table, name))} where from_id = ?`, row.id)
    w.db.run(`delete from ${q(m.table)} where id = ?`, row.id)
    for (const name of fileFields(m)) discard(w.db, w.store.uploads, row[name])
    for (const { from, name, field } of countersOf(m))
      count(w.db, from, name, row[`${field.counter!.by}_id`] as number | null, -1)
    record(w, m, row, labels[i]!, 'delete', snapshots[i]!, null, kept[i])
  })
  for (const { m, row } of plan.order) m.behaviour.deleted?.({ row, tools: w.tools })
}

/** Empties a reference; 409 when the row would then be the same as another. */
function release(w: Writing, m: AnyModel, id: number, column: string): void {
  const before = w.row(m, id)!
  const errors: Errors = {}
  checkUnique(w.db, m, { ...before, [column]: null }, before, errors)
  if (Object.keys(errors).length)
    throw new Refused(409, {
      detail: `Unable to delete object. ${w.display(m, id)} (${id}) depends on it: ${Object.values(errors).flat().join(' ')}`,
    })
  w.tools.patch(m.name, id, { [column]: null })
}

function unlink(w: Writing, m: AnyModel, name: string, id: number, to: number, doomed: boolean): void {
  const row = doomed ? undefined : w.row(m, id)
  const was = row && m.changeLogged !== false ? snapshot(w.db, m, row) : null
  w.db.run(`delete from ${q(linkTable(m.table, name))} where from_id = ? and to_id = ?`, id, to)
  if (row && was) record(w, m, row, w.display(m, id), 'update', was, snapshot(w.db, m, row))
}
