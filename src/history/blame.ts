import type { Row } from '../fields/field.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from '../store/write.ts'
import type { Since } from './changes.ts'
import type { Collision, Op } from './collisions.ts'
import { type Coming, isLink } from './coming.ts'
import { withColumns } from './custom-values.ts'
import { keyOf } from './draft.ts'
import { columnsThatDiffer, type Side } from './merge.ts'
import type { MergeInput } from './merge-input.ts'
import type { Merging } from './merging.ts'
import { isDefinition, Nearby, type OneSided } from './nearby.ts'
import { endModelOf, ownerOfEnd, referencesIn, waysWithout } from './references.ts'
import { fieldOf } from './rival-texts.ts'
import { earlier, type Rival, rivalOf } from './rivals.ts'
import { type Blamed, type Refusal, Trials } from './trials.ts'

/** What both sides did, and what has given way already. */
interface Input extends Pick<MergeInput, 'yielding'> {
  coming: readonly Coming[]
  here: ReadonlyMap<string, Since>
  isOfSource?: boolean
}

/** What of each side rules do not allow beside what the other did; `row`: of the row that they refuse. */
interface Both {
  own: Blamed
  other: Blamed
  row: OneSided
}

/** A row that refers to another, and what it is left without so that the other is free: the reference, or less. */
interface Holder {
  m: AnyModel
  id: number
  row: Row
  field: string
  way: Row
}

/** A row that is not what the other side made of it, and the columns in which it has to be. */
interface Amended {
  m: AnyModel
  id: number
  row: Row
  way: Row
}

/** Who is concerned by what a rule refuses in an attempt to merge. Nothing is decided here, and nothing changed. */
export class Blame {
  readonly #w: Writing
  readonly #input: Input
  readonly #trials: Trials
  /** Rows that rules refused in this attempt, or whose place another has. */
  readonly #refused: ReadonlySet<string>
  readonly #plan: Merging
  readonly #nearby: Nearby
  readonly #collisions: readonly Collision[]
  readonly #found: { [side in Side]?: ReadonlyMap<string, Blamed> } = {}

  constructor(w: Writing, input: Input, plan: Merging, collisions: readonly Collision[]) {
    this.#w = w
    this.#input = input
    this.#trials = new Trials(w)
    this.#plan = plan
    this.#collisions = collisions
    this.#refused = new Set(collisions.map((each) => keyOf(modelNamed(each.object_type), each.object_id)))
    this.#nearby = new Nearby(w, input.coming, input.here, plan)
  }

  /** Whether a side did something to a row itself, or to ends of it. */
  isOf(m: AnyModel, id: number, side: Side): boolean {
    return (this.#own(m, id, side) ?? this.#end(m, id, side)) !== undefined
  }

  /** What one side did to a row itself. */
  #own(m: AnyModel, id: number, side: Side): OneSided | undefined {
    return this.#nearby.change({ m, id }, side)
  }

  /** What one side did to an end of a cable that it did not change otherwise. */
  #end(m: AnyModel, id: number, side: Side): OneSided | undefined {
    const of = endModelOf(m)
    return of && this.#nearby.changes(m, id, side).find((each) => each.m === of)
  }

  #refusal(m: AnyModel, id: number, text: string): Refusal {
    return { m, id, before: this.#nearby.op(m, id)?.before ?? null, there: this.#plan.there(m, id), text }
  }

  /**
   * As much of what a side did to a row as is refused once some of it gave way; `back` where all of it has: it is as it
   * was where both parted. `given`: what it gets where another has what is its own.
   */
  rest(
    m: AnyModel,
    id: number,
    side: Side,
    { detail }: Collision,
    given?: (row: Row) => Row | 'gone',
  ): Blamed | 'back' | undefined {
    const own = this.#own(m, id, side)
    const way = own && given?.(own.row)
    if (own && way) return { change: own, without: way === 'gone' ? own.without : withColumns(own.row, way) }
    if (own?.without && columnsThatDiffer(m, own.row, own.without).length === 0) return 'back'
    return own && this.#trials.blamed(this.#refusal(m, id, detail), this.#nearby.ops(m, id), [own])
  }

  /**
   * Something that one side made refer to a row, for whose sake a rule refuses what comes of that (the master of a
   * chassis cannot leave it). Of the other side only what the source has is meant.
   */
  holder(m: AnyModel, target: number, side: Side, { detail }: Collision): Holder | undefined {
    const rows =
      side === 'ours'
        ? [...this.#input.here.values()].map(({ place, id, now }) => ({ place, id, row: now }))
        : this.#input.coming
    const heldIn = (of: AnyModel, row: Row | null) =>
      row && referencesIn(of, row).find(({ to, id, isNullable }) => to === m && id === target && isNullable)
    for (const { place, id, row: own } of rows) {
      if (!own || isLink(place) || place.m === m || this.#input.yielding.has(keyOf(place.m, id))) continue
      const row = heldIn(place.m, own) && this.#nearby.rowOf(place.m, id)
      const held = row && heldIn(place.m, row) // it may refer to another by a decision
      if (!held) continue
      const isEnough = (way: Row) => {
        const change = { m: place.m, id, side, row, without: { ...row, ...way } }
        return this.#trials.isFreed(this.#refusal(m, target, detail), this.#nearby.ops(m, target), change)
      }
      const way = waysWithout(held, row).find(isEnough)
      if (way) return { m: place.m, id, row, field: fieldOf(place.m, Object.keys(way)[0]!), way }
    }
    return undefined
  }

  /**
   * A row of the other side of which something gave way, or stayed as it is here, for whose sake a rule refuses what
   * comes; and what of it has to be as it is there.
   */
  amended(m: AnyModel, id: number, { detail }: Collision): Amended | undefined {
    const refusal = this.#refusal(m, id, detail)
    for (const { m: of, id: by, row, there } of this.#nearby.withheld(m, id)) {
      const way = earlier(of, row, there)
      if (way === 'gone') continue
      const change = { m: of, id: by, side: 'theirs' as const, row, without: withColumns(row, way) }
      if (this.#trials.isFreed(refusal, this.#nearby.ops(m, id), change)) return { m: of, id: by, row, way }
    }
    return undefined
  }

  /** Whether the source's own row is refused for the same as it is there. */
  wasRefusedThere(m: AnyModel, id: number, { detail: text }: Collision): boolean {
    if (!this.#plan.there(m, id)) return false
    return this.#trials.isRefusedWith({ m, id, before: null, text }, this.#nearby.there(m, id))
  }

  /** Whether what a rule says of a row that nobody is to blame for is no matter of the merge: it stood so before. */
  isOfOneSide(m: AnyModel, id: number, { field, detail }: Collision): boolean {
    const doubt = this.#plan.doubts.found.get(`${m.name}:${id} ${detail}`)
    if (doubt === 'new' || this.#trials.wasRefused(m, id, detail)) return true
    const around = this.#nearby.ops(m, id)
    const refusal = { m, id, before: this.#w.row(m, id) ?? null, text: detail }
    if (this.#trials.isRefusedWith({ ...refusal, before: null }, this.#nearby.returning(m, id))) return true
    const asked = this.#refusal(m, id, detail)
    const alone = { ...asked, there: null }
    if (this.#plan.there(m, id) && !this.#trials.isRefusedWith(alone, around)) return true // the source will say so
    if (doubt === undefined) {
      const own = this.#own(m, id, 'theirs')
      if (own && this.#trials.standsWithout(refusal, around, own)) return true // no write of it was refused there
      if (field?.startsWith('custom_fields')) return false // of these either side decides
      if (!this.#input.isOfSource) {
        // It was made beside what somebody changed afterwards, as on one server: the group of a VLAN has other ranges.
        return this.#nearby.earlier(m, id).some((change) => this.#trials.isFreed(asked, around, change))
      }
      if (this.#plan.deprivedBy(m, id)) return false // the merge made it so
    }
    // It may have been made beside what gave way; a name of a custom field is none of these rules' business.
    return !around.some((op) => this.#input.yielding.has(keyOf(op.m, op.id)) && !isDefinition(op.m))
  }

  /**
   * What of each side a rule does not allow together, of which it refuses a row as one side has it (a port is marked as
   * connected, and gets a cable); `in order` where one server would hold both.
   */
  both(m: AnyModel, id: number, side: Side, { field, detail }: Collision): Both | 'in order' | undefined {
    const other = side === 'ours' ? 'theirs' : 'ours'
    const row = this.#own(m, id, side) ?? this.#end(m, id, side)
    if (!row) return undefined
    const refusal = this.#refusal(m, id, detail)
    const around = this.#nearby.ops(m, id)
    const near = this.#trials.blamed(refusal, around, this.#nearby.changes(m, id, other))
    const found = near ?? this.#far(side).get(`${keyOf(m, id)} ${detail}`)
    if (!found) return undefined
    const ops = near ? around : [...around, ...this.#nearby.ops(found.change.m, found.change.id)]
    const isCircle = m.tree !== undefined && field === m.tree.parent // who comes second is who closes it
    const isDecided = isCircle || field?.startsWith('custom_fields') === true // of these either side decides
    if (!isDecided && this.#isInOrder(side, found.change, ops)) return 'in order'
    if (endModelOf(m)) return { own: { change: row, without: row.without }, other: found, row }
    const own = this.#trials.blamed(refusal, ops, this.#nearby.changes(m, id, side))
    return own && { own, other: found, row } // else the other side alone made it so
  }

  /**
   * The same among all that the other side did, where nothing that a row hangs together with is to blame: of all rows
   * of a side that rules refuse, by `<table>:<id> <text>`.
   */
  #far(side: Side): ReadonlyMap<string, Blamed> {
    const known = this.#found[side]
    if (known) return known
    const refusals = this.#collisions.flatMap(({ kind, object_type, object_id: id, detail }) => {
      const m = modelNamed(object_type)
      return kind === 'refused' && this.#own(m, id, side) ? [this.#refusal(m, id, detail)] : []
    })
    const changes = this.#nearby.allChanges(new Set(refusals.map(({ m }) => m)), side === 'ours' ? 'theirs' : 'ours')
    const blamed = this.#trials.blamedAmong(refusals, this.#nearby.allOps, changes)
    const found = new Map([...blamed].map(([{ m, id, text }, each]) => [`${keyOf(m, id)} ${text}`, each]))
    this.#found[side] = found
    return found
  }

  /**
   * Whether one server would hold both: what the source has was written first, and rules have nothing against what the
   * kit did after it. The other way round it is not: the source would refuse what comes from the kit.
   */
  #isInOrder(side: Side, change: OneSided, ops: readonly Op[]): boolean {
    const { m, id } = change
    const isOfSource = (side === 'theirs') === (this.#input.isOfSource === true)
    if (!isOfSource || ownerOfEnd(m) || this.#refused.has(keyOf(m, id))) return false
    return change.side === 'theirs' || !this.#trials.isRefusedBeside(change, [...ops, ...this.#nearby.ops(m, id)])
  }

  /** Whether what has the place of a row is to leave it, and did not get a place itself: the row gets its own then. */
  isBehind(m: AnyModel, row: Row, { kind, field }: Collision): boolean {
    if (kind !== 'taken') return false
    const before = rivalOf(this.#w.db, m, row, field, (id) => this.#plan.doomed.get(m)?.has(id) === true)
    return before !== undefined && this.#refused.has(keyOf(m, before.id))
  }

  /** The row of this side that stands in the way by what is unique, and will go on doing so. */
  rival(m: AnyModel, row: Row, { field }: Collision): Rival | undefined {
    return rivalOf(this.#w.db, m, row, field, (id, columns) => {
      if (this.#plan.doomed.get(m)?.has(id)) return true
      const op = this.#nearby.op(m, id)
      return op?.before != null && columns.some((name) => op.after![name] !== op.before![name])
    })
  }
}
