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

/** Milliseconds for which a thread works before it looks after requests. */
const Slice = 3

/** Divides work that is done in one go into turns, between which the thread looks after requests. */
export class Turns {
  #began = performance.now()
  /** Milliseconds of the turns that are over. */
  #before = 0

  get isOver(): boolean {
    return performance.now() - this.#began > Slice
  }

  get worked(): number {
    return this.#before + performance.now() - this.#began
  }

  async next(): Promise<void> {
    this.#before = this.worked
    await setImmediate()
    this.#began = performance.now()
  }
}
