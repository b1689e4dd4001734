/** What is seen of a server at one look. */
interface Seen {
  /** Part of the time that the first thread worked, and that it worked on reads. */
  busy: number
  reading: number
  /** Cores that nobody used. */
  idle: number
  /** Threads that take connections beside the first, and the cores that they used. */
  threads: number
  others: number
}

/** The first thread can do hardly more, reads are a good part of that, and there is a core for one more thread. */
const [Full, Reading, Idle] = [0.85, 0.4, 0.5]
/** Part of a core for each thread that would be left, below which one less is enough. */
const Enough = 0.5
/** So many looks in a row say that one more is needed, and one less. */
const Looks = { more: 4, fewer: 120 }

/** How many times as long as a write itself its request, its commit and its answer take. */
const Around = 1.5

/**
 * How many connections the first of so many threads would have besides, if its writes were connections: each then has
 * as much time for its own. `writing`: part of its time that writes take, without what is around them.
 */
export function burdenOf(writing: number, connections: number, threads: number): number {
  const part = Math.min(1, writing * (1 + Around))
  return threads < 2 ? 0 : (connections * part) / (threads - part)
}

/** Says when more threads are to take connections, or fewer. */
export class Demand {
  #more = 0
  #fewer = 0

  look({ busy, reading, idle, threads, others }: Seen): 'more' | 'fewer' | undefined {
    this.#more = busy > Full && reading > Reading && idle > Idle ? this.#more + 1 : 0
    this.#fewer = threads > 0 && busy + others < Enough * threads ? this.#fewer + 1 : 0
    if (this.#more === Looks.more) {
      this.#more = 0
      return 'more'
    }
    if (this.#fewer < Looks.fewer) return undefined
    this.#fewer = 0
    return 'fewer'
  }
}
