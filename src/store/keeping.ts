/** What sees to a table before it is first written. */
type Begin = (tables: readonly string[]) => void

/**
 * Tables whose earlier states are kept: each is seen to before its first write, for as long as the connection lives;
 * what a transaction began and took back is not any more.
 */
export class Keeping {
  readonly tables: ReadonlySet<string>
  readonly #begin: Begin
  readonly #isWithin: () => boolean
  /** Those that were seen to, and those of them that were in the transaction which is open, in their order. */
  readonly #kept = new Set<string>()
  readonly #keptSoFar = new Set<string>()

  /** `isWithin`: whether a transaction is open. */
  constructor(tables: ReadonlySet<string>, begin: Begin, isWithin: () => boolean) {
    this.tables = tables
    this.#begin = begin
    this.#isWithin = isWithin
  }

  /** Tables that were seen to since the transaction began. */
  get count(): number {
    return this.#keptSoFar.size
  }

  /** Before a write to a table; to any of them, where nobody knows. */
  before(table: string | undefined): void {
    if (table === undefined) this.more()
    else if (!this.#kept.has(table) && this.tables.has(table)) this.#see([table])
  }

  /**
   * Sees to all tables, or to so many more of them, in a transaction before one that tries much and takes it back: each
   * is begun with its first write else, and SQLite reads the whole schema anew for whatever is taken back in the same
   * transaction. Answers whether some are left.
   */
  more(most = Infinity): boolean {
    const due = [...this.tables].filter((each) => !this.#kept.has(each))
    this.#see(due.slice(0, most))
    return due.length > most
  }

  #see(tables: readonly string[]): void {
    if (tables.length === 0) return
    this.#begin(tables)
    const isWithin = this.#isWithin()
    for (const each of tables) {
      this.#kept.add(each)
      if (isWithin) this.#keptSoFar.add(each)
    }
  }

  /** What was begun since the transaction began was taken back, but for so many tables that were first. */
  forget(first = 0): void {
    for (const table of [...this.#keptSoFar].slice(first)) {
      this.#kept.delete(table)
      this.#keptSoFar.delete(table)
    }
  }

  /** The transaction is over, and what it did is done. */
  done(): void {
    this.#keptSoFar.clear()
  }
}
