import { type Change, EveryTable } from './changes.ts'

/** Changes of a table past which the first ones are forgotten, and rows of one past which nobody looks at each. */
const Max = 64

/** Rows that were changed, and in which columns. */
interface RowChange {
  columns: Change['columns']
  ids: readonly number[]
}

/** What changed of one table lately, each change with its number. */
class Recent {
  #first = 0
  readonly #changes: RowChange[] = []

  /** The number of the next change. */
  get next(): number {
    return this.#first + this.#changes.length
  }

  note({ columns, ids }: Change): void {
    if (ids === 'all' || ids.length > Max) {
      this.forget()
      return
    }
    this.#changes.push({ columns, ids })
    if (this.#changes.length > Max) {
      this.#changes.shift()
      this.#first++
    }
  }

  forget(): void {
    this.#first = this.next + 1
    this.#changes.length = 0
  }

  /** The changes from a number on; undefined where they are not all known any more. */
  since(number: number): readonly RowChange[] | undefined {
    return number < this.#first ? undefined : this.#changes.slice(number - this.#first)
  }
}

/** What changed lately of the tables that somebody asked about. */
export class RecentChanges {
  readonly #tables = new Map<string, Recent>()

  note(change: Change): void {
    if (change.table === EveryTable) for (const recent of this.#tables.values()) recent.forget()
    else this.#tables.get(change.table)?.note(change)
  }

  /** Those of a table, which are known from now on. */
  of(table: string): Recent {
    const known = this.#tables.get(table) ?? new Recent()
    this.#tables.set(table, known)
    return known
  }
}

/** The rows of some changes in which one of these columns may be another, or that came or went. */
export function rowsChanged(changes: readonly RowChange[], read: ReadonlySet<string> | 'all'): Set<number> {
  const rows = new Set<number>()
  for (const { columns, ids } of changes)
    if (columns === 'all' || read === 'all' || columns.some((column) => read.has(column)))
      for (const id of ids) rows.add(id)
  return rows
}
