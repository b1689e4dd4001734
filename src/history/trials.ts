import type { Row } from '../fields/field.ts'
import { Refused } from '../declare/behaviour.ts'
import { q } from '../lib/sql.ts'
import type { AnyModel } from '../declare/model.ts'
import { defaultsOf } from '../store/insert.ts'
import { checkUnique } from '../store/unique.ts'
import type { Writing } from '../store/write.ts'
import type { Since } from './changes.ts'
import type { Op } from './collisions.ts'
import type { OneSided } from './nearby.ts'
import { fieldsThatDiffer } from './merge.ts'
import { faultsOf } from './rules.ts'
import { eventOf, settle, type Settled } from './settle.ts'

class Tried extends Error {}

/** What a rule says of a row; `before`: as it was before the merge. */
interface Refusal {
  m: AnyModel
  id: number
  before: Row | null
  text: string
}
/** A change that a row is refused for, and its row without as much of it as is needed. */
export interface Blamed {
  change: OneSided
  without: Row | null
}

/** Tries what a rule would say of a row if others were not as they are. Nothing of it stays. */
export class Trials {
  readonly #w: Writing

  constructor(w: Writing) {
    this.#w = w
  }

  /** Whether a rule has nothing against a field of a row any more where another row is as given. */
  isFreed(m: AnyModel, row: Row, now: Row, field: string, { m: of }: Since['place'], holder: Row): boolean {
    let isFreed = false
    try {
      this.#w.db.within(() => {
        this.#w.db.run('pragma defer_foreign_keys = on')
        this.#store(of, holder)
        this.#store(m, row)
        const event = eventOf(this.#w, { ...row }, { ...now })
        m.behaviour.validate?.(event)
        isFreed = !(field in event.errors)
        throw new Tried()
      })
    } catch (error) {
      if (!(error instanceof Tried) && !(error instanceof Refused)) throw error
      this.#w.feed.drop()
    }
    return isFreed
  }

  /** The first of some rows without which, or without whose change, a rule would be kept. */
  culpritOf(m: AnyModel, row: Row, suspects: readonly Since[]): number | undefined {
    let found: number | undefined
    try {
      this.#w.db.within(() => {
        this.#w.db.run('pragma defer_foreign_keys = on')
        const now = this.#w.row(m, row.id as number)
        this.#store(m, row)
        if (!this.#isRefused(m, row, now)) throw new Tried() // what refuses it is of no other row
        for (const { id, before } of suspects) {
          try {
            this.#w.db.within(() => {
              if (before) this.#store(m, before)
              else this.#w.db.run(`delete from ${q(m.table)} where id = ?`, id)
              if (!this.#isRefused(m, row, now)) found = id
              throw new Tried()
            })
          } catch (error) {
            if (!(error instanceof Tried)) continue // it cannot be without this row for another reason
          }
          if (found !== undefined) break
        }
        throw new Tried()
      })
    } catch {
      this.#w.feed.drop()
    }
    return found
  }

  /**
   * The first of some changes without which, or without a part of which, a rule does not refuse a row, and how its row
   * is then; undefined where it is refused all the same. `ops`: what is done to rows around.
   */
  blamed({ m, id, before, text }: Refusal, ops: readonly Op[], changes: readonly OneSided[]): Blamed | undefined {
    let found: Blamed | undefined
    this.#try(() => {
      this.#put(ops)
      if (!this.#faults(m, id, before).includes(text)) return
      for (const change of changes)
        for (const without of partsOf(change)) {
          this.#try(() => {
            this.#put([{ m: change.m, id: change.id, before: change.row, after: without }])
            if (!this.#faults(m, id, before).includes(text)) found = { change, without }
          })
          if (found) return
        }
    })
    return found
  }

  /** Whether a rule refuses a row also without a change of the row itself; a new one only since others changed. */
  standsWithout({ m, id, before, text }: Refusal, ops: readonly Op[], { row, without }: OneSided): boolean {
    let stands = false
    this.#try(() => {
      if (!without) {
        this.#put(ops.filter((op) => !op.before && op.after))
        stands = !this.#faults(m, id, before).includes(text)
        return
      }
      this.#put(ops)
      if (!this.#faults(m, id, before).includes(text)) return
      this.#put([{ m, id, before: row, after: without }])
      stands = this.#faults(m, id, before).includes(text)
    })
    return stands
  }

  /** Whether a row of this side is refused for something already. */
  wasRefused(m: AnyModel, id: number, text: string): boolean {
    return this.#faults(m, id, null).includes(text)
  }

  #faults(m: AnyModel, id: number, before: Row | null): string[] {
    const row = this.#w.row(m, id)
    if (!row) return []
    const as = (isNew: boolean) =>
      faultsOf(this.#w, m, row, before, {}, { isNew, mayDangle: true }).map(({ text }) => text)
    return [...as(false), ...(before ? [] : as(true))]
  }

  #put(ops: readonly Settled[]): void {
    this.#w.db.run('pragma defer_foreign_keys = on')
    for (const { m, id, after } of ops)
      if (after) this.#store(m, after)
      else this.#w.db.run(`delete from ${q(m.table)} where id = ?`, id)
    settle(this.#w, ops)
  }

  /** Does something of which nothing stays; what cannot be done at all is none. */
  #try(work: () => void): void {
    try {
      this.#w.db.within(() => {
        work()
        throw new Tried()
      })
    } catch {
      this.#w.feed.drop()
    }
  }

  #store(m: AnyModel, row: Row): void {
    const all: Row = { ...defaultsOf(m), ...row }
    const names = Object.keys(all)
    this.#w.db.run(`delete from ${q(m.table)} where id = ?`, row.id)
    this.#w.db.run(
      `insert into ${q(m.table)} (${names.map(q).join(', ')}) values (${names.map(() => '?').join(', ')})`,
      ...names.map((name) => all[name]),
    )
  }

  #isRefused(m: AnyModel, row: Row, before: Row | undefined): boolean {
    const event = eventOf(this.#w, { ...row }, before && { ...before })
    try {
      m.behaviour.validate?.(event)
      checkUnique(this.#w.db, m, row, undefined, event.errors)
    } catch (error) {
      if (error instanceof Refused) return true
      throw error
    }
    return Object.keys(event.errors).length > 0
  }
}

/** A row without one field of a change after the other, and then without all of it. */
function* partsOf({ m, row, without }: OneSided): Generator<Row | null> {
  if (without)
    for (const name of fieldsThatDiffer(m, row, without)) {
      const columns = Object.keys(m.fields[name]?.columns(name) ?? {}).filter((column) => column in without)
      if (columns.length) yield { ...row, ...Object.fromEntries(columns.map((column) => [column, without[column]!])) }
    }
  yield without
}
