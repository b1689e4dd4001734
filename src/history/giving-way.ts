import type { Row } from '../fields/field.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from '../store/write.ts'
import type { Since } from './changes.ts'
import type { Collision } from './collisions.ts'
import { type Coming, type Conflict, type Decide, type Decided, isLink } from './coming.ts'
import { textOf } from './custom-values.ts'
import { Ends, keyOfConflict, nameOf, shownIn } from './disputes.ts'
import { keyOf } from './draft.ts'
import type { NewMembers } from './links.ts'
import type { Side } from './merge.ts'
import type { MergeInput } from './merge-input.ts'
import type { Merging } from './merging.ts'
import { type OneSided, Nearby } from './nearby.ts'
import { endModelOf, ownerOfEnd, referencesIn } from './references.ts'
import { capital, fieldOf, RivalTexts } from './rival-texts.ts'
import { earlier, givingWay, type Rival, rivalOf } from './rivals.ts'
import { Trials } from './trials.ts'

/** Rows of this side that are looked at for who stands in the way of a rule. */
const MaxSuspects = 500

/** What both sides did, who decides, and what names that give way get. */
interface Input {
  coming: readonly Coming[]
  here: ReadonlyMap<string, Since>
  members: NewMembers
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
  readonly #yielding = new Map<string, Row | 'gone'>()
  readonly #kept = new Set<string>()
  readonly #unplugged = new Set<string>()
  readonly forced = new Set<string>()
  readonly #ignored = new Set<string>()
  readonly open = new Map<string, Conflict>()
  /** What was decided, in all attempts: what gave way in one is not asked about in the next. */
  readonly settled = new Map<string, Decided>()
  readonly #shown: RivalTexts
  /** Rows that a collision of this attempt was about: others may be of the same, and the next attempt says. */
  readonly #met = new Set<string>()
  readonly #trials: Trials
  /** Rows that rules refused in this attempt. */
  #refused: ReadonlySet<string> = new Set()
  #plan: Merging | undefined

  constructor(w: Writing, input: Input) {
    this.#w = w
    this.#input = input
    this.#shown = new RivalTexts(w, input.coming, input.members)
    this.#trials = new Trials(w)
  }

  /** What the next attempt has to go by. */
  get decisions(): Pick<MergeInput, 'yielding' | 'kept' | 'unplugged' | 'ignored' | 'settled'> {
    return {
      yielding: this.#yielding,
      kept: this.#kept,
      unplugged: this.#unplugged,
      ignored: this.#ignored,
      settled: this.settled,
    }
  }

  /** Does what is decided about what collided in an attempt; false where nothing more can be done about any of it. */
  settle(plan: Merging, collisions: readonly Collision[]): boolean {
    this.#plan = plan
    this.#met.clear()
    this.#refused = new Set(collisions.map((each) => keyOf(modelNamed(each.object_type), each.object_id)))
    return collisions.map((each) => this.#settle(each)).some(Boolean)
  }

  /**
   * Does what is decided about a collision, or notes that it is open; false where nothing more can be done about it.
   */
  #settle(collision: Collision): boolean {
    const m = modelNamed(collision.object_type)
    const { object_id: id, kind } = collision
    const key = `${m.table}:${id}`
    if (kind === 'referenced') {
      const side = this.#input.decide(m, id, null)
      const goes = side === 'theirs' || (side && this.#yielding.get(key) === 'gone') // another has its place
      const isKnown = goes ? this.forced.has(`${m.name}:${id}`) : this.#kept.has(key)
      this.#note(this.conflictOf(collision, m), side)
      if (goes) this.forced.add(`${m.name}:${id}`)
      else this.#kept.add(key)
      return !isKnown
    }
    if (this.#met.has(key)) return true
    const row = this.#plan!.ops.find((op) => op.m === m && op.id === id)?.after
    if (!row) return kind === 'refused' && (this.#blames(m, id, 'ours', collision) || this.#ignore(m, collision))
    this.#met.add(key)
    if (kind === 'refused' && this.#holds(m, row, collision)) return true
    const rival = this.#rival(m, row, collision)
    const rivalKey = rival && `${m.table}:${rival.id}`
    if (rivalKey && this.#met.has(rivalKey)) return true
    if (rivalKey) this.#met.add(rivalKey)
    if (!rival && kind === 'refused' && this.#blames(m, id, 'theirs', collision)) return true
    if (!rival && this.#isOfOneSide(m, id, collision)) return this.#ignore(m, collision)
    if (this.#yielding.has(key) && collision.field !== '__all__') {
      // what it has after it gave way is not right yet
      const fields = collision.field ? [collision.field] : []
      const way = givingWay(m, row, null, fields, this.#input.suffix)
      for (const each of [...this.open.values(), ...this.settled.values()]) // a slug beside a name, told with it
        if (each.object_type === m.name && each.object_id === id && each.kind !== 'changed')
          each.if_ours += `; ${this.#shown.says(m, id, row, way)} instead of ${textOf(row, collision.field)}`
      return this.#giveWay(m, id, row, way, true)
    }
    return this.#between(m, row, collision, rival)
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
    const conflict = {
      ...this.conflictOf({ ...collision, object_id: shownId }, shown, ends ? undefined : row),
      key: keyOfConflict(shown, shownId, field),
      field,
      ...(ends ? { detail: `${this.#shown.endOf(row)} has another cable on each side.` } : {}),
      ours: rivalRow
        ? ends
          ? this.#shown.cable('ours', m, ends.owner, cableOf(rivalRow))
          : this.#shown.rivalShown('ours', m, rival!.id, rivalRow, ours!)
        : null,
      theirs: ends
        ? this.#shown.cable('theirs', m, ends.owner, shownId)
        : this.#shown.rivalShown('theirs', m, id, row, theirs),
      if_ours: this.#shown.says(m, id, row, theirs, ends?.field),
      if_theirs: rivalRow
        ? this.#shown.says(m, rival!.id, rivalRow, ours!, ends?.field)
        : 'nothing can be done: change it here first',
    }
    this.#note(conflict, side === 'theirs' && !rivalRow ? undefined : side)
    if (side === 'theirs' && rivalRow) return this.#giveWay(m, rival!.id, rivalRow, ours!, false)
    return this.#giveWay(m, id, row, theirs, true)
  }

  /**
   * Whether what a rule refuses of a coming change is for the sake of something made here that refers to the row (the
   * master of a chassis cannot leave it), and what is to be done about that: one of them gives way.
   */
  #holds(m: AnyModel, row: Row, { field, detail }: Collision): boolean {
    const now = this.#w.row(m, row.id as number)
    const declared = field && m.fields[field]
    const yielded = asRow(this.#yielding.get(`${m.table}:${row.id}`))
    if (!now || !declared || Object.keys(declared.columns(field)).some((name) => name in yielded)) return false
    for (const [key, { place, now: holder, id }] of this.#input.here) {
      if (!holder || isLink(place) || place.m === m || this.#yielding.has(key)) continue
      const held = referencesIn(place.m, holder).find(
        ({ to, id: of, isNullable }) => to === m && of === row.id && isNullable,
      )
      if (!held || !this.#trials.isFreed(m, row, now, field, place, { ...holder, ...emptied(held.columns) })) continue
      const side = this.#input.decide(place.m, id, held.field)
      const [name, of] = [nameOf(this.#w, m, row.id as number), nameOf(this.#w, place.m, id)]
      const conflict = {
        key: keyOfConflict(place.m, id, held.field),
        kind: 'refused',
        object_type: place.m.name,
        object_id: id,
        object: of,
        field: held.field,
        parted: null,
        ours: shownIn(this.#w, place.m, held.field, holder),
        theirs: null,
        detail: `${capital(m.label)} ${name}: ${detail}`,
        if_ours: `${m.label} ${name} keeps the ${field} that it has here`,
        if_theirs: `${place.m.label} ${of} is left without ${held.field}`,
      } as const
      this.#note(conflict, side)
      this.#met.add(key) // it may be refused as well, for the same
      const beside = (declared.target?.beside ?? []).map((each: string) => [each, m.fields[each]] as const)
      const columns = [[field, declared] as const, ...beside].flatMap(([each, of]) => Object.keys(of.columns(each)))
      if (side === 'theirs') this.#yielding.set(key, emptied(held.columns))
      else {
        const own = Object.fromEntries(columns.map((each) => [each, now[each] ?? null]))
        this.#yielding.set(`${m.table}:${row.id}`, { ...yielded, ...own })
      }
      return true
    }
    return false
  }

  /** Whether what a rule says of a row that nobody is to blame for is no matter of the merge: it stood so on a side. */
  #isOfOneSide(m: AnyModel, id: number, { field, detail }: Collision): boolean {
    const doubt = this.#plan!.doubts.found.get(`${m.name}:${id} ${detail}`)
    if (doubt === 'new' || this.#trials.wasRefused(m, id, detail)) return true
    const { coming, here } = this.#input
    const nearby = new Nearby(this.#w, coming, here, this.#plan!.ops)
    const around = nearby.ops(m, id)
    if (doubt === undefined) {
      const own = nearby.changes(m, id, 'theirs').find((each) => each.m === m && each.id === id)
      const refusal = { m, id, before: this.#w.row(m, id) ?? null, text: detail }
      if (own && this.#trials.standsWithout(refusal, around, own)) return true // no write of it was refused there
      if (!this.#input.isOfSource || field?.startsWith('custom_fields')) return false // of these either side decides
      if (this.#plan!.isDeprived(m, id)) return false // the merge made it so
    }
    return !around.some((op) => this.#yielding.has(keyOf(op.m, op.id))) // it was made beside what gave way
  }

  /** What a rule says of a row is ignored from now on; false where it was already. */
  #ignore(m: AnyModel, { object_id, detail }: Pick<Collision, 'object_id' | 'detail'>): boolean {
    const doubt = `${m.name}:${object_id} ${detail}`
    const isKnown = this.#ignored.has(doubt)
    this.#ignored.add(doubt)
    return !isKnown
  }

  /**
   * Whether what a rule refuses of a row as one side has it is for the sake of something that the other changed (a port
   * is marked as connected, and gets a cable), and what is to be done about that: one of them gives way.
   */
  #blames(m: AnyModel, id: number, side: Side, { field, detail }: Collision): boolean {
    const other = side === 'ours' ? 'theirs' : 'ours'
    const { coming, here } = this.#input
    const nearby = new Nearby(this.#w, coming, here, this.#plan!.ops)
    const own = nearby.changes(m, id, side).find((each) => each.m === m && each.id === id)
    if (!own) return false
    const op = this.#plan!.ops.find((each) => each.m === m && each.id === id)
    const refusal = { m, id, before: op?.before ?? null, text: detail }
    const around = nearby.ops(m, id)
    const blamed = this.#trials.blamed(refusal, around, nearby.changes(m, id, other))
    if (!blamed) return false
    const isCircle = m.tree !== undefined && field === m.tree.parent // who comes second is who closes it
    if (!isCircle && this.#isInOrder(side, blamed.change)) return this.#ignore(m, { object_id: id, detail })
    const isCable = endModelOf(m) !== undefined
    const part = isCable
      ? { change: own, without: own.without }
      : this.#trials.blamed(refusal, around, nearby.changes(m, id, side))
    if (!part) return false // the other side alone made it so
    const parties = {
      [side]: this.#partyOf(part.change, part.without, part.change === own ? field : null),
      [other]: this.#partyOf(blamed.change, blamed.without),
    } as Record<Side, Party>
    for (const { keys } of Object.values(parties)) for (const key of keys) this.#met.add(key)
    const name = isCable ? Ends : field
    const taken = this.#input.decide(m, id, name)
    const conflict = {
      key: keyOfConflict(m, id, name),
      kind: 'refused',
      object_type: m.name,
      object_id: id,
      object: nameOf(this.#w, m, id, own.row),
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

  /**
   * Whether one server would hold both: what the source has was written first, and rules have nothing against what the
   * kit did after it. The other way round it is not: the source would refuse what comes from the kit.
   */
  #isInOrder(side: Side, { m, id }: OneSided): boolean {
    const isOfSource = (side === 'theirs') === (this.#input.isOfSource === true)
    return isOfSource && !ownerOfEnd(m) && !this.#refused.has(keyOf(m, id))
  }

  /** What one side did that the rules allow only without what the other did, and how it gives way. */
  #partyOf({ m, id, side, row }: OneSided, without: Row | null, field: string | null = null): Party {
    const isComing = side === 'theirs'
    const key = keyOf(m, id)
    const end = ownerOfEnd(m)
    const of = endModelOf(m)
    if (end || of) {
      const [owner, cable] = end ? [end.owner, row[`${end.field}_id`] as number] : [m, id]
      return {
        keys: [key, keyOf(owner, cable)],
        shown: this.#shown.cable(side, of ?? m, owner, cable),
        says: `${owner.label} ${cable} is not connected there`,
        giveWay: () => this.#unplug(owner, cable, isComing),
      }
    }
    const columns = without && Object.keys(without).filter((name) => without[name] !== row[name])
    const way = columns
      ? Object.fromEntries(columns.map((name) => [name, without[name]!]))
      : givingWay(m, row, null, field ? [field] : [], this.#input.suffix)
    return {
      keys: [key],
      shown: this.#shown.rivalShown(side, m, id, row, way),
      says: this.#shown.says(m, id, row, way),
      giveWay: () => this.#giveWay(m, id, row, way, isComing),
    }
  }

  /** Notes that something is open, or was decided for a side. */
  #note(conflict: Conflict, side: Side | undefined): void {
    const { key, kind, detail } = conflict
    if (side) this.settled.set(`${key} ${kind} ${detail}`, { ...conflict, take: side })
    if (!side && !this.open.has(key)) this.open.set(key, conflict)
  }

  /** Lets a row give way; what was of no use goes altogether. False where that was tried already. */
  #giveWay(m: AnyModel, id: number, row: Row, how: Row | 'gone', isComing: boolean): boolean {
    const end = ownerOfEnd(m)
    if (end) return this.#unplug(end.owner, row[`${end.field}_id`] as number, isComing)
    const key = `${m.table}:${id}`
    const before = this.#yielding.get(key)
    if (before === 'gone') return false
    const isTried =
      before !== undefined && how !== 'gone' && Object.keys(how).every((name) => before[name] === how[name])
    this.#yielding.set(key, how === 'gone' || isTried ? 'gone' : { ...before, ...how })
    return true
  }

  /** A cable that cannot be where another is: a new one is not made, one that was there stays where it was. */
  #unplug(owner: AnyModel, id: number, isComing: boolean): boolean {
    const key = `${owner.table}:${id}`
    const isNew = isComing ? !this.#w.row(owner, id) : this.#input.here.get(key)?.before === null
    if (isNew) {
      if (this.#yielding.has(key)) return false
      this.#yielding.set(key, 'gone')
      return true
    }
    const set = isComing ? this.#kept : this.#unplugged
    if (set.has(key)) return false
    set.add(key)
    return true
  }

  /** A collision as a conflict that nothing more is known of. */
  conflictOf({ kind, object_id, field, detail }: Collision, m: AnyModel, row?: Row): Conflict {
    return {
      key: keyOfConflict(m, object_id, field),
      kind: kind === 'deleted' ? 'deleted here' : kind,
      object_type: m.name,
      object_id,
      object: nameOf(this.#w, m, object_id, row),
      field,
      parted: null,
      ours: null,
      theirs: null,
      detail,
      if_ours: kind === 'referenced' ? 'it stays, with what belongs to it' : 'what comes from there gives way',
      if_theirs: kind === 'referenced' ? 'it goes, and what refers to it is changed' : 'what is here gives way',
    }
  }

  /**
   * The row of this side that stands in the way: by what is unique, or else the one without which the rule would be
   * kept.
   */
  #rival(m: AnyModel, row: Row, { kind, field }: Collision): Rival | undefined {
    const given = (id: number) => {
      const how = this.#yielding.get(`${m.table}:${id}`)
      return how === 'gone' ? undefined : how
    }
    const rival = rivalOf(this.#w.db, m, row, field, given)
    if (rival || kind === 'taken') return rival
    const suspects = [...this.#input.here.values()]
      .filter(({ place, now, id }) => place.m === m && !isLink(place) && now && id !== row.id)
      .slice(0, MaxSuspects)
    const found = this.#trials.culpritOf(m, row, suspects)
    return found === undefined ? undefined : { id: found, fields: field ? [field] : [] }
  }
}

const emptied = (columns: readonly string[]): Row => Object.fromEntries(columns.map((name) => [name, null]))
const asRow = (how: Row | 'gone' | undefined): Row => (how === undefined || how === 'gone' ? {} : how)
