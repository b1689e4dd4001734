import { OldestFirst } from './oldest-first.ts'

/** Entries that are passed over at most to find one that nobody asked for. */
const MaxPassed = 16
/** Letters of all keys together: who asks chooses what many of them say, and how long that is. */
const MaxLetters = 4_000_000

/**
 * A map that forgets an entry past a size, in entries or in letters of their keys: one that was hardly asked for
 * lately. To ask for an entry marks it, and does
 * not move it: moving makes a Map allocate its table anew again and again. A marked one is passed over once. Whoever
 * makes it hears of what is forgotten past its size, and of what another value takes the place of.
 */
export class Lru<K, V> {
  readonly #entries = new Map<K, { value: V; isAsked: boolean }>()
  readonly #oldest = new OldestFirst(() => this.#entries.entries())
  readonly #max: number
  readonly #forgotten: (value: V) => void
  #letters = 0

  constructor(max: number, forgotten: (value: V) => void = () => {}) {
    this.#max = max
    this.#forgotten = forgotten
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    entry.isAsked = true
    return entry.value
  }

  set(key: K, value: V): void {
    const entry = this.#entries.get(key)
    if (entry) {
      const before = entry.value
      entry.value = value
      entry.isAsked = true
      this.#forgotten(before)
      return
    }
    if (this.#entries.size >= this.#max) this.#forgetOne()
    else this.#oldest.rest()
    this.#entries.set(key, { value, isAsked: false })
    this.#letters += lettersIn(key)
    while (this.#letters > MaxLetters && this.#entries.size > 1) this.#forgetOne()
  }

  #forgetOne(): void {
    let passed = 0
    for (let next = this.#oldest.next(); next; next = this.#oldest.next()) {
      const [key, entry] = next
      this.#entries.delete(key)
      if (!entry.isAsked || passed++ === MaxPassed) {
        this.#letters -= lettersIn(key)
        this.#forgotten(entry.value)
        return
      }
      entry.isAsked = false
      this.#entries.set(key, entry)
    }
  }

  get size(): number {
    return this.#entries.size
  }

  /** All values, in a list: a generator would take four times as long. */
  values(): V[] {
    const all: V[] = []
    for (const { value } of this.#entries.values()) all.push(value)
    return all
  }

  delete(key: K): void {
    if (this.#entries.delete(key)) this.#letters -= lettersIn(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#letters = 0
    this.#oldest.giveUp()
  }
}

const lettersIn = (key: unknown): number => (typeof key === 'string' ? key.length : 0)
