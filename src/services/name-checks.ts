import { allModels } from '../engine/catalog.ts'
import type { Store } from '../store/open.ts'
import { sameRows } from '../store/unique.ts'
import { addAll, found, type Outcome } from './derived.ts'
import { pauseCheck } from './id-ranges.ts'

/** Objects that are the same in what must tell them apart, where no index of the database sees to it. */
export function names(store: Store): Outcome {
  const problems: string[] = []
  for (const m of allModels)
    for (const { sql, text } of sameRows(m)) {
      const all = store.db.all<{ ids: string }>(sql)
      addAll(
        problems,
        all.map(({ ids }) => `${m.name} ${(JSON.parse(ids) as number[]).join(', ')}: ${text}`),
      )
      pauseCheck(store)
    }
  return found(problems, 0)
}
