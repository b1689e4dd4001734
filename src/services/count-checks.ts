import { countFaults, keptModels } from '../engine/kept-counts.ts'
import { rebuildCounts } from '../store/kept-counts.ts'
import type { Store } from '../store/open.ts'
import { found, type Outcome } from './derived.ts'

/** Whether the counts that are kept of large tables are those of their rows. */
export function keptCounts({ db }: Store, repair: boolean): Outcome {
  const problems = keptModels.flatMap((m) => {
    const { n } = db.get<{ n: number }>(countFaults(m))!
    return n ? [`${m.name}: ${n} kept counts are wrong`] : []
  })
  if (repair && problems.length) rebuildCounts(db.raw)
  return found(problems, repair ? problems.length : 0)
}
