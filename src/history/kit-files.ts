import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { withSuffix } from '../lib/image.ts'
import { writeSafely } from '../lib/safe-file.ts'
import type { Row } from '../fields/field.ts'
import type { Connection } from '../store/database.ts'
import { discard, fileFields } from '../store/uploads.ts'
import { BundleError } from './bundle.ts'
import { type Coming, isLink } from './coming.ts'

/** Paths that the file fields of a row name. */
const filesIn = ({ place }: Pick<Coming, 'place'>, row: Row | null): string[] =>
  row && !isLink(place) ? fileFields(place.m).flatMap((name) => (row[name] ? [String(row[name])] : [])) : []

/** The files that some rows name and did not name before, by their paths; one that is gone is left out. */
export function filesOfRows(uploads: string, rows: readonly Coming[]): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (const each of rows) {
    const before = new Set(filesIn(each, each.base))
    for (const path of filesIn(each, each.row))
      if (!before.has(path) && existsSync(join(uploads, path))) files.set(path, readFileSync(join(uploads, path)))
  }
  return files
}

/**
 * Puts files that came with rows below the uploads folder, each on disk before this answers. Where another file has a
 * name, it gets another one, and so do the rows. A file that no row names after the write goes again. `demandRoom`
 * throws where one that is new here is too much.
 */
export function keepFiles(
  db: Connection,
  uploads: string,
  files: ReadonlyMap<string, Buffer>,
  rows: readonly Coming[],
  demandRoom: (bytes: Buffer) => void = () => {},
): Coming[] {
  const names = new Map<string, string>()
  for (const [path, bytes] of files) {
    const kept = keepFile(uploads, path, bytes, demandRoom)
    if (kept.isNew) discard(db, uploads, kept.path)
    if (kept.path !== path) names.set(path, kept.path)
  }
  if (names.size === 0) return [...rows]
  return rows.map((each) => {
    if (!filesIn(each, each.row).some((path) => names.has(path))) return each
    const row = { ...each.row! }
    for (const name of fileFields(each.place.m)) row[name] = names.get(String(row[name])) ?? row[name] ?? null
    return { ...each, row }
  })
}

function keepFile(
  uploads: string,
  path: string,
  bytes: Buffer,
  demandRoom: (bytes: Buffer) => void,
): { path: string; isNew: boolean } {
  const top = resolve(uploads)
  if (path.includes('\0') || !resolve(top, path).startsWith(top + sep))
    throw new BundleError('The bundle is damaged: it names a file outside the uploads.')
  let at = path
  while (existsSync(join(top, at))) {
    if (readFileSync(join(top, at)).equals(bytes)) return { path: at, isNew: false }
    at = join(dirname(path), withSuffix(path.slice(path.lastIndexOf('/') + 1)))
  }
  demandRoom(bytes)
  mkdirSync(dirname(join(top, at)), { recursive: true, mode: 0o700 })
  writeSafely(join(top, at), bytes) // a half that a kill leaves would keep its name taken
  return { path: at, isNew: true }
}
