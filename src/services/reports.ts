import type { Actor } from '../engine/actor.ts'
import { flatSql, flatTables } from '../engine/flat.ts'
import { type ReportJob, Reports, type ReportTable } from '../lib/report.ts'
import type { Store } from '../store/open.ts'

/** Bytes of an answer, and bytes that a process may take beyond what it began with. */
const MaxBytes = 8_388_608
const MaxMemory = 268_435_456

const known = new WeakMap<Store['db'], { of: object; reports: Reports }>()

/** What answers questions about a store's data: of the file that it has now, which a follower has for a while. */
function reportsOf({ db, config }: Pick<Store, 'db' | 'config'>): Reports {
  const before = known.get(db)
  if (before?.of === db.raw) return before.reports
  // What it works on may end first.
  if (before) setTimeout(() => void before.reports.close(), 2 * config.reportTimeout * 1000).unref()
  const reports = new Reports(
    {
      file: db.raw.name,
      tables: Object.fromEntries([...flatTables()].map(([name, { columns }]) => [name, columns])),
      bounds: { ms: config.reportTimeout * 1000, rows: config.reportMaxRows, bytes: MaxBytes, memory: MaxMemory },
    },
    config.reportProcesses,
  )
  known.set(db, { of: db.raw, reports })
  return reports
}

/** Ends what answers questions about a store's data. */
export const endReports = async ({ db }: Pick<Store, 'db'>): Promise<void> => known.get(db)?.reports.close()

/** Answers a question in SQL over the rows and columns that an actor may view. Rejects with `ReportError`. */
export function ask(
  store: Pick<Store, 'db' | 'config'>,
  actor: Actor,
  question: Omit<ReportJob, 'views'>,
): Promise<ReportTable> {
  const words = new Set(question.sql.toLowerCase().match(/[a-z_]\w*/g))
  const named = [...flatTables()].filter(([name]) => words.has(name))
  const views = Object.fromEntries(named.map(([name, { model }]) => [name, flatSql(actor, model)]))
  return reportsOf(store).run({ ...question, views }, String(actor.userId))
}
