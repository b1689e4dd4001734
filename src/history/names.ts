import type { Field, Row } from '../fields/field.ts'
import { genericPrefix, modelNamed, models } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from '../store/write.ts'
import { same, type Since } from './changes.ts'
import type { Coming, Link } from './coming.ts'
import { customColumn, customOf, nameOfCustom } from './custom-values.ts'
import { keyOf } from './draft.ts'
import { decided, membersOf, shownOf } from './merge.ts'
import { earlierStates } from './since.ts'

/** What a row of a model is called by itself; undefined where it has no name. */
export const nameIn = (m: AnyModel, row: Row): string | undefined => {
  const shown = typeof m.display === 'string' ? row[m.display] : undefined
  const name = row.name || row[m.pages?.named ?? 'name'] || shown || row.label || row.address
  return name ? String(name) : undefined
}

/** Objects and values for people: those of this side, and those that are not here, or not any more. */
export class Names {
  readonly #w: Writing
  /** Rows by `<table>:<id>`, as they are there, or were. */
  readonly #known: ReadonlyMap<string, Row>

  constructor(w: Writing, coming: readonly Coming[], here: ReadonlyMap<string, Since>) {
    this.#w = w
    const known = [
      ...[...here].map(([key, { before }]) => [key, before] as const),
      ...coming.flatMap(({ names = {} }) => Object.entries(names).map(([key, name]) => [key, { name }] as const)),
      ...coming.map(({ place, id, base, row }) => [`${place.table}:${id}`, row ?? base] as const),
    ]
    this.#known = new Map(known.flatMap(([key, row]) => (row ? [[key, row] as const] : [])))
  }

  /** An object: its display text here with the device that it is a part of, or a name that a row of it has. */
  of(m: AnyModel, id: number, known?: Row): string {
    const here = this.#w.row(m, id)
    const row = known ?? this.#known.get(keyOf(m, id)) ?? (here ? undefined : earlierStates(this.#w.db, m.table, id)[0])
    const owner = (m.fields.device as Field | undefined)?.target
    const device = owner && ((here ?? row)?.device_id as number | null | undefined)
    const own = here ? this.#w.display(m, id) : ((row && nameIn(m, row)) ?? `${m.label} ${id}`)
    return device && m.fields.name ? `${this.of(modelNamed(owner.model), device)} ${own}` : own
  }

  /** The same behind what it is: `user ann`. */
  called(m: AnyModel, id: number, known?: Row): string {
    const name = this.of(m, id, known)
    return name === `${m.label} ${id}` ? name : `${m.label} ${name}`
  }

  /** The same, with its id. */
  #numbered(m: AnyModel, id: number): string {
    const name = this.of(m, id)
    return name.endsWith(` ${id}`) ? name : `${name} (${id})`
  }

  /** An end of a cable, with what it is at. */
  end(row: Row): string {
    const m = modelNamed(row.termination_type as string)
    const id = row.termination_id as number
    return `${row.cable_end}: ${m.label} ${this.#w.row(m, id) ? this.of(m, id) : this.#numbered(m, id)}`
  }

  /** The value of a field: what a reference refers to by its name, a secret not at all. */
  shownIn(m: AnyModel, name: string, row: Row): unknown {
    const custom = nameOfCustom(name)
    if (custom !== undefined) return customOf(row)[custom] ?? null
    const field = m.fields[name] as Field
    if (field.isSet) return membersOf(row[name])
    if (field.target) {
      const id = row[`${name}_id`] as number | null | undefined
      return id == null ? null : this.#numbered(modelNamed(field.target.model), id)
    }
    if (field.generic) {
      const as = genericPrefix(field, name)
      const [type, id] = [row[`${as}_type`] as string | null, row[`${as}_id`] as number | null]
      const of = type ? models[type] : undefined
      return of && id != null ? `${of.label} ${this.#numbered(of, id)}` : null
    }
    return shownOf(m, name, row)
  }

  /**
   * What somebody wrote into a row since it was another, or at all: values by field, custom fields by name, and members
   * that it was given; null where there is no row.
   */
  written(
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
      if (!isSame) found[name] ??= this.shownIn(m, name, row)
    }
    const was = customOf(before)
    for (const [name, value] of Object.entries(customOf(row)))
      if (JSON.stringify(value) !== JSON.stringify(was[name] ?? null)) found[customColumn(name)] = value
    for (const [name, links] of Map.groupBy(members, ({ field }) => field)) found[name] = this.members(links)
    return found
  }

  /** What links lead to. */
  members = (links: readonly Link[]): string[] => links.map(({ target, to }) => `${this.of(target, to)} (${to})`)
}
