import { q } from '../lib/sql.ts'
import { type Change, EveryTable } from './changes.ts'
import type { Connection } from './database.ts'
import { lastOwn } from './own-ids.ts'

/** Rows of one table that are remembered: some 30 bytes for each. */
const MaxRows = 20_000

interface Known {
  ids: Set<number>
  /** The last id of our own; undefined where that is not known. */
  last: number | undefined
}

/**
 * Which rows there are, as far as somebody asked: each list that is filtered by an object asks whether there is such a
 * one, and to read that of the database costs more than all else of a list that is kept.
 */
export class KnownRows {
  readonly #db: Connection
  readonly #tables = new Map<string, Known>()

  constructor(db: Connection) {
    this.#db = db
    db.onChange((change) => this.#note(change))
  }

  /** Whether there is a row of this id in a table. */
  has(table: string, id: number): boolean {
    const { ids } = this.#of(table)
    if (ids.has(id)) return true
    if (!this.#db.get(`select 1 from ${q(table)} where id = +?`, id)) return false
    if (ids.size >= MaxRows) ids.clear()
    ids.add(id)
    return true
  }

  /** The largest id that was not given by a kit: about how many rows there are; 0 where there are none. */
  lastOwn(table: string): number {
    const known = this.#of(table)
    known.last ??= this.#db.get<{ id: number | null }>(lastOwn(table))!.id ?? 0
    return known.last
  }

  #of(table: string): Known {
    const known = this.#tables.get(table)
    if (known) return known
    const made = { ids: new Set<number>(), last: undefined }
    this.#tables.set(table, made)
    return made
  }

  #note({ table, columns, ids }: Change): void {
    if (columns !== 'all' && !columns.includes('id')) return // no row came or went
    if (table === EveryTable) this.#tables.clear()
    const known = this.#tables.get(table)
    if (!known) return
    known.last = undefined
    if (ids === 'all') known.ids.clear()
    else for (const id of ids) known.ids.delete(id)
  }
}
