import type { AnyModel } from '../declare/model.ts'
import { entriesOf, searchedOf } from '../engine/search.ts'
import { Lru } from '../lib/lru.ts'
import { q } from '../lib/sql.ts'
import { type Change, EveryTable } from './changes.ts'
import type { Connection } from './database.ts'

/** Rows that may hold a text, by the place of their column in the index; undefined where they are many. */
export type FoundRows = ReadonlyMap<number, readonly number[]> | undefined

/** An answer that is set right as rows change; of one of many rows nothing is known but that, for a while. */
interface Found {
  lookup: string
  /** In lower case. */
  sought: string
  rows: Map<number, readonly number[]> | undefined
  /** Changed rows after which it is asked again: many may be few by then. */
  patience: number
}

/** A model that is searched, and what changed of it since its answers were last set right. */
interface Searched {
  m: AnyModel
  /** By their queries. */
  answers: Lru<string, Found>
  /** Rows by the column that changed. */
  changed: Map<string, Set<number>>
}

/** Models and answers of one that are kept: each is a few hundred bytes, and to ask the index takes 0.3 ms. */
const [MaxModels, MaxAnswers] = [12, 1000]
/** Rows of a column that wait at most until they are looked at, and texts that are compared at once: a millisecond. */
const [MaxChanged, MaxCompared] = [64, 20_000]
/** Rows of all columns, and later of each, past which an answer is not kept. */
const MaxRows = 200
const Patience = 64

const sizeOf = (rows: FoundRows): number => (rows ? [...rows.values()].reduce((sum, ids) => sum + ids.length, 0) : 0)
/** What was found in the columns of one model. */
function ofModel(m: AnyModel, all: NonNullable<FoundRows>): Map<number, readonly number[]> {
  const own = new Map<number, readonly number[]>()
  for (const { name } of searchedOf(m)) {
    const { place } = entriesOf(m, name)!
    const ids = all.get(place)
    if (ids) own.set(place, ids)
  }
  return own
}

/**
 * Whether a text holds what a lookup seeks, which is of ASCII, both in lower case. What this takes too many for is
 * compared again.
 */
function holds(lookup: string, text: string, sought: string): boolean {
  if (lookup === 'ic') return text.includes(sought)
  if (lookup === 'isw') return text.startsWith(sought)
  return lookup === 'iew' ? text.endsWith(sought) : text === sought
}

/**
 * The rows of a model that may hold a text, as the index of the search found them; where rows have changed since, each
 * is looked at once, for all texts that somebody looked for.
 */
export class FoundTexts {
  readonly #db: Connection
  readonly #searched = new Lru<string, Searched>(MaxModels)

  constructor(db: Connection) {
    this.#db = db
    db.onChange((change) => this.#note(change))
  }

  /** What `ask` found or would find now, in columns of the model; `query`: what it asks for, as a lookup has it. */
  of(m: AnyModel, lookup: string, text: string, query: string, ask: () => FoundRows): FoundRows {
    let searched = this.#searched.get(m.table)
    if (searched) this.#setRight(searched)
    else {
      searched = { m, answers: new Lru(MaxAnswers), changed: new Map() }
      this.#searched.set(m.table, searched)
    }
    const known = searched.answers.get(query)
    if (known && known.patience > 0) return known.rows
    const all = ask()
    const rows = all && ofModel(m, all)
    if (sizeOf(rows) > MaxRows) return rows // it would take more memory than to ask again takes time
    searched.answers.set(query, { lookup, sought: text.toLowerCase(), rows, patience: Patience })
    return rows
  }

  #note({ table, columns, ids }: Change): void {
    if (table === EveryTable) this.#searched.clear()
    const searched = this.#searched.get(table)
    if (!searched) return
    for (const { name } of searchedOf(searched.m)) {
      if (columns !== 'all' && !columns.includes(name)) continue
      const changed = searched.changed.get(name) ?? new Set()
      searched.changed.set(name, changed)
      if (ids !== 'all') for (const id of ids) changed.add(id)
      if (ids !== 'all' && changed.size <= MaxChanged) continue
      this.#searched.delete(table)
      return
    }
  }

  #setRight(searched: Searched): void {
    if (searched.changed.size === 0) return
    const { m, answers, changed } = searched
    searched.changed = new Map()
    const size = [...changed.values()].reduce((sum, ids) => sum + ids.size, 0)
    if (answers.size * size > MaxCompared) answers.clear()
    if (answers.size === 0) return
    for (const [column, ids] of changed) {
      const texts = this.#texts(m, column, ids)
      const { place } = entriesOf(m, column)!
      for (const found of answers.values()) {
        if (!found.rows) found.patience -= ids.size
        else for (const id of ids) change(found, place, id, texts.get(id))
      }
    }
  }

  /** Texts of a column in lower case, those of some rows that have any. */
  #texts(m: AnyModel, column: string, ids: ReadonlySet<number>): Map<number, string> {
    const sql = `select t.id, cast(t.${q(column)} as text) as text
      from json_each(:ids) j cross join ${q(m.table)} t on t.id = j.value where t.${q(column)} <> ''`
    const rows = this.#db.all<{ id: number; text: string }>(sql, { ids: JSON.stringify([...ids]) })
    return new Map(rows.map(({ id, text }) => [id, text.toLowerCase()]))
  }
}

const Nothing: readonly number[] = []
/** Notes what a row says now in a column. */
function change(found: Found, place: number, id: number, text: string | undefined): void {
  const known = found.rows?.get(place) ?? Nothing
  const isThere = known.includes(id)
  if (!found.rows || isThere === (text !== undefined && holds(found.lookup, text, found.sought))) return
  const now = isThere ? known.filter((each) => each !== id) : [...known, id]
  if (now.length > MaxRows) found.patience = 0
  found.rows.set(place, now)
}
