import type Database from 'better-sqlite3'
import { allModels } from '../engine/catalog.ts'
import { q } from '../lib/sql.ts'
import { fileFields } from '../store/uploads.ts'

/** Files that rows name and that are not there, each with its row; `isThere` is asked for paths among the uploads. */
export function missingUploads(raw: Database.Database, isThere: (path: string) => boolean): string[] {
  return allModels.flatMap((m) => {
    const columns = raw.prepare('select name from pragma_table_info(?)').pluck().all(m.table) as string[]
    return fileFields(m)
      .filter((name) => columns.includes(name)) // a backup may be of a database of an earlier version
      .flatMap((name) => {
        const rows = raw.prepare(`select id, ${q(name)} as path from ${q(m.table)} where ${q(name)} <> ''`).all()
        return (rows as { id: number; path: string }[])
          .filter(({ path }) => !isThere(path))
          .map(({ id, path }) => `${m.name} ${id}, ${name}: ${path}`)
      })
  })
}
