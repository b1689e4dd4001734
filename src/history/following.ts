import type { Row } from '../fields/field.ts'
import { SameAsOther } from '../declare/behaviour.ts'
import type { AnyModel } from '../declare/model.ts'
import { type Change, EveryTable } from '../store/changes.ts'
import { isDuplicate, SameOthers } from '../store/unique.ts'
import type { Writing } from '../store/write.ts'
import { type Judge, type Op, shared } from './collisions.ts'
import { columnsThatDiffer } from './merge.ts'
import { follow } from './settle.ts'
import { isUntouched, Noted } from './since.ts'

/** What a rule did after a change is not needed. */
class Idle extends Error {}

/** Rows that were put to an earlier state, of one table, by id. */
type Put = ReadonlyMap<number, Op>

/** Has the models' rules do what they do after a change, for each row that a plan put to some state. */
export class Following {
  readonly #w: Writing
  readonly #judge: Judge
  readonly #goes: (m: AnyModel, id: number) => boolean
  /** Tables of links with the ids of rows that get some. */
  readonly #given: ReadonlySet<string>
  readonly #put: ReadonlyMap<string, Put>
  /** Rows that were changed since a rule began what it does, by table. */
  readonly #touched = new Map<string, Set<number> | 'all'>()

  /** `ops`: all that the plan puts; `goes`: whether a row is deleted by it. */
  constructor(w: Writing, judge: Judge, ops: readonly Op[], goes: (m: AnyModel, id: number) => boolean) {
    this.#w = w
    this.#judge = judge
    this.#goes = (m, id) => goes(m, id) || w.row(m, id) === undefined
    this.#given = new Set(ops.flatMap(({ m, key, after }) => (key && after ? [`${m.table}:${after.from_id}`] : [])))
    const back = ops.filter(({ key, was, after }) => !key && was && after)
    this.#put = new Map(
      [...Map.groupBy(back, ({ m }) => m.table)].map(([table, ops]) => [table, new Map(ops.map((op) => [op.id, op]))]),
    )
  }

  /** What had stood beside the earlier state of a row as it is stays as it is. */
  all(ops: readonly Op[]): void {
    const { db } = this.#w
    if (!ops.some(({ was }) => was)) {
      for (const op of ops) this.#one(op)
      return
    }
    const noted = new Noted(db)
    const stop = db.onChange((change) => this.#touch(change))
    try {
      for (const op of ops) {
        if (op.was) this.#beside(op, op.was.step, noted)
        else this.#one(op)
      }
    } finally {
      stop()
      noted.end()
    }
  }

  /** The rules of a row that is put back, and what they found as it had been at that step already. */
  #beside(op: Op, step: number, noted: Noted): void {
    const { db, feed } = this.#w
    const { told } = feed
    try {
      db.within(() => {
        const before = noted.last
        this.#touched.clear()
        this.#one(op)
        if (this.#touched.size === 0) return
        const others = () => noted.after(before)
        const old = () => others().filter((row) => isUntouched(db, row, step))
        const [first, all] = [this.#moved(), others()]
        if (first.length + all.length > 0 && old().length === all.length) throw new Idle()
        const keep = () => {
          const rows = old().flatMap(({ place, id, before }) =>
            place.links || !before ? [] : [{ ...place, id, before }],
          )
          const kept = rows.map(({ m, id, before }) => this.#keep(m, id, before))
          return [...kept, ...this.#moved().map(({ m, id, after }) => this.#keep(m, id, after!))].includes(true)
        }
        // Rows below one that is put back follow it, and some of them had stood elsewhere.
        for (let round = 0; round < 4 && keep(); round++);
      })
    } catch (error) {
      if (!(error instanceof Idle)) throw error
      feed.told = told
    }
  }

  /** What rules do after one row; where that would make two others the same, it is a collision. */
  #one(op: Op): void {
    try {
      follow(this.#w, op, this.#goes, (table, id) => this.#given.has(`${table}:${id}`))
    } catch (error) {
      if (!isDuplicate(error) && !(error instanceof SameAsOther)) throw error
      this.#judge.collide(op.m, op.id, { kind: 'taken', detail: SameOthers }, op.after)
      this.#judge.stop()
    }
  }

  #touch({ table, ids }: Change): void {
    const known = this.#touched.get(table)
    if (ids === 'all') this.#touched.set(table, 'all')
    else if (!known) this.#touched.set(table, new Set(ids))
    else if (known !== 'all') for (const id of ids) known.add(id)
  }

  /** Rows that were put to an earlier state and are in another since a rule began what it does. */
  #moved(): Op[] {
    const isKnown = !this.#touched.has(EveryTable)
    return [...this.#put].flatMap(([table, rows]) => {
      const touched = isKnown ? this.#touched.get(table) : 'all'
      if (!touched) return []
      const some = touched === 'all' ? [...rows.values()] : [...touched].flatMap((id) => rows.get(id) ?? [])
      return some.filter(({ m, id, after }) => {
        const row = this.#w.row(m, id)
        return row && columnsThatDiffer(m, after!, row).length > 0
      })
    })
  }

  /** Puts a row to the state again in which a rule found it, and what depends on it; answers whether it was another. */
  #keep(m: AnyModel, id: number, before: Row): boolean {
    const row = this.#w.row(m, id)
    const columns = row && !shared().has(m.table) ? columnsThatDiffer(m, before, row) : []
    if (columns.length === 0) return false
    const earlier = Object.fromEntries(columns.map((name) => [name, before[name]!]))
    if (m.changeLogged === false) this.#w.tools.set(m, { id }, earlier)
    else this.#w.tools.patch(m, id, earlier)
    follow(this.#w, { m, id, before: row!, after: this.#w.row(m, id)! })
    return true
  }
}
