import { modelNamed } from '../engine/catalog.ts'
import { keepingSequence } from '../store/own-ids.ts'
import type { Writing } from '../store/write.ts'
import { applyPlan } from './apply.ts'
import { Authors, type Signing, type TheirRecord } from './authors.ts'
import type { Since } from './changes.ts'
import { unsettled } from './collision-texts.ts'
import { Collided, type Collision, Judge } from './collisions.ts'
import { type Coming, type Conflict, type Decide, type Decided, isAccount } from './coming.ts'
import { NewMembers } from './links.ts'
import { GivingWay } from './giving-way.ts'
import { Merging } from './merging.ts'
import { Names } from './names.ts'
import { recorded, type Undone } from './recorded.ts'

interface MergeOptions {
  decide: Decide
  /** Who changed what on the other side. */
  records: readonly TheirRecord[]
  /** What those records get; `since`: the other side was made then, and its clock is wrong where it says otherwise. */
  signing: Pick<Signing, 'mark' | 'since' | 'unknown'>
  /** Added to messages of objects about which something was decided. */
  decisionMark?: string | undefined
  /** Added to names that give way: the name of the kit. */
  suffix: string
  /** Whether the other side is the source of this one: what it has by itself is taken, whatever rules say. */
  isOfSource?: boolean
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

class Open extends Error {}
/** A trial went well, and is taken back. */
class Tried extends Error {
  readonly merged: Merged
  constructor(merged: Merged) {
    super()
    this.merged = merged
  }
}

/**
 * Makes the changes of the other side here, as one ordinary write: all of it, or, where conflicts are open, nothing,
 * and the answer lists them. Throws `Refused` for what the actor may not do. Called inside a transaction that
 * is `tentative`: what is tried and taken back costs ten times as much else.
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
  readonly #givingWay: GivingWay
  readonly #members: NewMembers
  readonly #names: Names
  #plan: Merging | undefined

  constructor(w: Writing, coming: readonly Coming[], here: ReadonlyMap<string, Since>, options: MergeOptions) {
    this.#w = w
    this.#coming = coming
    this.#here = here
    this.#options = options
    this.#members = new NewMembers(coming, here)
    this.#names = new Names(w, coming, here)
    this.#givingWay = new GivingWay(w, { coming, here, members: this.#members, names: this.#names, ...options })
  }

  run(): Merged {
    for (let attempt = 0; ; attempt++) {
      try {
        return this.#w.db.within(() => {
          const changes = this.#attempt()
          if (this.#givingWay.open.size || this.#plan!.conflicts.size) throw new Open()
          const merged = this.#merged(changes)
          if (this.#options.isTrial) throw new Tried(merged)
          return merged
        })
      } catch (error) {
        this.#w.feed.drop()
        if (error instanceof Tried) return error.merged
        if (error instanceof Open) return this.#refused()
        if (!(error instanceof Collided)) throw error
        const isNew = this.#givingWay.settle(this.#plan!, error.collisions)
        if (!isNew || attempt >= MaxAttempts) return this.#refused(error.collisions)
      }
    }
  }

  #merged(changes: readonly Undone[]): Merged {
    return {
      conflicts: [],
      decided: [...this.#givingWay.settled.values()].flatMap((each) => this.#asItCame(each)),
      changes,
    }
  }

  /** A decision that an object goes, and, where another one keeps what belongs to it, that it is there all the same. */
  #asItCame(decided: Decided): Decided[] {
    const { kind, take, object_type, object_id, detail } = decided
    const gone = take === 'theirs' ? ['deleted there', 'referenced'] : ['deleted here']
    if (!gone.includes(kind) || !this.#w.row(modelNamed(object_type), object_id)) return [decided]
    const why = 'It is there all the same, as another decision keeps what belongs to it.'
    return [decided, { ...decided, take: take === 'theirs' ? 'ours' : 'theirs', detail: `${detail} ${why}` }]
  }

  /** Nothing was done; `rest`: what nothing can be done about. */
  #refused(rest: readonly Collision[] = []): Merged {
    const all = new Map([...this.#plan!.conflicts, ...this.#givingWay.open])
    for (const each of rest) {
      const conflict = unsettled(this.#names, each)
      if (!all.has(conflict.key)) all.set(conflict.key, conflict)
    }
    return { conflicts: [...all.values()], decided: [...this.#givingWay.settled.values()], changes: [] }
  }

  get #decidedObjects(): ReadonlySet<string> {
    return new Set([...this.#givingWay.settled.values()].map((each) => `${each.object_type}:${each.object_id}`))
  }

  #attempt(): Undone[] {
    const { records, signing, decisionMark: mark } = this.#options
    const decision = mark === undefined ? undefined : { mark, objects: () => this.#decidedObjects }
    const last = this.#w.db.get<{ id: number | null }>('select max(id) as id from core_objectchange')!.id ?? 0
    const authors = new Authors(this.#w.db, records, { ...signing, by: this.#w.by, decision })
    const plan = new Merging(this.#w, {
      coming: this.#coming,
      here: this.#here,
      decide: this.#options.decide,
      isOfSource: this.#options.isOfSource,
      members: this.#members,
      names: this.#names,
      ...this.#givingWay.decisions,
    })
    this.#plan = plan
    Object.assign(plan, { told: authors.told, deleter: authors.deleter })
    const accounts = this.#coming.filter(({ place }) => isAccount(place.m)).map(({ place }) => place.m.name)
    const force = [...this.#givingWay.forced, ...accounts] // they go with what is theirs, as at the source
    const judge = new Judge(this.#w, { force, leaveOut: [] }, { knowsAll: true })
    keepingSequence(this.#w.db.raw, () => applyPlan(this.#w, plan, judge))
    plan.tellEmptied()
    plan.tellSwept()
    this.#w.feed.by = this.#w.by // the step is that of the merge
    return recorded(this.#w, last)
  }
}
