import { cpus } from 'node:os'
import { threadTime } from '../lib/thread-time.ts'

/** Milliseconds between two looks. */
const Look = 500

/** How much of the machine's processors is left for more threads of this process. */
export class Cores {
  #at = performance.now()
  #before = soFar()
  #idle = 0
  #spare = 0

  /** Cores that nobody used lately; 0 before the second look. */
  get idle(): number {
    this.#look()
    return this.#idle
  }

  /** The same with those that other threads of this process used. */
  get spare(): number {
    this.#look()
    return this.#spare
  }

  #look(): void {
    const at = performance.now()
    const passed = at - this.#at
    if (passed < Look) return
    const now = soFar()
    this.#idle = (now.idle - this.#before.idle) / passed
    this.#spare = this.#idle + (now.others - this.#before.others) / passed
    this.#before = now
    this.#at = at
  }
}

/** Milliseconds, of all cores together, that were idle, and those that other threads of this process worked. */
function soFar(): { idle: number; others: number } {
  const { user, system } = process.cpuUsage()
  return {
    idle: cpus().reduce((sum, { times }) => sum + times.idle, 0),
    others: (user + system) / 1000 - threadTime(),
  }
}
