import type { AnyModel } from '../declare/model.ts'
import type { Row } from '../fields/field.ts'
import type { Connection } from '../store/database.ts'
import { rowNow, type Since } from './changes.ts'
import { type Coming, isLink } from './coming.ts'
import type { Side } from './merge.ts'
import { referencesIn } from './references.ts'
import { addTo } from '../lib/lists.ts'

const keyOf = (m: AnyModel, id: number): string => `${m.table}:${id}`

/**
 * What becomes of whole rows when two sides are merged, by `<table>:<id>`; with each goes what it refers to and what
 * belongs to it: what is deleted with it.
 */
export class Fates {
  /** Rows that come back here. */
  readonly restored = new Set<string>()
  /** Rows of the other side that are not taken. */
  readonly skipped = new Set<string>()
  /** Rows of this side that go. */
  readonly gone = new Set<string>()
  /** Rows of this side that the database takes along with what they refer to: told of, and not deleted one by one. */
  readonly going = new Set<string>()
  /** Rows that stay although the other side deleted them, and of these the ones that somebody decided so. */
  readonly kept = new Set<string>()
  readonly firm = new Set<string>()
  /** Rows of this side that do not go with what they refer to. */
  readonly staying = new Set<string>()
  readonly #db: Connection
  readonly #here: ReadonlyMap<string, Since>
  readonly #coming: ReadonlyMap<string, Coming>
  readonly #byTarget = new Map<'here' | 'there', Map<string, string[]>>()

  constructor(db: Connection, here: ReadonlyMap<string, Since>, coming: ReadonlyMap<string, Coming>) {
    this.#db = db
    this.#here = here
    this.#coming = coming
  }

  /** Grows while anything is still decided. */
  get size(): number {
    const all = [this.restored, this.skipped, this.gone, this.going, this.kept, this.firm, this.staying]
    return all.reduce((sum, { size }) => sum + size, 0)
  }

  /** What was deleted here comes back, with what it refers to and what belonged to it. */
  restore(first: string): void {
    const waiting = [first]
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      const since = this.#here.get(key)
      if (!since?.before || since.now || this.restored.has(key)) continue
      const coming = this.#coming.get(key)
      if (coming && !coming.row) continue // the other side deleted it too
      this.restored.add(key)
      waiting.push(...targetsOf(since.place.m, coming?.row ?? since.before))
      waiting.push(...(this.#referrers('here').get(key) ?? []))
    }
  }

  /**
   * What was deleted there stays here, with what it refers to and what belongs to it; `side`: for good where somebody
   * decided so.
   */
  keep(first: string, side: Side | undefined): void {
    const kept = side ? this.firm : this.kept
    const waiting = [first]
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      const coming = this.#coming.get(key)
      if (key === first || this.gone.has(key)) this.#stay(key, waiting)
      if (!coming || coming.row || kept.has(key)) continue
      const ours = rowNow(this.#db, coming.place.table, coming.id)
      if (!ours) continue
      kept.add(key)
      this.kept.add(key)
      waiting.push(...targetsOf(coming.place.m, ours))
      waiting.push(...(this.#referrers('there').get(key) ?? []))
    }
  }

  /** What this side has is not to go with what it refers to: that stays too. */
  #stay(key: string, waiting: string[]): void {
    const since = this.#here.get(key)
    if (!since?.now || isLink(since.place) || this.staying.has(key)) return
    this.staying.add(key)
    waiting.push(...targetsOf(since.place.m, since.now))
  }

  /** Rows by what they go with: those deleted here, or those that the other side deleted. */
  #referrers(side: 'here' | 'there'): Map<string, string[]> {
    const known = this.#byTarget.get(side)
    if (known) return known
    const found = new Map<string, string[]>()
    const note = (m: AnyModel, row: Row, key: string) => {
      for (const { to, id, onDelete } of referencesIn(m, row)) {
        if (onDelete !== 'cascade') continue // somebody deleted it by itself
        const target = keyOf(to, id)
        addTo(found, target, key)
      }
    }
    if (side === 'here')
      for (const [key, { place, before, now }] of this.#here)
        if (before && !now && !isLink(place)) note(place.m, before, key)
    if (side === 'there')
      for (const [key, { place, id, row }] of this.#coming)
        if (!row && !isLink(place)) {
          const ours = rowNow(this.#db, place.table, id)
          if (ours) note(place.m, ours, key)
        }
    this.#byTarget.set(side, found)
    return found
  }
}

const targetsOf = (m: AnyModel, row: Row): string[] => referencesIn(m, row).map(({ to, id }) => keyOf(to, id))
