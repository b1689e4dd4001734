import type { Row, Stored, Sum } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { allModels, fieldsOf, modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from '../store/write.ts'
import { same } from './changes.ts'
import { type Coming, isLink } from './coming.ts'
import { type Disputes, Values } from './disputes.ts'
import { type Draft, keyOf } from './draft.ts'
import { Sides } from './merge.ts'
import type { MergeInput } from './merge-input.ts'

/** A row in the states of a merge. */
interface States {
  parted: Row | null
  ours: Row | null
  theirs: Row | null
  merged: Row | null
}

/**
 * Values that are sums of other rows where there are any: `settle` works them out, and what somebody wrote instead is
 * told of. Of a row that nothing refers to, what people wrote counts, as of every field.
 */
export function mergeSums(w: Writing, input: Known, draft: Draft, disputes: Disputes): void {
  for (const [m, name, sum] of summed()) new Sums(w, input, draft, disputes, { m, name, sum }).merge()
}

type Known = Pick<MergeInput, 'here' | 'decide' | 'yielding'> & { coming: ReadonlyMap<string, Coming> }

let fields: [AnyModel, string, Sum][] | undefined
const summed = () =>
  (fields ??= allModels.flatMap((m) =>
    fieldsOf(m).flatMap(([name, { sum }]): [AnyModel, string, Sum][] => (sum ? [[m, name, sum]] : [])),
  ))

class Sums {
  readonly #w: Writing
  readonly #input: Known
  readonly #draft: Draft
  readonly #disputes: Disputes
  readonly #m: AnyModel
  readonly #name: string
  readonly #of: AnyModel
  readonly #by: string
  readonly #column: string

  constructor(
    w: Writing,
    input: Known,
    draft: Draft,
    disputes: Disputes,
    { m, name, sum }: { m: AnyModel; name: string; sum: Sum },
  ) {
    this.#w = w
    this.#input = input
    this.#draft = draft
    this.#disputes = disputes
    this.#m = m
    this.#name = name
    this.#of = modelNamed(sum.model)
    this.#by = `${sum.by}_id`
    this.#column = sum.of
  }

  merge(): void {
    const members = new Map<number, Set<number>>()
    const owners = new Set<number>()
    for (const { place, id, ...states } of [...this.#input.coming.values(), ...this.#input.here.values()]) {
      if (isLink(place)) continue
      if (place.m === this.#m) owners.add(id)
      if (place.m !== this.#of) continue
      for (const row of Object.values(states) as (Row | null)[]) {
        const owner = row?.[this.#by] as number | null | undefined
        if (owner) members.set(owner, (members.get(owner) ?? new Set()).add(id))
      }
    }
    for (const id of new Set([...owners, ...members.keys()])) this.#one(id, members.get(id) ?? new Set())
  }

  #one(id: number, changed: ReadonlySet<number>): void {
    const owner = this.#states(this.#m, id)
    if (!owner.merged) return
    const unchanged = this.#w.db.all<{ id: number }>(
      `select id from ${q(this.#of.table)} where ${q(this.#by)} = +?`,
      id,
    )
    const members = [...new Set([...changed, ...unchanged.map((each) => each.id)])].map((each) =>
      this.#states(this.#of, each),
    )
    const membersIn = (state: keyof States) =>
      members.flatMap(({ [state]: row }) => (row?.[this.#by] === id ? [row] : []))
    const hasAny = (state: keyof States) => membersIn(state).length > 0
    const stored = (state: keyof States) => owner[state]?.[this.#name] ?? null
    const wrote = Sides.filter(
      (side) => owner[side] && !hasAny(side) && (hasAny('parted') || !same(stored(side), stored('parted'))),
    )
    const [parted, ours, theirs] = [stored('parted'), stored('ours'), stored('theirs')]
    const dispute = { kind: 'changed', field: this.#name, parted, ours, theirs } as const
    const sum = membersIn('merged').reduce((all, row) => all + (row[this.#column] as number), 0)
    if (hasAny('merged')) {
      this.#put(id, owner, sum)
      const says = `it is the sum of its ${this.#of.plural}`
      const said = { ...dispute, detail: `${says.replace('it', 'It')}.`, if_ours: says, if_theirs: says }
      for (const side of wrote)
        if (stored(side) !== sum && (stored(side) !== null || !hasAny('parted')))
          this.#disputes.settle(this.#m, id, said, side === 'ours' ? 'theirs' : 'ours', owner.merged)
      return
    }
    const isLast = hasAny('ours')
    if (wrote.length === 2 && !same(ours, theirs)) {
      const side = this.#input.decide(this.#m, id, this.#name)
      this.#disputes.note(this.#m, id, { ...dispute, detail: 'Both sides changed it.', ...Values }, { side })
      this.#put(id, owner, side === 'theirs' ? theirs : ours, isLast)
    } else this.#put(id, owner, wrote.length ? stored(wrote[0]!) : hasAny('parted') ? null : parted, isLast)
  }

  /** `isLast`: the rules empty what was a sum until now. */
  #put(id: number, { ours, merged }: States, value: Stored, isLast = false): void {
    const way = this.#input.yielding.get(keyOf(this.#m, id))
    const isYielded = way !== undefined && way !== 'gone' && this.#name in way
    const isSame = isYielded || same(merged![this.#name] ?? null, value)
    if (isSame && !isLast) return
    const after = isSame ? { ...merged! } : { ...merged!, [this.#name]: value }
    const op = this.#draft.rowOp(this.#m, id)
    if (op) op.after = after
    else this.#draft.add({ m: this.#m, id, before: ours, after })
  }

  #states(m: AnyModel, id: number): States {
    const key = keyOf(m, id)
    const [there, here] = [this.#input.coming.get(key), this.#input.here.get(key)]
    const ours = this.#w.row(m, id) ?? null
    const parted = there ? there.base : here ? here.before : ours
    const op = this.#draft.rowOp(m, id)
    return {
      parted,
      ours,
      theirs: there ? there.row : parted,
      merged: op ? op.after : this.#draft.isDoomed(m, id) ? null : ours,
    }
  }
}
