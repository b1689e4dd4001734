import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { constants } from 'node:fs'
import { dirname } from 'node:path'
import type { Row } from '../fields/field.ts'
import { allModels } from '../engine/catalog.ts'
import { q } from '../lib/sql.ts'
import { openDatabase } from '../lib/addons.ts'
import { parseDateTime } from '../lib/datetime.ts'
import { journaled } from '../store/journal.ts'
import type { Connection } from '../store/database.ts'
import { openAgain, type Place } from '../store/open.ts'
import { counters } from '../services/derived.ts'
import { readRow, same, shapesOf } from './changes.ts'

/** A state that the journal can tell: the step after which it was, and the moment from which on. */
export interface Moment {
  step: number
  time: string
  /** Whether nothing was written since. */
  isNow: boolean
}

/** A moment that cannot be shown, and why. */
export class NoSuchMoment extends Error {}

const Units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** A moment with six digits of a second, as stored ones have. */
export const exactly = (moment: string): string => {
  const [, start, digits = ''] = /^(.{19})(?:\.(\d+))?Z$/.exec(moment) ?? []
  return `${start}.${digits.padEnd(6, '0')}Z`
}

/**
 * The state that a text names: a moment, a duration before now (`-7d`), or the id of a request, after which it was, or before which
 * (`before-…`). Throws `NoSuchMoment`.
 */
export function momentOf(db: Connection, text: string, at = Date.now()): Moment {
  const last = db.get<{ id: number; time: string }>('select id, time from history_step order by id desc limit 1')!
  const first = db.get<{ time: string }>('select time from history_step order by id limit 1')!.time
  const wanted = wantedOf(text.trim(), at)
  if (wanted.request !== undefined) {
    const found = db.get<{ id: number; time: string }>(
      'select id, time from history_step where request_id = ? order by id desc limit 1',
      wanted.request,
    )
    if (!found) throw new NoSuchMoment(`There is no such request since ${first}.`)
    return { step: found.id, time: found.time, isNow: found.id === last.id }
  }
  if (wanted.before !== undefined) {
    const found = db.get<{ id: number; time: string }>(
      `select id, time from history_step
        where id < (select min(id) from history_step where request_id = ?) order by id desc limit 1`,
      wanted.before,
    )
    if (!found) throw new NoSuchMoment(`There is no such request since ${first}.`)
    return { step: found.id, time: found.time, isNow: false }
  }
  const { time } = wanted
  if (time < first) throw new NoSuchMoment(`One can look back to ${first}, not further.`)
  if (time > exactly(new Date(at).toISOString())) throw new NoSuchMoment('This moment has not come yet.')
  const step = db.get<{ id: number }>('select max(id) as id from history_step where time <= ?', time)!.id
  return { step, time, isNow: step === last.id }
}

/** The moment of a state that a text names, of a database that holds no later one. */
export const shownTime = (db: Connection, text: string, at = Date.now()): string =>
  wantedOf(text.trim(), at).time ??
  db.get<{ time: string }>('select time from history_step order by id desc limit 1')!.time

type Wanted =
  | { request: string; before?: undefined; time?: undefined }
  | { request?: undefined; before: string; time?: undefined }
  | { request?: undefined; before?: undefined; time: string }

const Before = 'before-'

function wantedOf(text: string, at: number): Wanted {
  const duration = /^-(\d{1,9})([smhdw])$/.exec(text)
  if (duration) {
    const past = at - Number(duration[1]) * Units[duration[2]!]! * 1000
    return { time: past < 0 ? '0000' : exactly(new Date(past).toISOString()) }
  }
  const isBefore = text.startsWith(Before)
  const request = (isBefore ? text.slice(Before.length) : text).toLowerCase()
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(request)) return isBefore ? { before: request } : { request }
  const time = parseDateTime(text)
  if (!time) throw new NoSuchMoment('Give a moment (2026-11-01T12:00:00Z), a duration (-7d) or the id of a request.')
  return { time: exactly(time) }
}

/**
 * Makes a copy of a database as it was after a step, in a file that is there only once it is whole. The file is copied under a read
 * lock, which keeps what a checkpoint may move; then rows are put to the state before their first change since.
 */
export function makePast(place: Place, step: number, target: string): void {
  const making = `${target}.new`
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(making + suffix, { force: true })
  const source = openDatabase(place.file, { readonly: true })
  try {
    source.exec('begin')
    source.prepare('select count(*) from migration').get()
    copyFileSync(place.file, making, constants.COPYFILE_FICLONE)
    if (existsSync(`${place.file}-wal`)) copyFileSync(`${place.file}-wal`, `${making}-wal`)
  } finally {
    source.close()
  }
  const store = openAgain({ ...place, file: making }, { writes: true, threads: 1 })
  try {
    const { db } = store
    db.keeping = undefined // what is taken back is no change
    db.raw.pragma('synchronous = off')
    db.raw.pragma('foreign_keys = off')
    store.commit.ending = () => {}
    store.commit.now(() => {
      takeBack(db, step)
      counters(store, true) // of these alone the journal keeps nothing
    })
    db.raw.pragma('wal_checkpoint(truncate)')
    db.raw.pragma('journal_mode = delete')
  } finally {
    store.db.raw.close()
  }
  renameSync(making, target)
}

/** Rows that are read at once while others are put back. */
const Batch = 5000

function takeBack(db: Connection, step: number): void {
  const shapes = shapesOf(db)
  const tables = journaled()
  db.run('create temp table earlier (name text, shape integer, row_id integer, before text, step integer)')
  db.run(
    `insert into earlier select s.name, r.shape, r.row_id, r.before, min(r.step) from history_row r
      join history_shape s on s.id = r.shape where r.step > ? group by s.name, r.row_id`,
    step,
  )
  db.run('create index temp.earlier_ix on earlier (name)')
  const names = db.all<{ name: string }>('select distinct name from earlier').filter(({ name }) => tables.has(name))
  for (const { name } of names)
    db.run(`delete from ${q(name)} where id in (select row_id from earlier where name = ? and before is null)`, name)
  for (const { name } of names) {
    const columns = new Set(
      db.all<{ name: string }>('select name from pragma_table_info(?)', name).map((each) => each.name),
    )
    const missing: Row[] = []
    for (let after = 0; ; ) {
      const rows = db.all<{ at: number; shape: number; row_id: number; before: string }>(
        `select rowid as at, shape, row_id, before from earlier where name = ? and before is not null and rowid > ?
          order by rowid limit ?`,
        name,
        after,
        Batch,
      )
      for (const { shape, row_id, before } of rows) {
        const row = readRow(shapes.get(shape)!, before)
        if (!putBack(db, name, row_id, columns, row)) missing.push(row)
      }
      if (rows.length < Batch) break
      after = rows.at(-1)!.at
    }
    for (const row of missing) insert(db, name, columns, row)
  }
  // What the journal does not know is of today, and may be of objects that were not there yet.
  for (const m of allModels.filter(({ past, fields }) => past === false && fields.object?.generic))
    db.run(`delete from ${q(m.table)}`)
  const { change_id } = db.get<{ change_id: number }>('select change_id from history_step where id = ?', step)!
  db.run('delete from core_objectchange where id > ?', change_id)
  db.run('delete from history_row where step > ?', step)
  db.run('delete from history_step where id > ?', step)
  db.touchAll()
}

/** Puts a row that is there to an earlier state; false where it is not, or gives way to others that have its place still. */
function putBack(db: Connection, table: string, id: number, columns: ReadonlySet<string>, row: Row): boolean {
  const now = db.get<Row>(`select * from ${q(table)} where id = ?`, id)
  if (!now) return false
  const changed = Object.keys(row).filter((name) => columns.has(name) && !same(row[name], now[name]))
  if (changed.length === 0) return true
  try {
    db.run(
      `update ${q(table)} set ${changed.map((name) => `${q(name)} = ?`).join(', ')} where id = ?`,
      ...changed.map((name) => row[name]),
      id,
    )
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error
    db.run(`delete from ${q(table)} where id = ?`, id)
    return false
  }
}

function insert(db: Connection, table: string, columns: ReadonlySet<string>, row: Row): void {
  const names = Object.keys(row).filter((name) => columns.has(name))
  db.run(
    `insert into ${q(table)} (${names.map(q).join(', ')}) values (${names.map(() => '?').join(', ')})`,
    ...names.map((name) => row[name]),
  )
}
