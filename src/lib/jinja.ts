import { asset } from './assets.ts'
import { NotDone, ThreadPool } from './thread-pool.ts'
import { startThread } from './threads.ts'

/**
 * A template to render: `context` is the JSON of its variables, `objects` names those that are objects of the API,
 * `params` are its environment's.
 */
export interface Job {
  source: string
  context: string
  objects?: readonly string[]
  params: Readonly<Record<string, unknown>>
}
export type Outcome = { text: string } | { error: string; broken?: boolean }

/** What is wrong with a template, in words for its author. */
export class TemplateError extends Error {}

const MaxHeapMb = 256

const pool = new ThreadPool<Job, Outcome>(
  () =>
    startThread('jinja', {
      workerData: { wasm: asset('wasm/minijinja_js_bg.wasm') },
      resourceLimits: { maxOldGenerationSizeMb: MaxHeapMb },
      env: {},
    }),
  { threads: 3, timeout: 5000, waiting: 200, waitingOfOne: 25 },
)

/**
 * Renders a Jinja template in a thread, in turn with those of others than `asker`. Templates see their variables only:
 * no files, no code of ours, no other template. Rejects with `TemplateError`, also for one that takes too long or too
 * much memory.
 */
export async function render(job: Job, asker = ''): Promise<string> {
  const outcome = await pool.run(job, asker).catch((error: unknown): Outcome => {
    if (!(error instanceof NotDone)) throw error
    return { error: `the template cannot be rendered: ${error.message}` }
  })
  if ('text' in outcome) return outcome.text
  throw new TemplateError(outcome.error)
}
