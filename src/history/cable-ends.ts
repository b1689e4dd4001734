import type { Row } from '../fields/field.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Since } from './changes.ts'
import { type Coming, isLink } from './coming.ts'
import { Ends, endText, type Dispute } from './disputes.ts'
import type { Side } from './merge.ts'
import { ownerOfEnd } from './references.ts'

/** What is asked and done while ends of cables are merged. */
export interface EndTools {
  coming: readonly Coming[]
  /** Rows that this side changed since both parted, by `<table>:<id>`. */
  here: ReadonlyMap<string, Since>
  /**
   * Cables, by `<table>:<id>`, whose ends stay as they are here, or are put back to what they were where both parted;
   * those of which both is said are connected neither way: another has the place that they would be back at.
   */
  kept: ReadonlySet<string>
  unplugged: ReadonlySet<string>
  /** Whether an object is here; whether the other side deleted it. */
  isHere: (m: AnyModel, id: number) => boolean
  isDeletedThere: (key: string) => boolean
  /** An end for people. */
  named: (row: Row) => string
  decided: (m: AnyModel, id: number, dispute: Dispute) => Side | undefined
  /** Deletes a row of this side; puts one back that was there. */
  doom: (m: AnyModel, id: number) => void
  put: (m: AnyModel, row: Row) => void
}

/** What both sides did to the ends of one cable. */
interface CableEnds {
  owner: AnyModel
  id: number
  here: Since[]
  there: Coming[]
}

/**
 * Ends of cables that both sides changed: a cable has those of one side, not of both. Answers the coming rows that are
 * not taken.
 */
export function mergeEnds(tools: EndTools): Set<string> {
  const left = new Set<string>()
  for (const [key, cable] of cablesOf(tools)) {
    if (isOfHere(tools, key, cable)) for (const each of cable.there) left.add(`${each.place.table}:${each.id}`)
  }
  return left
}

/** Cables of which ends came, or are to be put back. */
function cablesOf({ coming, here, unplugged }: EndTools): ReadonlyMap<string, CableEnds> {
  const cables = new Map<string, CableEnds>()
  const of = (m: AnyModel, row: Row | null) => {
    const end = ownerOfEnd(m)
    const id = end && (row?.[`${end.field}_id`] as number | undefined)
    if (!end || id === undefined) return undefined
    const key = `${end.owner.table}:${id}`
    const known = cables.get(key) ?? { owner: end.owner, id, here: [], there: [] }
    cables.set(key, known)
    return known
  }
  for (const each of coming) of(each.place.m, each.row ?? each.base)?.there.push(each)
  if (cables.size === 0 && unplugged.size === 0) return cables
  for (const each of here.values()) if (!isLink(each.place)) of(each.place.m, each.now ?? each.before)?.here.push(each)
  return cables
}

/** Whether a cable keeps the ends that it has here; where it has not, those of this side are taken back. */
function isOfHere(tools: EndTools, key: string, { owner, id, here, there }: CableEnds): boolean {
  if (tools.unplugged.has(key)) {
    const isKept = tools.kept.has(key)
    takeBack(tools, here, there, !isKept)
    return isKept // then it is connected there no more than here
  }
  if (tools.kept.has(key)) return true
  if (tools.isDeletedThere(key)) return false // the cable goes, and its ends with it
  const isOld = tools.here.get(key)?.before !== null || here.every(({ before }) => before)
  if (here.length === 0 || there.length === 0 || !isOld || !tools.isHere(owner, id)) return false
  const own = here.filter(({ before, now }) => !isSame(before, now)) // of others something beside them changed
  const others = there.filter((each) => !isSame(each.base, each.row))
  const [parted, ours] = [texts(own.map(({ before }) => before)), texts(own.map(({ now }) => now))]
  const [base, theirs] = [texts(others.map((each) => each.base)), texts(others.map(({ row }) => row))]
  const [isOther, isOtherThere] = [`${parted}` !== `${ours}`, `${base}` !== `${theirs}`]
  if (!isOtherThere || (`${ours}` === `${theirs}` && `${parted}` === `${base}`)) return true
  if (isOther) {
    const detail = 'Both sides connected it anew.'
    const ways = { if_ours: 'it stays connected as it is here', if_theirs: 'it is connected as it is there' }
    const named = (rows: readonly (Row | null)[]) => rows.flatMap((row) => (row ? [tools.named(row)] : [])).sort()
    const values = {
      parted: named(own.map(({ before }) => before)),
      ours: named(own.map(({ now }) => now)),
      theirs: named(others.map(({ row }) => row)),
    }
    const dispute = { kind: 'changed', field: Ends, ...values, detail, ...ways } as const
    if (tools.decided(owner, id, dispute) !== 'theirs') return true
  }
  takeBack(tools, here, there)
  return false
}

const texts = (rows: readonly (Row | null)[]): string[] =>
  rows.flatMap((row) => (row === null ? [] : [endText(row)])).sort()

/** Whether an end is where it was. */
const isSame = (a: Row | null, b: Row | null): boolean => a !== null && b !== null && endText(a) === endText(b)

/** Takes back what this side did to the ends of a cable. `isBack`: whether it has its earlier ends again. */
function takeBack({ doom, put }: EndTools, here: readonly Since[], there: readonly Coming[], isBack = true): void {
  const changed = there.filter(({ base, row }) => !isSame(base, row))
  const coming = new Set(changed.map(({ id }) => id))
  for (const { place, id, before, now } of here) {
    if (coming.has(id)) continue
    if (now && !before) doom(place.m, id)
    else if (isBack && before && !now) {
      const isTaken = changed.some(({ base, row }) => isSame(row, before) || isSame(base, before))
      if (!isTaken) put(place.m, before)
    }
  }
}
