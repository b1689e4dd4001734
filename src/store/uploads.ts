import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { safeName, withSuffix } from '../tools/image.ts'
import { q, type Stored } from '../fields/field.ts'
import { allModels, fieldsOf, memo } from '../registry/catalog.ts'
import type { AnyModel } from '../registry/model.ts'
import type { Upload } from '../tools/upload.ts'
import type { Connection } from './database.ts'

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

/** Removes a file once the transaction that is running is over, unless a row names it then: refused writes leave nothing behind. */
export function discard(db: Connection, uploads: string, path: Stored | undefined): void {
  if (!path) return
  setImmediate(() => {
    if (db.raw.open && !isUsed(db, path)) rmSync(join(uploads, String(path)), { force: true })
  })
}

/** Names of a model's file fields. */
export const fileFields = memo((m: AnyModel): readonly string[] =>
  fieldsOf(m)
    .filter(([, field]) => field.upload && Object.keys(field.columns('x')).length)
    .map(([name]) => name),
)

const isUsed = (db: Connection, path: Stored): boolean =>
  allModels.some((m) =>
    fileFields(m).some((name) => db.get(`select 1 from ${q(m.table)} where ${q(name)} = ?`, path) !== undefined),
  )
