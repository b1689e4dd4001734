import { Cores } from './cores.ts'

/** Utilization from which on the first thread counts as busy, and as saturated. */
const Busy = 0.5
const Full = 0.85
/** Milliseconds that are looked at. */
const Look = 100
/** Cores that threads need, so that they do not compete with the first thread or with clients on this machine. */
const Spare = 0.9

/** How much the first thread works, and what the machine has left. */
export class Load {
  readonly #cores = new Cores()
  #before = performance.eventLoopUtilization()
  #looked: number | undefined
  #load = 0

  /** The first thread is busy, and there is a core for other threads. */
  get isRelieved(): boolean {
    return this.#of() > Busy && this.#cores.spare > Spare
  }

  /** The first thread is saturated, and there is a core for other threads. */
  get isFull(): boolean {
    return this.#of() > Full && this.#cores.spare > Spare
  }

  /** Whether there is a core for one more thread, beside those that are at work. */
  get hasIdle(): boolean {
    return this.idle > Spare
  }

  /** Cores that nobody uses. */
  get idle(): number {
    return this.#cores.idle
  }

  /** Share of the last moments that it worked; the first look, which would see the work of the start, says 0. */
  #of(): number {
    const at = performance.now()
    if (this.#looked !== undefined && at - this.#looked < Look) return this.#load
    const now = performance.eventLoopUtilization()
    this.#load = this.#looked === undefined ? 0 : performance.eventLoopUtilization(now, this.#before).utilization
    this.#before = now
    this.#looked = at
    return this.#load
  }
}
