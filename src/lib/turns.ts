import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work between which others have their turn. */
const Turn = 8

/** Runs work that yields often to its end, in turn with whatever else waits; answers what it returns. */
export async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  for (let from = performance.now(); ; ) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() - from < Turn) continue
    await setImmediate()
    from = performance.now()
  }
}

/** Runs work that yields to its end at once; answers what it returns. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
