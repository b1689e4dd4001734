import type { Row, Stored } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import type { Connection } from '../store/database.ts'
import { type Journaled, journaled } from '../store/journal.ts'
import { Derived } from '../services/dangling.ts'

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
  for (const { id, table } of shapes.values()) siblings.set(table, [...(siblings.get(table) ?? []), id])
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
