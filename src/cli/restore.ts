import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { DataError, filesOf, lockData, pendingMigrations } from '../store/data-folder.ts'
import { openDatabase } from '../lib/addons.ts'
import { epochOf, roleOf, setEpoch } from '../store/replication.ts'
import { endRestore, FilesOfBackup, isHalfRestored, replaceData } from '../store/restoring.ts'
import { unpack } from '../lib/archive.ts'
import type { Input } from './command.ts'
import { Progress } from './progress.ts'

/**
 * `cabinet restore FILE`: into a folder without a database, or in the place of one with `--force`. Never below a
 * running server.
 */
export async function restore(input: Input): Promise<number> {
  const [file] = input.operands as [string]
  const { data } = await input.config()
  if (!existsSync(file)) throw new Error(`${file}: no such file`)
  if (statSync(file).isDirectory()) throw new Error(`${file} is a folder, not a backup`)
  if (existsSync(filesOf(data).locked))
    throw new Error(
      `${data} holds a locked kit, which would be lost: cabinet kit unlock opens it; or name another folder`,
    )
  const role = roleOf(data)
  if (role?.role === 'follower')
    throw new Error(
      `${data} follows ${role.place}: restore into the folder of its source, or run cabinet promote first`,
    )
  if ((existsSync(filesOf(data).database) || isHalfRestored(data)) && !input.flag('force'))
    throw new Error(`${data} holds a database already; --force replaces it`)
  process.umask(0o077)
  const lacking = existsSync(data) ? undefined : (mkdirSync(data, { recursive: true, mode: 0o700 }) ?? data)
  const locked = existsSync(filesOf(data).lock)
  const release = lockData(data)
  let isDone = false
  endRestore(data)
  const scratch = mkdtempSync(join(data, '.restore-'))
  try {
    await fill(scratch, file)
    prove(join(scratch, 'cabinet.db'), file)
    if (role) keepEpoch(filesOf(data).database, join(scratch, 'cabinet.db'))
    replaceData(data, scratch)
    isDone = true
    return 0
  } finally {
    rmSync(scratch, { recursive: true, force: true })
    release()
    if (!isDone && !locked) rmSync(filesOf(data).lock, { force: true })
    if (!isDone && lacking !== undefined) rmSync(lacking, { recursive: true, force: true })
  }
}

/**
 * A source that is put back to an earlier state is the same one still, also where it began another epoch since; of a
 * database that cannot be read nobody knows.
 */
function keepEpoch(database: string, restored: string): void {
  const inDatabase = <T>(file: string, work: (db: Database) => T): T => {
    const db = openDatabase(file, { fileMustExist: true })
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  let epoch = 0
  try {
    epoch = inDatabase(database, (db) => epochOf(db)?.epoch ?? 0)
  } catch {
    return
  }
  inDatabase(restored, (db) => {
    if ((epochOf(db)?.epoch ?? 0) < epoch) setEpoch(db, epoch)
  })
}

async function fill(scratch: string, file: string): Promise<void> {
  const progress = new Progress('restore')
  const total = statSync(file).size
  let done = 0
  try {
    await unpack(file, scratch, isOfBackup, (bytes) => {
      done += bytes
      progress.at(done, total)
    })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isOurs = message.startsWith(file) || (code !== undefined && /^E[A-Z]+$/.test(code))
    throw isOurs ? error : new Error(`${file} is damaged, or not a backup of Cabinet: ${message}`)
  } finally {
    progress.end()
  }
}

/** Whether a backup has files of this name. */
export const isOfBackup = (name: string): boolean => FilesOfBackup.includes(name) || name.startsWith('uploads/')

/** Throws unless the restored database is whole and this build can serve it. */
export function prove(database: string, file: string): void {
  if (!existsSync(database)) throw new Error(`${file} holds no database`)
  const db = openDatabase(database, { fileMustExist: true })
  try {
    try {
      pendingMigrations(db)
    } catch (error) {
      throw error instanceof DataError
        ? error
        : new Error(`the database in ${file} is damaged: ${(error as Error).message}`)
    }
    const verdict = db.pragma('integrity_check(1)', { simple: true })
    if (verdict !== 'ok') throw new Error(`the database in ${file} is damaged: ${verdict}`)
    db.pragma('journal_mode = delete') // leaves no files beside it
  } finally {
    db.close()
  }
}
