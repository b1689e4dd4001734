import type Database from 'better-sqlite3'
import { Refused } from '../declare/behaviour.ts'
import { allModels } from '../engine/catalog.ts'
import { q } from '../lib/sql.ts'
import { type Change, EveryTable } from './changes.ts'

/** References that a message names. */
const Named = 3

/** Whether an error says that rows refer to what is not there. */
export const isBrokenReference = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'SQLITE_CONSTRAINT_FOREIGNKEY'

/**
 * What to say, in one line, of a transaction that cannot be committed since rows of it refer to what is not there; any
 * other error as it is. Asked before the transaction is undone; it reads the whole file.
 */
export function whyNotCommitted(raw: Database.Database, error: unknown): unknown {
  if (!isBrokenReference(error) || !raw.inTransaction) return error
  const broken = raw
    .prepare<[], { table: string; rowid: number; parent: string }>(
      `select "table", rowid, parent from pragma_foreign_key_check limit ${Named}`,
    )
    .all()
  if (broken.length === 0) return error
  const rows = broken.map(({ table, rowid, parent }) => `row ${rowid} of ${table} to one of ${parent}`)
  return new Error(
    `Nothing was written: references would lead to rows that are not there (${rows.join(', ')}). ` +
      'That is a mistake in Cabinet; please report it.',
    { cause: error },
  )
}

/**
 * The same for whoever sent one write of many: 409. Of what the transaction changed alone, so that nobody else waits
 * for it.
 */
export function refusalOf(raw: Database.Database, error: unknown, changes: readonly Change[]): unknown {
  if (!isBrokenReference(error) || !raw.inTransaction) return error
  const broken = brokenBy(raw, changes)
  if (broken.length === 0) return error
  const rows = broken.map(
    ({ child, column, row, parent, missing }) =>
      `${modelOf(child)} ${row} (${column.replace(/_id$/, '')}) to ${modelOf(parent)} ${missing}`,
  )
  const refused = new Refused(409, {
    detail: `Nothing was written: it would refer to what is not there: ${rows.join(', ')}.`,
  })
  refused.cause = error
  return refused
}

interface ForeignKey {
  child: string
  column: string
  parent: string
}
interface Broken extends ForeignKey {
  row: number
  missing: number
}

/** References that lead nowhere, of rows that were changed and to rows that went; at most as many as are named. */
function brokenBy(raw: Database.Database, changes: readonly Change[]): Broken[] {
  const keys = raw
    .prepare<[], ForeignKey>(
      `select s.name as child, k."from" as column, k."table" as parent
      from sqlite_schema s, pragma_foreign_key_list(s.name) k where s.type = 'table'`,
    )
    .all()
  const found = new Map<string, Broken>()
  for (const { table, columns, ids } of changes)
    for (const key of keys) {
      const { child, column, parent } = key
      const own = child === table && (columns === 'all' || columns.includes(column)) ? ['c.id'] : []
      const others = parent === table && columns === 'all' ? [`c.${q(column)}`] : []
      if (own.length + others.length === 0 && table !== EveryTable) continue
      const among = [...own, ...others].map((each) => `${each} in (select value from json_each(:ids))`)
      const rows = raw
        .prepare<[{ ids: string }], { row: number; missing: number }>(
          `select c.id as row, c.${q(column)} as missing from ${q(child)} c where c.${q(column)} is not null
          and ${ids === 'all' ? 'true' : `(${among.join(' or ')})`}
          and not exists (select 1 from ${q(parent)} p where p.id = c.${q(column)}) limit ${Named}`,
        )
        .all({ ids: JSON.stringify(ids) })
      for (const each of rows) found.set(`${child} ${column} ${each.row}`, { ...key, ...each })
      if (found.size >= Named) return [...found.values()].slice(0, Named)
    }
  return [...found.values()]
}

/** What clients call the objects of a table. */
const modelOf = (table: string): string => allModels.find((m) => m.table === table)?.name ?? table
