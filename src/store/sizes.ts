import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from './open.ts'

/** How large the files of a data folder are, in bytes, and where the database lies. */
interface Sizes {
  file: string
  database: number
  /** What was written and is not yet in the database file. */
  wal: number
  /** `files` stops at a bound, then `isWhole` is false. */
  uploads: { bytes: number; files: number; isWhole: boolean }
}

/** So many uploaded files are looked at. */
const MaxFiles = 5000

/** Sizes of the files behind a store. */
export async function sizesOf({ db, uploads }: Pick<Store, 'db' | 'uploads'>): Promise<Sizes> {
  const file = db.get<{ file: string }>("select file from pragma_database_list where name = 'main'")?.file ?? ''
  const size = (path: string) =>
    stat(path).then(
      (found) => found.size,
      () => 0,
    )
  const [database, wal] = await Promise.all([size(file), size(`${file}-wal`)])
  const found = await readdir(uploads, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = found.filter((entry) => entry.isFile())
  const counted = files.slice(0, MaxFiles)
  let bytes = 0
  for (const { parentPath, name } of counted) bytes += await size(join(parentPath, name))
  return {
    file,
    database,
    wal,
    uploads: { bytes, files: files.length, isWhole: counted.length === files.length },
  }
}
