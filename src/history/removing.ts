import type { Row } from '../fields/field.ts'
import { Refused } from '../declare/behaviour.ts'
import type { AnyModel } from '../declare/model.ts'
import { consequencesOf, deleteRows } from '../store/cascade.ts'
import { Writing } from '../store/write.ts'
import { Derived } from '../services/dangling.ts'
import { type Judge, type Op, shared } from './collisions.ts'
import { keyOf } from './draft.ts'
import { isMark } from './merge.ts'
import type { Plan } from './plan.ts'
import { ownerOfEnd, referencesIn } from './references.ts'

/** Removes the rows that a plan wants gone. */
export class Removing {
  readonly #w: Writing
  readonly #plan: Plan
  readonly #judge: Judge
  /** Rows that wait for their places, and have yet to leave what they refer to: what goes waits for them. */
  #leaving: ReadonlyMap<string, Op> = new Map()

  constructor(w: Writing, plan: Plan, judge: Judge) {
    this.#w = w
    this.#plan = plan
    this.#judge = judge
  }

  /** Notes which rows wait for their places. */
  waitFor(ops: readonly Op[]): void {
    this.#leaving = new Map(ops.flatMap((op) => (op.key || !op.after ? [] : [[keyOf(op.m, op.id), op] as const])))
  }

  /** Whether a row that waits refers to another until it has its place. */
  #leaves(of: AnyModel, id: number, m: AnyModel, ids: readonly number[]): boolean {
    const after = this.#leaving.get(keyOf(of, id))?.after
    return !!after && !referencesIn(of, after).some((each) => each.to === m && ids.includes(each.id))
  }

  /** Whether something that waits would prevent that a row goes, or be changed by it. */
  #isAwaited(m: AnyModel, id: number): boolean {
    if (this.#leaving.size === 0) return false
    const { goes, nulls, blocking } = consequencesOf(this.#w.db, m, [id])
    const rows = [...nulls, ...blocking, ...[...goes].flatMap(([of, ids]) => ids.map((each) => ({ m: of, id: each })))]
    return rows.some((each) => this.#leaves(each.m, each.id, m, [id]))
  }

  /** Deleting what was created must take nothing along that came since; asked once rows that stay are as they were. */
  check(): void {
    for (const [m, all] of this.#plan.doomed) {
      const ids = [...all].filter((id) => !this.#judge.isForced(m, id, null))
      if (ids.length === 0 || this.#dependents(m, ids).length === 0) continue
      for (const id of ids)
        for (const detail of this.#dependents(m, [id])) {
          if (this.#judge.isFull) return
          this.#judge.collide(m, id, { kind: 'referenced', detail })
        }
    }
  }

  /** What would go with some rows, or would no longer refer to them, as texts; rows that go anyway are left out. */
  #dependents(
    m: AnyModel,
    ids: readonly number[],
    goesAnyway = (of: AnyModel, id: number) => this.goes(of, id) || this.#leaves(of, id, m, ids),
  ): string[] {
    const { goes, nulls } = consequencesOf(this.#w.db, m, [...ids])
    const name = (of: AnyModel, id: number) => `${of.label} ${this.#w.display(of, id)} (${id})`
    const others = [...goes].flatMap(([of, list]) =>
      of.changeLogged === false || of.internal || ownerOfEnd(of) || Derived.has(of.table) || shared().has(of.table)
        ? [] // parts, which go with what they are of
        : list.filter((id) => !goesAnyway(of, id)).map((id) => ({ of, id })),
    )
    const emptied = nulls.filter(
      ({ m: of, id, column }) => !column.startsWith('_') && !goesAnyway(of, id) && !isMark(of, column),
    )
    return [
      ...others.slice(0, 50).map(({ of, id }) => `${name(of, id)} depends on it and would go with it.`),
      ...emptied.slice(0, 50).map(({ m: of, id }) => `${name(of, id)} refers to it now.`),
    ]
  }

  /** Removes what had been created; answers whether something went. */
  all(): boolean {
    let isAny = false
    let left = [...this.#plan.doomed].flatMap(([m, ids]) => [...ids].map((id) => ({ m, id, why: '' })))
    left.reverse() // children, as a rule, were made after what they belong to
    for (let before = Number.POSITIVE_INFINITY; left.length && left.length < before; ) {
      before = left.length
      left = left.filter((each) => {
        if (!this.#w.row(each.m, each.id) || this.#isAwaited(each.m, each.id)) return false
        const why = this.#one(each.m, each.id)
        each.why = why ?? ''
        isAny ||= why === undefined
        return why !== undefined
      })
    }
    for (const { m, id, why } of left) this.#judge.collide(m, id, { kind: 'referenced', detail: why })
    return isAny
  }

  /** Removes a row with what depends on it; answers what prevents it. */
  #one(m: AnyModel, id: number): string | undefined {
    try {
      this.#w.db.within(() => deleteRows(this.writingOf(m, id), m, [id]))
      return undefined
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 409) throw error
      return error.message
    }
  }

  /** Removes what only holds others, before rules look: with a device bay that goes, no device moves any more. */
  loose(): void {
    const holds = (m: AnyModel, row: Row) =>
      referencesIn(m, row).some(({ onDelete, to, id }) => onDelete === 'set null' && !this.goes(to, id))
    for (const [m, all] of this.#plan.doomed) {
      const ids = [...all].filter((id) => {
        const row = this.#w.row(m, id)
        return row !== undefined && holds(m, row)
      })
      const isFree = (some: readonly number[]) => this.#dependents(m, some, () => false).length === 0
      const free = isFree(ids) ? ids : ids.filter((id) => isFree([id]))
      for (const id of free) this.#one(m, id)
    }
  }

  /** Whether a plan removes a row. */
  goes(m: AnyModel, id: number): boolean {
    return this.#plan.doomed.get(m)?.has(id) ?? false
  }

  /** What removes a row, in the name of who had removed it where both parted. */
  writingOf(m: AnyModel, id: number): Writing {
    const by = this.#plan.deleter?.(m, id)
    return by ? new Writing(this.#w.store, this.#w.actor, by) : this.#w
  }
}
