import { isObject } from '../lib/json.ts'
import type { Row } from '../fields/field.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from '../store/write.ts'
import type { Conflict, Decide, Decided } from './coming.ts'
import { type Side, Sides } from './merge.ts'
import type { Names } from './names.ts'
import { ownerOfEnd } from './references.ts'

/** What a conflict says, beside the object that it is about. */
export type Dispute = Omit<Conflict, 'key' | 'object' | 'object_type' | 'object_id'>

/** What each decision does about a field that both sides changed. */
export const Values = { if_ours: 'the value of this side stays', if_theirs: 'the value of the other side is taken' }

/** Conflicts as they are found, and what was decided about each. One of an end of a cable is told of the cable. */
export class Disputes {
  readonly #w: Writing
  readonly #names: Names
  readonly #decide: Decide
  /** What is open, by what decisions name it by. */
  readonly open = new Map<string, Conflict>()
  readonly #settled: Map<string, Decided>

  /** `settled`: gets what was decided, by the same names and the kind. */
  constructor(w: Writing, names: Names, decide: Decide, settled: Map<string, Decided>) {
    this.#w = w
    this.#names = names
    this.#decide = decide
    this.#settled = settled
  }

  /**
   * Which side counts, which is noted; where nobody has said, notes that it is open. `row`: the object where it is not
   * here.
   */
  decided(m: AnyModel, id: number, dispute: Dispute, row?: Row): Side | undefined {
    const about = this.#about(m, id, dispute, row)
    const side = this.#decide(about.m, about.id, about.dispute.field)
    this.note(about.m, about.id, about.dispute, { row: about.row, side })
    return side
  }

  /** Notes what was decided before it was asked. */
  settle(m: AnyModel, id: number, dispute: Dispute, side: Side, row?: Row): void {
    const about = this.#about(m, id, dispute, row)
    this.note(about.m, about.id, about.dispute, { row: about.row, side })
  }

  /** What a dispute is told of: of an end of a cable, the cable. */
  #about(
    m: AnyModel,
    id: number,
    dispute: Dispute,
    row?: Row,
  ): { m: AnyModel; id: number; dispute: Dispute; row?: Row } {
    const end = ownerOfEnd(m)
    const known = end && (this.#w.row(m, id) ?? row)
    if (!end || !known) return { m, id, dispute, row }
    const shown = (value: unknown) => (value === null ? null : [this.#names.end(known)])
    const { parted, ours, theirs } = dispute
    const values = { parted: shown(parted), ours: shown(ours), theirs: shown(theirs) }
    return { m: end.owner, id: known[`${end.field}_id`] as number, dispute: { ...dispute, ...values, field: Ends } }
  }

  /** Notes that something is open, or was decided for a side; of what refers to one object, all. */
  note(m: AnyModel, id: number, dispute: Dispute, { row, side }: { row?: Row; side?: Side } = {}): void {
    const key = keyOfConflict(m, id, dispute.field)
    const settled = `${key} ${dispute.kind} ${side}` // ends of one cable may be decided otherwise than each other
    const known = side ? this.#settled.get(settled) : this.open.get(key)
    if (known) {
      for (const side of Sides) known[side] = together(known[side], dispute[side])
      return
    }
    const conflict = { key, object_type: m.name, object_id: id, object: this.#names.of(m, id, row), ...dispute }
    if (side) this.#settled.set(settled, { ...conflict, take: side })
    else this.open.set(key, conflict)
  }
}

/** What one side did to an object, or to what refers to it, with more of it. */
function together(known: unknown, more: unknown): unknown {
  if (known === null) return more
  if (Array.isArray(known) && Array.isArray(more)) return [...new Set([...known, ...more])]
  if (!isRecord(known) || !isRecord(more)) return known
  const found: Record<string, unknown> = { ...known }
  for (const [name, value] of Object.entries(more)) {
    const was = found[name]
    found[name] = Array.isArray(was) && Array.isArray(value) ? [...new Set([...was, ...value])] : (was ?? value)
  }
  return found
}

const isRecord = (value: unknown): value is Record<string, unknown> => isObject(value)

/** The field of a cable that its ends are, in conflicts. */
export const Ends = 'terminations'
export const keyOfConflict = (m: AnyModel, id: number, field: string | null): string =>
  `${m.name}:${id}${field === null ? '' : `.${field}`}`

/** An end of a cable for people and comparisons. */
export const endText = (row: Row): string => `${row.cable_end}: ${row.termination_type} ${row.termination_id}`
