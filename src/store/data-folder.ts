import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import type Database from 'better-sqlite3'
import * as v from 'valibot'
import { asset } from '../lib/assets.ts'
import type { Config } from '../config.ts'
import { keepAddonsIn, openDatabase } from '../lib/addons.ts'
import { isRunning } from '../lib/kill.ts'
import { accessFault } from '../lib/owner.ts'
import { syncFolder, writeSafely, writeWhole } from '../lib/safe-file.ts'
import { openStore, type Place, type Store } from './open.ts'
import { roleOf } from './replication.ts'
import { endRestore, isHalfRestored } from './restoring.ts'

/** A data folder that another server holds, or that cannot be used. */
export class DataError extends Error {}

/** The files of a data folder. */
export const filesOf = (data: string) => ({
  database: join(data, 'cabinet.db'),
  uploads: join(data, 'uploads'),
  peppers: join(data, 'peppers.json'),
  lock: join(data, 'cabinet.lock'),
  past: join(data, 'past'),
  kits: join(data, 'kits'),
  conflicts: join(data, 'conflicts.json'),
  decided: join(data, 'decided.json'),
  incoming: join(data, 'incoming.bundle'),
  backup: join(data, 'last-backup.json'),
  series: join(data, 'backup-series.json'),
  replica: join(data, 'replica'),
  locked: join(data, 'kit.locked'),
})

/** A database, and what SQLite has beside it. */
const databaseFiles = (database: string): string[] => ['', '-wal', '-shm'].map((end) => database + end)

/** Throws `DataError` where a file that is to be written is none, or one of those that a data folder lives by. */
export function demandForeign(data: string, file: string): void {
  if (file === '-') throw new DataError('- names no file, and nothing of this goes to standard output: name a file')
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new DataError(`${file} is a folder: name a file in it`)
  const real = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path))
  const [own, at] = [real(data), existsSync(file) ? real(file) : join(real(dirname(resolve(file))), basename(file))]
  const [first = ''] = at.startsWith(own + sep) ? at.slice(own.length + 1).split(sep) : []
  if (/^(?:cabinet\.db.*|cabinet\.lock.*|peppers\.json|kit\.locked|uploads)$/.test(first))
    throw new DataError(`${file} belongs to the data in ${data}: name another file`)
}

/** What a store is opened with, of a folder that is being served. */
export const placeOf = (config: Config): Place => {
  const { database, uploads } = filesOf(config.data)
  return { file: database, uploads, config }
}

/** What a start tolerates: `newPeppers`, that version 2 tokens and second factors are lost with their secrets. */
export interface Opening {
  newPeppers?: boolean
  /** That the import of another server did not end. */
  unfinished?: boolean
  /** Called as soon as a folder that holds no database yet is the caller's. */
  begun?: () => void
}

/**
 * Takes the folder for a server: made when missing, locked, its database open and up to date. Throws `DataError` when
 * another server has it, or for what is no database of ours.
 */
export function openData(config: Config, opening: Opening = {}): { store: Store; release: () => void } {
  demandOwn(config.data)
  process.umask(0o077) // what is made from here on is for this user alone
  const { database, uploads } = filesOf(config.data)
  makeFolder(config.data, !existsSync(database))
  demandAccess(...databaseFiles(database))
  const release = lockData(config.data)
  try {
    endRestore(config.data)
    clearRemains(config.data)
    const isNew = !existsSync(database)
    makeFolder(uploads, false)
    if (isNew) opening.begun?.()
    const raw = isNew ? undefined : examined(database, opening.unfinished ? undefined : refuseUnfinished)
    if (Object.keys(config.peppers).length === 0) config.peppers = readPeppers(config.data, opening)
    if (isNew) makeDatabase(config)
    return { store: openStore({ file: database, uploads, config }, raw), release }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Opens a data folder for short work of the command line, beside a server that may be using it: SQLite's locks keep
 * both safe. The database is brought up to date only where no server is using it.
 */
export function openBeside(config: Config): Store {
  demandOwn(config.data)
  const { database, uploads } = filesOf(config.data)
  if (isHalfRestored(config.data)) {
    const release = lockData(config.data)
    endRestore(config.data)
    release()
  }
  if (existsSync(config.data)) probeFolder(config.data) // in one of somebody else no file is seen
  if (!existsSync(database)) throw new DataError(`${config.data} holds no database; cabinet serve makes one`)
  process.umask(0o077)
  keepAddonsIn(config.data)
  const raw = examined(database)
  if (pendingMigrations(raw).length > 0) {
    raw.close()
    const { store, release } = openData(config, { unfinished: true })
    release()
    return store
  }
  if (Object.keys(config.peppers).length === 0) config.peppers = readPeppers(config.data)
  return openStore({ file: database, uploads, config, isBeside: true }, raw)
}

/** The same for what adds to the data: throws `DataError` where the disk has no more room than its reserve. */
export function openToAdd(config: Config): Store {
  demandRoom(config)
  return openBeside(config)
}

/** Throws `DataError` for a folder whose data are another server's, or locked. */
function demandOwn(data: string): void {
  demandUnlocked(data)
  const role = roleOf(data)
  if (role?.role === 'follower')
    throw new DataError(
      `${data} follows ${role.place}: what is asked for is done at its source; cabinet promote makes it one`,
    )
}

/** Throws `DataError` for a folder that holds a locked kit. */
export function demandUnlocked(data: string): void {
  if (existsSync(filesOf(data).locked) && !existsSync(filesOf(data).database))
    throw new DataError(`${data} is locked with a passphrase: cabinet kit unlock --data ${data} opens it`)
}

/** Throws `DataError` for a file that is there, and that this user may not read and write. */
function demandAccess(...files: string[]): void {
  for (const file of files) {
    const fault = accessFault(file)
    if (fault) throw new DataError(fault)
  }
}

/**
 * Locks a folder; the system takes the lock back when the process dies, however it dies. Answers what gives it back.
 */
export function lockData(data: string): () => void {
  keepAddonsIn(data)
  const { lock: file } = filesOf(data)
  demandAccess(file)
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

/**
 * Makes the database of a new folder under another name: one that is there under its own is whole. The executable has
 * one that was made with it, empty; what a fresh server holds is added when it is opened.
 */
function makeDatabase(config: Config): void {
  const { database, uploads } = filesOf(config.data)
  const making = `${database}.new`
  for (const file of databaseFiles(making)) rmSync(file, { force: true })
  const image = asset('fresh/cabinet.db.zst')
  if (image && image.length > 0) writeWhole(making, zstdDecompressSync(image))
  else openStore({ file: making, uploads, config }).close()
  renameSync(making, database)
  syncFolder(config.data)
}

/** Throws `DataError` for a folder that holds a part of another server's objects. */
function refuseUnfinished(db: Database.Database): void {
  const columns = db.prepare("select name from pragma_table_info('import_source')").pluck().all()
  if (!columns.includes('finished')) return
  const url = db.prepare('select url from import_source where finished = 0').pluck().get()
  if (url !== undefined)
    throw new DataError(
      `the import from ${String(url)} did not end: cabinet import netbox ${String(url)} goes on, ` +
        'cabinet serve --unfinished serves what is here',
    )
}

/** Milliseconds after which nothing is at work any more that needs no lock of the folder. */
const Abandoned = 86_400_000

/**
 * Removes what commands that were killed left behind: restores and clones hold the folder's lock, so that none is at
 * work; exports of an earlier moment do not, and end within a day.
 */
export function clearRemains(data: string): void {
  clearUpgrades(data)
  for (const name of readdirSync(data)) {
    const path = join(data, name)
    const isOver = () => Date.now() - statSync(path).mtimeMs > Abandoned
    if (/^\.restore-\w{6}$/.test(name) || (/^\.(past|upgrade)-\w{6}$/.test(name) && isOver()))
      rmSync(path, { recursive: true, force: true })
  }
}

/** Begins the name of the folder of an upgrade; its process follows, for one that is at work starts the server. */
export const UpgradeFolder = '.upgrade-'

/** Removes copies of the data that upgrades left when they were killed. */
export function clearUpgrades(data: string): void {
  for (const name of readdirSync(data)) {
    const [, pid] = /^\.upgrade-(\d+)-\w{6}$/.exec(name) ?? []
    if (pid && !isRunning(Number(pid))) rmSync(join(data, name), { recursive: true, force: true })
  }
}

/**
 * Opens a database, once: reading its schema takes 6 ms. Throws `DataError` for a file that is none of Cabinet, having
 * changed nothing.
 */
function examined(database: string, more?: (db: Database.Database) => void): Database.Database {
  const refuse = (what: string, cause?: unknown): never => {
    throw new DataError(
      `${database} ${what}: restore a backup (cabinet restore FILE --force), or move it away to begin anew`,
      { cause },
    )
  }
  let db: Database.Database | undefined
  try {
    db = openDatabase(database)
    const tables = db.prepare("select name from sqlite_schema where type = 'table'").pluck().all() as string[]
    if (tables.length === 0) refuse('is empty')
    if (!tables.includes('migration') || !tables.includes('users_token')) refuse('is the database of another program')
    more?.(db)
    return db
  } catch (error) {
    db?.close()
    if (error instanceof DataError) throw error
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code === 'SQLITE_NOTADB') refuse('is not a SQLite database', error)
    if (code.startsWith('SQLITE_CORRUPT')) refuse('is damaged', error)
    demandAccess(...databaseFiles(database))
    throw new DataError(`${database} cannot be opened: ${message}`)
  }
}

/** Migrations of this build that a database has not seen. Throws `DataError` for a database of a newer version. */
export function pendingMigrations(db: Database.Database): string[] {
  const { entries } = JSON.parse(asset('drizzle/meta/_journal.json')?.toString('utf8') ?? '{"entries":[]}') as {
    entries: { tag: string }[]
  }
  const seen = isMigrated(db) ? (db.prepare('select tag from migration').pluck().all() as string[]) : []
  const known = entries.map(({ tag }) => tag)
  if (seen.some((tag) => !known.includes(tag)))
    throw new DataError(`${db.name} was written by a newer version of Cabinet: use that version`)
  return known.filter((tag) => !seen.includes(tag))
}

/**
 * Throws `DataError` where less than the reserve is left where the data lie: the writes of a command count as others.
 */
export function demandRoom({ data, diskReserve }: Config): void {
  if (diskReserve === 0 || !existsSync(data)) return
  const { bavail, bsize } = statfsSync(data)
  if (bavail * bsize < diskReserve)
    throw new DataError(
      `the disk is full: ${bavail * bsize} bytes are free where ${data} lies, ` +
        `and disk_reserve keeps ${diskReserve}; nothing is written`,
    )
}

/** Throws `DataError` at once where a data folder cannot be made or written to. */
export function probeFolder(data: string): void {
  let at = resolve(data)
  while (!existsSync(at)) at = dirname(at)
  try {
    if (!statSync(at).isDirectory()) throw new Error(`${at} is not a folder`)
    accessSync(at, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new DataError(`cannot use ${data}: ${(error as Error).message}`)
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
    // EPERM: a mounted folder of someone else, who lets us write.
    if (code !== 'EPERM') throw new DataError(`cannot use ${folder}: ${message}`)
  }
}

const Peppers = v.record(v.pipe(v.string(), v.regex(/^\d+$/)), v.pipe(v.string(), v.minLength(50)))

/**
 * Secrets of version 2 tokens and second factors, made at the first start; without this file those are void. Throws
 * `DataError` when it is lost.
 */
function readPeppers(data: string, { newPeppers = false }: Opening = {}): Record<string, string> {
  const { peppers: file, database } = filesOf(data)
  if (!existsSync(file)) {
    const lost = existsSync(database) ? needingPeppers(database, newPeppers) : []
    if (lost.length > 0)
      throw new DataError(
        `${file} is missing, and ${lost.join(' and ')} its secrets: put it back from a backup, ` +
          'or start with cabinet serve --new-peppers, which deletes version 2 tokens and second factors',
      )
    writeSafely(file, `${JSON.stringify({ 1: randomBytes(48).toString('base64url') }, null, 2)}\n`)
  }
  try {
    return v.parse(Peppers, JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new DataError(`${file} cannot be read as peppers: ${(error as Error).message}`)
  }
}

/** What is worth nothing without the secrets: its name as one and as many, its rows, and what goes with them. */
const Peppered = [
  { one: 'a token needs', many: 'tokens need', rows: 'users_token where version = 2', also: undefined },
  { one: 'a second factor needs', many: 'second factors need', rows: 'users_secondfactor', also: 'users_recoverycode' },
]

/** How many there are of what needs the secrets, as people read it; none are left when they are to be deleted. */
function needingPeppers(database: string, isDeleting: boolean): string[] {
  const db = openDatabase(database)
  try {
    const tables = db.prepare("select name from sqlite_schema where type = 'table'").pluck().all()
    return Peppered.flatMap(({ one, many, rows, also }) => {
      if (!tables.includes(rows.split(' ')[0])) return [] // of an earlier version
      if (isDeleting) for (const each of also ? [rows, also] : [rows]) db.exec(`delete from ${each}`)
      const count = db.prepare(`select count(*) from ${rows}`).pluck().get() as number
      return count === 0 ? [] : [count === 1 ? one : `${count} ${many}`]
    })
  } finally {
    db.close()
  }
}

const Backup = v.object({ made: v.string(), file: v.string(), bytes: v.number() })
/** The last backup of a data folder: when it was made, the file that it was written to, and its size in bytes. */
export type LastBackup = v.InferOutput<typeof Backup>

/** Writes down in a data folder that a backup of it was made. */
export const noteBackup = (data: string, last: LastBackup): void =>
  writeSafely(filesOf(data).backup, `${JSON.stringify(last)}\n`)

/** The last backup that was written down in a data folder; undefined where none was, or it cannot be read. */
export function lastBackup(data: string): LastBackup | undefined {
  try {
    return v.parse(Backup, JSON.parse(readFileSync(filesOf(data).backup, 'utf8')))
  } catch {
    return undefined
  }
}
