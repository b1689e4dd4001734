import type { Field, Row } from '../fields/field.ts'
import type { AnyModel } from '../declare/model.ts'
import { stringifyExact } from '../lib/exact-json.ts'
import type { Connection } from '../store/database.ts'
import { ownersOf } from '../store/unique.ts'
import { customColumn, customOf, nameOfCustom } from './custom-values.ts'
import { columnsThatDiffer } from './merge.ts'
import { fieldOf } from './rival-texts.ts'

/** Another row that has the unique key of one, and the fields of that key. */
export interface Rival {
  id: number
  fields: readonly string[]
}

/**
 * Another row that stands where a row of a model is to stand, by what is unique, first by what has a field; undefined
 * where there is none. `leaves`: whether a row gives up some columns, or goes.
 */
export function rivalOf(
  db: Connection,
  m: AnyModel,
  row: Row,
  field: string | null,
  leaves: (id: number, columns: readonly string[]) => boolean,
): Rival | undefined {
  const columnOf = (name: string) => ((m.fields[name] as Field | undefined)?.target ? `${name}_id` : name)
  const rivals = [...ownersOf(db, m, row)].filter(({ id, fields }) => !leaves(id, fields.map(columnOf)))
  return rivals.find(({ fields }) => fields.includes(field ?? '')) ?? rivals[0]
}

/**
 * How a row gives way to another that has its place: a name with a mark, what it was, or nothing; `gone` where it
 * cannot stay.
 */
export function givingWay(
  m: AnyModel,
  row: Row,
  base: Row | null,
  names: readonly string[],
  mark: string,
): Row | 'gone' {
  const fields = [...new Set(names.map((name) => fieldOf(m, name)))] // what is unique may be columns of a generic one
  const named = fields.filter(
    (name) =>
      ['name', 'slug', 'label', m.display].includes(name) &&
      'max' in ((m.fields[name] as Field | undefined)?.options ?? {}),
  )
  const others = fields.filter((each) => !named.includes(each))
  const references = others.filter((each) => (m.fields[each] as Field | undefined)?.target)
  for (const name of [...named, ...others.filter((each) => !references.includes(each)), ...references]) {
    const custom = nameOfCustom(name)
    if (custom !== undefined) return { [name]: stringifyExact(customOf(base)[custom] ?? null) }
    const field = m.fields[name] as Field | undefined
    if (!field) continue
    const columns = Object.entries(field.columns(name))
    const value = row[columns[0]?.[0] ?? '']
    if (value === null || value === undefined || value === '' || columns.length === 0) continue
    if (named.includes(name) && typeof value === 'string' && field.write) {
      const end = name === 'slug' ? `-${mark.toLowerCase().replace(/[^\w-]/g, '-')}` : ` (${mark})`
      const { max = 100 } = field.options as { max?: number }
      if (!value.endsWith(end)) return field.write(value.slice(0, max - end.length) + end, name)
    }
    if (base && columns.some(([column]) => base[column] !== row[column]))
      return Object.fromEntries(columns.map(([column]) => [column, base[column] ?? null]))
    if (columns.every(([, spec]) => spec.null === true))
      return Object.fromEntries(columns.map(([column]) => [column, null]))
  }
  return 'gone'
}

/** What was done to a row since another state, undone; `gone` where that was nothing. */
export function earlier(m: AnyModel, row: Row, was: Row): Row | 'gone' {
  const columns = columnsThatDiffer(m, was, row).filter((name) => name !== 'custom_field_data')
  const [values, custom] = [customOf(was), customOf(row)]
  const back = [
    ...columns.map((name) => [name, was[name] ?? null] as const),
    ...Object.keys({ ...values, ...custom })
      .map((name) => [name, stringifyExact(values[name] ?? null)] as const)
      .filter(([name, text]) => text !== stringifyExact(custom[name] ?? null))
      .map(([name, text]) => [customColumn(name), text] as const),
  ]
  return back.length ? Object.fromEntries(back) : 'gone'
}
