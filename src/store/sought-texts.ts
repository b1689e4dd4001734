import { Lru } from '../lib/lru.ts'

/** Letters by which the texts that are sought are told apart. */
const Start = 3

/**
 * What is kept of texts that somebody sought, by their queries, at most so many: of another text it says which of them
 * it may hold without a look at the others.
 */
export class SoughtTexts<T extends { readonly sought: string }> {
  readonly #byQuery: Lru<string, T>
  /** By their first letters, those that have as many. */
  readonly #byStart = new Map<string, Set<T>>()
  readonly #short = new Set<T>()

  constructor(max: number) {
    this.#byQuery = new Lru(max, (forgotten) => this.#remove(forgotten))
  }

  get(query: string): T | undefined {
    return this.#byQuery.get(query)
  }

  set(query: string, value: T): void {
    this.#byQuery.set(query, value)
    if (value.sought.length < Start) this.#short.add(value)
    else {
      const start = value.sought.slice(0, Start)
      const same = this.#byStart.get(start)
      if (same) same.add(value)
      else this.#byStart.set(start, new Set([value]))
    }
  }

  #remove(value: T): void {
    this.#short.delete(value)
    const start = value.sought.slice(0, Start)
    const same = this.#byStart.get(start)
    same?.delete(value)
    if (same?.size === 0) this.#byStart.delete(start)
  }

  /** Those whose beginning is in a text. */
  startedIn(text: string): T[] {
    const found = [...this.#short]
    for (const start of this.#startsIn(text)) {
      const same = this.#byStart.get(start)
      if (same) found.push(...same)
    }
    return found
  }

  /** The beginnings that a text may hold, each once: of the text or of all that is sought, whichever are fewer. */
  #startsIn(text: string): Iterable<string> {
    if (text.length > this.#byStart.size) return [...this.#byStart.keys()].filter((start) => text.includes(start))
    const starts = new Set<string>()
    for (let at = 0; at + Start <= text.length; at++) starts.add(text.slice(at, at + Start))
    return starts
  }
}
