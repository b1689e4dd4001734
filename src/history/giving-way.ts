import type { Row } from '../fields/field.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from '../store/write.ts'
import { Blame } from './blame.ts'
import type { Since } from './changes.ts'
import { ChangeFirst, conflictOf } from './collision-texts.ts'
import type { Collision } from './collisions.ts'
import type { Coming, Conflict, Decide, Decided } from './coming.ts'
import { textOf } from './custom-values.ts'
import { Ends, keyOfConflict } from './disputes.ts'
import { keyOf } from './draft.ts'
import type { NewMembers } from './links.ts'
import { type Side, Sides } from './merge.ts'
import type { MergeInput } from './merge-input.ts'
import type { Merging } from './merging.ts'
import type { OneSided } from './nearby.ts'
import type { Names } from './names.ts'
import { endModelOf, ownerOfEnd, referencesIn } from './references.ts'
import { capital, fieldOf, RivalTexts } from './rival-texts.ts'
import { earlier, givingWay, type Rival } from './rivals.ts'
import { Yielding } from './yielding.ts'

/** What both sides did, who decides, and what names that give way get. */
interface Input {
  coming: readonly Coming[]
  here: ReadonlyMap<string, Since>
  members: NewMembers
  names: Names
  decide: Decide
  suffix: string
  isOfSource?: boolean
}

/** One of two sides of which one has to give way: rows that it is about, what is shown of it, and how it gives way. */
interface Party {
  keys: readonly string[]
  shown: Record<string, unknown>
  says: string
  giveWay: () => boolean
}

/** What stands back where both sides cannot have their way: grows from one attempt to merge to the next. */
export class GivingWay {
  readonly #w: Writing
  readonly #input: Input
  readonly #yielding = new Yielding()
  readonly forced = new Set<string>()
  readonly #ignored = new Set<string>()
  readonly open = new Map<string, Conflict>()
  /** What was decided, in all attempts: what gave way in one is not asked about in the next. */
  readonly settled = new Map<string, Decided>()
  readonly #shown: RivalTexts
  /** Rows that a collision of this attempt was about: others may be of the same, and the next attempt says. */
  readonly #met = new Set<string>()
  #plan: Merging | undefined
  #blame: Blame | undefined

  constructor(w: Writing, input: Input) {
    this.#w = w
    this.#input = input
    this.#shown = new RivalTexts(w, input.names, input.coming, input.members)
  }

  /** What the next attempt has to go by. */
  get decisions(): Pick<MergeInput, 'yielding' | 'kept' | 'unplugged' | 'ignored' | 'settled'> {
    return {
      yielding: this.#yielding.rows,
      kept: this.#yielding.kept,
      unplugged: this.#yielding.unplugged,
      ignored: this.#ignored,
      settled: this.settled,
    }
  }

  /** Does what is decided about what collided in an attempt; false where nothing more can be done about any of it. */
  settle(plan: Merging, collisions: readonly Collision[]): boolean {
    this.#plan = plan
    this.#blame = new Blame(this.#w, { ...this.#input, yielding: this.#yielding.rows }, plan, collisions)
    this.#met.clear()
    this.#yielding.nextAttempt()
    return collisions.map((each) => this.#settle(each)).some(Boolean)
  }

  /**
   * Does what is decided about a collision, or notes that it is open; false where nothing more can be done about it.
   */
  #settle(collision: Collision): boolean {
    const m = modelNamed(collision.object_type)
    const { object_id: id, kind } = collision
    const [plan, blame] = [this.#plan!, this.#blame!]
    const key = `${m.table}:${id}`
    if (kind === 'referenced') {
      const side = this.#input.decide(m, id, null)
      const goes = side === 'theirs' || (side && this.#yielding.rows.get(key) === 'gone') // another has its place
      const isKnown = goes ? this.forced.has(`${m.name}:${id}`) : this.#yielding.kept.has(key)
      this.#note(conflictOf(this.#input.names, collision, m), side)
      if (goes) this.forced.add(`${m.name}:${id}`)
      else this.#yielding.kept.add(key)
      return !isKnown
    }
    if (this.#met.has(key)) return true
    const row = plan.ops.find((op) => op.m === m && op.id === id)?.after
    if (!row) {
      if (kind !== 'refused') return false
      const now = this.#w.row(m, id)
      if (now && this.#follows(m, now, collision)) return true
      if (now && this.#holds(m, now, collision, 'theirs')) return true
      return this.#blames(m, id, 'ours', collision) || this.#ignore(m, collision)
    }
    this.#met.add(key)
    if (kind === 'refused' && Sides.some((side) => this.#holds(m, row, collision, side))) return true
    const rival = blame.rival(m, row, collision)
    if (!rival && blame.isBehind(m, row, collision)) return false
    if (rival && plan.deprivedBy(m, id) === 'ours' && this.#retreats(m, id, collision, rival)) return true
    const rivalKey = rival && `${m.table}:${rival.id}`
    if (rivalKey && this.#met.has(rivalKey)) return true
    if (rivalKey) this.#met.add(rivalKey)
    if (this.#again(m, id, row, collision, rival)) return true
    if (!rival && kind === 'refused') {
      const side = blame.isOf(m, id, 'theirs') ? 'theirs' : 'ours' // it may have got values of new custom fields alone
      if (this.#retreats(m, id, collision) || this.#blames(m, id, side, collision)) return true
      if (blame.isOfOneSide(m, id, collision)) return this.#ignore(m, collision)
    }
    return this.#between(m, row, collision, rival)
  }

  /** Whether what a row has after it gave way is not right yet, and gets something else: a slug beside a name. */
  #again(m: AnyModel, id: number, row: Row, { field }: Collision, rival: Rival | undefined): boolean {
    const fields = rival?.fields.length ? rival.fields : field ? [field] : []
    const told = [...this.open.values(), ...this.settled.values()].filter(
      (each) => each.object_type === m.name && each.object_id === id && each.kind !== 'changed',
    )
    if (!this.#yielding.rows.has(keyOf(m, id)) || told.length === 0) return false
    const way = givingWay(m, row, null, fields, this.#input.suffix)
    if (way === 'gone') return false
    const was = textOf(row, fieldOf(m, Object.keys(way)[0]!))
    const side = this.#yielding.sideOf(m, id) ?? 'theirs'
    for (const each of told)
      each[side === 'theirs' ? 'if_ours' : 'if_theirs'] += `; ${this.#shown.says(m, id, row, way)} instead of ${was}`
    return this.#giveWay(m, id, row, way, side)
  }

  /** One of two rows that cannot both be: which of them gives way, and how. */
  #between(m: AnyModel, row: Row, collision: Collision, rival: Rival | undefined): boolean {
    const { object_id: id } = collision
    const now = this.#w.row(m, id) ?? null
    const base = this.#input.coming.find((each) => each.place.m === m && each.id === id)?.base ?? null
    const fields = rival?.fields.length ? rival.fields : collision.field ? [collision.field] : []
    const ends = ownerOfEnd(m)
    const way = (of: Row, was: Row | null, back = was) => {
      const how = ends ? 'gone' : givingWay(m, of, was, fields, this.#input.suffix)
      return how === 'gone' && back && !ends ? earlier(m, of, back) : how
    }
    const rivalRow = rival && this.#w.row(m, rival.id)
    const [ours, theirs] = [
      rivalRow && way(rivalRow, this.#input.here.get(`${m.table}:${rival!.id}`)?.before ?? null),
      way(row, base, now),
    ]
    const given = [ours, theirs].find((each) => each && each !== 'gone')
    const said = collision.field === '__all__' ? null : collision.field
    const own = said ?? (given ? fieldOf(m, Object.keys(given)[0]!) : (fields[0] ?? null))
    const cableOf = (of: Row) => of[`${ends!.field}_id`] as number
    const [shown, shownId, field] = ends ? [ends.owner, cableOf(row), Ends] : [m, id, own]
    const side = this.#input.decide(shown, shownId, field)
    const amended = rivalRow || ends ? undefined : this.#blame!.amended(m, id, collision)
    const conflict = {
      ...conflictOf(this.#input.names, { ...collision, object_id: shownId }, shown, ends ? undefined : row),
      key: keyOfConflict(shown, shownId, field),
      field,
      ...(ends ? { detail: `${this.#shown.endOf(row)} has another cable on each side.` } : {}),
      ours: rivalRow
        ? ends
          ? this.#shown.cable('ours', m, ends.owner, cableOf(rivalRow))
          : this.#shown.rivalShown('ours', m, rival!.id, rivalRow, ours!)
        : amended
          ? this.#shown.rivalShown('ours', amended.m, amended.id, amended.row, amended.way)
          : null,
      theirs: ends
        ? this.#shown.cable('theirs', m, ends.owner, shownId)
        : this.#shown.rivalShown('theirs', m, id, row, theirs),
      if_ours: this.#shown.says(m, id, row, theirs, ends?.field),
      if_theirs: rivalRow
        ? this.#shown.says(m, rival!.id, rivalRow, ours!, ends?.field)
        : amended
          ? this.#shown.says(amended.m, amended.id, amended.row, amended.way)
          : ChangeFirst,
    }
    this.#note(conflict, side === 'theirs' && !rivalRow && !amended ? undefined : side)
    if (side === 'theirs' && amended) return this.#giveWay(amended.m, amended.id, amended.row, amended.way, 'ours')
    if (side === 'theirs' && rivalRow) return this.#giveWay(m, rival!.id, rivalRow, ours!, 'ours')
    return this.#giveWay(m, id, row, theirs, 'theirs')
  }

  /**
   * Whether what a rule refuses is of a row of which something gave way, be it a reference to what the other side
   * deleted: then so does what else that side did to it, or what another has already, `rival`.
   */
  #retreats(m: AnyModel, id: number, collision: Collision, rival?: Rival): boolean {
    const side = this.#plan!.deprivedBy(m, id) ?? this.#yielding.sideOf(m, id)
    if (side === 'theirs' && !rival && this.#blame!.wasRefusedThere(m, id, collision)) return this.#ignore(m, collision)
    const given = (row: Row) => givingWay(m, row, null, rival?.fields ?? [], this.#input.suffix)
    const found = side && this.#blame!.rest(m, id, side, collision, rival && given)
    if (!side || !found) return false
    if (found === 'back') return this.#ignore(m, collision)
    const party = this.#partyOf(found.change, found.without)
    const asked = [...this.#plan!.conflicts.values()].filter(
      (each) => each.object_type === m.name && each.object_id === id,
    )
    for (const each of asked) this.open.set(each.key, each) // it stays open once the row is as if it had been decided
    const said = {
      ...conflictOf(this.#input.names, collision, m, found.change.row),
      [side]: party.shown,
      if_ours: side === 'theirs' ? party.says : StaysSo,
      if_theirs: side === 'ours' ? party.says : StaysSo,
    }
    if (asked.length === 0) this.#note(said, side === 'ours' ? 'theirs' : 'ours')
    return party.giveWay()
  }

  /**
   * Whether what a rule refuses of a row is for the sake of something that a side made refer to it, and what is to be
   * done about that: that is left without it, or the row keeps what it has on that side.
   */
  #holds(m: AnyModel, row: Row, collision: Collision, side: Side): boolean {
    const { field, detail, object_id: id } = collision
    const its = side === 'ours' ? this.#w.row(m, id) : this.#plan!.there(m, id)
    const declared = field && m.fields[field]
    if (!its || !declared) return false
    const beside = (declared.target?.beside ?? []).map((each: string) => [each, m.fields[each]] as const)
    const columns = [[field, declared] as const, ...beside].flatMap(([each, of]) => Object.keys(of.columns(each)))
    const kept = Object.fromEntries(columns.map((each) => [each, its[each] ?? null]))
    const yielded = this.#yielding.valuesOf(m, id)
    if (columns.every((each) => yielded[each] === kept[each])) return false
    const holder = this.#blame!.holder(m, id, side, collision)
    if (!holder) return false
    const { m: by, id: byId, field: left, way } = holder
    const taken = this.#input.decide(by, byId, left)
    const [name, of] = [this.#input.names.of(m, id, row), this.#input.names.of(by, byId, holder.row)]
    const other = side === 'ours' ? 'theirs' : 'ours'
    const shown = {
      [side]: this.#input.names.shownIn(by, left, holder.row),
      [other]: this.#shown.rivalShown(other, m, id, row, kept),
    } as Record<Side, unknown>
    const says = {
      [side]: `${m.label} ${name} keeps the ${field} that it has ${side === 'ours' ? 'here' : 'there'}`,
      [other]: `${by.label} ${of} is left without ${left}`,
    } as Record<Side, string>
    const conflict = {
      key: keyOfConflict(by, byId, left),
      kind: 'refused',
      object_type: by.name,
      object_id: byId,
      object: of,
      field: left,
      parted: null,
      ...shown,
      detail: `${capital(m.label)} ${name}: ${detail}`,
      if_ours: says.ours,
      if_theirs: says.theirs,
    } as const
    this.#note(conflict, taken)
    this.#met.add(keyOf(by, byId)) // it may be refused as well, for the same
    if (taken === other) this.#yielding.change(by, byId, way)
    else this.#yielding.change(m, id, kept)
    return true
  }

  /**
   * Whether a rule refuses what a row of this side refers to as that gave up what it referred to itself (a primary
   * address whose interface is gone): the row is left without it, as was decided of that.
   */
  #follows(m: AnyModel, row: Row, collision: Collision): boolean {
    const { field, object_id: id } = collision
    const held = referencesIn(m, row).find((each) => each.field === field && each.isNullable)
    if (!held || this.#plan!.deprivedBy(held.to, held.id) !== 'ours') return false
    const way = Object.fromEntries(held.columns.map((column) => [column, null]))
    const yielded = this.#yielding.valuesOf(m, id)
    if (held.columns.every((column) => yielded[column] === null)) return false
    const conflict = {
      ...conflictOf(this.#input.names, collision, m, row),
      ours: this.#shown.rivalShown('ours', m, id, row, way),
      if_ours: StaysSo,
      if_theirs: this.#shown.says(m, id, row, way),
    }
    this.#note(conflict, 'theirs')
    this.#yielding.change(m, id, way)
    return true
  }

  /** What a rule says of a row is ignored from now on; false where it was already. */
  #ignore(m: AnyModel, { object_id, detail }: Pick<Collision, 'object_id' | 'detail'>): boolean {
    const doubt = `${m.name}:${object_id} ${detail}`
    const isKnown = this.#ignored.has(doubt)
    this.#ignored.add(doubt)
    return !isKnown
  }

  /**
   * Whether what a rule refuses of a row as one side has it is for the sake of something that the other changed, and
   * what is to be done about that: one of them gives way.
   */
  #blames(m: AnyModel, id: number, side: Side, collision: Collision): boolean {
    const { field, detail } = collision
    const both = this.#blame!.both(m, id, side, collision)
    if (!both) return false
    if (both === 'in order') return this.#ignore(m, collision)
    const { own, other, row } = both
    const parties = {
      [side]: this.#partyOf(own.change, own.without, own.change.m === m ? field : null),
      [side === 'ours' ? 'theirs' : 'ours']: this.#partyOf(
        other.change,
        other.without,
        other.change.m === m ? field : null,
      ),
    } as Record<Side, Party>
    for (const { keys } of Object.values(parties)) for (const key of keys) this.#met.add(key)
    const name = endModelOf(m) ? Ends : field
    const taken = this.#input.decide(m, id, name)
    const conflict = {
      key: keyOfConflict(m, id, name),
      kind: 'refused',
      object_type: m.name,
      object_id: id,
      object: this.#input.names.of(m, id, row.row),
      field: name,
      parted: null,
      ours: parties.ours.shown,
      theirs: parties.theirs.shown,
      detail,
      if_ours: parties.theirs.says,
      if_theirs: parties.ours.says,
    } as const
    this.#note(conflict, taken)
    return parties[taken === 'theirs' ? 'ours' : 'theirs'].giveWay()
  }

  /** What one side did that the rules allow only without what the other did, and how it gives way. */
  #partyOf({ m, id, side, row }: OneSided, without: Row | null, field: string | null = null): Party {
    const key = keyOf(m, id)
    const end = ownerOfEnd(m)
    const of = endModelOf(m)
    if (end || of) {
      const [owner, cable] = end ? [end.owner, row[`${end.field}_id`] as number] : [m, id]
      return {
        keys: [key, keyOf(owner, cable)],
        shown: this.#shown.cable(side, of ?? m, owner, cable),
        says: `${owner.label} ${cable} is not connected there`,
        giveWay: () => this.#unplug(owner, cable, side),
      }
    }
    const way = without ? earlier(m, row, without) : givingWay(m, row, null, field ? [field] : [], this.#input.suffix)
    return {
      keys: [key],
      shown: this.#shown.rivalShown(side, m, id, row, way),
      says: this.#shown.says(m, id, row, way),
      giveWay: () => this.#giveWay(m, id, row, way, side),
    }
  }

  /** Notes that something is open, or was decided for a side. */
  #note(conflict: Conflict, side: Side | undefined): void {
    const { key, kind, detail } = conflict
    if (side) this.settled.set(`${key} ${kind} ${detail}`, { ...conflict, take: side })
    if (!side && !this.open.has(key)) this.open.set(key, conflict)
  }

  /** Lets a row give way; what was of no use goes altogether. False where that was tried already. */
  #giveWay(m: AnyModel, id: number, row: Row, how: Row | 'gone', side: Side): boolean {
    const end = ownerOfEnd(m)
    const cable = end && (row[`${end.field}_id`] as number)
    // Of a cable that the other side deleted, and a decision keeps, this end alone.
    if (end && !this.#isDeleted(end.owner, cable!, side === 'ours' ? 'theirs' : 'ours'))
      return this.#unplug(end.owner, cable!, side)
    const way = this.#yielding.giveWay(m, id, how, side)
    if (way === 'gone' && how !== 'gone') this.#tellGone(m, id, row, side)
    return way !== undefined
  }

  /** Has what was said of a row that was to give way by some of its values say that it goes, with all of them. */
  #tellGone(m: AnyModel, id: number, row: Row, side: Side): void {
    const shown = this.#shown.rivalShown(side, m, id, row, 'gone')
    const [name] = Object.keys(shown) as [string]
    for (const each of [...this.open.values(), ...this.settled.values()]) {
      const values = each[side] as Record<string, unknown> | null
      if (typeof values !== 'object' || values === null || !(name in values)) continue
      each[side] = { ...values, ...shown }
      each[side === 'ours' ? 'if_theirs' : 'if_ours'] += `; ${this.#shown.says(m, id, row, 'gone')}`
    }
  }

  #unplug(owner: AnyModel, id: number, side: Side): boolean {
    const here = this.#input.here.get(keyOf(owner, id))
    const isNew = side === 'theirs' ? !this.#w.row(owner, id) && !here?.before : here?.before === null
    return this.#yielding.unplug(owner, id, side, isNew)
  }

  /** Whether a side deleted a row that was there when both parted. */
  #isDeleted(m: AnyModel, id: number, side: Side): boolean {
    const here = this.#input.here.get(keyOf(m, id))
    if (side === 'ours') return here?.before != null && !here.now
    return this.#input.coming.some((each) => each.place.m === m && each.id === id && each.base && !each.row)
  }
}

const StaysSo = 'nothing can be done: it goes with what it refers to'
