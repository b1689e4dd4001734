import type { Row } from '../fields/field.ts'
import { parseExact, stringifyExact } from '../lib/exact-json.ts'

/** Values of custom fields by name. */
export type CustomValues = Record<string, unknown>

export const customOf = (row: Row | null | undefined): CustomValues =>
  parseExact((row?.custom_field_data as string | null | undefined) ?? '{}') as CustomValues

/** A row with some columns otherwise; a value of a custom field stands as JSON under what `nameOfCustom` reads. */
export function withColumns(row: Row, columns: Row): Row {
  const found = { ...row }
  const values = customOf(row)
  for (const [column, value] of Object.entries(columns)) {
    const name = nameOfCustom(column)
    if (name === undefined) found[column] = value
    else {
      values[name] = parseExact(value as string)
      found.custom_field_data = stringifyExact(values)
    }
  }
  return found
}

/** What a custom field is called among the fields of an object; and its name of that, undefined of any other field. */
export const customColumn = (name: string): string => `custom_fields.${name}`
export const nameOfCustom = (column: string): string | undefined => /^custom_fields\.(.*)/.exec(column)?.[1]

/** The value of a field, be it a custom one, as a text. */
export const textOf = (row: Row, field: string | null): string => {
  const custom = nameOfCustom(field ?? '')
  return custom === undefined ? String(row[field ?? ''] ?? '') : JSON.stringify(customOf(row)[custom])
}
