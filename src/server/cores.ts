import { cpus } from 'node:os'
import { worked } from '../http/spent.ts'

/** Milliseconds between two looks. */
const Look = 500

/** How much of the machine's processors is left for more threads of this process. */
export class Cores {
  #at = performance.now()
  #left = leftSoFar()
  #spare = 0

  /** Cores that nobody used lately, or only other threads of this process than this one; 0 before the second look. */
  get spare(): number {
    const at = performance.now()
    if (at - this.#at < Look) return this.#spare
    const left = leftSoFar()
    this.#spare = (left - this.#left) / (at - this.#at)
    this.#left = left
    this.#at = at
    return this.#spare
  }
}

/** Milliseconds, of all cores together, that were idle or used by other threads of this process. */
function leftSoFar(): number {
  const { user, system } = process.cpuUsage()
  return cpus().reduce((sum, { times }) => sum + times.idle, (user + system) / 1000 - worked())
}
