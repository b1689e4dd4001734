/** Times in a row that nothing has to go, after which the place is given up. */
const MaxRests = 64

/**
 * The entries of a Map or Set from the oldest on: it goes on where it was, since V8 keeps the places of what is deleted
 * until the table grows, and whoever begins anew passes by all of them. But an iterator that rests keeps each earlier
 * table with all that was in it; so it is given up where nothing has had to go for a while.
 */
export class OldestFirst<T> {
  readonly #begin: () => Iterator<T>
  #at: Iterator<T> | undefined
  #rests = 0

  constructor(begin: () => Iterator<T>) {
    this.#begin = begin
  }

  /** The next entry, which is then deleted or added once more; undefined where there is none. */
  next(): T | undefined {
    this.#rests = 0
    const next = this.#at?.next()
    if (next && !next.done) return next.value
    this.#at = this.#begin()
    const first = this.#at.next()
    return first.done ? undefined : first.value
  }

  /** Nothing has to go this time. */
  rest(): void {
    if (this.#at && ++this.#rests > MaxRests) this.giveUp()
  }

  giveUp(): void {
    this.#at = undefined
  }
}
