import type Database from 'better-sqlite3'
import type { AnyModel } from '../declare/model.ts'
import {
  addedModels,
  countedUpto,
  countSchema,
  countTables,
  counting,
  keptCount,
  keptModels,
} from '../engine/kept-counts.ts'
import type { Stored } from '../fields/field.ts'
import { complain } from '../lib/log.ts'
import { hashOfStatements, q } from '../lib/sql.ts'
import { Lru } from '../lib/lru.ts'
import type { Connection } from './database.ts'

const TriggerNames = "select name from sqlite_schema where type = 'trigger' and name like 'count\\_%' escape '\\'"

/** Makes the kept counts where the database has none, or those of other declarations, and counts what came since. */
export function ensureCounts(raw: Database.Database): void {
  const schema = countSchema()
  const version = hashOfStatements(schema)
  raw.exec('create table if not exists count_version (version text not null) strict')
  const isCurrent =
    raw.prepare('select version from count_version').pluck().get() === version &&
    // A table that a migration made anew has lost its own.
    raw.prepare(TriggerNames).all().length === schema.filter((each) => each.startsWith('create trigger')).length
  if (!isCurrent) rebuildCounts(raw, version)
  else catchUp(raw)
}

function catchUp(raw: Database.Database): void {
  try {
    if (keptModels.some((m) => behind(raw, m) > MaxBehind)) raw.transaction(() => countLater(raw)).immediate()
  } catch (error) {
    // The server serves what it can, and says what is damaged.
    if ((error as { code?: string }).code !== 'SQLITE_CORRUPT') throw error
  }
}

/** Counts everything anew, in one transaction. */
export function rebuildCounts(raw: Database.Database, version?: string): void {
  const kept = version ?? (raw.prepare('select version from count_version').pluck().get() as string)
  raw
    .transaction(() => {
      for (const name of raw.prepare(TriggerNames).pluck().all() as string[]) raw.exec(`drop trigger "${name}"`)
      for (const table of countTables()) raw.exec(`drop table if exists ${table}`)
      for (const statement of countSchema()) raw.exec(statement)
      countLater(raw)
      raw.exec('delete from count_version')
      raw.prepare('insert into count_version values (?)').run(kept)
    })
    .immediate()
}

/**
 * Deletes the rows of a large table after an id. What is counted of them is taken back at once, not row by row; and
 * where most of them go, indexes are made anew for those that stay.
 */
export function deleteAfter({ raw }: Connection, m: AnyModel, id: number): void {
  const table = q(m.table)
  for (const statement of counting(m).takeBack) raw.prepare(statement).run({ id })
  const number = (where: string) =>
    raw.prepare(`select count(*) from ${table} where ${where}`).pluck().get(id) as number
  const kinds = number('id > ?') > number('id <= ?') ? ['trigger', 'index'] : ['trigger']
  const parts = raw
    .prepare(
      `select type, name, sql from sqlite_schema
        where tbl_name = ? and sql is not null and type in (select value from json_each(?))`,
    )
    .all(m.table, JSON.stringify(kinds)) as { type: string; name: string; sql: string }[]
  for (const { type, name } of parts) raw.exec(`drop ${type} ${q(name)}`)
  raw.prepare(`delete from ${table} where id > ?`).run(id)
  for (const { sql } of parts) raw.exec(sql)
}

/** Rows that may come before they are counted: a read that counts them takes some 50 µs, those of the log are large. */
const MaxBehind = 128
/** Rows of any table that are written between two looks at how many those are. */
const Written = 500
/** Rows that take so long to count that a server which does so at its start says why it is late. */
const Noticed = 1_000_000
const behind = (raw: Database.Database, m: AnyModel): number => raw.prepare(counting(m).behind).pluck().get() as number
/** Kept combinations past which their rows are merged, when there are twice as many as after the last time. */
const ManyGroups = 300
const merged = new WeakMap<AnyModel, number>()

function countLater(raw: Database.Database): void {
  for (const m of keptModels) {
    const { add, isMany, groups, merge } = counting(m)
    const lacking = behind(raw, m)
    if (lacking > Noticed && raw.prepare(isMany).pluck().get(Noticed) === 1)
      complain(`cabinet: the rows of ${m.table} are counted, some seconds for a million\n`)
    if (lacking > 0) for (const statement of add) raw.exec(statement)
    const size = () => raw.prepare(groups).pluck().get() as number
    if (size() <= Math.max(ManyGroups, 2 * (merged.get(m) ?? 0))) continue
    for (const statement of merge) raw.exec(statement)
    merged.set(m, size())
  }
}

/** Counts rows that a connection adds under ids of their own. */
export function joinCounts({ raw, added }: Connection): void {
  let upto: Database.Statement | undefined
  for (const m of addedModels) {
    let step: Database.Statement | undefined
    added.follow(m.table, 'count', (ids, json) => {
      upto ??= raw.prepare(countedUpto).pluck()
      const last = upto.get(m.table) as number
      if (ids.every((id) => id > last)) return
      step ??= raw.prepare(counting(m).among)
      step.run({ ids: json })
    })
  }
}

/** Counts what came since, once that is much; called at the end of each transaction, inside it. */
export function counter(raw: Database.Database): () => void {
  const changes = raw.prepare('select total_changes()').pluck()
  let counted = changes.get() as number
  let reads: Database.Statement[] | undefined
  return () => {
    const now = changes.get() as number
    if (now - counted < Written) return
    counted = now
    reads ??= keptModels.map((m) => raw.prepare(counting(m).behind).pluck())
    if (reads.some((read) => (read.get() as number) > MaxBehind)) countLater(raw)
  }
}

/** Conditions that compare more than the counted columns. */
const others = new Lru<string, true>(4000)

/** How many rows meet a condition, by what is kept; undefined where it asks for more than that knows. */
export function countKept(
  db: Connection,
  m: AnyModel,
  where: readonly string[],
  values: Readonly<Record<string, Stored>>,
): number | undefined {
  if (!m.large) return undefined
  const sql = keptCount(m, where)
  if (others.get(sql)) return undefined
  db.added.settle()
  try {
    return db.get<{ n: number }>(sql, values)!.n
  } catch (error) {
    if (!/no such column/.test((error as Error).message)) throw error
    others.set(sql, true)
    return undefined
  }
}
