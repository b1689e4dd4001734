import { countFaults, countsBelow, keptModels, realCounts } from '../engine/kept-counts.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Row } from '../fields/field.ts'
import { rebuildCounts } from '../store/kept-counts.ts'
import type { Store } from '../store/open.ts'
import { found, type Outcome } from './derived.ts'
import { inRanges } from './id-ranges.ts'

/** Whether the counts that are kept of large tables are those of their rows. */
export function keptCounts(store: Store, repair: boolean): Outcome {
  const { db } = store
  const problems = keptModels.flatMap((m) => {
    if (isRight(store, m)) return []
    const { n } = db.get<{ n: number }>(countFaults(m))!
    return n ? [`${m.name}: ${n} kept counts are wrong`] : []
  })
  if (repair && problems.length) rebuildCounts(db.raw)
  return found(problems, repair ? problems.length : 0)
}

/**
 * Whether they are those of the rows as these come, piece by piece; where others write meanwhile they may not be,
 * though nothing is wrong.
 */
function isRight(store: Store, m: AnyModel): boolean {
  const sum = new Map<string, number>()
  const add = ({ n, ...values }: Row, by: 1 | -1) => {
    const key = JSON.stringify(values)
    sum.set(key, (sum.get(key) ?? 0) + by * (n as number))
  }
  for (const row of store.db.all<Row>(countsBelow(m))) add(row, 1)
  for (const row of inRanges(store, m.table, (range) => store.db.all<Row>(realCounts(m), range))) add(row, -1)
  return [...sum.values()].every((n) => n === 0)
}
