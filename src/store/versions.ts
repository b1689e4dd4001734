import { type Change, EveryTable } from './changes.ts'

/** A number that rises: what depends on some of them is out of date when their sum is another. */
interface Counter {
  n: number
}
/**
 * How often a table was written, since the connection was made: at all, in ways of which the columns are not known, by
 * column.
 */
interface Counters {
  any: Counter
  rows: Counter
  columns: Map<string, Counter>
}

/** Columns of a table that an answer depends on, beside which rows there are; `all` for every one. */
export type Columns = ReadonlySet<string> | 'all'
/** What an answer depends on: columns by table. */
export type Reads = ReadonlyMap<string, Columns>

/** How often tables were written, which tells what depends on them whether it is out of date. */
export class Versions {
  readonly #tables = new Map<string, Counters>()

  /** Counts a change of rows. */
  note({ table, columns }: Change): void {
    if (table === EveryTable)
      for (const own of this.#tables.values()) {
        own.any.n++
        own.rows.n++
      }
    else {
      const own = this.#counters(table)
      own.any.n++
      if (columns === 'all') own.rows.n++
      else for (const column of columns) columnOf(own, column).n++
    }
  }

  /** How often a table was written. */
  of(table: string): number {
    return this.#counters(table).any.n
  }

  /** Sum of the versions of some tables: unchanged while none of them is written. */
  sum(tables: Iterable<string>): number {
    let sum = 0
    for (const table of tables) sum += this.#counters(table).any.n
    return sum
  }

  /** A sum that is unchanged while nothing of what was read is: rows that come or go, and those columns. */
  sumOf(reads: Reads): () => number {
    const counters = [...reads].flatMap(([table, columns]) => {
      const own = this.#counters(table)
      return columns === 'all' ? own.any : [own.rows, ...[...columns].map((column) => columnOf(own, column))]
    })
    return () => {
      let sum = 0
      for (const counter of counters) sum += counter.n
      return sum
    }
  }

  #counters(table: string): Counters {
    const known = this.#tables.get(table)
    if (known) return known
    const own = { any: { n: 0 }, rows: { n: 0 }, columns: new Map() }
    this.#tables.set(table, own)
    return own
  }
}

function columnOf(counters: Counters, column: string): Counter {
  const known = counters.columns.get(column)
  if (known) return known
  const own = { n: 0 }
  counters.columns.set(column, own)
  return own
}
