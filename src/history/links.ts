import type { AnyModel } from '../declare/model.ts'
import type { Connection } from '../store/database.ts'
import type { Op } from './collisions.ts'
import type { Since } from './changes.ts'
import { type Coming, type Link, linkIn, linkKey, storedLink } from './coming.ts'
import type { Side } from './merge.ts'
import { addTo } from '../lib/lists.ts'

/**
 * How links (tags, members of many-to-many fields) of the other side come or go here: by what they link, since their
 * ids change whenever a list is written anew. `hasEnds`: whether what a new one links is here. `noted` hears of each
 * that comes or goes.
 */
export function mergeLinks(
  db: Connection,
  coming: readonly Coming[],
  hasEnds: (link: Link) => boolean,
  noted: (link: Link) => void,
): Op[] {
  const ops: Op[] = []
  for (const { link, place, was, row } of linksIn(coming)) {
    if (was === (row !== undefined)) continue
    const stored = storedLink(db, link)
    const m = { ...place.m, table: place.table, name: place.table } as AnyModel
    if (!row) {
      if (stored) ops.push({ m, id: stored.id as number, before: stored, after: null, key: link.columns })
    } else if (!stored && hasEnds(link))
      ops.push({ m, id: row.id as number, before: null, after: row, key: link.columns })
    else continue
    noted(link)
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
