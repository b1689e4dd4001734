import { setTimeout as wait } from 'node:timers/promises'
import { complain } from '../lib/log.ts'
import type { Store } from '../store/open.ts'
import { estimateIndex, Growth, publish } from '../store/statistics.ts'

/** Milliseconds between two looks at what has grown, and between two estimates, each of which takes some 5. */
const [Round, Pause] = [15_000, 50]
/** Utilization below which a server counts as idle, and rounds after which estimates are made all the same. */
const [Quiet, MostRounds] = [0.5, 40]

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
  let isEnding = false
  let rounds = 0
  let seen = performance.eventLoopUtilization()
  let work: Promise<unknown> = Promise.resolve()
  const look = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, seen)
    seen = now
    if (utilization > Quiet && ++rounds < MostRounds) return
    rounds = 0
    work = work
      .then(() => estimateGrown(store, growth, () => isEnding))
      .catch((error: unknown) => complain(`cabinet: no new estimates: ${(error as Error).message}\n`))
  }
  const timer = setInterval(look, Round).unref()
  return () => {
    isEnding = true
    clearInterval(timer)
  }
}
