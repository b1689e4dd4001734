/** How one piece of work ended. */
export type Done<T> = { value: T } | { error: Error }
/**
 * Does a batch of work outside the main thread; outcomes are in the order of the inputs. Work of different askers takes
 * turns.
 */
export type BatchWorker<In, Out> = (inputs: readonly In[], asker: string) => Promise<readonly Done<Out>[]>

/**
 * Thrown at the end of a write whose rules asked for work that is not done yet: it is rolled back, and run again later.
 */
export class Unfinished extends Error {}

type AnyBatchWorker = BatchWorker<never, unknown>

/** The work that the rules of one write have deferred, and its outcomes. */
export class DeferredWork {
  readonly #asker: string
  readonly #done = new Map<AnyBatchWorker, Map<string, Done<unknown>>>()
  #asked = new Map<AnyBatchWorker, Map<string, unknown>>()
  #rounds = 0

  /** `asker`: who writes, by whom work takes turns. */
  constructor(asker: string) {
    this.#asker = asker
  }

  /** Runs a write. Throws `Unfinished` when it asked for something, whatever else it threw. */
  within<T>(work: () => T): T {
    const outer = current
    current = this
    try {
      const value = work()
      if (this.#asked.size === 0) return value
    } catch (error) {
      if (this.#asked.size === 0) throw error
    } finally {
      current = outer
    }
    throw new Unfinished() // whatever the write answered or threw, it did without the answers
  }

  /** Does what was asked for. Rejects when a write asks for ever more. */
  async finish(): Promise<void> {
    if (++this.#rounds > MaxRounds) throw new Error('a write asks for ever more work')
    const asked = this.#asked
    this.#asked = new Map()
    for (const [worker, inputs] of asked) {
      const outcomes = await (worker as BatchWorker<unknown, unknown>)([...inputs.values()], this.#asker)
      const done = this.#done.get(worker) ?? new Map<string, Done<unknown>>()
      this.#done.set(worker, done)
      for (const [i, key] of [...inputs.keys()].entries()) done.set(key, outcomes[i]!)
    }
  }

  ask<In, Out>(worker: BatchWorker<In, Out>, key: string, input: In): Done<Out> | undefined {
    const done = this.#done.get(worker)?.get(key)
    if (done) return done as Done<Out>
    const asked = this.#asked.get(worker) ?? new Map<string, unknown>()
    this.#asked.set(worker, asked.set(key, input))
    return undefined
  }
}

/** Attempts of one write: an outcome may lead to more work, such as a parsed file to the check of its content. */
const MaxRounds = 5

let current: DeferredWork | undefined

/**
 * The answer of work that would hold up other requests. In a write it is `placeholder` at first: the write goes on with
 * that, is rolled back, and runs again when the answer is there. Outside of writes that others wait for, `inPlace` does
 * the work at once. `key` tells one input from another. Throws what the work threw.
 */
export function deferred<In, Out>(
  worker: BatchWorker<In, Out>,
  { key, input, inPlace, placeholder }: { key: string; input: In; inPlace: () => Out; placeholder: Out },
): Out {
  if (!current) return inPlace()
  const done = current.ask(worker, key, input)
  if (!done) return placeholder
  if ('error' in done) throw done.error
  return done.value
}
