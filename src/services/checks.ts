import { allModels } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Store } from '../store/open.ts'
import { misplaced, rebuild } from '../store/tree.ts'
import { cabling } from './cable-checks.ts'
import { keptCounts } from './count-checks.ts'
import { danglingReferences, isDerived, said, takeBack } from './dangling.ts'
import { integrity } from './file-checks.ts'
import { searching } from './search-checks.ts'
import { inRanges, pauseCheck } from './id-ranges.ts'
import { names } from './name-checks.ts'
import { addAll, counters, found, inSteps, keys, measures, type Outcome, places, prefixes } from './derived.ts'

interface Check {
  name: string
  run: (store: Store, repair: boolean) => Outcome
  /** What one can do about what is left after a repair. */
  advice?: string
}

function trees(store: Store, repair: boolean): Outcome {
  const problems: string[] = []
  for (const m of allModels.filter((each: AnyModel) => each.tree)) {
    const wrong = inRanges(store, m.table, (range) => misplaced(store.db, m, range))
    addAll(
      problems,
      wrong.map((id) => `${m.name} ${id}: depth or place`),
    )
    if (repair) inSteps(store, wrong.length ? [m] : [], () => rebuild(store.db, m))
  }
  return found(problems, repair ? problems.length : 0)
}

const Missing =
  'what is missing cannot be worked out: restore a backup, or let cabinet check --take-back clear these references'

/** References to rows that are not there; those of derived rows are repaired, since they are made anew. */
function references(store: Store, repair: boolean): Outcome {
  const { db } = store
  let repaired = 0
  const all = danglingReferences(db, () => pauseCheck(store))
  if (repair)
    inSteps(store, all.filter(isDerived), (some) => {
      for (const each of some) if (takeBack(db, each)) repaired++
    })
  return found(all.map(said), repaired)
}

/** What `cabinet check` looks at, in order. */
export const checks: readonly Check[] = [
  {
    name: 'integrity',
    advice: 'the file is damaged: restore a backup (cabinet restore FILE --force)',
    run: (store) => integrity(store),
  },
  { name: 'references', run: references, advice: Missing },
  { name: 'names', run: names, advice: 'rename or change one of them' },
  { name: 'keys', run: keys },
  { name: 'counters', run: counters },
  { name: 'places', run: places },
  { name: 'trees', run: trees },
  { name: 'measures', run: measures },
  { name: 'prefixes', run: prefixes },
  { name: 'cabling', run: cabling },
  { name: 'search', run: searching },
  { name: 'counts', run: keptCounts },
]
