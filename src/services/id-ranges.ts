import { statSync } from 'node:fs'
import { q } from '../lib/sql.ts'
import { LogLimit, type Store } from '../store/open.ts'

/** Rows that one statement of a check looks at. */
const Rows = 20_000
/** Milliseconds for which a checkpoint waits for writers and readers. */
const Patience = 200
/** Larger than every id. */
const Last = 2 ** 38 - 1

/** Ids from one to another. */
export interface Range {
  from: number
  to: number
}

let told: (done: number, total: number) => void = () => {}
/** From now on `listener` is told after each piece of a check how far that is in its table. */
export const onPiece = (listener: typeof told): void => {
  told = listener
}

/**
 * Between two pieces of a check no read transaction is open, so that SQLite can reset its WAL. A WAL that has grown too
 * large is checkpointed here rather than by the next write.
 */
export function pauseCheck({ db: { raw } }: Store, done = 0, total = 0): void {
  told(done, total)
  if (raw.inTransaction || raw.readonly) return
  const size = statSync(`${raw.name}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (size <= LogLimit) return
  const before = raw.pragma('busy_timeout', { simple: true })
  raw.pragma(`busy_timeout = ${Patience}`)
  raw.pragma('wal_checkpoint(passive)')
  raw.pragma('wal_checkpoint(truncate)')
  raw.pragma(`busy_timeout = ${before}`)
}

/**
 * Calls `work` for ranges that cover all ids of a table, with a pause between them; inside a transaction for all ids at
 * once.
 */
export function inRanges<T>(store: Store, table: string, work: (range: Range) => readonly T[]): T[] {
  const { db } = store
  if (db.raw.inTransaction) return [...work({ from: 0, to: Last })]
  const last = db.get<{ id: number | null }>(`select max(id) as id from ${q(table)}`)!.id ?? 0
  const end = `select id from ${q(table)} where id >= ? order by id limit 1 offset ${Rows - 1}`
  const found: T[] = []
  for (let from = 0; from <= Last; ) {
    const to = db.get<{ id: number }>(end, from)?.id ?? Last
    for (const each of work({ from, to })) found.push(each)
    pauseCheck(store, Math.min(to, last), last)
    from = to + 1
  }
  return found
}
