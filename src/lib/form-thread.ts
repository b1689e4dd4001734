import type { FormAnswer, FormJob } from './workers/form.ts'
import { ThreadPool } from './thread-pool.ts'
import { startThread } from './threads.ts'

const pool = new ThreadPool<FormJob, FormAnswer>(
  () => startThread('form', { resourceLimits: { maxOldGenerationSizeMb: 128 }, env: {} }),
  { threads: 2, timeout: 20_000, waiting: 100, waitingOfOne: 20 },
)

/** The parts of a large form, read in a thread, or what is wrong with it. Rejects with `NotDone`. */
export async function partsInThread(bytes: Buffer, type: string, asker: string): Promise<FormAnswer['parts']> {
  return (await pool.run({ bytes, type }, asker)).parts
}
