import type { Row } from '../fields/field.ts'
import { Refused } from '../declare/behaviour.ts'
import { q } from '../lib/sql.ts'
import type { AnyModel } from '../declare/model.ts'
import { defaultsOf } from '../store/insert.ts'
import { checkUnique } from '../store/unique.ts'
import type { Writing } from '../store/write.ts'
import type { Since } from './changes.ts'
import { eventOf } from './settle.ts'

class Tried extends Error {}

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
