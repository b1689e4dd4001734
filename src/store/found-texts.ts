import type { AnyModel } from '../declare/model.ts'
import { entriesOf, searchedOf } from '../engine/search.ts'
import { textConditions } from '../filters/string.ts'
import { Lru } from '../lib/lru.ts'
import { q } from '../lib/sql.ts'
import type { Connection } from './database.ts'
import { type RowChange, RecentChanges, rowsChanged } from './recent-changes.ts'

/** Rows that may hold a text, by the place of their column in the index; undefined where they are many. */
export type FoundRows = ReadonlyMap<number, readonly number[]> | undefined

interface Found {
  rows: FoundRows
  /** The number of the first change that it does not know of. */
  next: number
}

/** Answers kept, of all models; each is a few hundred bytes, and an index of trigrams takes 0.1 ms to ask. */
const MaxFound = 2000

/**
 * The rows of a model that may hold a text, as the index of the search found them; where rows have changed since, only
 * those are looked at.
 */
export class FoundTexts {
  readonly #db: Connection
  readonly #found = new Lru<string, Found>(MaxFound)
  readonly #recent = new RecentChanges()

  constructor(db: Connection) {
    this.#db = db
    db.onChange((change) => this.#recent.note(change))
  }

  /** What `ask` found or would find now; `query`: what it asks for, which is what a lookup makes of the text. */
  of(m: AnyModel, lookup: string, text: string, query: string, ask: () => FoundRows): FoundRows {
    const recent = this.#recent.of(m.table)
    const key = `${m.name} ${query}`
    const known = this.#found.get(key)
    const changes = known && recent.since(known.next)
    if (known && changes?.length === 0) return known.rows
    const rows = known && changes ? this.#setRight(m, lookup, text, known.rows, changes) : ask()
    this.#found.set(key, { rows, next: recent.next })
    return rows
  }

  #setRight(m: AnyModel, lookup: string, text: string, rows: FoundRows, changes: readonly RowChange[]): FoundRows {
    if (!rows) return rows
    let right: Map<number, readonly number[]> | undefined
    for (const { name } of searchedOf(m)) {
      const ids = rowsChanged(changes, new Set([name]))
      if (ids.size === 0) continue
      right ??= new Map(rows)
      const place = entriesOf(m, name)!.place
      const holding = new Set(this.#holding(m, name, lookup, text, [...ids]))
      const before = (rows.get(place) ?? []).filter((id) => !ids.has(id) || holding.delete(id))
      right.set(place, [...before, ...holding])
    }
    return right ?? rows
  }

  /** Those of some rows that hold the text in a column. */
  #holding(m: AnyModel, column: string, lookup: string, text: string, ids: readonly number[]): number[] {
    const values: Record<string, unknown> = { ids: JSON.stringify(ids) }
    const condition = textConditions[lookup]!(`t.${q(column)}`, text, (sought) => {
      values.sought = sought
      return ':sought'
    })
    const sql = `select t.id from json_each(:ids) j cross join ${q(m.table)} t on t.id = j.value where ${condition}`
    return this.#db.prepare(sql).pluck().all(values) as number[]
  }
}
