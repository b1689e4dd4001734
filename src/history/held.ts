import type { Row } from '../fields/field.ts'
import type { AnyModel } from '../declare/model.ts'
import { heldFields } from '../store/held-members.ts'
import type { Link } from './coming.ts'
import { type Side, Sides } from './merge.ts'

/** What a side gave to an object by the field `name`; the other gave `field` a value of which nothing of it stays. */
export interface AtStake {
  name: string
  field: string
  value: string
  side: Side
  members: readonly Link[]
}

/** New members of an object that the other side gave a value which does not hold them. */
export const atStake = (m: AnyModel, sides: Record<Side, Row>, given: (side: Side) => readonly Link[]): AtStake[] =>
  heldFields(m).flatMap(({ name, field, value }) => {
    const holding = Sides.filter((side) => sides[side][field] === value)
    if (holding.length !== 1) return []
    const [side] = holding as [Side]
    const members = given(side).filter((link) => link.field === name)
    return members.length ? [{ name, field, value, side, members }] : []
  })

/** What becomes of members that a value of their object holds, where one side has let that value go. */
export class HeldMembers {
  readonly #lost = new Set<string>()
  readonly #let = new Map<string, Side>()
  /** Members of this side that go. */
  going: readonly Link[] = []

  clear(): void {
    this.#lost.clear()
    this.#let.clear()
    this.going = []
  }

  /** Notes what an object becomes that both sides have, and what of it was at stake. */
  note(m: AnyModel, id: number, sides: Record<Side, Row>, merged: Row, stakes: readonly AtStake[]): void {
    for (const { table, field, value } of heldFields(m)) {
      const letting = Sides.filter((side) => sides[side][field] !== value)
      if (letting.length !== 1) continue
      if (merged[field] === value) this.#let.set(`${table}:${id}`, letting[0]!)
      else if (letting[0] === 'ours') this.#lost.add(`${table}:${id}`)
    }
    const lost = stakes.filter((each) => each.side === 'ours' && merged[each.field] !== each.value)
    this.going = [...this.going, ...lost.flatMap(({ members }) => members)]
  }

  /** Whether an object does not get what the other side linked it to. */
  isLost = ({ table, from }: Link): boolean => this.#lost.has(`${table}:${from}`)

  /** The side that took a link away along with a value that its object has again, or still. */
  letBy = ({ table, from }: Link): Side | undefined => this.#let.get(`${table}:${from}`)
}
