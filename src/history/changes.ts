import type { Row, Stored } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import type { Connection } from '../store/database.ts'
import { type Journaled, journaled } from '../store/journal.ts'
import { Derived } from '../services/dangling.ts'
import { addTo } from '../lib/lists.ts'

/** What one step did to a row: how it found it and how it left it; null where there was none. */
export interface Touch {
  step: number
  before: Row | null
  after: Row | null
}
/** What some steps did to a row, the earliest first; and how it is now. */
export interface RowChange {
  place: Journaled
  id: number
  touches: readonly Touch[]
  now: Row | null
}
/** A set of changes, row by row. */
export type ChangeSet = readonly RowChange[]

interface Shape {
  id: number
  table: string
  columns: readonly (string | { hex: string })[]
}

/** How rows of each shape are read, by its number. */
export function shapesOf(db: Connection): ReadonlyMap<number, Shape> {
  const rows = db.all<{ id: number; name: string; columns: string }>('select id, name, columns from history_shape')
  return new Map(
    rows.map(({ id, name, columns }) => [id, { id, table: name, columns: JSON.parse(columns) as Shape['columns'] }]),
  )
}

/** A row as the journal keeps it. */
export function readRow({ columns }: Shape, text: string): Row {
  const values = JSON.parse(text) as (string | number | null)[]
  const row: Row = {}
  columns.forEach((column, i) => {
    const value = values[i] ?? null
    if (typeof column === 'string') row[column] = value
    else row[column.hex] = value === null ? null : Buffer.from(String(value), 'hex')
  })
  return row
}

/** True when two stored values are the same. */
export const same = (a: Stored | undefined, b: Stored | undefined): boolean =>
  a === b || (Buffer.isBuffer(a) && Buffer.isBuffer(b) && a.equals(b))

/** How many rows some steps changed, up to a limit. */
export const countRows = (db: Connection, steps: readonly number[], limit: number): number =>
  db.get<{ n: number }>(
    `select count(*) as n from (select 1 from history_row where step in (select value from json_each(?)) limit ?)`,
    JSON.stringify(steps),
    limit,
  )!.n

/** What some steps did, as the journal tells. What is worked out from other rows is left to be worked out again. */
export function changesOf(db: Connection, steps: readonly number[]): ChangeSet {
  const shapes = shapesOf(db)
  const siblings = new Map<string, number[]>()
  for (const { id, table } of shapes.values()) addTo(siblings, table, id)
  const tables = journaled()
  const found = new Map<string, { place: Journaled; id: number; touches: Touch[]; now: Row | null }>()
  const rows = db.all<{ step: number; shape: number; row_id: number; before: string | null }>(
    `select step, shape, row_id, before from history_row where step in (select value from json_each(?))
      order by step, shape, row_id`,
    JSON.stringify(steps),
  )
  for (const { step, shape, row_id: id, before } of rows) {
    const own = shapes.get(shape)!
    const place = tables.get(own.table)
    if (!place || Derived.has(own.table)) continue
    const key = `${own.table}:${id}`
    let entry = found.get(key)
    if (!entry) {
      const now = db.get<Row>(`select * from ${q(own.table)} where id = +?`, id) ?? null
      entry = { place, id, touches: [], now }
      found.set(key, entry)
    }
    const next = db.get<{ shape: number; before: string | null }>(
      `select shape, before from history_row
        where shape in (select value from json_each(?)) and row_id = ? and step > ? order by step limit 1`,
      JSON.stringify(siblings.get(own.table)),
      id,
      step,
    )
    const after = next ? (next.before === null ? null : readRow(shapes.get(next.shape)!, next.before)) : entry.now
    entry.touches.push({ step, before: before === null ? null : readRow(own, before), after })
  }
  return [...found.values()]
}

/** A row that was changed since a step, as it was then and as it is; null where it was not there. */
export interface Since {
  place: Journaled
  id: number
  before: Row | null
  now: Row | null
}

/**
 * Every row that was changed since a step, also by the write that is being made, by `<table>:<id>`. What is worked out
 * from others is left out. `isOf`: of these tables alone.
 */
export function changedSince(
  db: Connection,
  step: number,
  isOf: (table: string) => boolean = () => true,
): Map<string, Since> {
  db.added.settle()
  const shapes = shapesOf(db)
  const tables = journaled()
  const rows = db.all<{ name: string; shape: number; row_id: number; before: string | null }>(
    `select s.name, r.shape, r.row_id, r.before, min(r.step) as step from history_row r
      join history_shape s on s.id = r.shape where r.step > ? group by s.name, r.row_id`,
    step,
  )
  const found = new Map<string, Since>()
  for (const { name, shape, row_id: id, before } of rows) {
    const place = tables.get(name)
    if (!place || Derived.has(name) || !isOf(name)) continue
    const was = before === null ? null : readRow(shapes.get(shape)!, before)
    found.set(`${name}:${id}`, { place, id, before: was, now: rowNow(db, name, id) })
  }
  return found
}

/** A row as it is; null where there is none. */
export const rowNow = (db: Connection, table: string, id: number): Row | null =>
  db.get<Row>(`select * from ${q(table)} where id = +?`, id) ?? null
