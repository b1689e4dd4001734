import { closeSync, fdatasyncSync, openSync, statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { openDatabase } from '../lib/addons.ts'

/**
 * Pages that are copied, and on disk, before the next look at the clock. At the end SQLite waits for all that is not:
 * who writes to the same disk meanwhile would wait for it too.
 */
const Step = 500

/**
 * Copies a database page by page as it is now, beside those who write to it. SQLite reads it: a process that opens and
 * closes the file by itself gives back every lock that SQLite holds on it, and the next connection that is closed
 * elsewhere then removes the log that this process writes to. `first` is done at the moment that the copy shows, `seen`
 * is told of bytes that were copied.
 */
export async function copyDatabase(
  file: string,
  target: string,
  { first, seen }: { first?: () => Promise<void>; seen?: (bytes: number) => void } = {},
): Promise<void> {
  const source = openDatabase(file, { fileMustExist: true })
  let copy: number | undefined
  try {
    const size = source.pragma('page_size', { simple: true }) as number
    source.exec('begin') // as it is now until it is closed: otherwise each write would begin the copy anew
    source.prepare('select count(*) from sqlite_schema').get()
    await first?.()
    let done = 0
    const progress = ({ totalPages, remainingPages }: Database.BackupMetadata) => {
      seen?.((totalPages - remainingPages - done) * size)
      done = totalPages - remainingPages
      copy ??= openSync(target, 'r+')
      fdatasyncSync(copy)
      return Step
    }
    await source.backup(target, { progress })
  } finally {
    source.close()
    if (copy !== undefined) closeSync(copy)
  }
}

/** Whether a path leads to a file of a database, which nobody but SQLite may open in a process that has it open. */
export function isFileOf(database: string, path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return ['', '-wal', '-shm'].some((end) => {
    const own = statSync(database + end, { throwIfNoEntry: false, bigint: true })
    return own !== undefined && own.ino === found?.ino && own.dev === found.dev
  })
}
