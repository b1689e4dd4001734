import type Database from 'better-sqlite3'

/** References that a message names. */
const Named = 3

/**
 * What to say, in one line, of a transaction that cannot be committed since rows of it refer to what is not there; any
 * other error as it is. Asked before the transaction is undone; it reads the whole file.
 */
export function whyNotCommitted(raw: Database.Database, error: unknown): unknown {
  if ((error as { code?: unknown } | null)?.code !== 'SQLITE_CONSTRAINT_FOREIGNKEY' || !raw.inTransaction) return error
  const broken = raw
    .prepare<[], { table: string; rowid: number; parent: string }>(
      `select "table", rowid, parent from pragma_foreign_key_check limit ${Named}`,
    )
    .all()
  if (broken.length === 0) return error
  const rows = broken.map(({ table, rowid, parent }) => `row ${rowid} of ${table} to one of ${parent}`)
  return new Error(
    `Nothing was written: references would lead to rows that are not there (${rows.join(', ')}). That is a mistake in Cabinet; please report it.`,
    { cause: error },
  )
}
