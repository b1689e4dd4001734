import {
  accessSync,
  closeSync,
  constants,
  createWriteStream,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Writes a whole file or none of it: there under its name only once it is on disk. */
export function writeSafely(file: string, content: string | Buffer): void {
  const temporary = `${file}.${process.pid}`
  try {
    writeWhole(temporary, content)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/**
 * The same for what comes in pieces, but for the wait for the disk: what stood there before stays where it fails. What
 * is no regular file (a pipe, `/dev/stdout`), or stands where nothing may be put beside it, takes what comes.
 */
export async function streamSafely(file: string, pieces: Iterable<string>): Promise<void> {
  const target = existsSync(file) ? realpathSync(file) : file // a link stays one
  if (existsSync(file) && !(statSync(file).isFile() && isOpen(dirname(target))))
    return pipeline(pieces, createWriteStream(file))
  const temporary = `${target}.${process.pid}`
  try {
    // Made here: a stream makes its file later, after it was removed where the pieces fail at once.
    await pipeline(pieces, createWriteStream(temporary, { fd: openSync(temporary, 'w') }))
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Whether files may be made in a folder. */
function isOpen(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Has the names in a folder be on disk; Windows opens no folder, and keeps them by itself. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Writes a file for this user alone, and answers when it is on disk. */
export function writeWhole(file: string, content: string | Buffer): void {
  const handle = openSync(file, 'w', 0o600)
  try {
    writeFileSync(handle, content)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
