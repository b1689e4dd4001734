import type { Field, Row } from '../fields/field.ts'
import { genericPrefix, modelNamed, models } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from '../store/write.ts'
import { same } from './changes.ts'
import type { Conflict, Decide, Decided, Link } from './coming.ts'
import { customColumn, customOf, nameOfCustom } from './custom-values.ts'
import { decided, membersOf, shownOf, type Side } from './merge.ts'
import { ownerOfEnd } from './references.ts'

/** What a conflict says, beside the object that it is about. */
export type Dispute = Omit<Conflict, 'key' | 'object' | 'object_type' | 'object_id'>

/** What each decision does about a field that both sides changed. */
export const Values = { if_ours: 'the value of this side stays', if_theirs: 'the value of the other side is taken' }

/** Conflicts as they are found, and what was decided about each. One of an end of a cable is told of the cable. */
export class Disputes {
  readonly #w: Writing
  readonly #decide: Decide
  /** What is open, by what decisions name it by. */
  readonly open = new Map<string, Conflict>()
  readonly #settled: Map<string, Decided>

  /** `settled`: gets what was decided, by the same names and the kind. */
  constructor(w: Writing, decide: Decide, settled: Map<string, Decided>) {
    this.#w = w
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
    const shown = (value: unknown) => (value === null ? null : [endNamed(this.#w, known)])
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
      for (const side of ['ours', 'theirs'] as const) known[side] = together(known[side], dispute[side])
      return
    }
    const conflict = { key, object_type: m.name, object_id: id, object: nameOf(this.#w, m, id, row), ...dispute }
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

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The field of a cable that its ends are, in conflicts. */
export const Ends = 'terminations'
export const keyOfConflict = (m: AnyModel, id: number, field: string | null): string =>
  `${m.name}:${id}${field === null ? '' : `.${field}`}`

/** An end of a cable for people and comparisons. */
export const endText = (row: Row): string => `${row.cable_end}: ${row.termination_type} ${row.termination_id}`

/** The same with names. */
export const endNamed = (w: Writing, row: Row): string => {
  const m = modelNamed(row.termination_type as string)
  return `${row.cable_end}: ${m.label} ${nameOf(w, m, row.termination_id as number)}`
}

/** An object for people: its display text here with the device that it is a part of, or a name that a row has. */
export function nameOf(w: Writing, m: AnyModel, id: number, row?: Row): string {
  const now = w.row(m, id) ?? row
  const owner = (m.fields.device as Field | undefined)?.target
  const device = owner && (now?.device_id as number | null | undefined)
  const shown = typeof m.display === 'string' ? row?.[m.display] : undefined
  const own = w.row(m, id)
    ? w.display(m, id)
    : String(row?.name || shown || row?.label || row?.address || `${m.label} ${id}`)
  return device && m.fields.name ? `${nameOf(w, modelNamed(owner.model), device)} ${own}` : own
}

/** The value of a field for people: what a reference refers to by its name, a secret not at all. */
export function shownIn(w: Writing, m: AnyModel, name: string, row: Row): unknown {
  const custom = nameOfCustom(name)
  if (custom !== undefined) return customOf(row)[custom] ?? null
  const field = m.fields[name] as Field
  if (field.isSet) return membersOf(row[name])
  const named = (of: AnyModel, id: number) => {
    const shown = nameOf(w, of, id)
    return shown.endsWith(` ${id}`) ? shown : `${shown} (${id})`
  }
  if (field.target) {
    const id = row[`${name}_id`] as number | null | undefined
    return id == null ? null : named(modelNamed(field.target.model), id)
  }
  if (field.generic) {
    const as = genericPrefix(field, name)
    const [type, id] = [row[`${as}_type`] as string | null, row[`${as}_id`] as number | null]
    const of = type ? models[type] : undefined
    return of && id != null ? `${of.label} ${named(of, id)}` : null
  }
  return shownOf(m, name, row)
}

/**
 * What somebody wrote into a row since it was another, or at all: values by field, custom fields by name, and members
 * that it was given; null where there is no row.
 */
export function written(
  w: Writing,
  m: AnyModel,
  row: Row | null,
  before: Row | null,
  members: readonly Link[] = [],
): Record<string, unknown> | null {
  if (!row) return null
  const found: Record<string, unknown> = {}
  for (const [column, name] of decided(m)) {
    const value = row[column] ?? null
    const isSame = before
      ? same(value, before[column] ?? null)
      : value === null || value === '' || value === m.fields[name].columns(name)[column]?.default
    if (!isSame) found[name] ??= shownIn(w, m, name, row)
  }
  const was = customOf(before)
  for (const [name, value] of Object.entries(customOf(row)))
    if (JSON.stringify(value) !== JSON.stringify(was[name] ?? null)) found[customColumn(name)] = value
  for (const [name, links] of Map.groupBy(members, ({ field }) => field))
    found[name] = links.map(({ target, to }) => `${nameOf(w, target, to)} (${to})`)
  return found
}
