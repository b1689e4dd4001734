import { addonsFolder } from './addons.ts'
import { inThread } from './threads.ts'

export interface SqlStep {
  sql: string
  values?: readonly unknown[]
}
/** Statements on a database, and the folder in which its addon is looked for first. */
export interface SqlJob {
  file: string
  addons: string | undefined
  steps: readonly SqlStep[]
}

/** Milliseconds after which a thread is given up. */
const Patience = 3_600_000

/**
 * Runs statements on a database one after another, on a connection of their own in a thread of its own, since they may
 * take minutes; answers the rows of each.
 */
export const runInThread = (file: string, steps: readonly SqlStep[]): Promise<Record<string, unknown>[][]> =>
  inThread('sql', { file, addons: addonsFolder(), steps } satisfies SqlJob, Patience)
