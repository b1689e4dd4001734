import { momentAt } from '../lib/datetime.ts'
import type Database from 'better-sqlite3'
import { linkTable } from '../fields/field.ts'
import { lit, q } from '../lib/sql.ts'
import { allModels, fieldsOf, modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Authorship } from './changelog.ts'
import type { Connection } from './database.ts'
import { Keeping } from './keeping.ts'

/**
 * The journal: each row as it was before each write that changed it, so that any earlier state can be had again. A
 * write is one step; of a row that it changed often, the first state is kept. Triggers of the writing connection keep
 * it, so that no write is missed; rows that are added are noted together. Stored counters alone are no change: they
 * follow from the rows that are counted.
 */
export interface Journaled {
  table: string
  /** The model of the rows; of a link table, the model that has the field `links`. */
  m: AnyModel
  links?: { name: string; to: string }
}

/** Tables whose rows the journal keeps, by name. */
export function journaled(): ReadonlyMap<string, Journaled> {
  known ??= new Map(
    allModels
      .filter((m) => m.past !== false)
      .flatMap((m): Journaled[] => [
        { table: m.table, m },
        ...fieldsOf(m)
          .filter(([, { links }]) => links && !links.via && modelNamed(links.model).past !== false)
          .map(([name, { links }]) => ({ table: linkTable(m.table, name), m, links: { name, to: links!.model } })),
      ])
      .map((each) => [each.table, each]),
  )
  return known
}
let known: ReadonlyMap<string, Journaled> | undefined

const Tables = `
  create table if not exists history_step (
    id integer primary key, time text not null, request_id text not null, user_name text not null,
    change_id integer not null
  ) strict;
  create index if not exists history_step_request_ix on history_step (request_id);
  create index if not exists history_step_time_ix on history_step (time);
  create table if not exists history_shape (id integer primary key, name text not null, columns text not null) strict;
  create table if not exists history_row (
    step integer not null, shape integer not null, row_id integer not null, before text,
    primary key (step, shape, row_id)
  ) strict, without rowid;
  create table if not exists history_file (path text primary key, step integer not null) strict, without rowid;
  create index if not exists history_row_of_ix on history_row (shape, row_id, step);`

interface ColumnFacts {
  name: string
  type: string
}

/** What the journal keeps of a column: its value, or that of a packed one in hexadecimal digits. */
const kept = (column: ColumnFacts): string => {
  const value = `old.${q(column.name)}`
  return isPacked(column) ? `case when ${value} is not null then hex(${value}) end` : value
}
const isPacked = ({ type }: ColumnFacts): boolean => type.toLowerCase() === 'blob'

/** Makes the journal where there is none; where others wrote without it, or `isNew` says so, it begins anew. */
export function makeJournal(raw: Database.Database, isNew = false): void {
  if (!isNew && isCurrent(raw)) return
  raw
    .transaction(() => {
      if (!isNew && isCurrent(raw)) return // others may have begun it meanwhile
      raw.exec(Tables)
      begin(raw)
    })
    .immediate()
}

/**
 * Has a connection write to the journal: each table's triggers are made before it is first written, since all of them
 * take 30 ms.
 */
export function joinJournal(db: Connection): void {
  const follow = (tables: readonly string[], shapes: ReadonlyMap<string, number>): void => {
    for (const table of tables) {
      let note: Database.Statement | undefined
      db.added.follow(table, 'journal', (_, ids) => {
        note ??= db.raw.prepare(
          `insert or ignore into history_row (step, shape, row_id, before)
            select ${Step}, ${shapes.get(table)!}, value, null from json_each(?)`,
        )
        note.run(ids)
      })
    }
  }
  db.keeping = new Keeping(new Set(journaled().keys()), {
    begin: (tables) => {
      const columns = columnsOf(db.raw, tables)
      const shapes = shapesOf(db.raw, columns)
      db.raw.exec(tables.map((table) => triggersOf(table, shapes.get(table)!, columns.get(table)!)).join(''))
      follow(tables, shapes)
    },
    follow: (tables) => follow(tables, shapesOf(db.raw, columnsOf(db.raw, tables))),
    emptyOf: (tables) => emptyOf(db, tables),
    isWithin: () => db.transaction !== undefined,
  })
}

const columnsOf = (raw: Database.Database, tables: readonly string[]): ReadonlyMap<string, readonly Column[]> =>
  Map.groupBy(
    raw
      .prepare('select t.value as "table", c.name, c.type from json_each(?) t, pragma_table_info(t.value) c')
      .all(JSON.stringify(tables)) as Column[],
    ({ table }) => table,
  )
interface Column extends ColumnFacts {
  table: string
}

/** Those of some tables that hold no row. */
function emptyOf(db: Connection, tables: readonly string[]): string[] {
  if (tables.length === 0) return []
  const each = tables.map((table) => `select ${lit(table)} where not exists (select 1 from ${q(table)})`)
  const sql = each.join(' union all ')
  const statement = tables.length === 1 ? db.prepare(sql) : db.raw.prepare(sql) // of one it is asked often
  return statement.pluck().all() as string[]
}

/** Numbers of what tables hold now, by which the journal tells how a row was written. */
function shapesOf(raw: Database.Database, columnsOf: ReadonlyMap<string, readonly ColumnFacts[]>): Map<string, number> {
  const known = raw.prepare('select id from history_shape where name = ? and columns = ?').pluck()
  const make = raw.prepare('insert into history_shape (name, columns) values (?, ?)')
  const shapeOf = (table: string, facts: readonly ColumnFacts[]): number => {
    const columns = JSON.stringify(facts.map((each) => (isPacked(each) ? { hex: each.name } : each.name)))
    return (known.get(table, columns) as number | undefined) ?? Number(make.run(table, columns).lastInsertRowid)
  }
  return new Map([...columnsOf].map(([table, facts]) => [table, shapeOf(table, facts)]))
}

/** The step that is being made: one more than the last that ended. */
const Step = '(select max(id) + 1 from history_step)'

/** Columns that are counted anew where a state is had again. */
const counters = ({ m, links }: Journaled): ReadonlySet<string> =>
  new Set(links ? [] : fieldsOf(m).flatMap(([name, { counter }]) => (counter ? [name] : [])))

function triggersOf(table: string, shape: number, facts: readonly ColumnFacts[]): string {
  const counted = counters(journaled().get(table)!)
  const told = facts.filter(({ name }) => !counted.has(name)).map(({ name }) => q(name))
  const note = `
    insert into history_row (step, shape, row_id, before)
      select ${Step}, ${shape}, old.id, json_array(${facts.map(kept).join(', ')})
      where not exists (select 1 from history_row where step = ${Step} and shape = ${shape} and row_id = old.id);`
  const trigger = (what: string, on = what) =>
    `create temp trigger if not exists ${q(`history_${what}_${table}`)}
      after ${on} on main.${q(table)} begin ${note} end;`
  return trigger('update', `update of ${told.join(', ')}`) + trigger('delete')
}

const newestChange = (raw: Database.Database): number =>
  raw.prepare('select coalesce(max(id), 0) from core_objectchange').pluck().get() as number

/** Whether every change that was recorded was made with the journal; in one question, as others may be writing. */
function isCurrent(raw: Database.Database): boolean {
  const isThere = raw.prepare("select 1 from sqlite_schema where name = 'history_row'").get() !== undefined
  const asked = `select (select coalesce(max(id), 0) from core_objectchange)
    <= (select change_id from history_step order by id desc limit 1)`
  return isThere && raw.prepare(asked).pluck().get() === 1
}

/** A first step stands for the state that the journal begins with. */
function begin(raw: Database.Database): void {
  const last = raw.prepare('select coalesce(max(id), 0) from history_step').pluck().get() as number
  raw.exec('delete from history_row; delete from history_step')
  raw
    .prepare("insert into history_step values (?, ?, '', '', ?)")
    .run(last + 1, momentAt(Date.now()), newestChange(raw))
}

const End = `
  insert into history_step (id, time, request_id, user_name, change_id)
  select s.id + 1, max(?, s.time), ?, ?, (select coalesce(max(c.id), 0) from core_objectchange c)
  from (select id, time from history_step order by id desc limit 1) s
  where exists (select 1 from history_row r where r.step = s.id + 1)`

/** The last step that ended. */
export const headOf = (db: Connection): { step: number; time: string } =>
  db.get<{ step: number; time: string }>('select id as step, time from history_step order by id desc limit 1')!

const DateBack = 'update history_step set time = :now where time > :now'

/**
 * Ends the step of a write, if it changed any row: it is the write's own from now on. `isSetBack`: the clock was ahead
 * until now; what was dated so is no later than this, or nobody could look back to what follows until then.
 */
export function endStep(
  db: Connection,
  by: Authorship | undefined,
  now: () => string,
  { isSetBack = false } = {},
): void {
  if (isSetBack) {
    db.run(DateBack, { now: now() })
    if (by) by = { ...by, now: now() }
  }
  db.added.settle()
  db.run(End, by?.now ?? now(), by?.requestId ?? '', by?.username ?? '')
  db.keeping?.endStep()
}

/** Says that a file of the uploads is named by earlier states only, so that it stays as long as they do. */
export const keepFile = (db: Connection, path: string): void =>
  void db.run(`insert or replace into history_file (path, step) values (?, ${Step})`, path)

/** Files at once: each is looked for and removed by itself, in this thread. */
const MostFiles = 50

/**
 * Forgets steps before a moment, the oldest first, up to so many of them and of earlier states of rows at once. Answers
 * whether that was all, and files that no earlier state names now.
 */
export function forgetSteps(db: Connection, before: string, limit: number): { isAll: boolean; files: string[] } {
  const last = db.get<{ id: number | null }>('select max(id) as id from history_step where time < ?', before)!.id
  if (last === null) return { isAll: true, files: [] }
  const { first } = db.get<{ first: number }>(
    'select max(id) as first from (select id from history_step where id <= ? order by id limit ?)',
    last,
    limit + 1,
  )!
  // Before their rows, so that nobody looks back to a state of which a part is gone.
  db.run('delete from history_step where id < ?', first)
  const { changes } = db.run(
    `delete from history_row where (step, shape, row_id) in (
       select step, shape, row_id from history_row where step <= ? order by step limit ?)`,
    first,
    limit,
  )
  if (changes === limit || first < last) return { isAll: false, files: [] }
  const most = Math.min(limit, MostFiles)
  const files = db.all<{ path: string }>('select path from history_file where step <= ? limit ?', last, most)
  for (const { path } of files) db.run('delete from history_file where path = ?', path)
  return { isAll: files.length < most, files: files.map(({ path }) => path) }
}
