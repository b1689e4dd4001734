import { createHash } from 'node:crypto'
import type Database from 'better-sqlite3'
import { searchFilling, searchIndexing, searchSchema, SearchTable } from '../engine/search.ts'

/** Makes the index of the search where the database has none, or one of other declarations. True when it was filled anew. */
export function ensureSearch(raw: Database.Database): boolean {
  const schema = searchSchema()
  const version = createHash('sha256').update(schema.join('\n')).digest('hex').slice(0, 32)
  raw.exec('create table if not exists search_version (version text not null) strict')
  const triggers = raw.prepare(
    "select count(*) from sqlite_schema where type = 'trigger' and name like 'search\\_%' escape '\\'",
  )
  const isCurrent =
    raw.prepare('select version from search_version').pluck().get() === version &&
    triggers.pluck().get() === schema.filter((statement) => statement.startsWith('create trigger')).length // a table that a migration made anew has lost its own
  if (isCurrent) return false
  rebuildSearch(raw, version)
  return true
}

/** Makes the index anew from the rows that are there, in one transaction. */
export function rebuildSearch(raw: Database.Database, version?: string): void {
  const kept = version ?? (raw.prepare('select version from search_version').pluck().get() as string)
  raw
    .transaction(() => {
      const names = raw.prepare(
        "select name from sqlite_schema where type = 'trigger' and name like 'search\\_%' escape '\\'",
      )
      for (const name of names.pluck().all() as string[]) raw.exec(`drop trigger "${name}"`)
      raw.exec(`drop table if exists ${SearchTable}; drop table if exists search_queue`)
      for (const statement of searchSchema()) raw.exec(statement)
      for (const statement of searchFilling()) raw.exec(statement)
      raw.exec('delete from search_version')
      raw.prepare('insert into search_version values (?)').run(kept)
    })
    .immediate()
}

/** Puts what a transaction changed into the index; called at its end, inside it. */
export function searchIndexer(raw: Database.Database): () => void {
  const isNeeded = raw.prepare(searchIndexing.isNeeded).pluck()
  const steps = searchIndexing.steps.map((step) => raw.prepare(step))
  return () => {
    if (isNeeded.get() !== undefined) for (const step of steps) step.run()
  }
}
