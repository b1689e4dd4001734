/**
 * What a statement, or a commit, changed of a table; plain data, which may be sent to other threads. It may say more
 * than what changed, never less: columns that got other values, or `all` where rows came or went or nothing is known;
 * ids of the rows; and the numbers that columns ending in `_id` held in these rows before and after. A column missing
 * in `refers` may have held anything.
 */
export interface Change {
  readonly table: string
  readonly columns: readonly string[] | 'all'
  readonly ids: readonly number[] | 'all'
  readonly refers: Readonly<Record<string, readonly number[]>>
}

/** Stands for every table, in `Change.table`: nothing is known. */
export const EveryTable = '*'
/** The change of which nothing is known. */
export const everything: Change = { table: EveryTable, columns: 'all', ids: 'all', refers: {} }

/** A table of which nothing is known but that it was written. */
export const anyOf = (table: string): Change => ({ table, columns: 'all', ids: 'all', refers: {} })

/** Past so many rows, or numbers of a column, of one table a list of changes says `all`. */
const MaxNamed = 1000

/**
 * What a column held in the rows that were changed, and the number that was added last: rows made together often hold
 * the same.
 */
interface Held {
  column: string
  numbers: Set<number>
  last: number | undefined
}

interface Sum {
  table: string
  columns: readonly string[] | 'all'
  ids: Set<number> | 'all'
  refers: Held[]
}

/**
 * Changes in the order of their making, those of the same columns of a table as one; bounded, however much was written.
 */
export class Changes {
  readonly #sums = new Map<string, Map<string, Sum>>()

  add(change: Change): void {
    let ofTable = this.#sums.get(change.table)
    if (!ofTable) {
      ofTable = new Map<string, Sum>()
      this.#sums.set(change.table, ofTable)
    }
    const key = change.columns === 'all' ? '' : change.columns.join()
    const sum = ofTable.get(key)
    if (!sum) {
      const refers = Object.entries(change.refers).map(
        ([column, held]): Held => ({ column, numbers: new Set(held), last: undefined }),
      )
      const ids = change.ids === 'all' ? 'all' : new Set(change.ids)
      ofTable.set(key, { table: change.table, columns: change.columns, ids, refers })
      return
    }
    if (change.ids === 'all') sum.ids = 'all'
    else if (sum.ids !== 'all') {
      for (const id of change.ids) sum.ids.add(id)
      if (sum.ids.size > MaxNamed) sum.ids = 'all'
    }
    let isOver = false
    for (const known of sum.refers) {
      const held = change.refers[known.column]
      if (!held) isOver = true
      else if (held.length > 0) addTo(known, held)
      if (known.numbers.size > MaxNamed) isOver = true
    }
    if (isOver)
      sum.refers = sum.refers.filter(({ column, numbers }) => change.refers[column] && numbers.size <= MaxNamed)
  }

  get isEmpty(): boolean {
    return this.#sums.size === 0
  }

  list(): Change[] {
    return [...this.#sums.values()].flatMap((ofTable) =>
      [...ofTable.values()].map(({ table, columns, ids, refers }) => ({
        table,
        columns,
        ids: ids === 'all' ? ids : [...ids],
        refers: Object.fromEntries(refers.map(({ column, numbers }) => [column, [...numbers]])),
      })),
    )
  }
}

function addTo(known: Held, held: readonly number[]): void {
  for (const number of held) {
    if (number === known.last) continue
    known.last = number
    known.numbers.add(number)
  }
}
