import type { Row } from '../fields/field.ts'
import { Refused } from '../declare/behaviour.ts'
import { fieldsOf, modelNamed } from '../engine/catalog.ts'
import { q } from '../lib/sql.ts'
import type { AnyModel } from '../declare/model.ts'
import { checkUnique } from '../store/unique.ts'
import { keepingSequence } from '../store/own-ids.ts'
import { defaultsOf, type Writing } from '../store/write.ts'
import { applyPlan } from './apply.ts'
import { Authors, type TheirRecord } from './authors.ts'
import type { Since } from './changes.ts'
import { Collided, type Collision, Judge } from './collisions.ts'
import { type Coming, type Conflict, type Decide, isLink } from './coming.ts'
import { Merging, nameOf } from './merging.ts'
import { ownerOfEnd } from './references.ts'
import { recorded, type Undone } from './recorded.ts'
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
 * Makes the changes of the other side here, as one ordinary write: all of it, or, where conflicts are open, nothing, and the answer lists
 * them. Throws `Refused` for what the actor may not do. Called inside a transaction.
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
  #plan: Merging | undefined

  constructor(w: Writing, coming: readonly Coming[], here: ReadonlyMap<string, Since>, options: MergeOptions) {
    this.#w = w
    this.#coming = coming
    this.#here = here
    this.#options = options
  }

  run(): Merged {
    for (let attempt = 0; ; attempt++) {
      let changes: Undone[] = []
      try {
        return this.#w.db.within(() => {
          changes = this.#attempt()
          if (this.#open.size || this.#plan!.conflicts.size) throw new Open()
          if (this.#options.isTrial) throw new Tried()
          return { conflicts: [], changes }
        })
      } catch (error) {
        this.#w.feed.drop()
        if (error instanceof Tried) return { conflicts: [], changes }
        if (error instanceof Open) return { conflicts: this.#conflicts(), changes: [] }
        if (!(error instanceof Collided)) throw error
        const isNew = error.collisions.map((each) => this.#settle(each)).some(Boolean)
        if (!isNew || attempt >= MaxAttempts) return { conflicts: this.#conflicts(error.collisions), changes: [] }
      }
    }
  }

  #conflicts(rest: readonly Collision[] = []): Conflict[] {
    const all = new Map([...this.#plan!.conflicts, ...this.#open])
    for (const each of rest) {
      const conflict = this.#conflictOf(each, modelNamed(each.object_type))
      if (!all.has(conflict.key)) all.set(conflict.key, conflict)
    }
    return [...all.values()]
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
    })
    this.#plan = plan
    Object.assign(plan, { told: authors.told, deleter: authors.deleter })
    keepingSequence(this.#w.db.raw, () =>
      applyPlan(this.#w, plan, new Judge(this.#w, { force: [...this.#forced], leaveOut: [] })),
    )
    this.#w.feed.by = this.#w.by // the step is that of the merge
    return recorded(this.#w, last)
  }

  /** Does what is decided about a collision, or notes that it is open; false where nothing more can be done about it. */
  #settle(collision: Collision): boolean {
    const m = modelNamed(collision.object_type)
    const { object_id: id, kind } = collision
    const key = `${m.table}:${id}`
    if (kind === 'referenced') {
      const side = this.#options.decide(m, id, null)
      const isKnown = side === 'theirs' ? this.#forced.has(`${m.name}:${id}`) : this.#kept.has(key)
      if (!side) this.#note(this.#conflictOf(collision, m))
      if (side === 'theirs') this.#forced.add(`${m.name}:${id}`)
      else this.#kept.add(key)
      return !isKnown
    }
    const row = this.#plan!.ops.find((op) => op.m === m && op.id === id)?.after
    if (!row) return false
    const base = this.#coming.find((each) => each.place.m === m && each.id === id)?.base ?? null
    const rival = this.#rival(m, row, collision)
    const doubt = `${m.name}:${id} ${collision.detail}`
    if (!rival && this.#plan!.doubts.found.has(doubt)) {
      const isKnown = this.#ignored.has(doubt)
      this.#ignored.add(doubt)
      return !isKnown
    }
    if (this.#yielding.has(key) && collision.field !== '__all__') {
      // what it has after it gave way is not right yet
      const fields = collision.field ? [collision.field] : []
      return this.#giveWay(m, id, row, givingWay(m, row, null, fields, this.#options.suffix), true)
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
    const [shown, shownId, field] = ends ? [ends.owner, cableOf(row), 'terminations'] : [m, id, own]
    const side = this.#options.decide(shown, shownId, field)
    if (!side || (side === 'theirs' && !rivalRow))
      this.#note({
        ...this.#conflictOf({ ...collision, object_id: shownId }, shown, ends ? undefined : row),
        key: `${shown.name}:${shownId}.${field}`,
        field,
        ours: rivalRow
          ? ends
            ? `${ends.owner.label} ${cableOf(rivalRow)}`
            : `${m.label} ${nameOf(this.#w, m, rival!.id)} (${rival!.id})`
          : null,
        theirs: ends ? `${ends.owner.label} ${shownId}` : `${m.label} ${nameOf(this.#w, m, id, row)} (${id})`,
        if_ours: this.#says(m, id, row, theirs, ends?.field),
        if_theirs: rivalRow
          ? this.#says(m, rival!.id, rivalRow, ours!, ends?.field)
          : 'nothing can be done: change it here first',
      })
    if (side === 'theirs' && rivalRow) return this.#giveWay(m, rival!.id, rivalRow, ours!, false)
    return this.#giveWay(m, id, row, theirs, true)
  }

  #note(conflict: Conflict): void {
    if (!this.#open.has(conflict.key)) this.#open.set(conflict.key, conflict)
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

  #says(m: AnyModel, id: number, row: Row, how: Row | 'gone', ofCable?: string): string {
    const name = `${m.label} ${nameOf(this.#w, m, id, row)}`
    if (ofCable) return `cable ${row[`${ofCable}_id`]} is not connected there`
    if (how === 'gone') return `${name} goes`
    const parts = Object.entries(how)
      .filter(([column]) => !column.endsWith('_sort'))
      .map(([column, value]) =>
        value === null ? `is left without ${column.replace(/_(id|type)$/, '')}` : `has the ${column} ${String(value)}`,
      )
    return `${name} ${[...new Set(parts)].join(' and ')}`
  }

  #conflictOf({ kind, object_id, field, detail }: Collision, m: AnyModel, row?: Row): Conflict {
    return {
      key: `${m.name}:${object_id}${field === null ? '' : `.${field}`}`,
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

  /** The row of this side that stands in the way: by what is unique, or else the one without which the rule would be kept. */
  #rival(m: AnyModel, row: Row, { kind, field }: Collision): { id: number; fields: readonly string[] } | undefined {
    const rival = rivalOf(this.#w.db, m, row, field)
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

/** The field that a column belongs to. */
const fieldOf = (m: AnyModel, column: string): string =>
  fieldsOf(m).find(([name, field]) => column in field.columns(name))?.[0] ?? column
