/** Notes rows that were added to a table, by their ids, and those as JSON. */
type Noting = (ids: readonly number[], json: string) => void

/** Rows of one table that wait at most to be noted. */
const MaxWaiting = 1000

/**
 * What follows from rows that are added (the journal, the index of the search, the kept counts), noted for many rows at
 * once: before anything else happens to their table, and before the transaction ends. Triggers would do it row by row,
 * each time with SQLite's copy of every page that the row touches.
 */
export class Additions {
  readonly #followers = new Map<string, Map<string, Noting>>()
  readonly #waiting = new Map<string, number[]>()

  /** From now on `note` is told of rows that are added to a table; instead of what was given under the same name. */
  follow(table: string, name: string, note: Noting): void {
    this.#followers.set(table, (this.#followers.get(table) ?? new Map<string, Noting>()).set(name, note))
  }

  follows(table: string): boolean {
    return this.#followers.has(table)
  }

  add(table: string, id: number): void {
    const waiting = this.#waiting.get(table)
    if (!waiting) this.#waiting.set(table, [id])
    else if (waiting.push(id) >= MaxWaiting) this.settle(table)
  }

  /** Notes what waits: of one table, or of all. */
  settle(table?: string): void {
    if (this.#waiting.size === 0) return
    for (const each of table === undefined ? [...this.#waiting.keys()] : [table]) {
      const waiting = this.#waiting.get(each)
      if (!waiting) continue
      this.#waiting.delete(each)
      const ids = JSON.stringify(waiting)
      for (const note of this.#followers.get(each)!.values()) note(waiting, ids)
    }
  }

  /** Forgets what waits: the transaction that added it was undone. */
  drop(): void {
    this.#waiting.clear()
  }
}
