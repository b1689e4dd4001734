import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'

/** Writes a whole file or none of it: there under its name only once it is on disk. */
export function writeSafely(file: string, content: string | Buffer): void {
  const temporary = `${file}.${process.pid}`
  writeWhole(temporary, content)
  renameSync(temporary, file)
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
