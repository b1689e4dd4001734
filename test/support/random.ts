/** Random choices that a seed repeats (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to but not 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** A whole number from 0 to `n - 1`. */
  below(n: number): number {
    return Math.floor(this.next() * n)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list]
    return Array.from(list, () => left.splice(this.below(left.length), 1)[0]!)
  }
}

/**
 * The seed of a test that draws at random, which the test prints: a fixed one, so that a commit is judged by what it
 * changed; CABINET_TEST_SEED says another, and `new` draws one, as the long runs do.
 */
export function seedOf(): number {
  const asked = process.env.CABINET_TEST_SEED
  return asked === 'new' ? Math.floor(Math.random() * 2 ** 31) : Number(asked) || 21
}
