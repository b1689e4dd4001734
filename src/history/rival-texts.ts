import type { Row } from '../fields/field.ts'
import { fieldsOf, modelNamed } from '../engine/catalog.ts'
import { q } from '../lib/sql.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from '../store/write.ts'
import type { Coming } from './coming.ts'
import { withColumns } from './custom-values.ts'
import { Ends } from './disputes.ts'
import type { NewMembers } from './links.ts'
import type { Side } from './merge.ts'
import type { Names } from './names.ts'

/** What is said of two objects that want one place: what each is, and what it would lose. */
export class RivalTexts {
  readonly #w: Writing
  readonly #names: Names
  readonly #coming: readonly Coming[]
  readonly #members: NewMembers

  constructor(w: Writing, names: Names, coming: readonly Coming[], members: NewMembers) {
    this.#w = w
    this.#names = names
    this.#coming = coming
    this.#members = members
  }

  /** What an end of a cable is at, for people. */
  endOf({ termination_type, termination_id }: Row): string {
    const m = modelNamed(termination_type as string)
    return capital(this.#names.called(m, termination_id as number))
  }

  /** A cable, what was written of it and what it connects, as one side has it. */
  cable(side: Side, m: AnyModel, owner: AnyModel, id: number): Record<string, unknown> {
    const coming = (of: AnyModel, is: (row: Row) => boolean) =>
      this.#coming.flatMap(({ place, row }) => (place.m === of && row && is(row) ? [row] : []))
    const theirs = coming(m, (row) => row.cable_id === id)
    const rows = theirs.length ? theirs : this.#w.db.all<Row>(`select * from ${q(m.table)} where cable_id = ?`, id)
    const row = coming(owner, (each) => each.id === id)[0] ?? this.#w.row(owner, id) ?? null
    const ends = rows.map((each) => this.#names.end(each)).sort()
    return {
      [`${owner.label} ${id}`]: {
        ...this.#names.written(owner, row, null, this.#members.of(side, owner, id)),
        [Ends]: ends,
      },
    }
  }

  /** An object that may have to give way, with what it would lose: some fields, or all that was written of it. */
  rivalShown(side: Side, m: AnyModel, id: number, row: Row, way: Row | 'gone'): Record<string, unknown> {
    const lost = (columns: Row) => [...new Set(Object.keys(columns).map((column) => fieldOf(m, column)))]
    const values =
      way === 'gone'
        ? this.#names.written(m, row, null, this.#members.of(side, m, id))
        : Object.fromEntries(lost(way).map((name) => [name, this.#names.shownIn(m, name, row)]))
    return { [`${this.#names.called(m, id, row)} (${id})`]: values }
  }

  /** What becomes of a row that gives way. `ofCable`: the field of an end that names its cable. */
  says(m: AnyModel, id: number, row: Row, how: Row | 'gone', ofCable?: string): string {
    const name = this.#names.called(m, id, row)
    if (ofCable) return `cable ${row[`${ofCable}_id`]} is not connected there`
    if (how === 'gone') return `${name} goes`
    const then = withColumns(row, how)
    const parts = [...new Set(Object.keys(how).map((column) => fieldOf(m, column)))].map((field) => {
      const value = this.#names.shownIn(m, field, then)
      if (value === null || value === '') return `is left without ${field}`
      return `has the ${field} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`
    })
    return `${name} ${parts.join(' and ')}`
  }
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The field that a column belongs to; a field's own name stays. */
export const fieldOf = (m: AnyModel, column: string): string =>
  column in m.fields ? column : (fieldsOf(m).find(([name, field]) => column in field.columns(name))?.[0] ?? column)
