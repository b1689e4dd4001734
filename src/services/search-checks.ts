import { customFaults } from '../engine/search-custom.ts'
import { searchFaults } from '../engine/search.ts'
import type { Store } from '../store/open.ts'
import { rebuildSearch } from '../store/search-index.ts'
import { found, inSteps, type Outcome } from './derived.ts'
import { inRanges, pauseCheck } from './id-ranges.ts'

/** Whether the index of the search has an entry for each text that it should have, and no other. */
export function searching(store: Store, repair: boolean): Outcome {
  const { db } = store
  const said = (label: string, missing: number, extra: number): string[] =>
    missing || extra ? [`${label}: ${missing} entries of the search are missing, ${extra} lead nowhere`] : []
  const problems = searchFaults().flatMap(({ label, table, add, remove, ...select }) => {
    const [missing, extra] = [select.missing, select.extra].map((sql) =>
      inRanges(store, table, (range) => db.all<{ id: number }>(sql, range)).map(({ id }) => id),
    )
    if (repair) {
      inSteps(store, missing!, (ids) => db.run(add, JSON.stringify(ids)))
      inSteps(store, extra!, (ids) => db.run(remove, JSON.stringify(ids)))
    }
    return said(label, missing!.length, extra!.length)
  })
  const ofCustomFields = customFaults().flatMap(({ label, sql }) => {
    const { missing, extra } = db.get<{ missing: number; extra: number }>(sql)!
    pauseCheck(store)
    return said(label, missing, extra)
  })
  if (repair && ofCustomFields.length) rebuildSearch(db.raw)
  problems.push(...ofCustomFields)
  return found(problems, repair ? problems.length : 0)
}
