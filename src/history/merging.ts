import type { Row } from '../fields/field.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from '../store/write.ts'
import { rowNow, type Since } from './changes.ts'
import type { Op } from './collisions.ts'
import { type Coming, type Conflict, type Decide, isLink, type Link, linkIn, linkKey, storedLink } from './coming.ts'
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
  /** Objects that stay although the other side deleted them, and cables whose ends stay as they are here, by `<table>:<id>`. */
  kept: ReadonlySet<string>
  /** Cables whose ends are put back to what they were where both parted. */
  unplugged: ReadonlySet<string>
  /** What rules say of new rows, and is of nothing that stands here. */
  ignored: ReadonlySet<string>
}

const keyOf = (m: AnyModel, id: number): string => `${m.table}:${id}`
const MaxRounds = 50

/**
 * How the changes of the other side are made here too. What nobody decided stays as it is here and is told of in `conflicts`.
 */
export class Merging implements Plan {
  readonly #w: Writing
  readonly #input: MergeInput
  ops: Op[] = []
  readonly doubts: { found: Set<string>; ignored: ReadonlySet<string> }
  doomed = new Map<AnyModel, Set<number>>()
  objects = new Map<string, { m: AnyModel; id: number }>()
  /** What is open, of all rounds: what stays for lack of a decision is no conflict any more in the next one. */
  readonly conflicts = new Map<string, Conflict>()
  /** Rows that come back here, rows of the other side that are not taken, and rows of this side that go. */
  readonly #restored = new Set<string>()
  readonly #skipped = new Set<string>()
  readonly #gone = new Set<string>()
  readonly #kept = new Set<string>()
  readonly #coming: ReadonlyMap<string, Coming>
  readonly #byTarget = new Map<'here' | 'there', Map<string, string[]>>()

  constructor(w: Writing, input: MergeInput) {
    this.#w = w
    this.#input = input
    this.doubts = { found: new Set(), ignored: input.ignored }
    this.#coming = new Map(input.coming.map((each) => [`${each.place.table}:${each.id}`, each]))
    for (const key of input.kept) this.#keep(key)
    for (let round = 0; round < MaxRounds; round++) {
      const size = this.#size
      this.#plan()
      if (this.#size === size) break
    }
    for (const { m, id, before, after, key } of this.ops) if (!key) noteConcerned(this.objects, m, id, before, after)
    for (const [m, ids] of this.doomed)
      for (const id of ids) noteConcerned(this.objects, m, id, this.#w.row(m, id) ?? null, null)
  }

  get #size(): number {
    return this.#restored.size + this.#skipped.size + this.#gone.size + this.#kept.size
  }

  #plan(): void {
    this.ops = []
    this.doomed = new Map()
    this.objects = new Map()
    const links: Coming[] = []
    const ends = this.#ends()
    for (const each of this.#input.coming)
      if (isLink(each.place)) links.push(each)
      else if (!ends.has(`${each.place.table}:${each.id}`)) this.#object(each)
    for (const key of this.#restored)
      if (!this.#coming.get(key)?.row) this.#put(this.#at(key).place.m, this.#at(key).before!)
    for (const key of this.#gone) {
      const { place, id } = this.#at(key)
      if (rowNow(this.#w.db, place.table, id)) this.#doom(place.m, id)
    }
    this.#yield()
    this.#referred()
    this.#missing()
    this.#links(links)
  }

  #at(key: string): Since {
    return this.#input.here.get(key)!
  }

  #doom(m: AnyModel, id: number): void {
    this.doomed.set(m, (this.doomed.get(m) ?? new Set()).add(id))
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

  #dispute(
    conflict: Omit<Conflict, 'key' | 'object' | 'object_type' | 'object_id'>,
    m: AnyModel,
    id: number,
    row?: Row,
  ): void {
    const key = `${m.name}:${id}${conflict.field === null ? '' : `.${conflict.field}`}`
    if (this.conflicts.has(key)) return
    this.conflicts.set(key, {
      key,
      object_type: m.name,
      object_id: id,
      object: nameOf(this.#w, m, id, row),
      ...conflict,
    })
  }

  /** Decides a conflict, or notes that it is open. */
  #decided(
    m: AnyModel,
    id: number,
    conflict: Omit<Conflict, 'key' | 'object' | 'object_type' | 'object_id'>,
    row?: Row,
  ): Side | undefined {
    const side = this.#input.decide(m, id, conflict.field)
    if (!side) this.#dispute(conflict, m, id, row)
    return side
  }

  #object({ place, id, base, row: theirs }: Coming): void {
    const { m, table } = place
    const key = `${table}:${id}`
    if (this.#skipped.has(key)) return
    const ours = rowNow(this.#w.db, table, id)
    if (theirs && ours) this.#both(m, id, base, theirs, ours)
    else if (theirs) this.#onlyThere(m, id, base, theirs)
    else if (ours && base) this.#onlyHere(m, id, base, ours)
  }

  #both(m: AnyModel, id: number, base: Row | null, theirs: Row, ours: Row): void {
    const disputed: Disagreement[] = []
    const merged = mergeRows(m, { base, theirs, ours }, (field) => this.#input.decide(m, id, field), disputed)
    for (const { field, ...values } of disputed) {
      const shown = m.fields[field.split('.')[0]!]?.options?.secret ? { parted: '•', ours: '•', theirs: '•' } : values
      this.#dispute({ kind: 'changed', field, ...shown, detail: 'Both sides changed it.', ...Values }, m, id)
    }
    if (rowsDiffer(m, merged, ours)) this.ops.push({ m, id, before: ours, after: merged })
  }

  #onlyThere(m: AnyModel, id: number, base: Row | null, theirs: Row): void {
    const key = keyOf(m, id)
    const wasHere = this.#input.here.get(key)?.before
    if (wasHere && !this.#restored.has(key)) {
      if (base && !rowsDiffer(m, base, theirs)) return // only this side did something to it
      const side = this.#decided(
        m,
        id,
        {
          kind: 'deleted here',
          field: null,
          parted: shown(base),
          ours: null,
          theirs: shown(theirs),
          detail: 'It was deleted here and changed there.',
          if_ours: 'it stays deleted',
          if_theirs: 'it comes back as it is there',
        },
        theirs,
      )
      if (side !== 'theirs') return
      this.#restore(key)
    }
    this.#put(m, theirs)
  }

  #onlyHere(m: AnyModel, id: number, base: Row, ours: Row): void {
    const key = keyOf(m, id)
    if (this.#kept.has(key)) return
    const isChanged = this.#input.here.has(key) && rowsDiffer(m, base, ours)
    if (isChanged) {
      const side = this.#decided(m, id, {
        kind: 'deleted there',
        field: null,
        parted: shown(base),
        ours: shown(ours),
        theirs: null,
        detail: 'It was changed here and deleted there.',
        if_ours: 'it stays, with what belongs to it',
        if_theirs: 'it goes here too',
      })
      if (side !== 'theirs') {
        this.#keep(key)
        return
      }
    }
    this.#doom(m, id)
  }

  /** Rows by what they refer to: those deleted here, or those that the other side deleted. */
  #referrers(side: 'here' | 'there'): Map<string, string[]> {
    const known = this.#byTarget.get(side)
    if (known) return known
    const found = new Map<string, string[]>()
    const note = (m: AnyModel, row: Row, key: string) => {
      for (const { to, id } of referencesIn(m, row))
        found.set(keyOf(to, id), [...(found.get(keyOf(to, id)) ?? []), key])
    }
    if (side === 'here')
      for (const [key, { place, before, now }] of this.#input.here)
        if (before && !now && !isLink(place)) note(place.m, before, key)
    if (side === 'there')
      for (const [key, { place, id, row }] of this.#coming)
        if (!row && !isLink(place)) {
          const ours = rowNow(this.#w.db, place.table, id)
          if (ours) note(place.m, ours, key)
        }
    this.#byTarget.set(side, found)
    return found
  }

  /** What was deleted here comes back, with what it refers to and what belonged to it. */
  #restore(first: string): void {
    const waiting = [first]
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      const since = this.#input.here.get(key)
      if (!since?.before || since.now || this.#restored.has(key)) continue
      this.#restored.add(key)
      const row = this.#coming.get(key)?.row ?? since.before
      waiting.push(...referencesIn(since.place.m, row).map(({ to, id }) => keyOf(to, id)))
      waiting.push(...(this.#referrers('here').get(key) ?? []))
    }
  }

  /** What was deleted there stays here, with what it refers to and what belongs to it. */
  #keep(first: string): void {
    const kept = this.#kept
    const waiting = [first]
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      const coming = this.#coming.get(key)
      if (!coming || coming.row || kept.has(key)) continue
      const ours = rowNow(this.#w.db, coming.place.table, coming.id)
      if (!ours) continue
      kept.add(key)
      waiting.push(...referencesIn(coming.place.m, ours).map(({ to, id }) => keyOf(to, id)))
      waiting.push(...(this.#referrers('there').get(key) ?? []))
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
        if (coming?.row) this.#skipped.add(key)
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
          if (!this.#isDoomed(to, reference.id)) continue
          if (before && columns.every((name) => before[name] === next[name])) continue
          const side = this.#referredDecision(to, reference, `${place.m.label} ${nameOf(this.#w, place.m, id)}`)
          if (side !== 'theirs') this.#keep(keyOf(to, reference.id))
          else if (onDelete === 'protect' || onDelete === 'restrict') this.#gone.add(keyOf(place.m, id))
        }
    }
  }

  #referredDecision(to: AnyModel, { id, onDelete }: Pick<Reference, 'id' | 'onDelete'>, by: string): Side | undefined {
    return this.#decided(to, id, {
      kind: 'referenced',
      field: null,
      parted: null,
      ours: by,
      theirs: null,
      detail: `It was deleted there, and ${by} refers to it here.`,
      if_ours: 'it stays, with what belongs to it',
      if_theirs: onDelete === 'set null' ? `it goes; ${by} refers to nothing then` : `it goes, and ${by} with it`,
    })
  }

  /** Tags and many-to-many members that were added here to what goes, or of what goes. */
  #linked(link: Link, before: Row | null): void {
    if (before) return
    const what = `the ${link.field} of ${link.owner.label} ${nameOf(this.#w, link.owner, link.from)}`
    for (const [m, id] of [
      [link.owner, link.from],
      [link.target, link.to],
    ] as const)
      if (this.#isDoomed(m, id) && this.#referredDecision(m, { id, onDelete: 'set null' }, what) !== 'theirs')
        this.#keep(keyOf(m, id))
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
            this.#skipped.add(keyOf(m, id))
            this.ops = this.ops.filter((each) => each !== op)
          }
        }
        if (this.#skipped.has(key)) {
          without()
          continue
        }
        const isDeletedHere = this.#input.here.get(key)?.before != null
        const name = `${to.label} ${nameOf(this.#w, to, target, this.#input.here.get(key)?.before ?? undefined)}`
        const side = this.#decided(
          m,
          id,
          {
            kind: 'missing',
            field,
            parted: null,
            ours: null,
            theirs: target,
            detail: isDeletedHere
              ? `It refers to ${name}, which was deleted here.`
              : `It refers to ${name}, which is not here.`,
            if_ours: isNullable ? 'it refers to nothing' : 'it is not taken',
            if_theirs: isDeletedHere ? `${name} comes back` : 'nothing can be done: make it here first',
          },
          after!,
        )
        if (side === 'theirs' && isDeletedHere) this.#restore(key)
        else {
          if (side === 'theirs')
            this.#dispute(
              { ...Unknown, field, theirs: target, detail: `It refers to ${name}, which is not here.` },
              m,
              id,
              after!,
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

  /** Links by what they link, since their ids change whenever a list is written anew. */
  #links(coming: readonly Coming[]): void {
    const groups = new Map<string, { link: Link; place: Coming['place']; was: boolean; row: Row | undefined }>()
    for (const { place, base, row } of coming)
      for (const [each, isNow] of [
        [base, false],
        [row, true],
      ] as const) {
        const link = each && linkIn(place, each)
        if (!link) continue
        const group = groups.get(linkKey(link)) ?? { link, place, was: false, row: undefined }
        groups.set(linkKey(link), group)
        if (isNow) group.row = each
        else group.was = true
      }
    for (const { link, place, was, row } of groups.values()) {
      if (was === (row !== undefined)) continue
      const stored = storedLink(this.#w.db, link)
      const m = { ...place.m, table: place.table, name: place.table } as AnyModel
      if (!row) {
        if (stored) this.ops.push({ m, id: stored.id as number, before: stored, after: null, key: link.columns })
      } else if (!stored && this.#hasEnds(link))
        this.ops.push({ m, id: row.id as number, before: null, after: row, key: link.columns })
      else continue
      noteConcerned(this.objects, link.owner, link.from, null, null)
    }
  }

  /** Whether what a new link links is here; where it was deleted here, that is a conflict. */
  #hasEnds({ owner, from, target, to, field }: Link): boolean {
    const known = (m: AnyModel, id: number) => this.#isThere(m, id)
    if (known(owner, from) && known(target, to)) return true
    const [m, id] = known(owner, from) ? [target, to] : [owner, from]
    const since = this.#input.here.get(keyOf(m, id))
    if (!since?.before || since.now) return false
    const side = this.#decided(
      m,
      id,
      {
        kind: 'deleted here',
        field: null,
        parted: shown(since.before),
        ours: null,
        theirs: `${field} of ${owner.label} ${from}`,
        detail: `It was deleted here, and there the ${field} of ${owner.label} ${nameOf(this.#w, owner, from)} were changed.`,
        if_ours: 'it stays deleted',
        if_theirs: 'it comes back',
      },
      since.before,
    )
    if (side === 'theirs') this.#restore(keyOf(m, id))
    return false
  }

  /**
   * Ends of cables that both sides changed: a cable has those of one side, not of both. Answers the coming rows that are not taken.
   */
  #ends(): Set<string> {
    const left = new Set<string>()
    const cables = new Map<string, { owner: AnyModel; id: number; here: Since[]; there: Coming[] }>()
    const of = (m: AnyModel, row: Row | null) => {
      const end = ownerOfEnd(m)
      const id = end && (row?.[`${end.field}_id`] as number | undefined)
      if (!end || id === undefined) return undefined
      const known = cables.get(keyOf(end.owner, id)) ?? { owner: end.owner, id, here: [], there: [] }
      cables.set(keyOf(end.owner, id), known)
      return known
    }
    for (const each of this.#input.coming) of(each.place.m, each.row ?? each.base)?.there.push(each)
    if (cables.size === 0 && this.#input.unplugged.size === 0) return left
    for (const each of this.#input.here.values())
      if (!isLink(each.place)) of(each.place.m, each.now ?? each.before)?.here.push(each)
    for (const [key, { owner, id, here, there }] of cables) {
      if (this.#input.unplugged.has(key)) {
        this.#endsOfHere(here, there)
        continue
      }
      if (this.#input.kept.has(key)) {
        for (const each of there) left.add(`${each.place.table}:${each.id}`)
        continue
      }
      if (this.#coming.get(key)?.row === null) continue // the cable goes, and its ends with it
      const isOld = this.#input.here.get(keyOf(owner, id))?.before !== null || here.every(({ before }) => before)
      if (here.length === 0 || there.length === 0 || !isOld || !this.#w.row(owner, id)) continue
      const texts = (rows: readonly (Row | null)[]) =>
        rows
          .filter((row) => row !== null)
          .map(endText)
          .sort()
      const [wasHere, isHere] = [texts(here.map(({ before }) => before)), texts(here.map(({ now }) => now))]
      const [wasThere, isThere] = [texts(there.map(({ base }) => base)), texts(there.map(({ row }) => row))]
      const [did, didThere] = [`${wasHere}` !== `${isHere}`, `${wasThere}` !== `${isThere}`]
      const isSame = `${isHere}` === `${isThere}`
      if (!did || !didThere || isSame) {
        if (!didThere || isSame) for (const each of there) left.add(`${each.place.table}:${each.id}`)
        else if (here.length && didThere) this.#endsOfHere(here, there)
        continue
      }
      const conflict = {
        kind: 'changed',
        field: 'terminations',
        parted: wasHere,
        ours: isHere,
        theirs: isThere,
        detail: 'Both sides connected it anew.',
        ...Values,
      } as const
      if (this.#decided(owner, id, conflict) === 'theirs') this.#endsOfHere(here, there)
      else for (const each of there) left.add(`${each.place.table}:${each.id}`)
    }
    return left
  }

  /** Takes back what this side did to the ends of a cable. */
  #endsOfHere(here: readonly Since[], there: readonly Coming[]): void {
    const coming = new Set(there.map(({ id }) => id))
    for (const { place, id, before, now } of here) {
      if (coming.has(id)) continue
      if (now && !before) this.#doom(place.m, id)
      else if (before && !now && !there.some(({ row }) => row && endText(row) === endText(before))) {
        const isTaken = there.some(({ base }) => base && endText(base) === endText(before))
        if (!isTaken) this.#put(place.m, before)
      }
    }
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

/** An end of a cable for people and comparisons. */
const endText = (row: Row): string => `${row.cable_end}: ${row.termination_type} ${row.termination_id}`

/** An object for people: its display text here, or a name that a row has. */
export const nameOf = (w: Writing, m: AnyModel, id: number, row?: Row): string =>
  w.row(m, id) ? w.display(m, id) : String(row?.name || row?.label || row?.address || `${m.label} ${id}`)

/** A row for people: what somebody decided on, without what is kept by the server. */
function shown(row: Row | null): unknown {
  if (!row) return null
  const name = row.name ?? row.label ?? row.slug ?? row.address ?? row.prefix
  return typeof name === 'string' && name !== '' ? name : `number ${row.id}`
}
