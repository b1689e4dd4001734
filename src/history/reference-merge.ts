import type { Row } from '../fields/field.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { q } from '../lib/sql.ts'
import type { Writing } from '../store/write.ts'
import { type Coming, isAccount, type Link, linkIn } from './coming.ts'
import type { CustomMerge } from './custom-merge.ts'
import { CustomReferences } from './custom-references.ts'
import type { DisputeTexts } from './dispute-texts.ts'
import type { Disputes } from './disputes.ts'
import { type Draft, keyOf } from './draft.ts'
import type { Fates } from './fates.ts'
import type { Side } from './merge.ts'
import type { MergeInput } from './merge-input.ts'
import { ownerOfEnd, type Reference, referencesIn } from './references.ts'

/** What a merge has worked out so far. */
interface SoFar {
  draft: Draft
  fates: Fates
  disputes: Disputes
  told: DisputeTexts
  custom: CustomMerge
}

/** What becomes of references of one side to what is not there any more because of the other. */
export class ReferenceMerge {
  readonly #w: Writing
  readonly #input: MergeInput
  readonly #there: ReadonlyMap<string, Coming>
  readonly #draft: Draft
  readonly #fates: Fates
  readonly #disputes: Disputes
  readonly #told: DisputeTexts
  readonly #custom: CustomMerge

  constructor(
    w: Writing,
    input: MergeInput,
    there: ReadonlyMap<string, Coming>,
    { draft, fates, disputes, told, custom }: SoFar,
  ) {
    this.#w = w
    this.#input = input
    this.#there = there
    this.#draft = draft
    this.#fates = fates
    this.#disputes = disputes
    this.#told = told
    this.#custom = custom
  }

  /** What a row refers to that it did not refer to before; by custom fields, neither where both parted. */
  #added(custom: CustomReferences, m: AnyModel, before: Row | null, row: Row): Reference[] {
    const key = keyOf(m, row.id as number)
    const parted = this.#input.here.get(key)?.before ?? this.#there.get(key)?.base
    const earlier = [before, parted ? this.#custom.renamed('parted', parted) : null]
    const old = new Set(earlier.flatMap((of) => (of ? custom.in(m, of) : [])).map(({ to, id }) => keyOf(to, id)))
    return [
      ...referencesIn(m, row).filter(({ columns }) => !before || columns.some((name) => before[name] !== row[name])),
      ...custom.in(m, row).filter(({ to, id }) => !old.has(keyOf(to, id))),
    ]
  }

  /** What a row refers to as it did where both parted, by a decision: on the other side it does so no more. */
  #held(m: AnyModel, before: Row | null, row: Row): Reference[] {
    const there = before && this.#there.get(keyOf(m, row.id as number))?.row
    if (!there) return []
    const isHeld = (name: string) => before[name] === row[name] && there[name] !== row[name]
    return referencesIn(m, row).filter(({ columns }) => columns.every(isHeld))
  }

  /** What custom fields refer to, as they are once both are merged. */
  #ofCustomFields(): CustomReferences {
    const m = this.#custom.model
    const now = this.#w.db.all<Row & { id: number }>(`select * from ${q(m.table)}`)
    const rows = new Map<number, Row>(now.map((row) => [row.id, row]))
    for (const { m: of, id, after } of this.#draft.rows) if (of === m) rows.set(id, after!)
    return new CustomReferences([...rows].flatMap(([id, row]) => (this.#draft.isDoomed(m, id) ? [] : [row])))
  }

  /** What goes because the other side deleted it, although this side made something that refers to it. */
  referred(): void {
    const custom = this.#ofCustomFields()
    for (const { place, id, before, now } of this.#input.here.values()) {
      if (!now) continue
      const link = linkIn(place, now)
      if (!link && this.#draft.isDoomed(place.m, id)) continue
      const next = this.#draft.rowOp(place.m, id)?.after ?? this.#custom.renamed('here', now)
      if (link) this.#linked(link, before)
      else
        for (const reference of [...this.#added(custom, place.m, before, next), ...this.#held(place.m, before, next)]) {
          const { to, onDelete } = reference
          if (!this.#draft.isDoomed(to, reference.id) && !this.#goes(to, reference.id)) continue
          const isYielding = this.#input.yielding.get(keyOf(to, reference.id)) === 'gone'
          if (isYielding && ownerOfEnd(place.m)?.owner === to) continue // its ends go with the cable
          const by = this.#input.names.called(place.m, id)
          const isStaying = this.#fates.staying.has(keyOf(place.m, id))
          const isFreed = before !== null || onDelete === 'set null' // a new row goes with what it has to refer to
          const back = isFreed ? this.#without(reference, place.m, before, next) : null
          const { names, members } = this.#input
          const ours = names.written(place.m, now, before, members.of('ours', place.m, id))
          if (back && isLostWith(reference)) {
            const lost = this.#told.lost(reference.field, names.called(to, reference.id), ours)
            this.#disputes.settle(place.m, id, lost, 'theirs')
            this.#draft.deprive('ours', place.m, next, back)
            continue
          }
          const way = { id: reference.id, onDelete: back ? backTo(back) : onDelete, isDecided: isYielding }
          const side =
            isStaying && !isYielding ? 'ours' : this.#referredDecision(to, way, by, { [`${by} (${id})`]: ours })
          if (side !== 'theirs') this.#fates.keep(keyOf(to, reference.id), side)
          else if (back) this.#draft.deprive('ours', place.m, next, back)
          else if (onDelete === 'protect' || onDelete === 'restrict') this.#fates.gone.add(keyOf(place.m, id))
          else if (onDelete === 'cascade' && !ownerOfEnd(place.m)) this.#fates.going.add(keyOf(place.m, id))
        }
    }
  }

  /** Whether what goes does so although `by` refers to it; `isDecided`: it gives way to another of the other side. */
  #referredDecision(
    to: AnyModel,
    way: { id: number; onDelete: Parameters<DisputeTexts['referred']>[0]; isDecided?: boolean },
    by: string,
    ours: Record<string, unknown>,
  ): Side | undefined {
    const dispute = this.#told.referred(way.onDelete, by, ours, to)
    if (!way.isDecided) return this.#disputes.decided(to, way.id, dispute)
    this.#disputes.settle(to, way.id, { ...dispute, detail: `It gives way, and ${by} refers to it here.` }, 'theirs')
    return 'theirs'
  }

  /**
   * Columns with which a row does without a reference: it refers to what it did before, or to nothing where that is
   * gone. Null where it cannot: nothing cannot be, or a new row is a part of what it refers to and goes with it.
   */
  #without(reference: Reference, m: AnyModel, before: Row | null, next: Row): Row | null {
    const { field, columns, beside, isNullable, onDelete } = reference
    if (columns.length === 0 || ownerOfEnd(m)) return null
    const names = [...columns, ...beside]
    const back = Object.fromEntries(names.map((name) => [name, before?.[name] ?? null]))
    const old = referencesIn(m, { ...next, ...back }).find((each) => each.field === field)
    if (old && this.#draft.isThere(old.to, old.id) && !this.#goes(old.to, old.id)) return back
    if (!isNullable || !(before || onDelete !== 'cascade' || columns.length > 1)) return null
    return old ? Object.fromEntries(names.map((name) => [name, null])) : back
  }

  /** Tags and many-to-many members that were added here to what goes, or of what goes. */
  #linked(link: Link, before: Row | null): void {
    if (before) return
    const { names } = this.#input
    const what = `the ${link.field} of ${names.called(link.owner, link.from)} (${link.from})`
    for (const [m, id] of [
      [link.owner, link.from],
      [link.target, link.to],
    ] as const)
      if (this.#draft.isDoomed(m, id) || this.#goes(m, id)) {
        const member = `${names.of(link.target, link.to)} (${link.to})`
        if (isAccount(m)) {
          const lost = this.#told.lost(link.field, names.called(m, id), [member])
          this.#disputes.settle(link.owner, link.from, lost, 'theirs')
          continue
        }
        const side = this.#referredDecision(m, { id, onDelete: 'set null' }, what, { [what]: [member] })
        if (side !== 'theirs') this.#fates.keep(keyOf(m, id), side)
      }
  }

  /** What would refer to something that was deleted here. */
  missing(): void {
    const custom = this.#ofCustomFields()
    for (const op of this.#draft.rows) {
      const { m, id, before, after } = op
      for (const reference of this.#added(custom, m, before, after!)) {
        const { columns, to, id: target } = reference
        if (this.#draft.isThere(to, target)) continue
        const back = this.#without(reference, m, before, after!)
        const key = keyOf(to, target)
        const since = this.#input.here.get(key)
        const isDeletedHere = since?.before != null
        const isTaken = !this.#fates.skipped.has(key) && this.#input.yielding.get(key) !== 'gone'
        if (columns.length === 0 && isTaken && (!isDeletedHere || since.now || this.#there.get(key)?.row === null))
          continue // a value of a custom field refers to what is gone there too: so it is on that side
        const without = () => {
          if (columns.length === 0) CustomReferences.remove(after!, reference)
          else if (back) this.#draft.deprive('theirs', m, after!, back)
          else {
            this.#fates.skipped.add(keyOf(m, id))
            this.#draft.drop(op)
          }
        }
        const shown = before ? op : { ...op, after: this.#there.get(keyOf(m, id))?.row ?? after } // as it is there
        const ways = {
          field: reference.field,
          otherwise: back ? backTo(back) : columns.length ? 'gone' : 'set null',
        } as const
        const known = since?.before ?? this.#there.get(key)?.row ?? undefined
        const name = this.#input.names.called(to, target, known)
        if (isLostWith(reference) && back) {
          without() // the source of a kit has no accounts of it, and may have deleted others
          continue
        }
        if (!isTaken) {
          this.#disputes.settle(m, id, this.#told.missing(shown, ways, name, 'is not taken'), 'ours', after!)
          without()
          continue
        }
        const why = isDeletedHere ? 'was deleted here' : 'is not here'
        const side = this.#disputes.decided(m, id, this.#told.missing(shown, ways, name, why), after!)
        if (side === 'theirs' && isDeletedHere) this.#fates.restore(key)
        else {
          if (side === 'theirs')
            this.#disputes.note(
              m,
              id,
              {
                ...Unknown,
                field: reference.field,
                theirs: target,
                detail: `It refers to ${name}, which is not here.`,
              },
              { row: after! },
            )
          without()
        }
      }
      for (const name of Object.keys(after!))
        if (name.startsWith('_') && name.endsWith('_id') && after![name] != null && !before) {
          const target = m.fields[name.slice(0, -3)]?.target
          if (target && !this.#draft.isThere(modelNamed(target.model), after![name] as number)) after![name] = null
        }
    }
  }

  /** Whether what a link links is here. */
  isHere = ({ owner, from, target, to }: Link): boolean =>
    this.#draft.isThere(owner, from) && this.#draft.isThere(target, to)

  /** The same of a new link of the other side; where what it links was deleted here, that is a conflict. */
  hasEnds(link: Link): boolean {
    if (this.isHere(link)) return true
    const { owner, from, target, to } = link
    const [m, id] = this.#draft.isThere(owner, from) ? [target, to] : [owner, from]
    const since = this.#input.here.get(keyOf(m, id))
    const left = m === target && this.#fates.skipped.has(keyOf(m, id)) && this.#there.get(keyOf(m, id))?.row
    if (!since?.before && left) {
      const row = this.#there.get(keyOf(owner, from))?.row ?? undefined
      this.#disputes.settle(owner, from, this.#told.unlinkedToo(link, left), 'ours', row)
    }
    if (!since?.before || since.now) return false
    const side = this.#disputes.decided(m, id, this.#told.unlinked(link), since.before)
    if (side === 'theirs') this.#fates.restore(keyOf(m, id))
    return false
  }

  /** Whether a row goes along with another. */
  #goes(m: AnyModel, id: number): boolean {
    const key = keyOf(m, id)
    return this.#fates.going.has(key) && !this.#fates.staying.has(key)
  }
}

/**
 * Whether a reference to an account goes with that, as where somebody deletes it: no side can have an account that the
 * source does not have.
 */
const isLostWith = ({ to, onDelete }: Reference): boolean => isAccount(to) && onDelete === 'set null'

/** What becomes of a reference that is put back to what it was. */
const backTo = (columns: Row): 'back' | 'set null' =>
  Object.values(columns).some((value) => value !== null) ? 'back' : 'set null'

const Unknown = {
  kind: 'missing',
  parted: null,
  ours: null,
  if_ours: 'it is left out',
  if_theirs: 'nothing can be done: make it here first',
} as const
