/** Transactions between two trials: at first, and when many in a row were not worth it. */
const [Rest, LongRest] = [16, 512]

/** When a transaction tries what pays only at times: ever more rarely while it does not. */
export class Trials {
  #left = 0
  #rest = Rest

  /** Whether the next one is a trial. */
  get isDue(): boolean {
    return this.#left === 0
  }

  /** One is over; if it was a trial, it was worth it or not. */
  over(isWorthIt: boolean): void {
    if (this.#left > 0) this.#left--
    else {
      this.#rest = isWorthIt ? Rest : Math.min(this.#rest * 2, LongRest)
      this.#left = this.#rest
    }
  }
}

/**
 * How many writes come together while others read: a transaction waits for so many, and for no more. Now and then one
 * waits whatever came lately, to see whether more would share it.
 */
export class Company {
  #usual = 1
  readonly #trials = new Trials()

  /** Whether a transaction of so many writes waits for more. */
  expectsMore(count: number): boolean {
    return this.#trials.isDue || count < this.#usual
  }

  /** A transaction held so many. */
  came(count: number): void {
    this.#trials.over(count > this.#usual)
    this.#usual = Math.max(count, this.#usual - 1)
  }
}
