import type { AnyModel } from '../declare/model.ts'
import { entriesOf, searchedOf } from '../engine/search.ts'
import { includesText } from '../lib/find-text.ts'
import { Lru } from '../lib/lru.ts'
import { q } from '../lib/sql.ts'
import { type Change, EveryTable } from './changes.ts'
import type { Connection } from './database.ts'
import { SoughtTexts } from './sought-texts.ts'

/**
 * Rows that may hold a text, by the place of their column in the index; undefined where they are many. Others that held
 * it once may be among them.
 */
export type FoundRows = ReadonlyMap<number, readonly number[]> | undefined

/**
 * An answer to which rows are added as they come to hold the text; of one of many rows nothing is known but that, for a
 * while.
 */
interface Found {
  lookup: string
  /** In lower case. */
  sought: string
  rows: Map<number, readonly number[]> | undefined
  /** It is asked again once so many rows were looked at: many may be few by then, or those added be many. */
  until: number
}

/** A model that is searched, and what changed of it since its answers were last set right. */
interface Searched {
  m: AnyModel
  answers: SoughtTexts<Found>
  /** Changed rows that were looked at. */
  looked: number
  /** Rows by the column that changed. */
  changed: Map<string, Set<number>>
}

/** Models and answers of one that are kept: each is a few hundred bytes, and to ask the index takes 0.3 ms. */
const [MaxModels, MaxAnswers] = [12, 1000]
/** Rows of a column that wait at most until they are looked at: a millisecond. */
const MaxChanged = 64
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

/** Whether a text holds what a lookup seeks, which is of ASCII, both in lower case. */
function holds(lookup: string, text: string, sought: string): boolean {
  if (lookup === 'ic') return includesText(text, sought)
  if (lookup === 'isw') return text.startsWith(sought)
  return lookup === 'iew' ? text.endsWith(sought) : text === sought
}

/**
 * The rows of a model that may hold a text, as the index of the search found them; rows that have changed since are
 * added where they hold it now. They stay where they held it before: what this takes too many for is compared again.
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
      searched = { m, answers: new SoughtTexts(MaxAnswers), looked: 0, changed: new Map() }
      this.#searched.set(m.table, searched)
    }
    const known = searched.answers.get(query)
    if (known && searched.looked < known.until) return known.rows
    const all = ask()
    const rows = all && ofModel(m, all)
    if (sizeOf(rows) > MaxRows) return rows // it would take more memory than to ask again takes time
    const until = rows ? Infinity : searched.looked + Patience
    searched.answers.set(query, { lookup, sought: text.toLowerCase(), rows, until })
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
    for (const [column, ids] of changed) {
      searched.looked += ids.size
      const { place } = entriesOf(m, column)!
      for (const { id, text } of this.#texts(m, column, ids))
        for (const found of answers.startedIn(text)) if (holds(found.lookup, text, found.sought)) add(found, place, id)
    }
  }

  /** Texts of a column in lower case, those of some rows that have any. */
  #texts(m: AnyModel, column: string, ids: ReadonlySet<number>): { id: number; text: string }[] {
    const sql = `select t.id, cast(t.${q(column)} as text) as text
      from json_each(:ids) j cross join ${q(m.table)} t on t.id = j.value where t.${q(column)} <> ''`
    const rows = this.#db.all<{ id: number; text: string }>(sql, { ids: JSON.stringify([...ids]) })
    return rows.map(({ id, text }) => ({ id, text: text.toLowerCase() }))
  }
}

const Nothing: readonly number[] = []
/** Notes that a row holds the text in a column. */
function add(found: Found, place: number, id: number): void {
  const known = found.rows?.get(place) ?? Nothing
  if (!found.rows || known.includes(id)) return
  found.rows.set(place, [...known, id])
  if (known.length >= MaxRows) found.until = 0
}
