/** How one piece of work ended. */
export type Done<T> = { value: T } | { error: Error }
/**
 * Does several pieces of one kind outside the main thread, for someone; the outcomes stand in the order of the inputs.
 */
export type Workshop<In, Out> = (inputs: readonly In[], asker: string) => Promise<readonly Done<Out>[]>

/**
 * Thrown at the end of a write whose rules asked for work that is not done yet: it is undone, and run again afterwards.
 */
export class Unfinished extends Error {}

type AnyWorkshop = Workshop<never, unknown>

/** What the rules of one write have asked for, and what came of it. */
export class Errands {
  readonly #asker: string
  readonly #done = new Map<AnyWorkshop, Map<string, Done<unknown>>>()
  #asked = new Map<AnyWorkshop, Map<string, unknown>>()
  #rounds = 0

  /** For the writes of one asker, who takes turns with others. */
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
    for (const [workshop, inputs] of asked) {
      const outcomes = await (workshop as Workshop<unknown, unknown>)([...inputs.values()], this.#asker)
      const done = this.#done.get(workshop) ?? new Map<string, Done<unknown>>()
      this.#done.set(workshop, done)
      for (const [i, key] of [...inputs.keys()].entries()) done.set(key, outcomes[i]!)
    }
  }

  ask<In, Out>(workshop: Workshop<In, Out>, key: string, input: In): Done<Out> | undefined {
    const done = this.#done.get(workshop)?.get(key)
    if (done) return done as Done<Out>
    const asked = this.#asked.get(workshop) ?? new Map<string, unknown>()
    this.#asked.set(workshop, asked.set(key, input))
    return undefined
  }
}

/** One answer may lead to another question, such as the parsed file to the check of its content. */
const MaxRounds = 5

let current: Errands | undefined

/**
 * The answer of work that would hold up other requests. In a write it is `meanwhile` at first: the write goes on with
 * that, is undone, and runs again when the answer is there. Outside of writes that others wait for, `here` does the
 * work at once. `key` tells one input from another. Throws what the work threw.
 */
export function elsewhere<In, Out>(
  workshop: Workshop<In, Out>,
  { key, input, here, meanwhile }: { key: string; input: In; here: () => Out; meanwhile: Out },
): Out {
  if (!current) return here()
  const done = current.ask(workshop, key, input)
  if (!done) return meanwhile
  if ('error' in done) throw done.error
  return done.value
}
