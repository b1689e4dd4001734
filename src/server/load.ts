import { Cores } from './cores.ts'

/** Share of its time that the first thread works when it is busy, and the same when it can do hardly more. */
const Busy = 0.5
const Full = 0.85
/** Milliseconds that are looked at. */
const Look = 100
/** Cores that must be left for threads, so that they do not take from this one, or from who asks, what they give. */
const Spare = 0.5

/** How much the first thread works, and what the machine has left. */
export class Load {
  readonly #cores = new Cores()
  #before = performance.eventLoopUtilization()
  #looked: number | undefined
  #load = 0

  /** It works most of the time, and other threads have a core to work on, or would have. */
  get isRelieved(): boolean {
    return this.#of() > Busy && this.#cores.spare > Spare
  }

  /** It can do hardly more, and other threads have a core to work on, or would have. */
  get isFull(): boolean {
    return this.#of() > Full && this.#cores.spare > Spare
  }

  /** Whether there is a core for one more thread, beside those that are at work. */
  get hasIdle(): boolean {
    return this.#cores.idle > Spare
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
