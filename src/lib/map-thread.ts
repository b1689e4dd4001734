import { createHash } from 'node:crypto'
import { Lru } from './lru.ts'
import type { MapJob, MapPlan } from './map-layout.ts'
import { ThreadPool } from './thread-pool.ts'
import { startThread } from './threads.ts'

const pool = new ThreadPool<MapJob, MapPlan>(
  () => startThread('map', { resourceLimits: { maxOldGenerationSizeMb: 256 }, env: {} }),
  { threads: 2, timeout: 20_000, waiting: 20, waitingOfOne: 4 },
)
/** Plans of maps that were drawn lately. */
const known = new Lru<string, MapPlan>(20)

/** The plan of a map, made in a thread where it is not known yet. Rejects with `NotDone`. */
export async function planInThread(job: MapJob, asker: string): Promise<MapPlan> {
  const key = createHash('sha256').update(JSON.stringify(job)).digest('base64')
  const made = known.get(key) ?? (await pool.run(job, asker))
  known.set(key, made)
  return made
}
