import type { Row } from '../fields/field.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from '../store/write.ts'
import type { Since } from './changes.ts'
import type { Op } from './collisions.ts'
import { type Coming, isLink } from './coming.ts'
import { keyOf } from './draft.ts'
import { columnsThatDiffer, fieldsThatDiffer, rowsDiffer, type Side } from './merge.ts'
import type { Plan } from './plan.ts'
import { referencesIn, waysWithout } from './references.ts'
import type { Settled } from './settle.ts'
import { earlierStates } from './since.ts'
import { addTo } from '../lib/lists.ts'

/** A row as both sides together have it, and as it would be without what one of them did to it. */
export interface OneSided {
  m: AnyModel
  id: number
  side: Side
  row: Row
  without: Row | null
}

/** Whether a model says which values custom fields have. */
export const isDefinition = ({ name }: AnyModel): boolean =>
  name === 'extras.customfield' || name === 'extras.customfieldchoiceset'

interface Named {
  m: AnyModel
  id: number
}

/** What both sides changed around some rows: as far as most rules look, which is two references away; and beyond. */
export class Nearby {
  readonly #w: Writing
  readonly #here: ReadonlyMap<string, Since>
  readonly #coming: ReadonlyMap<string, Coming>
  readonly #ops: ReadonlyMap<string, Op>
  /** Rows that either side changed. */
  readonly #changed: Map<string, Named>
  /** Of these, definitions of custom fields: values of any object are what these let be. */
  readonly #definitions: readonly [string, Named][]
  #referrers: Map<string, Named[]> | undefined

  constructor(
    w: Writing,
    coming: readonly Coming[],
    here: ReadonlyMap<string, Since>,
    { ops, doomed }: Pick<Plan, 'ops' | 'doomed'>,
  ) {
    this.#w = w
    this.#here = here
    this.#coming = new Map(coming.flatMap((each) => (isLink(each.place) ? [] : [[keyOf(each.place.m, each.id), each]])))
    const goes = [...doomed].flatMap(([m, ids]) => [...ids].map((id): Op => ({ m, id, before: null, after: null })))
    this.#ops = new Map([...goes, ...ops].flatMap((op) => (op.key ? [] : [[keyOf(op.m, op.id), op]])))
    this.#changed = new Map<string, Named>(this.#ops)
    for (const [key, { place, id, now }] of here) if (now && !isLink(place)) this.#changed.set(key, { m: place.m, id })
    this.#definitions = [...this.#changed].filter(([, { m }]) => isDefinition(m))
  }

  /** A row as both sides together would have it. */
  rowOf(m: AnyModel, id: number): Row | null {
    const op = this.#ops.get(keyOf(m, id))
    return op ? op.after : (this.#w.row(m, id) ?? null)
  }

  /** What is done to rows around one. */
  ops(m: AnyModel, id: number): Op[] {
    return [...this.#around(m, id).keys()].flatMap((key) => this.#ops.get(key) ?? [])
  }

  /** What one side did to a row; undefined where that is nothing, or the row is not there any more. */
  change({ m, id }: Named, side: Side): OneSided | undefined {
    const key = keyOf(m, id)
    const row = this.rowOf(m, id)
    const since = this.#here.get(key)
    const op = this.#ops.get(key)
    if (!row || (side === 'ours' ? !since?.now || isLink(since.place) : !op || !this.#isOfThere(key))) return undefined
    const [was, is] = side === 'ours' ? [since!.before, since!.now!] : [op!.before, row]
    if (!was) return { m, id, side, row, without: null }
    const columns = columnsThatDiffer(m, was, is)
    const there = side === 'ours' ? this.#coming.get(key)?.row : undefined // what that has is not taken back
    const back = Object.fromEntries(
      columns.map((name) => [name, (name === 'custom_field_data' ? was : (there ?? was))[name] ?? null]),
    )
    return columns.length ? { m, id, side, row, without: this.#standing(m, { ...row, ...back }, columns) } : undefined
  }

  /** What one side did to a row, from the least on: that it stays although the other side deleted it is the most. */
  #all(near: Named, side: Side): OneSided[] {
    const change = this.change(near, side)
    const key = keyOf(near.m, near.id)
    const row = side === 'ours' && this.#coming.get(key)?.row === null ? this.rowOf(near.m, near.id) : null
    return [...(change ? [change] : []), ...(row ? [{ ...near, side, row, without: null }] : [])]
  }

  /** A row whose references in some columns are empty where what it had referred to goes. */
  #standing(m: AnyModel, row: Row, columns: readonly string[]): Row {
    const lost = referencesIn(m, row).filter(
      (each) => each.isNullable && each.columns.some((name) => columns.includes(name)) && !this.rowOf(each.to, each.id),
    )
    return Object.assign(row, ...lost.map((each) => waysWithout(each, row).at(-1)!))
  }

  /** Whether what is done to a row comes from the other side, or is that it comes back for its sake. */
  #isOfThere(key: string): boolean {
    const since = this.#here.get(key)
    return this.#coming.has(key) || (!!since?.before && !since.now)
  }

  /** What is done to a row. */
  op(m: AnyModel, id: number): Op | undefined {
    return this.#ops.get(keyOf(m, id))
  }

  /** Of what is done to rows around one, what has them as they were here once, but for custom fields. */
  returning(m: AnyModel, id: number): Op[] {
    const isAs = (of: AnyModel, was: Row, after: Row) =>
      [...fieldsThatDiffer(of, was, after)].every((field) => field === 'custom_fields')
    return this.ops(m, id).filter(
      ({ m: of, id: near, after }) =>
        after && earlierStates(this.#w.db, of.table, near).some((was) => isAs(of, was, after)),
    )
  }

  /** A row, what it refers to on the other side, and changed rows around it, as all of them are there. */
  there(m: AnyModel, id: number): Settled[] {
    const around = this.#around(m, id)
    const row = this.#coming.get(keyOf(m, id))?.row
    for (const { to, id: of } of row ? referencesIn(m, row) : []) around.set(keyOf(to, of), { m: to, id: of })
    return [...around].flatMap(([key, near]) => {
      const [coming, since] = [this.#coming.get(key), this.#here.get(key)]
      return coming || since ? [{ ...near, before: null, after: coming ? coming.row : since!.before }] : []
    })
  }

  /** Rows around one, without itself, as both sides have them, with how they were on the other side in between. */
  earlier(m: AnyModel, id: number): OneSided[] {
    return [...this.#around(m, id)].flatMap(([key, near]) => {
      const row = key === keyOf(m, id) ? null : this.rowOf(near.m, near.id)
      const states = (row && this.#coming.get(key)?.earlier) ?? []
      return states.map((was): OneSided => ({ ...near, side: 'theirs', row: row!, without: { ...row, ...was } }))
    })
  }

  /** What is done to all rows, and what goes. */
  get allOps(): Op[] {
    return [...this.#ops.values()]
  }

  /** What one side did to rows around one, the nearest first. */
  changes(m: AnyModel, id: number, side: Side): OneSided[] {
    return [...this.#around(m, id).values()].flatMap((near) => this.#all(near, side))
  }

  /** Rows around one that both sides have, and that will be other than the other side made them. */
  withheld(m: AnyModel, id: number): { m: AnyModel; id: number; row: Row; there: Row }[] {
    return [...this.#around(m, id)].flatMap(([key, near]) => {
      const there = this.#coming.get(key)?.row
      const row = this.rowOf(near.m, near.id)
      return there && row && rowsDiffer(near.m, row, there) ? [{ m: near.m, id: near.id, row, there }] : []
    })
  }

  /** What one side did to any rows, those of some models first. */
  allChanges(first: ReadonlySet<AnyModel>, side: Side): OneSided[] {
    const back = [...this.#here].flatMap(([key, each]) => (this.#ops.has(key) && !this.#coming.has(key) ? [each] : []))
    const of = side === 'ours' ? [...this.#here.values()] : [...this.#coming.values(), ...back]
    const places = of.filter(({ place }) => !isLink(place))
    const [same, others] = [true, false].map((is) => places.filter(({ place }) => first.has(place.m) === is))
    return [...same!, ...others!].flatMap(({ place, id }) => this.#all({ m: place.m, id }, side))
  }

  #around(m: AnyModel, id: number): Map<string, Named> {
    const found = new Map([[keyOf(m, id), { m, id }]])
    for (let step = 0; step < 2; step++)
      for (const [key, of] of [...found]) {
        const row = this.rowOf(of.m, of.id)
        for (const { to, id } of row ? referencesIn(of.m, row) : []) found.set(keyOf(to, id), { m: to, id })
        if (step === 0) for (const each of this.#referring.get(key) ?? []) found.set(keyOf(each.m, each.id), each)
      }
    if (m.fields.custom_fields) for (const [key, each] of this.#definitions) found.set(key, each)
    return found
  }

  /** Changed rows by what they refer to. */
  get #referring(): Map<string, Named[]> {
    if (this.#referrers) return this.#referrers
    const found = new Map<string, Named[]>()
    for (const { m, id } of this.#changed.values()) {
      const row = this.rowOf(m, id)
      for (const { to, id: of } of row ? referencesIn(m, row) : []) {
        const key = keyOf(to, of)
        addTo(found, key, { m, id })
      }
    }
    this.#referrers = found
    return found
  }
}
