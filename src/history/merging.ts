import type { Row } from '../fields/field.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from '../store/write.ts'
import { rowNow, type Since } from './changes.ts'
import type { Op } from './collisions.ts'
import { type EndTools, mergeEnds } from './cable-ends.ts'
import { type Coming, type Conflict, type Decide, type Decided, isLink, type Link, linkIn } from './coming.ts'
import { CustomMerge, withValues } from './custom-merge.ts'
import { DisputeTexts } from './dispute-texts.ts'
import { Disputes, endNamed, nameOf, shownIn, written } from './disputes.ts'
import { emptiedBy } from './emptied.ts'
import { Fates } from './fates.ts'
import { mergeLinks, type NewMembers } from './links.ts'
import { type Disagreement, rowsDiffer, isMark, mergeRows, type Side } from './merge.ts'
import { noteConcerned, type Plan } from './plan.ts'
import { ownerOfEnd, type Reference, referencesIn } from './references.ts'

/** How a row of this side or a coming one gives way: columns that it gets, or that it goes. */
export type Yielding = ReadonlyMap<string, Row | 'gone'>

/** What is known before a merge is planned, and decisions that grow while it is. */
export interface MergeInput {
  coming: readonly Coming[]
  /** Rows that this side changed since both parted, by `<table>:<id>`. */
  here: ReadonlyMap<string, Since>
  decide: Decide
  yielding: Yielding
  /**
   * Objects that stay although the other side deleted them, and cables whose ends stay as they are here, by
   * `<table>:<id>`.
   */
  kept: ReadonlySet<string>
  /** Cables whose ends are put back to what they were where both parted. */
  unplugged: ReadonlySet<string>
  /** What rules say of new rows, and is of nothing that stands here. */
  ignored: ReadonlySet<string>
  /** What both sides gave to objects. */
  members: NewMembers
  /** Gets what was decided, by what decisions name it by and what it is. */
  settled: Map<string, Decided>
}

const keyOf = (m: AnyModel, id: number): string => `${m.table}:${id}`
const MaxRounds = 50

/**
 * How the changes of the other side are made here too. What nobody decided stays as it is here and is told of in
 * `conflicts`.
 */
export class Merging implements Plan {
  readonly #w: Writing
  readonly #input: MergeInput
  ops: Op[] = []
  readonly doubts: { found: Set<string>; ignored: ReadonlySet<string> }
  doomed = new Map<AnyModel, Set<number>>()
  objects = new Map<string, { m: AnyModel; id: number }>()
  /** What is open, of all rounds: what stays for lack of a decision is no conflict any more in the next one. */
  readonly #disputes: Disputes
  readonly #fates: Fates
  readonly #custom: CustomMerge
  readonly #members: NewMembers
  readonly #told: DisputeTexts
  readonly #coming: ReadonlyMap<string, Coming>
  readonly first = modelNamed('extras.customfield')

  constructor(w: Writing, input: MergeInput) {
    this.#w = w
    this.#input = input
    this.#disputes = new Disputes(w, input.decide, input.settled)
    this.doubts = { found: new Set(), ignored: input.ignored }
    this.#coming = new Map(input.coming.map((each) => [`${each.place.table}:${each.id}`, each]))
    this.#fates = new Fates(w.db, input.here, this.#coming)
    this.#custom = new CustomMerge(input.coming, input.here)
    this.#members = input.members
    this.#told = new DisputeTexts(w, input.members)
    this.#decisions()
    for (const key of input.kept) this.#fates.keep(key, 'ours')
    for (let round = 0; round < MaxRounds; round++) {
      const { size } = this.#fates
      this.#plan()
      if (this.#fates.size === size) break
    }
    for (const { m, id, before, after, key } of this.ops) if (!key) noteConcerned(this.objects, m, id, before, after)
    for (const [m, ids] of this.doomed)
      for (const id of ids) noteConcerned(this.objects, m, id, this.#w.row(m, id) ?? null, null)
  }

  get conflicts(): ReadonlyMap<string, Conflict> {
    return this.#disputes.open
  }

  #plan(): void {
    this.ops = []
    this.doomed = new Map()
    this.objects = new Map()
    const links: Coming[] = []
    this.#customFields()
    for (const each of this.#input.coming) if (each.place.m === this.first && !isLink(each.place)) this.#object(each)
    this.#custom.name((id) => this.#nameOfField(id))
    const ends = mergeEnds(this.#endTools)
    for (const each of this.#input.coming)
      if (isLink(each.place)) links.push(each)
      else if (each.place.m === this.first) continue
      else if (!ends.has(`${each.place.table}:${each.id}`)) this.#object(each)
    for (const key of this.#fates.restored)
      if (!this.#coming.get(key)?.row)
        this.#put(this.#at(key).place.m, this.#custom.renamed('parted', this.#at(key).before!))
    for (const key of this.#fates.gone) {
      const { place, id } = this.#at(key)
      if (!this.#fates.staying.has(key) && rowNow(this.#w.db, place.table, id)) this.#doom(place.m, id)
    }
    this.#membersBack()
    this.#customValues()
    this.#yield()
    this.#referred()
    this.#missing()
    const noted = ({ owner, from }: Link) => noteConcerned(this.objects, owner, from, null, null)
    this.ops.push(...mergeLinks(this.#w.db, links, (link) => this.#hasEnds(link), noted))
  }

  get #endTools(): EndTools {
    return {
      ...this.#input,
      isHere: (m, id) => this.#w.row(m, id) !== undefined,
      isDeletedThere: (key) => this.#coming.get(key)?.row === null,
      named: (row) => endNamed(this.#w, row),
      decided: (m, id, dispute) => this.#disputes.decided(m, id, dispute),
      doom: (m, id) => this.#doom(m, id),
      put: (m, row) => this.#put(m, row),
    }
  }

  /** What a custom field is called once both are merged; undefined where it is there no more. */
  #nameOfField(id: number): string | undefined {
    const key = keyOf(this.first, id)
    const way = this.#input.yielding.get(key)
    if (way === 'gone' || this.#fates.skipped.has(key)) return undefined
    if (this.#isDoomed(this.first, id) || (this.#fates.gone.has(key) && !this.#fates.staying.has(key))) return undefined
    const back = this.#fates.restored.has(key) ? this.#at(key).before : undefined
    const row = this.ops.find((op) => op.m === this.first && op.id === id)?.after ?? this.#w.row(this.first, id) ?? back
    return (way?.name ?? row?.name) as string | undefined
  }

  /** What becomes of custom fields that one side took away, while the other gave objects values of them. */
  #customFields(): void {
    for (const taken of this.#custom.taken) {
      const m = this.first
      const key = keyOf(m, taken.id)
      const back = taken.side === 'here' ? 'theirs' : 'ours'
      const dispute = this.#custom.disputeOf(taken, (of, id, row) => nameOf(this.#w, of, id, row))
      const side = dispute && this.#disputes.decided(m, taken.id, dispute, taken.row)
      if (taken.isDeleted && side === back) {
        if (back === 'ours') this.#fates.keep(key, side)
        else this.#fates.restore(key)
      }
      const isBack = taken.isDeleted ? this.#fates.kept.has(key) || this.#fates.restored.has(key) : side === back
      this.#custom.settle(taken, isBack ? 'stays' : 'goes')
    }
  }

  #customValues(): void {
    for (const { m, id, values } of this.#custom.values()) {
      const op = this.ops.find((each) => each.m === m && each.id === id)
      const row = op ? undefined : this.#w.row(m, id)
      const now = row && this.#custom.renamed('here', row)
      if (op?.after) op.after = withValues(op.after, values)
      else if (now && !this.#isDoomed(m, id)) this.ops.push({ m, id, before: now, after: withValues(now, values) })
    }
    for (const { id, isDeleted } of this.#custom.taken) {
      const m = this.first
      const now = this.#w.row(m, id)
      const isKnown = this.ops.some((op) => op.m === m && op.id === id)
      const after = now && !isDeleted && !isKnown ? this.#custom.typesWith(id, now) : now
      if (now && after !== now) this.ops.push({ m, id, before: now, after: after! })
    }
  }

  #at(key: string): Since {
    return this.#input.here.get(key)!
  }

  #doom(m: AnyModel, id: number): void {
    this.doomed.set(m, (this.doomed.get(m) ?? new Set()).add(id))
  }

  /** Whether a row goes along with another. */
  #goes(m: AnyModel, id: number): boolean {
    const key = keyOf(m, id)
    return this.#fates.going.has(key) && !this.#fates.staying.has(key)
  }

  #isDoomed(m: AnyModel, id: number): boolean {
    return this.doomed.get(m)?.has(id) ?? false
  }

  /** A row that is not here; what cables say of it is worked out again. */
  #put(m: AnyModel, row: Row): void {
    const after = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isMark(m, name) ? null : value]))
    const id = row.id as number
    if (!this.ops.some((op) => op.m === m && op.id === id)) this.ops.push({ m, id, before: null, after })
  }

  #object({ place, id, base, row: theirs }: Coming): void {
    const { m, table } = place
    const key = `${table}:${id}`
    if (this.#fates.skipped.has(key)) return
    const ours = rowNow(this.#w.db, table, id)
    if (theirs && ours) this.#both(m, id, base, theirs, ours)
    else if (theirs) this.#onlyThere(m, id, base, theirs)
    else if (ours && base) this.#onlyHere(m, id, base, ours)
  }

  #both(m: AnyModel, id: number, base: Row | null, theirs: Row, ours: Row): void {
    const disputed: Disagreement[] = []
    const here = this.#custom.renamed('here', ours) // as it is once custom fields have their names
    const merged = mergeRows(
      m,
      {
        base: base && this.#custom.renamed('parted', base),
        theirs: {
          ...this.#custom.renamed('there', theirs),
          ...emptiedBy(m, base, theirs, (key) => this.#fates.kept.has(key)),
        },
        ours: { ...here, ...this.#emptiedHere(m, id, ours) },
      },
      (field) => this.#input.decide(m, id, field),
      disputed,
      (name) => this.#custom.fateOf(m, name),
    )
    for (const { field, side, ...values } of disputed) {
      const shown = (row: Row | null) => row && shownIn(this.#w, m, field, row)
      const named = m.fields[field] && { parted: shown(base), ours: shown(ours), theirs: shown(theirs) }
      const said = {
        kind: 'changed',
        field,
        ...(named ?? values),
        detail: 'Both sides changed it.',
        ...Values,
      } as const
      this.#disputes.note(m, id, said, { side })
    }
    if (m === this.first) Object.assign(merged, this.#custom.typesWith(id, merged))
    if (rowsDiffer(m, merged, here)) this.ops.push({ m, id, before: here, after: merged })
  }

  /** What a deletion of this side emptied in a row, where what was deleted comes back. */
  #emptiedHere(m: AnyModel, id: number, now: Row): Row {
    const before = this.#input.here.get(keyOf(m, id))?.before ?? null
    return this.#fates.restored.size ? emptiedBy(m, before, now, (key) => this.#fates.restored.has(key)) : {}
  }

  /** Rows of this side alone refer again to what comes back. */
  #membersBack(): void {
    if (this.#fates.restored.size === 0) return
    for (const [key, { place, id, before, now }] of this.#input.here) {
      if (!before || !now || this.#coming.has(key) || isLink(place)) continue
      const back = this.#emptiedHere(place.m, id, now)
      if (Object.keys(back).length) this.ops.push({ m: place.m, id, before: now, after: { ...now, ...back } })
    }
  }

  #onlyThere(m: AnyModel, id: number, base: Row | null, theirs: Row): void {
    const key = keyOf(m, id)
    const wasHere = this.#input.here.get(key)?.before
    if (wasHere && !this.#fates.restored.has(key)) {
      if (base && !this.#custom.isTouched('there', m, base, theirs)) return // only this side did something to it
      const side = this.#disputes.decided(m, id, this.#told.deletedHere(m, base, theirs), theirs)
      if (side !== 'theirs') return
      this.#fates.restore(key)
    }
    this.#put(m, this.#custom.renamed('there', theirs))
  }

  #onlyHere(m: AnyModel, id: number, base: Row, ours: Row): void {
    const key = keyOf(m, id)
    if (this.#fates.firm.has(key)) return
    if (this.#isChangedHere(key)) {
      const side = this.#disputes.decided(m, id, this.#told.deletedThere(m, base, ours))
      if (side !== 'theirs') this.#fates.keep(key, side)
    }
    if (!this.#fates.kept.has(key)) this.#doom(m, id)
  }

  #isChangedHere(key: string): boolean {
    const since = this.#input.here.get(key)
    return !!since?.before && !!since.now && this.#custom.isTouched('here', since.place.m, since.before, since.now)
  }

  /** What somebody decided to keep, or to have back, first: with it stays, or comes, what belongs to it. */
  #decisions(): void {
    for (const [key, { place, id, base, row }] of this.#coming) {
      if (isLink(place) || !base) continue
      const { m } = place
      const since = this.#input.here.get(key)
      const decision = () => this.#input.decide(m, id, null)
      if (!row && this.#isChangedHere(key) && decision() === 'ours') {
        this.#disputes.settle(m, id, this.#told.deletedThere(m, base, since!.now!), 'ours')
        this.#fates.keep(key, 'ours')
      }
      const isDeleted = row && since?.before && !since.now && this.#custom.isTouched('there', m, base, row)
      if (isDeleted && decision() === 'theirs') {
        this.#disputes.settle(m, id, this.#told.deletedHere(m, base, row), 'theirs', row)
        this.#fates.restore(key)
      }
    }
  }

  /** What of this side, or of the other, has to stand back where both cannot be. */
  #yield(): void {
    for (const [key, how] of this.#input.yielding) {
      const coming = this.#coming.get(key)
      const at = coming ?? this.#input.here.get(key)
      if (!at) continue
      const { place, id } = at
      const op = this.ops.find((each) => each.m === place.m && each.id === id)
      if (how === 'gone') {
        if (op && !op.before) this.ops.splice(this.ops.indexOf(op), 1)
        else if (rowNow(this.#w.db, place.table, id)) this.#doom(place.m, id)
        if (coming?.row) this.#fates.skipped.add(key)
      } else if (op) op.after = { ...op.after!, ...how }
      else {
        const now = rowNow(this.#w.db, place.table, id)
        if (now) this.ops.push({ m: place.m, id, before: now, after: { ...now, ...how } })
      }
    }
  }

  /** What goes because the other side deleted it, although this side made something that refers to it. */
  #referred(): void {
    for (const { place, id, before, now } of this.#input.here.values()) {
      if (!now || this.#isDoomed(place.m, id)) continue
      const link = linkIn(place, now)
      const next = this.ops.find((op) => op.m === place.m && op.id === id)?.after ?? now
      if (link) this.#linked(link, before)
      else
        for (const reference of referencesIn(place.m, next)) {
          const { to, columns, onDelete } = reference
          if (!this.#isDoomed(to, reference.id) && !this.#goes(to, reference.id)) continue
          const isYielding = this.#input.yielding.get(keyOf(to, reference.id)) === 'gone'
          if (isYielding && ownerOfEnd(place.m)?.owner === to) continue // its ends go with the cable
          if (before && columns.every((name) => before[name] === next[name])) continue
          const by = `${place.m.label} ${nameOf(this.#w, place.m, id)}`
          const isStaying = this.#fates.staying.has(keyOf(place.m, id))
          const side = isStaying
            ? 'ours'
            : this.#referredDecision(to, reference, by, {
                [`${by} (${id})`]: written(this.#w, place.m, next, before, this.#members.of('ours', place.m, id)),
              })
          if (side !== 'theirs') this.#fates.keep(keyOf(to, reference.id), side)
          else if (onDelete === 'protect' || onDelete === 'restrict') this.#fates.gone.add(keyOf(place.m, id))
          else if (onDelete === 'cascade' && !ownerOfEnd(place.m)) this.#fates.going.add(keyOf(place.m, id))
        }
    }
  }

  #referredDecision(
    to: AnyModel,
    { id, onDelete }: Pick<Reference, 'id' | 'onDelete'>,
    by: string,
    ours: Record<string, unknown>,
  ): Side | undefined {
    return this.#disputes.decided(to, id, this.#told.referred(onDelete, by, ours))
  }

  /** Tags and many-to-many members that were added here to what goes, or of what goes. */
  #linked(link: Link, before: Row | null): void {
    if (before) return
    const what = `the ${link.field} of ${link.owner.label} ${nameOf(this.#w, link.owner, link.from)} (${link.from})`
    for (const [m, id] of [
      [link.owner, link.from],
      [link.target, link.to],
    ] as const)
      if (this.#isDoomed(m, id)) {
        const member = `${nameOf(this.#w, link.target, link.to)} (${link.to})`
        const side = this.#referredDecision(m, { id, onDelete: 'set null' }, what, { [what]: [member] })
        if (side !== 'theirs') this.#fates.keep(keyOf(m, id), side)
      }
  }

  #isThere(m: AnyModel, id: number): boolean {
    return (
      this.ops.some((op) => !op.key && op.m === m && op.id === id && op.after) ||
      (!this.#isDoomed(m, id) && this.#w.row(m, id) !== undefined)
    )
  }

  /** What would refer to something that was deleted here. */
  #missing(): void {
    const coming = new Set(this.ops.map((op) => keyOf(op.m, op.id)))
    for (const op of [...this.ops]) {
      const { m, id, before, after } = op
      for (const { field, columns, isNullable, to, id: target } of referencesIn(m, after!)) {
        if (before && columns.every((name) => before[name] === after![name])) continue
        if (coming.has(keyOf(to, target)) || this.#isThere(to, target)) continue
        const key = keyOf(to, target)
        const without = () => {
          if (isNullable) for (const name of columns) after![name] = null
          else {
            this.#fates.skipped.add(keyOf(m, id))
            this.ops = this.ops.filter((each) => each !== op)
          }
        }
        const isDeletedHere = this.#input.here.get(key)?.before != null
        const known = this.#input.here.get(key)?.before ?? this.#coming.get(key)?.row ?? undefined
        const name = `${to.label} ${nameOf(this.#w, to, target, known)}`
        if (this.#fates.skipped.has(key)) {
          this.#disputes.settle(m, id, this.#told.notTaken(op, { field, isNullable }, name), 'ours', after!)
          without()
          continue
        }
        const side = this.#disputes.decided(
          m,
          id,
          this.#told.missing(op, { field, isNullable }, name, isDeletedHere),
          after!,
        )
        if (side === 'theirs' && isDeletedHere) this.#fates.restore(key)
        else {
          if (side === 'theirs')
            this.#disputes.note(
              m,
              id,
              { ...Unknown, field, theirs: target, detail: `It refers to ${name}, which is not here.` },
              { row: after! },
            )
          without()
        }
      }
      for (const name of Object.keys(after!))
        if (name.startsWith('_') && name.endsWith('_id') && after![name] != null && !before) {
          const target = m.fields[name.slice(0, -3)]?.target
          if (target && !this.#isThere(modelNamed(target.model), after![name] as number)) after![name] = null
        }
    }
  }

  /** Whether what a new link links is here; where it was deleted here, that is a conflict. */
  #hasEnds(link: Link): boolean {
    const { owner, from, target, to } = link
    const known = (m: AnyModel, id: number) => this.#isThere(m, id)
    if (known(owner, from) && known(target, to)) return true
    const [m, id] = known(owner, from) ? [target, to] : [owner, from]
    const since = this.#input.here.get(keyOf(m, id))
    if (!since?.before || since.now) return false
    const side = this.#disputes.decided(m, id, this.#told.unlinked(link), since.before)
    if (side === 'theirs') this.#fates.restore(keyOf(m, id))
    return false
  }
}

const Values = { if_ours: 'the value of this side stays', if_theirs: 'the value of the other side is taken' }
const Unknown = {
  kind: 'missing',
  parted: null,
  ours: null,
  if_ours: 'it is left out',
  if_theirs: 'nothing can be done: make it here first',
} as const
