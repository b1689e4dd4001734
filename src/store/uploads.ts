import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { safeName, withSuffix } from '../domain/images.ts'
import type { Upload } from '../tools/upload.ts'

/** Puts a file below the uploads folder, on disk before this returns; answers its path there. A name that is taken gets a suffix. */
export function keep(uploads: string, folder: string, upload: Upload): string {
  let path = `${folder}/${safeName(upload.name)}`
  while (existsSync(join(uploads, path))) path = `${folder}/${withSuffix(safeName(upload.name))}`
  mkdirSync(dirname(join(uploads, path)), { recursive: true, mode: 0o700 })
  const file = openSync(join(uploads, path), 'wx', 0o600)
  try {
    writeSync(file, upload.bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return path
}

/** Removes a file once the transaction that let go of it is over, unless a row still names it. */
export function discard(uploads: string, path: string | null, isUsed: (path: string) => boolean): void {
  if (!path) return
  setImmediate(() => {
    if (!isUsed(path)) rmSync(join(uploads, path), { force: true })
  })
}
