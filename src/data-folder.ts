import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import * as v from 'valibot'
import { asset } from './assets.ts'
import type { Config } from './config.ts'
import { keepAddonsIn, openDatabase } from './runtime/addons.ts'
import { openStore, type Store } from './store/open.ts'

/** A data folder that another server holds, or that cannot be used. */
export class DataError extends Error {}

/** What lies where in a data folder. */
export const filesOf = (data: string) => ({
  database: join(data, 'cabinet.db'),
  uploads: join(data, 'uploads'),
  peppers: join(data, 'peppers.json'),
  lock: join(data, 'cabinet.lock'),
})

/** Takes the folder for a server: made when missing, locked, its database open and up to date. Throws `DataError` when another server has it. */
export function openData(config: Config): { store: Store; release: () => void } {
  process.umask(0o077) // what is made from here on is for this user alone
  const { database, uploads } = filesOf(config.data)
  const isNew = !existsSync(database)
  makeFolder(config.data, isNew)
  const release = lockData(config.data)
  try {
    makeFolder(uploads, false)
    if (Object.keys(config.peppers).length === 0) config.peppers = readPeppers(config.data)
    return { store: openStore({ file: database, uploads, config }), release }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Opens a data folder for short work of the command line, beside a server that may be using it: SQLite's locks keep both safe.
 * The database is brought up to date only where no server is using it.
 */
export function openBeside(config: Config): Store {
  const { database, uploads } = filesOf(config.data)
  if (!existsSync(database)) throw new DataError(`${config.data} holds no database; cabinet serve makes one`)
  process.umask(0o077)
  keepAddonsIn(config.data)
  if (pendingMigrations(database).length > 0) {
    const { store, release } = openData(config)
    release()
    return store
  }
  if (Object.keys(config.peppers).length === 0) config.peppers = readPeppers(config.data)
  return openStore({ file: database, uploads, config })
}

/** Locks a folder; the system takes the lock back when the process dies, however it dies. Answers what gives it back. */
export function lockData(data: string): () => void {
  keepAddonsIn(data)
  const { lock: file } = filesOf(data)
  const lock = openDatabase(file, { timeout: 0 })
  try {
    lock.pragma('journal_mode = memory')
    lock.exec('begin exclusive')
    return () => void lock.close()
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new DataError(`another Cabinet server is using ${data}`)
  }
}

/** Migrations of this build that a database has not seen. Throws `DataError` for a database of a newer version. */
export function pendingMigrations(database: string): string[] {
  const { entries } = JSON.parse(asset('drizzle/meta/_journal.json')?.toString('utf8') ?? '{"entries":[]}') as {
    entries: { tag: string }[]
  }
  const db = openDatabase(database, { readonly: true })
  try {
    const seen = isMigrated(db) ? (db.prepare('select tag from migration').pluck().all() as string[]) : []
    const known = entries.map(({ tag }) => tag)
    if (seen.some((tag) => !known.includes(tag)))
      throw new DataError(`${database} was written by a newer version of Cabinet: use that version`)
    return known.filter((tag) => !seen.includes(tag))
  } finally {
    db.close()
  }
}

const isMigrated = (db: Database.Database): boolean =>
  db.prepare("select 1 from sqlite_schema where name = 'migration'").get() !== undefined

function makeFolder(folder: string, isNew: boolean): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (isNew) chmodSync(folder, 0o700)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EPERM') throw new DataError(`cannot use ${folder}: ${message}`) // EPERM: a mounted folder of someone else, who lets us write
  }
}

const Peppers = v.record(v.pipe(v.string(), v.regex(/^\d+$/)), v.pipe(v.string(), v.minLength(50)))

/** Secrets of version 2 tokens, made at the first start; without this file those tokens are void. */
function readPeppers(data: string): Record<string, string> {
  const { peppers: file } = filesOf(data)
  if (!existsSync(file)) writeSafely(file, `${JSON.stringify({ 1: randomBytes(48).toString('base64url') }, null, 2)}\n`)
  try {
    return v.parse(Peppers, JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new DataError(`${file} cannot be read as peppers: ${(error as Error).message}`)
  }
}

/** Writes a whole file or none of it: there under its name only once it is on disk. */
function writeSafely(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`
  const handle = openSync(temporary, 'w', 0o600)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(temporary, file)
}
