import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Row, Stored } from '../fields/field.ts'
import { allModels, modelNamed } from '../engine/catalog.ts'
import { q } from '../lib/sql.ts'
import { parseDateTime, momentAt, storedMoment } from '../lib/datetime.ts'
import { copyDatabase } from '../store/copy.ts'
import { headOf, journaled } from '../store/journal.ts'
import type { Connection, Statement } from '../store/database.ts'
import { deleteAfter } from '../store/kept-counts.ts'
import { EveryText, noteNow, noteTexts, pauseNoting, searchedColumns } from '../store/search-later.ts'
import { openAgain, type Place } from '../store/open.ts'
import { isDuplicate } from '../store/unique.ts'
import { counters } from '../services/derived.ts'
import { readRow, shapesOf } from './changes.ts'
import { stepBefore, stepsOfRequest } from './steps.ts'

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

/**
 * The state that a text names: a moment, a duration before now (`-7d`), or the id of a request, after which it was, or
 * before which (`before-…`). Throws `NoSuchMoment`.
 */
export function momentOf(db: Connection, text: string, at = Date.now()): Moment {
  const last = headOf(db).step
  const first = db.get<{ time: string }>('select time from history_step order by id limit 1')!.time
  const wanted = wantedOf(text.trim(), at)
  if (wanted.time === undefined) {
    const steps = stepsOfRequest(db, wanted.request ?? wanted.before)
    const found = wanted.request === undefined ? steps[0] && stepBefore(db, steps[0].id) : steps.at(-1)
    if (!found) throw new NoSuchMoment(`There is no such request since ${first}.`)
    return { step: found.id, time: found.time, isNow: found.id === last }
  }
  const { time } = wanted
  if (time < first) throw new NoSuchMoment(`One can look back to ${first}, not further.`)
  if (time > momentAt(at)) throw new NoSuchMoment('This moment has not come yet.')
  const step = db.get<{ id: number }>('select max(id) as id from history_step where time <= ?', time)!.id
  return { step, time, isNow: step === last }
}

/** The moment of a state that a text names, of a database that holds no later one. */
export const shownTime = (db: Connection, text: string, at = Date.now()): string =>
  wantedOf(text.trim(), at).time ?? headOf(db).time

type Wanted =
  | { request: string; before?: undefined; time?: undefined }
  | { request?: undefined; before: string; time?: undefined }
  | { request?: undefined; before?: undefined; time: string }

const Before = 'before-'

function wantedOf(text: string, at: number): Wanted {
  const duration = /^-(\d{1,9})([smhdw])$/.exec(text)
  if (duration) {
    const past = at - Number(duration[1]) * Units[duration[2]!]! * 1000
    return { time: past < 0 ? '0000' : momentAt(past) }
  }
  const isBefore = text.startsWith(Before)
  const request = (isBefore ? text.slice(Before.length) : text).toLowerCase()
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(request)) return isBefore ? { before: request } : { request }
  const time = parseDateTime(text)
  if (!time) throw new NoSuchMoment('Give a moment (2026-11-01T12:00:00Z), a duration (-7d) or the id of a request.')
  return { time: storedMoment(time) }
}

/**
 * Makes a copy of a database as it was after a step, in a file that is there only once it is whole: all of it is
 * copied, then rows are put to the state before their first change since. The copy has what is needed to be read, and
 * to be taken back further: texts wait for the index of the search, and the journal keeps what came later. `forGood`:
 * it has neither, so that it can be served.
 */
export async function makePast(place: Place, step: number, target: string, { forGood = false } = {}): Promise<void> {
  const making = `${target}.new`
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(making + suffix, { force: true })
  await copyDatabase(place.file, making)
  const store = openAgain({ ...place, file: making }, { writes: true, threads: 1 })
  try {
    const { db } = store
    db.keeping = undefined // what is taken back is no change
    db.raw.pragma('synchronous = off')
    db.raw.pragma('foreign_keys = off')
    store.commit.ending = () => {}
    if (!forGood) db.finishing = () => {}
    store.commit.now(() => {
      const triggers = takeBack(db, step)
      if (forGood) {
        noteNow(db)
        for (const trigger of triggers) db.raw.exec(trigger)
        db.run('delete from history_row where step > ?', step)
      }
      counters(store, true) // of these alone the journal keeps nothing
    })
    db.raw.pragma('wal_checkpoint(truncate)')
    db.raw.pragma('journal_mode = delete')
  } finally {
    store.db.raw.close()
  }
  renameSync(making, target)
}

/** Brings the index of the search of an earlier state up to date, which `makePast` left for when somebody searches. */
export function indexPast(place: Place): void {
  const { db, commit } = openAgain(place, { writes: true, threads: 1 })
  try {
    db.keeping = undefined
    db.raw.pragma('synchronous = off')
    commit.ending = () => {}
    commit.now(() => noteNow(db))
  } finally {
    db.raw.close()
  }
}

/**
 * Takes back what came after a step. Answers statements that make triggers again, which would have noted each change by
 * itself.
 */
function takeBack(db: Connection, step: number): string[] {
  const known = db.get<{ change_id: number }>('select change_id from history_step where id = ?', step)
  if (!known) throw new NoSuchMoment('This moment was forgotten just now.')
  const shapes = shapesOf(db)
  const tables = journaled()
  db.run('create temp table kind (shape integer primary key, kind integer, name text)')
  db.run(
    `insert into temp.kind select s.id, (select min(o.id) from history_shape o where o.name = s.name), s.name
      from history_shape s`,
  )
  db.run(
    `create temp table earlier (kind integer, row_id integer, shape integer, step integer, is_new integer,
      primary key (kind, row_id)) without rowid`,
  )
  // The texts of rows stay where they are: only the first change of each row is looked at.
  db.run(
    `insert into earlier select k.kind, r.row_id, r.shape, min(r.step), r.before is null
      from history_row r join temp.kind k on k.shape = r.shape
      where r.step > ? and r.step <= (select max(id) from history_step) group by k.kind, r.row_id`,
    step,
  )
  const kinds = db
    .all<{ kind: number; name: string }>(
      'select distinct e.kind, k.name from earlier e join temp.kind k on k.shape = e.kind',
    )
    .filter(({ name }) => tables.has(name))
  const triggers = kinds.flatMap(({ name }) => pauseNoting(db, name))
  for (const { kind, name } of kinds)
    db.run(`delete from ${q(name)} where id in (select row_id from earlier where kind = ? and is_new)`, kind)
  for (const { kind, name } of kinds) putBack(db, kind, name, shapes)
  // What the journal does not know is of today, and may be of objects that were not there yet.
  for (const m of allModels.filter(({ past, fields }) => past === false && fields.object?.generic))
    db.run(`delete from ${q(m.table)}`)
  deleteAfter(db, modelNamed('core.objectchange'), known.change_id)
  db.run('delete from history_step where id > ?', step)
  db.touchAll()
  return triggers
}

/** Rows that are read at once while others are put back. */
const Batch = 5000

/**
 * Puts the rows of a table to their earlier states: what differs in those that are there, and all of those that are
 * not.
 */
function putBack(db: Connection, kind: number, table: string, shapes: ReturnType<typeof shapesOf>): void {
  const columns = db
    .all<{ name: string; type: string }>('select name, type from pragma_table_info(?)', table)
    .map(({ name, type }) => ({ name, isBytes: type.toLowerCase() === 'blob' }))
  const now = columns.map(({ name, isBytes }) =>
    isBytes ? `iif(t.${q(name)} is null, null, hex(t.${q(name)}))` : `t.${q(name)}`,
  )
  const read = db.raw
    .prepare(
      `select e.row_id, e.shape, r.before, t.id is not null, ${now.join(', ')}
        from earlier e join history_row r on r.step = e.step and r.shape = e.shape and r.row_id = e.row_id
        left join ${q(table)} t on t.id = e.row_id
        where e.kind = ? and not e.is_new and e.row_id > ? order by e.row_id limit ?`,
    )
    .raw()
  const update = kept((places: string): Statement => {
    const set = places.split(',').map((place) => `${q(columns[Number(place)]!.name)} = ?`)
    // Nobody is told: nobody reads here yet.
    return db.raw.prepare(`update ${q(table)} set ${set.join(', ')} where id = ?`)
  })
  const placesOf = kept((shape: number): number[] =>
    shapes.get(shape)!.columns.map((column) => {
      const name = typeof column === 'string' ? column : column.hex
      return columns.findIndex((each) => each.name === name)
    }),
  )
  const searched = searchedColumns(table)
  const texts = kept((_column: string): number[] => [])
  const missing: Row[] = []
  for (let after = -1; ; ) {
    const some = read.all(kind, after, Batch) as [number, number, string, number, ...(string | number | null)[]][]
    for (const [id, shape, before, isThere, ...is] of some) {
      const was = JSON.parse(before) as (string | number | null)[]
      const [changed, values]: [number[], Stored[]] = [[], []]
      placesOf(shape).forEach((place, i) => {
        const value = was[i] ?? null
        if (place < 0 || value === is[place]) return
        const { name, isBytes } = columns[place]!
        changed.push(place)
        values.push(isBytes && value !== null ? Buffer.from(String(value), 'hex') : value)
        if (isThere && searched.has(name)) texts(name).push(id)
      })
      if (isThere && (changed.length === 0 || isPut(update(changed.join()), [...values, id]))) continue
      if (isThere) db.run(`delete from ${q(table)} where id = ?`, id)
      missing.push(readRow(shapes.get(shape)!, before))
    }
    if (some.length < Batch) break
    after = some.at(-1)![0]
  }
  const names = new Set(columns.map(({ name }) => name))
  for (const row of missing) insert(db, table, names, row)
  for (const [name, field] of searched) noteTexts(db, table, field, texts(name))
  const gone = db.all<{ id: number }>('select row_id as id from earlier where kind = ? and is_new', kind)
  const came = [...gone, ...missing] as { id: number }[]
  noteTexts(
    db,
    table,
    EveryText,
    came.map(({ id }) => id),
  )
}

/** A function that works out each thing once. */
function kept<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key)
    known.set(key, made)
    return made
  }
}

/** Runs an update of a row; false where it gives way to others that have its place still. */
function isPut(update: Statement, values: readonly Stored[]): boolean {
  try {
    update.run(...values)
    return true
  } catch (error) {
    if (!isDuplicate(error)) throw error
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
