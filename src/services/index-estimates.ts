import { setTimeout as wait } from 'node:timers/promises'
import type { Store } from '../store/open.ts'
import { estimateIndex, Growth, publish } from '../store/statistics.ts'
import { whenIdle } from './when-idle.ts'

/** When it is looked at what has grown: ten minutes later on a busy server. */
const Rounds = { each: 15_000, most: 40, complaint: 'no new estimates' }
/** Milliseconds between two estimates, each of which takes some 5. */
const Pause = 50

/** Runs ANALYZE for tables that have grown, index by index in short transactions; answers how many indexes. */
export async function estimateGrown(store: Store, growth: Growth, isEnding = () => false): Promise<number> {
  const { raw } = store.db
  const indexes = growth.indexes()
  for (const index of indexes) {
    if (isEnding()) return 0
    await store.commit.run(() => estimateIndex(raw, index))
    await wait(Pause)
  }
  if (indexes.length && !isEnding()) await store.commit.run(() => publish(raw))
  return indexes.length
}

/**
 * Keeps the statistics of the query planner up to date while a server runs: a database that was filled in one go has
 * none. Answers how to stop.
 */
export function keepEstimates(store: Store): () => void {
  const growth = new Growth(store.db.raw)
  return whenIdle(Rounds, (isEnding) => estimateGrown(store, growth, isEnding))
}
