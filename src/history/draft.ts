import type { Row } from '../fields/field.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from '../store/write.ts'
import type { Op } from './collisions.ts'
import { isMark, type Side } from './merge.ts'

/** What names a row of a table in a merge. */
export const keyOf = (m: AnyModel, id: number): string => `${m.table}:${id}`

/** What a merge is to do here, as far as it is planned. */
export class Draft {
  readonly #w: Writing
  readonly #rows = new Map<string, Op>()
  readonly doomed = new Map<AnyModel, Set<number>>()
  readonly objects = new Map<string, { m: AnyModel; id: number }>()
  /** Rows that do without a reference, as neither side has them, by which side had given it. */
  readonly deprived = new Map<string, Side>()

  constructor(w: Writing) {
    this.#w = w
  }

  /** Forgets all, for the next round. */
  clear(): void {
    for (const each of [this.#rows, this.doomed, this.objects, this.deprived]) each.clear()
  }

  get rows(): Op[] {
    return [...this.#rows.values()]
  }

  /** What is done to a row; undefined where nothing is. */
  rowOp(m: AnyModel, id: number): Op | undefined {
    return this.#rows.get(keyOf(m, id))
  }

  add(op: Op): void {
    this.#rows.set(keyOf(op.m, op.id), op)
  }

  /** Takes a reference, which a side gave it, from a row, by columns; `now`: as it is with it. */
  deprive(side: Side, m: AnyModel, now: Row, columns: Row): void {
    const id = now.id as number
    this.deprived.set(keyOf(m, id), side)
    const op = this.rowOp(m, id)
    if (op) Object.assign(op.after!, columns)
    else this.add({ m, id, before: now, after: { ...now, ...columns } })
  }

  drop({ m, id }: Op): void {
    this.#rows.delete(keyOf(m, id))
  }

  doom(m: AnyModel, id: number): void {
    this.doomed.set(m, (this.doomed.get(m) ?? new Set()).add(id))
  }

  isDoomed(m: AnyModel, id: number): boolean {
    return this.doomed.get(m)?.has(id) ?? false
  }

  /** A row that is not here; what cables say of it is worked out again. */
  put(m: AnyModel, row: Row): void {
    const after = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isMark(m, name) ? null : value]))
    const id = row.id as number
    if (!this.rowOp(m, id)) this.add({ m, id, before: null, after })
  }

  /** Whether a row is here once all of it is done. */
  isThere(m: AnyModel, id: number): boolean {
    return this.rowOp(m, id) !== undefined || (!this.isDoomed(m, id) && this.#w.row(m, id) !== undefined)
  }
}
