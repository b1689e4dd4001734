/** What sees to tables before they are first written. */
interface Watch {
  /** Keeps the state of each row before it is changed or deleted, and notes rows that are added. */
  begin: (tables: readonly string[]) => void
  /** Notes rows that are added, and no more. */
  follow: (tables: readonly string[]) => void
  /** Those of some tables that hold no row. */
  emptyOf: (tables: readonly string[]) => string[]
  /** Whether a transaction is open whose end is told here. */
  isWithin: () => boolean
}

/**
 * Tables whose earlier states are kept: each is seen to before its first write, for as long as the connection lives;
 * what a transaction began and took back is not any more. A table that is empty has no earlier states: what the step
 * that is being made does to the rows it adds itself needs no keeping, and is not begun.
 */
export class Keeping {
  readonly tables: ReadonlySet<string>
  readonly #watch: Watch
  /** Those that were seen to. */
  readonly #kept = new Set<string>()
  /** Those of them that were empty when the step first wrote them. */
  readonly #new = new Set<string>()
  /** Those that were seen to in the transaction that is open, in their order. */
  #soFar: string[] = []

  constructor(tables: ReadonlySet<string>, watch: Watch) {
    this.tables = tables
    this.#watch = watch
  }

  /** How often tables were seen to since the transaction began. */
  get count(): number {
    return this.#soFar.length
  }

  /** Before a write to a table; to any of them, where nobody knows. `adds`: it may add rows. */
  before(table: string | undefined, adds = true): void {
    if (table === undefined)
      this.#begin([...this.tables].filter((each) => !this.#kept.has(each) || this.#new.has(each)))
    else if (!this.#kept.has(table) && this.tables.has(table)) this.#see(table, adds)
  }

  #see(table: string, adds: boolean): void {
    const isNew = this.#watch.isWithin() && this.#watch.emptyOf([table]).length > 0
    if (isNew && !adds) return // there is nothing that it could change
    if (isNew) {
      this.#watch.follow([table])
      this.#new.add(table)
      this.#note([table])
    } else this.#begin([table])
  }

  /**
   * Sees to all tables that hold rows, or to so many more of them, in a transaction before one that tries much and
   * takes it back: each is begun with its first write else, and SQLite reads the whole schema anew for whatever is
   * taken back in the same transaction. Answers whether some are left.
   */
  more(most = Infinity): boolean {
    const unkept = [...this.tables].filter((each) => !this.#kept.has(each))
    const empty = new Set(this.#watch.emptyOf(unkept))
    const due = unkept.filter((each) => !empty.has(each))
    this.#begin(due.slice(0, most))
    return due.length > most
  }

  #begin(tables: readonly string[]): void {
    if (tables.length === 0) return
    this.#watch.begin(tables)
    for (const each of tables) this.#new.delete(each)
    this.#note(tables)
  }

  #note(tables: readonly string[]): void {
    for (const each of tables) this.#kept.add(each)
    if (this.#watch.isWithin()) this.#soFar.push(...tables)
  }

  /** What was begun since the transaction began was taken back, but for so many that were first. */
  forget(first = 0): void {
    for (const table of this.#soFar.splice(first)) {
      this.#kept.delete(table)
      this.#new.delete(table)
    }
  }

  /** The step is made: what comes now may change rows that it added. */
  endStep(): void {
    for (const table of this.#new) this.#kept.delete(table)
    this.#new.clear()
  }

  /** The transaction is over, and what it did is done. */
  done(): void {
    this.endStep()
    this.#soFar = []
  }
}
