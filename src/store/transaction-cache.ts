import type { Row } from '../fields/field.ts'
import { EveryTable } from './changes.ts'
import type { Connection } from './database.ts'

/** Rows of a table that are remembered at most, and names. */
const [MaxRows, MaxNamed] = [200, 5000]

/**
 * What the open transaction has read of rows, which the rules of its writes ask for again and again: whole rows until
 * they are changed, and what attributes named which row until its table is written. Everything is forgotten where rows
 * were deleted or something was undone, and when the transaction ends.
 */
class TransactionCache {
  readonly #db: Connection
  readonly #rows = new Map<string, Map<number, Row>>()
  readonly #named = new Map<string, { version: number; id: number }>()
  #since: number | undefined

  constructor(db: Connection) {
    this.#db = db
    db.onChange(({ table, ids }) => {
      if (table === EveryTable) this.#since = undefined
      const rows = this.#rows.get(table)
      if (!rows) return
      if (ids === 'all') rows.clear()
      else for (const id of ids) rows.delete(id)
    })
  }

  /** A row; the caller must not change it. */
  row(table: string, id: number, sql: string): Row | undefined {
    const known = this.known(table, id)
    if (known) return known
    const row = this.#db.get<Row>(sql, id)
    if (row) this.keep(table, id, row)
    return row
  }

  /** A row that is remembered; the caller must not change it. */
  known(table: string, id: number): Row | undefined {
    return this.#holds() ? this.#rows.get(table)?.get(id) : undefined
  }

  /** Remembers a row as it is now. */
  keep(table: string, id: number, row: Row): void {
    if (!this.#holds()) return
    const rows = this.#rows.get(table) ?? new Map<number, Row>()
    this.#rows.set(table, rows)
    if (rows.size >= MaxRows) rows.clear()
    rows.set(id, row)
  }

  /** The id of the row of a table that a text stands for, by what `find` says. */
  named(table: string, text: string, find: () => number): number {
    if (!this.#holds()) return find()
    const version = this.#db.version(table)
    const key = `${table} ${text}`
    const known = this.#named.get(key)
    if (known?.version === version) return known.id
    const id = find()
    if (this.#named.size >= MaxNamed) this.#named.clear()
    this.#named.set(key, { version, id })
    return id
  }

  /** Whether there is a transaction that what is known is of. */
  #holds(): boolean {
    const { unbroken } = this.#db
    if (unbroken === undefined) return false
    if (unbroken !== this.#since) {
      for (const known of [this.#rows, this.#named]) if (known.size > 0) known.clear()
      this.#since = unbroken
    }
    return true
  }
}

const known = new WeakMap<Connection, TransactionCache>()
/** What the open transaction of a connection has read. */
export function transactionCache(db: Connection): TransactionCache {
  const recent = known.get(db) ?? new TransactionCache(db)
  known.set(db, recent)
  return recent
}
