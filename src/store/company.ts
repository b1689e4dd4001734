/** Transactions between two that wait for more writes than came lately: at first, and when none came repeatedly. */
export const [Rest, LongRest] = [16, 512]

/**
 * How many writes come together while others read: a transaction waits for so many, and for no more. Now and then one
 * waits whatever came lately, to see whether more would share it.
 */
export class Company {
  #usual = 1
  #untilTrial = 0
  #rest = Rest

  /** Whether a transaction of so many writes waits for more. */
  expectsMore(count: number): boolean {
    return this.#untilTrial === 0 || count < this.#usual
  }

  /** A transaction held so many. */
  came(count: number): void {
    if (this.#untilTrial > 0) this.#untilTrial--
    else {
      this.#rest = count > this.#usual ? Rest : Math.min(this.#rest * 2, LongRest)
      this.#untilTrial = this.#rest
    }
    this.#usual = Math.max(count, this.#usual - 1)
  }
}
