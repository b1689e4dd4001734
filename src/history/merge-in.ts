import type { Row } from '../fields/field.ts'
import { Refused } from '../declare/behaviour.ts'
import { modelNamed } from '../engine/catalog.ts'
import { q } from '../lib/sql.ts'
import type { AnyModel } from '../declare/model.ts'
import { checkUnique } from '../store/unique.ts'
import { keepingSequence } from '../store/own-ids.ts'
import { defaultsOf } from '../store/insert.ts'
import type { Writing } from '../store/write.ts'
import { applyPlan } from './apply.ts'
import { Authors, type TheirRecord } from './authors.ts'
import type { Since } from './changes.ts'
import { Collided, type Collision, Judge } from './collisions.ts'
import { type Coming, type Conflict, type Decide, type Decided, isLink } from './coming.ts'
import { Ends, keyOfConflict, nameOf } from './disputes.ts'
import type { Side } from './merge.ts'
import { NewMembers } from './links.ts'
import { Merging } from './merging.ts'
import { ownerOfEnd, referencesIn } from './references.ts'
import { recorded, type Undone } from './recorded.ts'
import { capital, fieldOf, RivalTexts } from './rival-texts.ts'
import { givingWay, rivalOf } from './rivals.ts'
import { eventOf } from './settle.ts'

export interface MergeOptions {
  decide: Decide
  /** Who changed what on the other side. */
  records: readonly TheirRecord[]
  /** Added to the messages of those records. */
  mark: string
  /** Added to names that give way: the name of the kit. */
  suffix: string
  /** Only says what would be done. */
  isTrial?: boolean
}
export interface Merged {
  conflicts: readonly Conflict[]
  /** Conflicts that decisions settled, with what gave way. */
  decided: readonly Decided[]
  /** What was recorded; nothing where there are conflicts. */
  changes: readonly Undone[]
}

/** So many times is it tried again with more that gives way. */
const MaxAttempts = 40
/** Rows of this side that are looked at for who stands in the way of a rule. */
const MaxSuspects = 500

class Open extends Error {}
class Tried extends Error {}

/**
 * Makes the changes of the other side here, as one ordinary write: all of it, or, where conflicts are open, nothing,
 * and the answer lists them. Throws `Refused` for what the actor may not do. Called inside a transaction.
 */
export function mergeIn(
  w: Writing,
  coming: readonly Coming[],
  here: ReadonlyMap<string, Since>,
  options: MergeOptions,
): Merged {
  return new Attempts(w, coming, here, options).run()
}

class Attempts {
  readonly #w: Writing
  readonly #coming: readonly Coming[]
  readonly #here: ReadonlyMap<string, Since>
  readonly #options: MergeOptions
  readonly #yielding = new Map<string, Row | 'gone'>()
  readonly #kept = new Set<string>()
  readonly #unplugged = new Set<string>()
  readonly #forced = new Set<string>()
  readonly #ignored = new Set<string>()
  readonly #open = new Map<string, Conflict>()
  /** What was decided, in all attempts: what gave way in one is not asked about in the next. */
  readonly #settled = new Map<string, Decided>()
  readonly #members: NewMembers
  readonly #shown: RivalTexts
  /** Rows that a collision of this attempt was about: others about them may be of the same, and the next attempt says. */
  readonly #met = new Set<string>()
  #plan: Merging | undefined

  constructor(w: Writing, coming: readonly Coming[], here: ReadonlyMap<string, Since>, options: MergeOptions) {
    this.#w = w
    this.#coming = coming
    this.#here = here
    this.#options = options
    this.#members = new NewMembers(coming, here)
    this.#shown = new RivalTexts(w, coming, this.#members)
  }

  run(): Merged {
    for (let attempt = 0; ; attempt++) {
      let changes: Undone[] = []
      try {
        return this.#w.db.within(() => {
          changes = this.#attempt()
          if (this.#open.size || this.#plan!.conflicts.size) throw new Open()
          if (this.#options.isTrial) throw new Tried()
          return this.#merged(changes)
        })
      } catch (error) {
        this.#w.feed.drop()
        if (error instanceof Tried) return this.#merged(changes)
        if (error instanceof Open) return this.#refused()
        if (!(error instanceof Collided)) throw error
        this.#met.clear()
        const isNew = error.collisions.map((each) => this.#settle(each)).some(Boolean)
        if (!isNew || attempt >= MaxAttempts) return this.#refused(error.collisions)
      }
    }
  }

  #merged(changes: readonly Undone[]): Merged {
    return { conflicts: [], decided: [...this.#settled.values()], changes }
  }

  /** Nothing was done; `rest`: what nothing can be done about. */
  #refused(rest: readonly Collision[] = []): Merged {
    const all = new Map([...this.#plan!.conflicts, ...this.#open])
    for (const each of rest) {
      const conflict = this.#conflictOf(each, modelNamed(each.object_type))
      if (!all.has(conflict.key)) all.set(conflict.key, conflict)
    }
    return { conflicts: [...all.values()], decided: [...this.#settled.values()], changes: [] }
  }

  #attempt(): Undone[] {
    const { records, mark } = this.#options
    const last = this.#w.db.get<{ id: number | null }>('select max(id) as id from core_objectchange')!.id ?? 0
    const authors = new Authors(this.#w.db, records, mark, this.#w.by)
    const plan = new Merging(this.#w, {
      coming: this.#coming,
      here: this.#here,
      decide: this.#options.decide,
      yielding: this.#yielding,
      kept: this.#kept,
      unplugged: this.#unplugged,
      ignored: this.#ignored,
      settled: this.#settled,
      members: this.#members,
    })
    this.#plan = plan
    Object.assign(plan, { told: authors.told, deleter: authors.deleter })
    keepingSequence(this.#w.db.raw, () =>
      applyPlan(this.#w, plan, new Judge(this.#w, { force: [...this.#forced], leaveOut: [] })),
    )
    this.#w.feed.by = this.#w.by // the step is that of the merge
    return recorded(this.#w, last)
  }

  /**
   * Does what is decided about a collision, or notes that it is open; false where nothing more can be done about it.
   */
  #settle(collision: Collision): boolean {
    const m = modelNamed(collision.object_type)
    const { object_id: id, kind } = collision
    const key = `${m.table}:${id}`
    if (kind === 'referenced') {
      const side = this.#options.decide(m, id, null)
      const goes = side === 'theirs' || (side && this.#yielding.get(key) === 'gone') // another has its place
      const isKnown = goes ? this.#forced.has(`${m.name}:${id}`) : this.#kept.has(key)
      this.#note(this.#conflictOf(collision, m), side)
      if (goes) this.#forced.add(`${m.name}:${id}`)
      else this.#kept.add(key)
      return !isKnown
    }
    const row = this.#plan!.ops.find((op) => op.m === m && op.id === id)?.after
    if (!row) return false
    if (this.#met.has(key)) return true
    this.#met.add(key)
    if (kind === 'refused' && this.#holds(m, row, collision)) return true
    const base = this.#coming.find((each) => each.place.m === m && each.id === id)?.base ?? null
    const rival = this.#rival(m, row, collision)
    const rivalKey = rival && `${m.table}:${rival.id}`
    if (rivalKey && this.#met.has(rivalKey)) return true
    if (rivalKey) this.#met.add(rivalKey)
    const doubt = `${m.name}:${id} ${collision.detail}`
    if (!rival && this.#plan!.doubts.found.has(doubt)) {
      const isKnown = this.#ignored.has(doubt)
      this.#ignored.add(doubt)
      return !isKnown
    }
    if (this.#yielding.has(key) && collision.field !== '__all__') {
      // what it has after it gave way is not right yet
      const fields = collision.field ? [collision.field] : []
      const way = givingWay(m, row, null, fields, this.#options.suffix)
      for (const each of [...this.#open.values(), ...this.#settled.values()]) // a slug beside a name, told with it
        if (each.object_type === m.name && each.object_id === id && each.kind !== 'changed')
          each.if_ours += `; ${this.#shown.says(m, id, row, way)} instead of ${String(row[collision.field ?? ''] ?? '')}`
      return this.#giveWay(m, id, row, way, true)
    }
    const fields = rival?.fields.length ? rival.fields : collision.field ? [collision.field] : []
    const ends = ownerOfEnd(m)
    const way = (of: Row, was: Row | null) => (ends ? 'gone' : givingWay(m, of, was, fields, this.#options.suffix))
    const rivalRow = rival && this.#w.row(m, rival.id)
    const [ours, theirs] = [
      rivalRow && way(rivalRow, this.#here.get(`${m.table}:${rival!.id}`)?.before ?? null),
      way(row, base),
    ]
    const given = [ours, theirs].find((each) => each && each !== 'gone')
    const said = collision.field === '__all__' ? null : collision.field
    const own = said ?? (given ? fieldOf(m, Object.keys(given)[0]!) : (fields[0] ?? null))
    const cableOf = (of: Row) => of[`${ends!.field}_id`] as number
    const [shown, shownId, field] = ends ? [ends.owner, cableOf(row), Ends] : [m, id, own]
    const side = this.#options.decide(shown, shownId, field)
    const conflict = {
      ...this.#conflictOf({ ...collision, object_id: shownId }, shown, ends ? undefined : row),
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
    for (const [key, { place, now: holder, id }] of this.#here) {
      if (!holder || isLink(place) || place.m === m || this.#yielding.has(key)) continue
      const held = referencesIn(place.m, holder).find(
        ({ to, id: of, isNullable }) => to === m && of === row.id && isNullable,
      )
      if (!held || !this.#isFreed(m, row, now, field, place, { ...holder, ...emptied(held.columns) })) continue
      const side = this.#options.decide(place.m, id, held.field)
      const [name, of] = [nameOf(this.#w, m, row.id as number), nameOf(this.#w, place.m, id)]
      const conflict = {
        key: keyOfConflict(place.m, id, held.field),
        kind: 'refused',
        object_type: place.m.name,
        object_id: id,
        object: of,
        field: held.field,
        parted: null,
        ours: name,
        theirs: null,
        detail: `${capital(m.label)} ${name}: ${detail}`,
        if_ours: `${m.label} ${name} keeps the ${field} that it has here`,
        if_theirs: `${place.m.label} ${of} is left without ${held.field}`,
      } as const
      this.#note(conflict, side)
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

  /** Whether a rule has nothing against a field of a row any more where another row is as given. */
  #isFreed(m: AnyModel, row: Row, now: Row, field: string, { m: of }: Since['place'], holder: Row): boolean {
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

  /** Notes that something is open, or was decided for a side. */
  #note(conflict: Conflict, side: Side | undefined): void {
    const { key, kind, detail } = conflict
    if (side) this.#settled.set(`${key} ${kind} ${detail}`, { ...conflict, take: side })
    if (!side && !this.#open.has(key)) this.#open.set(key, conflict)
  }

  /** Lets a row give way; what was of no use goes altogether. False where that was tried already. */
  #giveWay(m: AnyModel, id: number, row: Row, how: Row | 'gone', isComing: boolean): boolean {
    const end = ownerOfEnd(m)
    if (end) return this.#unplug(end.owner, row[`${end.field}_id`] as number, isComing)
    const key = `${m.table}:${id}`
    const before = this.#yielding.get(key)
    if (before === 'gone') return false
    const isTried = before !== undefined && how !== 'gone' && Object.keys(how).every((name) => name in before)
    this.#yielding.set(key, how === 'gone' || isTried ? 'gone' : { ...before, ...how })
    return true
  }

  /** A cable that cannot be where another is: a new one is not made, one that was there stays where it was. */
  #unplug(owner: AnyModel, id: number, isComing: boolean): boolean {
    const key = `${owner.table}:${id}`
    const isNew = isComing ? !this.#w.row(owner, id) : this.#here.get(key)?.before === null
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

  #conflictOf({ kind, object_id, field, detail }: Collision, m: AnyModel, row?: Row): Conflict {
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
  #rival(m: AnyModel, row: Row, { kind, field }: Collision): { id: number; fields: readonly string[] } | undefined {
    const given = (id: number) => {
      const how = this.#yielding.get(`${m.table}:${id}`)
      return how === 'gone' ? undefined : how
    }
    const rival = rivalOf(this.#w.db, m, row, field, given)
    if (rival || kind === 'taken') return rival
    const suspects = [...this.#here.values()]
      .filter(({ place, now, id }) => place.m === m && !isLink(place) && now && id !== row.id)
      .slice(0, MaxSuspects)
    let found: number | undefined
    try {
      this.#w.db.within(() => {
        this.#w.db.run('pragma defer_foreign_keys = on')
        this.#store(m, row)
        for (const { id, before } of suspects) {
          try {
            this.#w.db.within(() => {
              if (before) this.#store(m, before)
              else this.#w.db.run(`delete from ${q(m.table)} where id = ?`, id)
              if (!this.#isRefused(m, row)) found = id
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
    return found === undefined ? undefined : { id: found, fields: field ? [field] : [] }
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

  #isRefused(m: AnyModel, row: Row): boolean {
    const event = eventOf(this.#w, { ...row }, undefined)
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

const emptied = (columns: readonly string[]): Row => Object.fromEntries(columns.map((name) => [name, null]))
const asRow = (how: Row | 'gone' | undefined): Row => (how === undefined || how === 'gone' ? {} : how)
