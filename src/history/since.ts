import type { Row } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import type { Connection } from '../store/database.ts'
import { type Journaled, journaled } from '../store/journal.ts'
import { Derived } from '../services/dangling.ts'
import { readRow, shapesOf } from './changes.ts'
import { shared } from './collisions.ts'
import { fieldsThatDiffer } from './merge.ts'

/** Rows that are compared at most; where more were touched, something is taken to have changed. */
const MostCompared = 5000

interface Earlier {
  name: string
  shape: number
  row_id: number
  before: string | null
}

/** States of a row that are looked at, the latest first. */
const MostStates = 50

/** How a row was before the changes that the journal tells of; without states in which it was not there. */
export const earlierStates = (db: Connection, table: string, id: number): Row[] =>
  db
    .all<{ shape: number; columns: string; before: string }>(
      `select s.id as shape, s.columns, r.before from history_row r join history_shape s on s.id = r.shape
        where s.name = ? and r.row_id = ? and r.before is not null order by r.step desc limit ?`,
      table,
      id,
      MostStates,
    )
    .map(({ shape, columns, before }) => readRow({ id: shape, table, columns: JSON.parse(columns) }, before))

/** Whether the rows of some tables are now, all in all, as they were before a step of the journal. */
export function areAsBefore(db: Connection, tables: ReadonlySet<string>, step: number): boolean {
  const touched = db.all<Earlier>(
    `select s.name, r.shape, r.row_id, r.before, min(r.step) from history_row r join history_shape s on s.id = r.shape
      where r.step >= ? and s.name in (select value from json_each(?)) group by s.name, r.row_id limit ?`,
    step,
    JSON.stringify([...tables].filter((table) => !Derived.has(table))),
    MostCompared + 1,
  )
  if (touched.length > MostCompared) return false
  const shapes = shapesOf(db)
  /** Links that came and went, each by what it links: they may be the same under another id. */
  const links = new Map<string, number>()
  for (const { name, shape, row_id, before } of touched) {
    const place = journaled().get(name)
    if (!place) continue
    const was = before === null ? null : readRow(shapes.get(shape)!, before)
    const is = db.get<Row>(`select * from ${q(name)} where id = +?`, row_id) ?? null
    if (isLink(place)) {
      if (was) count(links, linkOf(place, was), -1)
      if (is) count(links, linkOf(place, is), 1)
    } else if ((was === null) !== (is === null)) return false
    else if (was && is && fieldsThatDiffer(place.m, was, is).size > 0) return false
  }
  return [...links.values()].every((n) => n === 0)
}

const isLink = ({ links, table }: Journaled): boolean => links !== undefined || shared().has(table)

const linkOf = ({ table }: Journaled, row: Row): string =>
  JSON.stringify([table, ...Object.entries(row).flatMap(([name, value]) => (name === 'id' ? [] : [String(value)]))])

const count = (all: Map<string, number>, key: string, n: number): void => void all.set(key, (all.get(key) ?? 0) + n)

/** A row that the write which is running has changed, and how it found it. */
interface Changed {
  place: Journaled
  id: number
  before: Row | null
}

/**
 * Rows that the write which is running changes, in the order in which it first does: a trigger numbers what comes to
 * the journal, whose own order is another.
 */
export class Noted {
  readonly #db: Connection

  constructor(db: Connection) {
    this.#db = db
    db.raw.exec(`
      create temp table if not exists history_noted (n integer primary key, shape integer, row_id integer);
      create temp trigger if not exists history_note after insert on main.history_row begin
        insert into history_noted (shape, row_id) values (new.shape, new.row_id);
      end`)
  }

  /** The number of the last one. */
  get last(): number {
    return this.#db.get<{ n: number }>('select coalesce(max(n), 0) as n from history_noted')!.n
  }

  /** Those after a number. */
  after(n: number): Changed[] {
    const rows = this.#db.all<Earlier>(
      `select s.name, r.shape, r.row_id, r.before from history_noted n
        join history_row r
          on r.step = (select max(id) + 1 from history_step) and r.shape = n.shape and r.row_id = n.row_id
        join history_shape s on s.id = r.shape where n.n > ? order by n.n`,
      n,
    )
    if (rows.length === 0) return []
    const shapes = shapesOf(this.#db)
    return rows.flatMap(({ name, shape, row_id: id, before }) => {
      const place = journaled().get(name)
      return place ? [{ place, id, before: before === null ? null : readRow(shapes.get(shape)!, before) }] : []
    })
  }

  /** Notes no more. */
  end(): void {
    this.#db.raw.exec('drop trigger if exists temp.history_note; drop table if exists temp.history_noted')
  }
}

/** Whether nobody has touched a row since a step, before the write which is running. */
export const isUntouched = (db: Connection, { place, id }: Changed, step: number): boolean =>
  db.get(
    `select 1 from history_row r join history_shape s on s.id = r.shape
      where s.name = ? and r.row_id = ? and r.step between ? and (select max(id) from history_step)`,
    place.table,
    id,
    step,
  ) === undefined
