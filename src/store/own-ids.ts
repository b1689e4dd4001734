import type Database from 'better-sqlite3'
import { Refused } from '../declare/behaviour.ts'
import { q } from '../lib/sql.ts'

/** Ids that one copy of an inventory gives: from one number up to but not another. */
export interface IdRange {
  from: number
  to: number
}

/** So many ids has each copy; those of a kit begin at its number times this. */
export const IdsOfOne = 100_000_000
/** Selects the largest id that was not given by a kit: about how many rows there are, where few came from kits. */
export const lastOwn = (table: string): string => `select max(id) as id from ${q(table)} where id < ${IdsOfOne}`

/** The table of the kits that were made of a database, and the table that only the database of a kit has. */
export const Kits = 'core_kit'
export const Self = 'kit_self'

/**
 * The ids that a database gives to new rows; undefined where none came from another copy, so that SQLite may choose.
 */
export function idsOf(raw: Database.Database): IdRange | undefined {
  const isKit = raw.prepare('select 1 from sqlite_schema where name = ?').get(Self) !== undefined
  const number = isKit ? (raw.prepare(`select number from ${Self}`).pluck().get() as number | undefined) : undefined
  if (number !== undefined) return { from: number * IdsOfOne, to: (number + 1) * IdsOfOne }
  const hasKits = raw.prepare('select 1 from sqlite_sequence where name = ? and seq > 0').get(Kits) !== undefined
  return hasKits ? { from: 0, to: IdsOfOne } : undefined
}

const Insert = /^(\s*insert(?:\s+or\s+ignore)?\s+into\s+[`"]?(\w+)[`"]?\s*\()([^)]*)(\)\s*values\s*\()/i

/**
 * A statement that inserts one row without an id, with the next id of a range: SQLite's own choice would follow the
 * largest of all.
 */
export function withId(sql: string, tables: ReadonlySet<string>, { from, to }: IdRange): string {
  const [head, start, table, columns, values] = Insert.exec(sql) ?? []
  if (
    head === undefined ||
    !tables.has(table!) ||
    columns!.split(',').some((name) => /^\s*[`"]?id[`"]?\s*$/.test(name))
  )
    return sql
  const within = `>= ${from} and id < ${to}`
  const last = `max(coalesce((select max(id) from ${q(table!)} where id ${within}), ${from}),
    coalesce((select seq from sqlite_sequence where name = '${table}' and seq >= ${from} and seq < ${to}), ${from}))`
  const next = `(select iif(last + 1 < ${to}, last + 1, no_id_left('${table}')) from (select ${last} as last))`
  return `${start}id, ${columns}${values}${next}, ${sql.slice(head.length)}`
}

/** Gives a connection what a statement of `withId` calls past the last id: it throws `Refused`. */
export function refusePastLastId(raw: Database.Database): void {
  raw.function('no_id_left', (table: unknown) => {
    const count = IdsOfOne.toLocaleString('en')
    throw new Refused(507, { detail: `All ${count} ids that this copy may give in ${String(table)} are used up.` })
  })
}

/** Does work that may store rows with ids of other copies, after which ids go on where they were. */
export function keepingSequence<T>(raw: Database.Database, work: () => T): T {
  const range = idsOf(raw)
  if (!range) return work()
  const read = raw.prepare('select name, seq from sqlite_sequence')
  const before = new Map((read.all() as { name: string; seq: number }[]).map(({ name, seq }) => [name, seq]))
  const value = work()
  for (const { name, seq } of read.all() as { name: string; seq: number }[]) {
    const was = before.get(name) ?? range.from
    if (seq >= range.to && seq !== was) raw.prepare('update sqlite_sequence set seq = ? where name = ?').run(was, name)
  }
  return value
}
