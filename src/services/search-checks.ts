import { customFaults } from '../engine/search-custom.ts'
import { searchFaults } from '../engine/search.ts'
import type { Store } from '../store/open.ts'
import { rebuildSearch } from '../store/search-index.ts'
import { found, type Outcome } from './derived.ts'

/** Whether the index of the search has an entry for each text that it should have, and no other. */
export function searching({ db }: Store, repair: boolean): Outcome {
  const problems = [...searchFaults(), ...customFaults()].flatMap(({ label, sql }) => {
    const { missing, extra } = db.get<{ missing: number; extra: number }>(sql)!
    return missing || extra ? [`${label}: ${missing} entries of the search are missing, ${extra} lead nowhere`] : []
  })
  if (repair && problems.length) rebuildSearch(db.raw)
  return found(problems, repair ? problems.length : 0)
}
