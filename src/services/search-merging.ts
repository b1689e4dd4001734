import { setTimeout as wait } from 'node:timers/promises'
import type { Store } from '../store/open.ts'
import { mergeSearch, searchState } from '../store/search-index.ts'
import { whenIdle } from './when-idle.ts'

/** When it is looked whether there is anything to merge: a minute later on a busy server. */
const Rounds = { each: 5000, most: 12, complaint: 'the index of the search is not merged' }
/** Milliseconds between two steps, each of which takes some 3. */
const Pause = 20
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
  const { raw } = store.db
  let merged: Buffer | undefined
  return whenIdle(Rounds, async (isEnding) => {
    if (merged?.equals(searchState(raw))) return
    try {
      await mergeSegments(store, isEnding)
    } finally {
      if (!isEnding()) merged = searchState(raw) // what failed is tried again once there is more to merge
    }
  })
}
