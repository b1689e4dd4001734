import type { AnyModel } from '../declare/model.ts'
import type { Connection } from '../store/database.ts'
import type { Op } from './collisions.ts'
import type { Since } from './changes.ts'
import { type Coming, exchanged, type Link, linkIn, linkKey, storedLink } from './coming.ts'
import type { HeldMembers } from './held.ts'
import type { Side } from './merge.ts'
import { addTo } from '../lib/lists.ts'

/**
 * How links (tags, members of many-to-many fields) of the other side come or go here: by what they link, since their
 * ids change whenever a list is written anew. `ends` says whether what one links is here, of a new one also why not.
 * `noted` hears of each that comes or goes.
 */
export function mergeLinks(
  db: Connection,
  { coming, here, held }: { coming: readonly Coming[]; here: ReadonlyMap<string, Since>; held: HeldMembers },
  ends: { isHere: (link: Link) => boolean; hasEnds: (link: Link) => boolean },
  noted: (link: Link) => void,
): Op[] {
  const ops: Op[] = []
  const add = ({ place, link }: Pick<Linked, 'place' | 'link'>, op: Pick<Op, 'id' | 'before' | 'after'>): void => {
    const m = { ...place.m, table: place.table, name: place.table } as AnyModel
    ops.push({ m, ...op, key: link.columns })
    noted(link)
  }
  const goneThere = new Set<string>()
  for (const linked of linksIn(coming)) {
    const { link, was, row } = linked
    if (was && !row) goneThere.add(linkKey(link))
    if (was === (row !== undefined)) continue
    const stored = storedLink(db, link)
    if (row && !stored && !held.isLost(link) && ends.hasEnds(link))
      add(linked, { id: row.id as number, before: null, after: row })
    if (!row && stored && held.letBy(link) !== 'theirs')
      add(linked, { id: stored.id as number, before: stored, after: null })
  }
  for (const link of held.going) {
    const stored = storedLink(db, link)
    if (stored)
      add({ place: exchanged().get(link.table)!, link }, { id: stored.id as number, before: stored, after: null })
  }
  for (const { place, id, before, now } of here.values()) {
    const link = before && !now ? linkIn(place, before) : undefined
    if (!link || held.letBy(link) !== 'ours' || goneThere.has(linkKey(link))) continue
    if (!storedLink(db, link) && ends.isHere(link)) add({ place, link }, { id, before: null, after: before })
  }
  return ops
}

interface Linked {
  link: Link
  place: Coming['place']
  /** Whether it was there where both parted; the row of the other side. */
  was: boolean
  row: Coming['row'] | undefined
}

function linksIn(coming: readonly Coming[]): Iterable<Linked> {
  const found = new Map<string, Linked>()
  for (const { place, base, row } of coming)
    for (const [each, isNow] of [
      [base, false],
      [row, true],
    ] as const) {
      const link = each && linkIn(place, each)
      if (!link) continue
      const linked = found.get(linkKey(link)) ?? { link, place, was: false, row: undefined }
      found.set(linkKey(link), linked)
      if (isNow) linked.row = each
      else linked.was = true
    }
  return found.values()
}

/** Tags, and members of many-to-many fields, that each side gave to objects since both parted. */
export class NewMembers {
  readonly #by: Record<Side, Map<string, Link[]>> = { ours: new Map(), theirs: new Map() }

  constructor(coming: readonly Coming[], here: ReadonlyMap<string, Since>) {
    for (const { link, was, row } of linksIn(coming)) if (row && !was) this.#add('theirs', link)
    for (const { place, before, now } of here.values()) {
      const link = now && !before ? linkIn(place, now) : undefined
      if (link) this.#add('ours', link)
    }
  }

  #add(side: Side, link: Link): void {
    const key = `${link.owner.table}:${link.from}`
    addTo(this.#by[side], key, link)
  }

  /** What a side gave to an object. */
  of = (side: Side, m: AnyModel, id: number): readonly Link[] => this.#by[side].get(`${m.table}:${id}`) ?? []
}
