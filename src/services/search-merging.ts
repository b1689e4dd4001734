import { setTimeout as wait } from 'node:timers/promises'
import { complain } from '../lib/log.ts'
import type { Store } from '../store/open.ts'
import { mergeSearch, searchState } from '../store/search-index.ts'

/** Milliseconds between two looks at the index of the search, and between two steps, each of which takes some 3. */
const [Round, Pause] = [5000, 20]
/** Utilization below which a server counts as idle, and looks after which it is done all the same. */
const [Quiet, MostRounds] = [0.5, 12]
/** Pages that one step merges. */
const Pages = 32

/** Merges the segments of the index of the search in short transactions; answers in how many. */
export async function mergeSegments(store: Store, isEnding = () => false): Promise<number> {
  const { raw } = store.db
  let steps = 0
  while (!isEnding() && (await store.commit.run(() => mergeSearch(raw, Pages)))) {
    steps++
    await wait(Pause)
  }
  return steps
}

/** Has few segments to search in, made while little else is to be done. Answers how to stop. */
export function keepSearchMerged(store: Store): () => void {
  let isEnding = false
  let merged: Buffer | undefined
  let rounds = 0
  let seen = performance.eventLoopUtilization()
  let work: Promise<unknown> = Promise.resolve()
  const look = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, seen)
    seen = now
    if (merged?.equals(searchState(store.db.raw)) || (utilization > Quiet && ++rounds < MostRounds)) return
    rounds = 0
    work = work
      .then(() => mergeSegments(store, () => isEnding))
      .catch((error: unknown) =>
        complain(`cabinet: the index of the search is not merged: ${(error as Error).message}\n`),
      )
      .then(() => {
        if (!isEnding) merged = searchState(store.db.raw) // what failed is tried again once there is more to merge
      })
  }
  const timer = setInterval(look, Round).unref()
  return () => {
    isEnding = true
    clearInterval(timer)
  }
}
