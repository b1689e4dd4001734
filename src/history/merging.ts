import type { Row } from '../fields/field.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from '../store/write.ts'
import { rowNow, type Since } from './changes.ts'
import type { Op } from './collisions.ts'
import { type EndTools, mergeEnds } from './cable-ends.ts'
import { type Coming, type Conflict, exchanged, isLink, type Link } from './coming.ts'
import { CustomMerge, withValues } from './custom-merge.ts'
import { withColumns } from './custom-values.ts'
import { DisputeTexts } from './dispute-texts.ts'
import { Disputes, Values } from './disputes.ts'
import { Draft, keyOf } from './draft.ts'
import { emptiedBy } from './emptied.ts'
import { Fates } from './fates.ts'
import { type AtStake, atStake, HeldMembers } from './held.ts'
import { mergeLinks } from './links.ts'
import { type Disagreement, mergeRows, rowsDiffer, type Side } from './merge.ts'
import type { MergeInput } from './merge-input.ts'
import { type Doubt, noteConcerned, type Plan } from './plan.ts'
import { ReferenceMerge } from './reference-merge.ts'
import { ownerOfEnd, referencesIn } from './references.ts'
import { mergeSums } from './sums.ts'

const MaxRounds = 50

/**
 * How the changes of the other side are made here too. What nobody decided stays as it is here and is told of in
 * `conflicts`.
 */
export class Merging implements Plan {
  readonly #w: Writing
  readonly #input: MergeInput
  readonly ops: readonly Op[]
  readonly beside: readonly { m: AnyModel; id: number }[]
  readonly doubts: { found: Map<string, Doubt>; ignored: ReadonlySet<string> }
  readonly #draft: Draft
  #links: Op[] = []
  /** What is open, of all rounds: what stays for lack of a decision is no conflict any more in the next one. */
  readonly #disputes: Disputes
  readonly #fates: Fates
  readonly #held = new HeldMembers()
  readonly #custom: CustomMerge
  readonly #told: DisputeTexts
  readonly #references: ReferenceMerge
  readonly #coming: ReadonlyMap<string, Coming>
  readonly first = modelNamed('extras.customfield')

  constructor(w: Writing, input: MergeInput) {
    this.#w = w
    this.#input = input
    this.#disputes = new Disputes(w, input.names, input.decide, input.settled)
    this.doubts = { found: new Map(), ignored: input.ignored }
    this.#coming = new Map(input.coming.map((each) => [`${each.place.table}:${each.id}`, each]))
    this.#fates = new Fates(w.db, input.here, this.#coming)
    this.#custom = new CustomMerge(input.coming, input.here)
    this.#told = new DisputeTexts(input.names, input.members)
    this.#draft = new Draft(w)
    this.#references = new ReferenceMerge(w, input, this.#coming, {
      draft: this.#draft,
      fates: this.#fates,
      told: this.#told,
      disputes: this.#disputes,
      custom: this.#custom,
    })
    this.#decisions()
    for (const key of input.kept) this.#fates.keep(key, 'ours')
    for (let round = 0; round < MaxRounds; round++) {
      const { size } = this.#fates
      this.#plan()
      if (this.#fates.size === size) break
    }
    for (const { m, id, before, after } of this.#draft.rows) noteConcerned(this.objects, m, id, before, after)
    for (const [m, ids] of this.doomed)
      for (const id of ids) noteConcerned(this.objects, m, id, this.#w.row(m, id) ?? null, null)
    this.ops = [...this.#draft.rows, ...this.#links]
    const changed = [...input.here.values()].flatMap(({ place: { m }, place, id, now }) =>
      now && !isLink(place) && !m.internal ? [{ m, id }] : [],
    )
    const all = new Map([...changed, ...this.#cablesOfBoth()].map((each) => [keyOf(each.m, each.id), each]))
    this.beside = [...all.values()].filter(({ m, id }) => !this.#draft.rowOp(m, id))
  }

  /** Cables of which ends come, and whose ends this side changed too. */
  #cablesOfBoth(): { m: AnyModel; id: number }[] {
    const cables = (rows: Iterable<{ m: AnyModel; row: Row | null }>) =>
      [...rows].flatMap(({ m, row }) => {
        const end = row && ownerOfEnd(m)
        return end ? [{ m: end.owner, id: row[`${end.field}_id`] as number }] : []
      })
    const coming = cables(this.#draft.rows.map(({ m, after }) => ({ m, row: after })))
    if (coming.length === 0) return []
    const here = cables([...this.#input.here.values()].map(({ place: { m }, now }) => ({ m, row: now })))
    const ids = new Set(here.map(({ id }) => id))
    return coming.filter(({ id }) => ids.has(id))
  }

  get doomed(): ReadonlyMap<AnyModel, ReadonlySet<number>> {
    return this.#draft.doomed
  }

  get objects(): Map<string, { m: AnyModel; id: number }> {
    return this.#draft.objects
  }

  /** The side whose reference the merge took from a row, so that neither has it as it is to be. */
  deprivedBy(m: AnyModel, id: number): Side | undefined {
    return this.#draft.deprived.get(keyOf(m, id))
  }

  /** A row as the source has it, where this side is a kit. */
  there(m: AnyModel, id: number): Row | null {
    const key = keyOf(m, id)
    const coming = this.#coming.get(key)
    if (!this.#input.isOfSource) return null
    return coming ? coming.row : (this.#input.here.get(key)?.before ?? null)
  }

  get conflicts(): ReadonlyMap<string, Conflict> {
    return this.#disputes.open
  }

  /** Tells of what new rows of the other side referred to, once models emptied that: it is elsewhere by a decision. */
  tellEmptied(): void {
    for (const { m, id, before, after } of this.#draft.rows) {
      const now = before ? undefined : this.#w.row(m, id)
      const base = this.#coming.get(keyOf(m, id))?.base
      for (const { field, columns } of now ? referencesIn(m, after!) : [])
        if (columns.every((name) => now![name] === null && base?.[name] !== after![name]))
          this.#disputes.settle(m, id, this.#told.unfit(m, field, after!), 'ours', after!)
    }
  }

  /** Tells of what either side wrote of objects that went along with others, by a decision about those alone. */
  tellSwept(): void {
    const isSwept = (m: AnyModel, id: number, row: Row): boolean => {
      if (this.#draft.isDoomed(m, id) || this.#w.row(m, id)) return false
      const end = ownerOfEnd(m)
      return end ? this.#w.row(end.owner, row[`${end.field}_id`] as number) !== undefined : !m.internal
    }
    for (const { m, id, after } of this.#draft.rows) {
      const { base = null, row } = this.#coming.get(keyOf(m, id)) ?? {}
      if (row && isSwept(m, id, row))
        this.#disputes.settle(m, id, this.#told.swept('theirs', m, base, row), 'ours', after!)
    }
    for (const [key, { place, id, before, now }] of this.#input.here) {
      if (!now || isLink(place) || this.#fates.going.has(key) || !isSwept(place.m, id, now)) continue
      this.#disputes.settle(place.m, id, this.#told.swept('ours', place.m, before, now), 'theirs', now)
    }
  }

  #plan(): void {
    this.#draft.clear()
    this.#held.clear()
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
      if (!this.#coming.get(key)?.row && !this.#isOfKeptCable(this.#at(key)))
        this.#draft.put(this.#at(key).place.m, this.#custom.renamed('parted', this.#at(key).before!))
    for (const key of this.#fates.gone) {
      const { place, id } = this.#at(key)
      if (!this.#fates.staying.has(key) && rowNow(this.#w.db, place.table, id)) this.#draft.doom(place.m, id)
    }
    this.#membersBack()
    this.#customValues()
    this.#yield()
    this.#references.referred()
    this.#references.missing()
    mergeSums(this.#w, { ...this.#input, coming: this.#coming }, this.#draft, this.#disputes)
    const noted = ({ owner, from }: Link) => noteConcerned(this.objects, owner, from, null, null)
    const { here } = this.#input
    const merging = { coming: links, here, held: this.#held }
    this.#links = mergeLinks(this.#w.db, merging, this.#references, noted)
  }

  /** Whether a row that could come back is an end of a cable whose ends stay as they are here. */
  #isOfKeptCable({ place: { m }, before }: Since): boolean {
    const end = ownerOfEnd(m)
    return end !== undefined && this.#input.kept.has(keyOf(end.owner, before![`${end.field}_id`] as number))
  }

  get #endTools(): EndTools {
    return {
      ...this.#input,
      isHere: (m, id) => this.#w.row(m, id) !== undefined,
      isDeletedThere: (key) => this.#coming.get(key)?.row === null,
      named: (row) => this.#input.names.end(row),
      decided: (m, id, dispute) => this.#disputes.decided(m, id, dispute),
      doom: (m, id) => this.#draft.doom(m, id),
      put: (m, row) => this.#draft.put(m, row),
    }
  }

  /** What a custom field is called once both are merged; undefined where it is there no more. */
  #nameOfField(id: number): string | undefined {
    const key = keyOf(this.first, id)
    const way = this.#input.yielding.get(key)
    if (way === 'gone' || this.#fates.skipped.has(key)) return undefined
    if (this.#draft.isDoomed(this.first, id) || (this.#fates.gone.has(key) && !this.#fates.staying.has(key)))
      return undefined
    const back = this.#fates.restored.has(key) ? this.#at(key).before : undefined
    const row = this.#draft.rowOp(this.first, id)?.after ?? this.#w.row(this.first, id) ?? back
    return (way?.name ?? row?.name) as string | undefined
  }

  /** What becomes of custom fields that one side took away, while the other gave objects values of them. */
  #customFields(): void {
    for (const taken of this.#custom.taken) {
      const m = this.first
      const key = keyOf(m, taken.id)
      const back = taken.side === 'here' ? 'theirs' : 'ours'
      const dispute = this.#custom.disputeOf(taken, (of, id, row) => this.#input.names.of(of, id, row))
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
      const op = this.#draft.rowOp(m, id)
      const row = op ? undefined : this.#w.row(m, id)
      const now = row && this.#custom.renamed('here', row)
      if (op?.after) op.after = withValues(op.after, values)
      else if (now && !this.#draft.isDoomed(m, id))
        this.#draft.add({ m, id, before: now, after: withValues(now, values) })
    }
    for (const { id, isDeleted } of this.#custom.taken) {
      const m = this.first
      const now = this.#w.row(m, id)
      const isKnown = this.#draft.rowOp(m, id) !== undefined
      const after = now && !isDeleted && !isKnown ? this.#custom.typesWith(id, now) : now
      if (now && after !== now) this.#draft.add({ m, id, before: now, after: after! })
    }
  }

  #at(key: string): Since {
    return this.#input.here.get(key)!
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
    const sides = { ours: here, theirs }
    const stakes = atStake(m, sides, (side) => this.#input.members.of(side, m, id))
    const losing = (each: AtStake) => this.#told.losing(m, each, { base, ...sides })
    for (const { field, side, beside, ...values } of disputed) {
      const one = (row: Row, name: string) => this.#input.names.shownIn(m, name, row)
      const all = (row: Row) => Object.fromEntries([field, ...beside].map((name) => [name, one(row, name)]))
      const shown = (row: Row | null) => row && (beside.length ? all(row) : one(row, field))
      const named = m.fields[field] && { parted: shown(base), ours: shown(ours), theirs: shown(theirs) }
      const said = {
        kind: 'changed',
        field,
        ...(named ?? values),
        detail: 'Both sides changed it.',
        ...Values,
      } as const
      const stake = stakes.find((each) => each.field === field)
      this.#disputes.note(m, id, stake ? { ...losing(stake), kind: said.kind, detail: said.detail } : said, { side })
    }
    for (const each of stakes)
      if (merged[each.field] !== each.value && !disputed.some(({ field }) => field === each.field)) {
        const side = this.#disputes.decided(m, id, losing(each)) ?? 'ours'
        merged[each.field] = sides[side][each.field]!
      }
    this.#held.note(m, id, sides, merged, stakes)
    if (m === this.first) Object.assign(merged, this.#custom.typesWith(id, merged))
    if (rowsDiffer(m, merged, here) || this.#custom.lacksEmpty(m, here, merged))
      this.#draft.add({ m, id, before: here, after: merged })
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
      if (Object.keys(back).length) this.#draft.add({ m: place.m, id, before: now, after: { ...now, ...back } })
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
    this.#draft.put(m, this.#custom.renamed('there', theirs))
  }

  #onlyHere(m: AnyModel, id: number, base: Row, ours: Row): void {
    const key = keyOf(m, id)
    if (this.#fates.firm.has(key)) return
    if (this.#isChangedHere(key)) {
      const side = this.#disputes.decided(m, id, this.#told.deletedThere(m, base, ours))
      if (side !== 'theirs') this.#fates.keep(key, side)
    }
    if (!this.#fates.kept.has(key)) this.#draft.doom(m, id)
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
      const [table, number] = key.split(':') as [string, string] // neither side may have written it
      const [place, id] = [exchanged().get(table), Number(number)]
      if (!place) continue
      const op = this.#draft.rowOp(place.m, id)
      if (how === 'gone') {
        if (op && !op.before) this.#draft.drop(op)
        else if (rowNow(this.#w.db, place.table, id)) this.#draft.doom(place.m, id)
        if (coming?.row) this.#fates.skipped.add(key)
      } else if (op) op.after = withColumns(op.after!, how)
      else {
        const now = rowNow(this.#w.db, place.table, id)
        if (now) this.#draft.add({ m: place.m, id, before: now, after: withColumns(now, how) })
      }
    }
  }
}
