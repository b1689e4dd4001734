import { readdirSync, renameSync, rmSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import { asset } from '../lib/assets.ts'

interface Journal {
  entries: { tag: string; when: number }[]
}

/** A database that this executable cannot serve. */
export class MigrationError extends Error {}

/** Reads one migration file: `meta/_journal.json`, or `<tag>.sql`. */
export type Source = (name: string) => string

const embedded: Source = (name) => {
  const bytes = asset(`drizzle/${name}`)
  if (!bytes) throw new MigrationError(`migration ${name} is missing from this build`)
  return bytes.toString('utf8')
}

/**
 * Applies the migrations that the database has not seen, each in its own transaction; answers their tags.
 * Foreign keys are off for the whole run: SQLite ignores that pragma inside a transaction, and a table that is rebuilt
 * would fire the actions of every key that points at it. A database with data is copied beside itself first.
 */
export function migrate(db: Database.Database, source: Source = embedded): string[] {
  const journal = JSON.parse(source('meta/_journal.json')) as Journal
  db.exec('create table if not exists migration (tag text primary key, applied text not null) strict')
  const seen = new Set(db.prepare('select tag from migration').pluck().all() as string[])
  const known = journal.entries.map((entry) => entry.tag)
  const unknown = [...seen].filter((tag) => !known.includes(tag))
  if (unknown.length)
    throw new MigrationError(
      `this database was written by a newer version of Cabinet (migration ${unknown[0]}): use that version`,
    )
  const pending = known.filter((tag) => !seen.has(tag))
  if (pending.length === 0) return []
  if (seen.size > 0 && db.name !== ':memory:') copyAside(db, pending[0]!)
  db.pragma('foreign_keys = off')
  try {
    for (const tag of pending) db.transaction(apply).immediate(db, tag, source(`${tag}.sql`))
  } finally {
    db.pragma('foreign_keys = on')
  }
  return pending
}

/**
 * Copies the database through SQLite, which keeps its locks; through another name, so that one that is killed leaves no
 * half copy that looks whole. It takes the place of all earlier copies: one of an attempt that failed may be of other
 * data by now.
 */
function copyAside(db: Database.Database, tag: string): void {
  const copy = `${db.name}.before-${tag}`
  const making = `${copy}.part`
  rmSync(making, { force: true })
  db.prepare('vacuum into ?').run(making)
  renameSync(making, copy)
  for (const other of copiesOf(db.name)) if (other !== copy) rmSync(other)
}

/** What is left of migrations: copies of a database, and those that were being made. */
function copiesOf(database: string): string[] {
  const [folder, own] = [dirname(database), `${basename(database)}.before-`]
  const isOurs = (name: string): boolean => name.startsWith(own) && /^\d{4}/.test(name.slice(own.length))
  return readdirSync(folder)
    .filter(isOurs)
    .map((name) => join(folder, name))
}

/** Removes copies that migrations made before a moment, in milliseconds since 1970. */
export async function removeCopies(database: string, before: number): Promise<void> {
  for (const copy of copiesOf(database)) if ((await stat(copy)).mtimeMs < before) await rm(copy)
}

function apply(db: Database.Database, tag: string, sql: string): void {
  for (const statement of sql.split('--> statement-breakpoint')) {
    if (!/^\s*pragma foreign_keys/i.test(statement)) db.exec(statement)
  }
  const broken = db.pragma('foreign_key_check') as unknown[]
  if (broken.length > 0) throw new MigrationError(`migration ${tag} leaves ${broken.length} broken references`)
  db.prepare("insert into migration values (?, datetime('now'))").run(tag)
}
