import type { Row } from '../fields/field.ts'
import type { Connection } from './database.ts'
import { Self } from './own-ids.ts'

/** What the database of a kit knows of itself. */
export interface KitSelf {
  /** Its number and name at the source, and the key that signs what goes to and fro. */
  number: number
  name: string
  key: string
  /** Address of the source. */
  url: string
  /** The last step of the source that it knows of, and its moment. */
  there: number
  there_time: string
  /** The last own step of which `kit_parted` tells. */
  here: number
  /** Pushes that were made, and those of them that the source has. */
  sent: number
  taken: number
  /** The last own change record of which the source has been told. */
  told: number
}

/**
 * Tables of a kit. `kit_parted`: rows that are another here than where both sides parted, as they were then; `kit_push`
 * and `kit_sent`: what was pushed and is not known to have come, so that it is told from what the source changed;
 * `kit_pull`: change records that tell of what others did.
 */
const Tables = `
  create table ${Self} (
    number integer not null, name text not null, key text not null, url text not null,
    there integer not null, there_time text not null,
    here integer not null, sent integer not null, taken integer not null,
    told integer not null
  ) strict;
  create table kit_parted (
    name text not null, row_id integer not null, row text, primary key (name, row_id)
  ) strict, without rowid;
  create table kit_push (push integer primary key, id text not null, change_id integer not null) strict;
  create table kit_pull (first integer primary key, last integer not null) strict;
  create table kit_sent (
    name text not null, row_id integer not null, push integer not null, row text, primary key (name, row_id, push)
  ) strict, without rowid;`

/** Turns a database into that of a kit. */
export function makeKit(db: Connection, self: KitSelf): void {
  db.raw.exec(Tables)
  const names = Object.keys(self)
  db.raw
    .prepare(`insert into ${Self} (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')})`)
    .run(self)
  db.touchAll()
}

/** What a database knows of itself as a kit; undefined where it is none. */
export function selfOf(db: Connection): KitSelf | undefined {
  const isKit = db.get('select 1 from sqlite_schema where name = ?', Self) !== undefined
  return isKit ? db.get<KitSelf>(`select * from ${Self}`) : undefined
}

const kits = new WeakMap<Connection, boolean>()
/** Whether a database is that of a kit, which it stays while it is open. */
export function isKit(db: Connection): boolean {
  const known = kits.get(db) ?? selfOf(db) !== undefined
  kits.set(db, known)
  return known
}

export function changeSelf(db: Connection, change: Partial<KitSelf>): void {
  const names = Object.keys(change)
  db.run(`update ${Self} set ${names.map((name) => `${name} = ?`).join(', ')}`, ...Object.values(change))
}

/** A row as text, packed values in hexadecimal digits. */
export const rowText = (row: Row | null): string | null =>
  row &&
  JSON.stringify(
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        Buffer.isBuffer(value) ? { hex: value.toString('hex') } : value,
      ]),
    ),
  )

/** A row of what `rowText` made, or of the same as an object. */
export function rowOf(text: string | object | null): Row | null {
  if (text === null) return null
  const row = (typeof text === 'string' ? JSON.parse(text) : text) as Record<string, Row[string] | { hex: string }>
  for (const [name, value] of Object.entries(row))
    if (typeof value === 'object' && value !== null && 'hex' in value) row[name] = Buffer.from(value.hex, 'hex')
  return row as Row
}

/** The last step of the journal, the one that is being made included. */
export function lastStep(db: Connection): number {
  db.added.settle()
  return db.get<{ n: number }>(
    'select max((select max(id) from history_step), coalesce((select max(step) from history_row), 0)) as n',
  )!.n
}

/**
 * The moment from which on a database has to keep its journal: since a kit that is valid was told last, where that was
 * within so many days; in a kit, since it parted from its source. Undefined where nobody needs it.
 */
export function neededSince(db: Connection, days: number): string | undefined {
  const self = selfOf(db)
  if (self) return db.get<{ time: string }>('select time from history_step where id >= ? order by id', self.here)?.time
  const { since } = db.get<{ since: string | null }>(
    `select min(iif(step_time = '', created, step_time)) as since from core_kit
      where revoked = 0 and coalesce(last_seen, created) > strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ?)`,
    `-${days} days`,
  )!
  return since ?? undefined
}
