import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Done, deferred, type BatchWorker } from '../lib/deferred.ts'
import { safeName, withSuffix } from '../lib/image.ts'
import { complain } from '../lib/log.ts'
import type { Stored } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { allModels, fieldsOf, memo } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Upload } from '../lib/upload.ts'
import type { Connection } from './database.ts'
import { keepFile } from './journal.ts'

/**
 * Puts a file below the uploads folder, on disk before this returns; answers its path there. A name that is taken gets
 * a suffix.
 */
export function keep(uploads: string, folder: string, upload: Upload): string {
  let path = `${folder}/${safeName(upload.name)}`
  while (existsSync(join(uploads, path))) path = `${folder}/${withSuffix(safeName(upload.name))}`
  mkdirSync(dirname(join(uploads, path)), { recursive: true, mode: 0o700 })
  const file = openSync(join(uploads, path), 'wx', 0o600)
  try {
    writeFileSync(file, upload.bytes) // all of it: where the disk fills, one write takes a part and says nothing
    fsyncSync(file)
  } catch (error) {
    rmSync(join(uploads, path), { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  return path
}

/** Files of more bytes than this are written while other requests go on. */
const Large = 262_144
/** Milliseconds after which a file that no row names is one of a write that never ended. */
const Forgotten = 60_000

interface Keeping {
  uploads: string
  folder: string
  upload: Upload
  /** Removes the file unless a row names it. */
  discard: (path: string) => void
}

/** Writes files as `keep` does, without holding up anything. */
const keeping: BatchWorker<Keeping, string> = (all) =>
  Promise.all(
    all.map(async ({ uploads, folder, upload, discard }): Promise<Done<string>> => {
      try {
        await mkdir(join(uploads, folder), { recursive: true, mode: 0o700 })
        for (
          let path = `${folder}/${safeName(upload.name)}`;
          ;
          path = `${folder}/${withSuffix(safeName(upload.name))}`
        ) {
          const file = await open(join(uploads, path), 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
            if (error.code !== 'EEXIST') throw error
          })
          if (!file) continue
          setTimeout(() => discard(path), Forgotten).unref()
          try {
            await file.writeFile(upload.bytes)
            await file.sync()
          } finally {
            await file.close()
          }
          return { value: path }
        }
      } catch (error) {
        return { error: error as Error }
      }
    }),
  )

const numbers = new WeakMap<Buffer, number>()
let lastNumber = 0
/** Tells the bytes of one upload from those of another, however often a write is run. */
function numberOf(bytes: Buffer): number {
  const number = numbers.get(bytes) ?? ++lastNumber
  numbers.set(bytes, number)
  return number
}

/**
 * `keep` within a write: the file goes again if the write is refused, and a large one is written before the write goes
 * on.
 */
export function keepInWrite(db: Connection, uploads: string, folder: string, upload: Upload): string {
  const inPlace = () => keep(uploads, folder, upload)
  const isLarge = upload.bytes.length > Large
  const path = isLarge
    ? deferred(keeping, {
        key: `${numberOf(upload.bytes)} ${folder}/${upload.name}`,
        input: { uploads, folder, upload, discard: (path) => discard(db, uploads, path) },
        inPlace,
        placeholder: '',
      })
    : inPlace()
  discard(db, uploads, path)
  return path
}

/**
 * Removes a file once the transaction that is running is over, unless a row names it then: refused writes leave nothing
 * behind.
 */
export function discard(db: Connection, uploads: string, path: Stored | undefined): void {
  if (!path) return
  setImmediate(() => {
    try {
      if (db.raw.open && !isUsed(db, path)) rmSync(join(uploads, String(path)), { force: true })
    } catch (error) {
      complain(`cabinet: ${path} stays among the uploads, though nothing names it: ${(error as Error).message}\n`)
    }
  })
}

/** A row names a file no more: it stays as long as an earlier state that names it can be had again. */
export function retire(db: Connection, path: Stored | undefined): void {
  if (path) keepFile(db, String(path))
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
