import { type Field, labelOf, type Row } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import type { Errors } from '../declare/behaviour.ts'
import { fieldsOf } from '../engine/catalog.ts'
import { type AnyModel, fieldOfPart, type Unique } from '../declare/model.ts'
import type { Connection } from './database.ts'

const columnOf = (m: AnyModel, name: string): string =>
  (m.fields[name] as Field | undefined)?.target ? `${name}_id` : name
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Adds a text for each unique field or set of fields that another row has already. Of a row that was there `before`, only those with a changed column are looked at. */
export function checkUnique(db: Connection, m: AnyModel, row: Row, before: Row | undefined, errors: Errors): void {
  const self = (row.id as number | null | undefined) ?? 0
  for (const [name, field] of fieldsOf(m)) {
    if (!field.options.unique) continue
    const column = columnOf(m, name)
    if (row[column] === null || row[column] === undefined || (before && before[column] === row[column])) continue
    if (db.get(`select 1 from ${q(m.table)} where ${q(column)} = +? and id <> +?`, row[column], self) !== undefined) {
      errors[name] ??= [`${m.label} with this ${(field.options.label ?? labelOf(name)).toLowerCase()} already exists.`]
    }
  }
  for (const rule of m.unique ?? [])
    if (rule.fields.length > 1 || rule.when || typeof rule.fields[0] === 'object')
      checkRule(db, m, rule, row, before, self, errors)
}

function checkRule(
  db: Connection,
  m: AnyModel,
  rule: Unique,
  row: Row,
  before: Row | undefined,
  self: number,
  errors: Errors,
): void {
  if (!applies(m, rule, row)) return
  const parts = rule.fields.map((part) => ({
    column: columnOf(m, fieldOfPart(part)),
    lower: typeof part === 'object',
  }))
  const values = parts.map(({ column }) => row[column])
  if (values.some((value) => value === null || value === undefined)) return
  if (before && !rule.when && parts.every(({ column }) => before[column] === row[column])) return
  const isFolded = parts.some(({ lower }) => lower)
  const lead = parts.find(({ lower }) => !lower)?.column // the one index to go by, where no index covers the whole rule
  const isAscii = parts.every(({ column, lower }) => !lower || /^[\0-\x7f]*$/.test(String(row[column]))) // then SQLite's own lower() does, and has an index
  const same = parts
    .map(({ column, lower }) =>
      lower
        ? isAscii
          ? `lower(t.${q(column)}) = lower(+?)`
          : `fold(t.${q(column)}) = fold(+?)`
        : `${isFolded && (isAscii || column !== lead) ? '+' : ''}t.${q(column)} = +?`,
    )
    .join(' and ')
  const isNull = (rule.when?.isNull ?? []).map((name) => ` and t.${q(columnOf(m, name))} is null`)
  const isSet = (rule.when?.isSet ?? []).map((name) => columnOf(m, name))
  const whole = `${same}${isNull.join('')}${isSet.map((c) => ` and t.${q(c)} is not null and t.${q(c)} <> ''`).join('')}`
  if (db.get(`select 1 from ${q(m.table)} t where ${whole} and t.id <> +?`, ...values, self) === undefined) return
  const labels = rule.fields.map(fieldOfPart).map((name) => m.fields[name]?.options.label ?? labelOf(name))
  const text =
    rule.message ??
    `${capital(m.label)} with this ${labels.length > 1 ? `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}` : labels[0]} already exists.`
  const key = rule.key ?? '__all__'
  errors[key] = [...((errors[key] as string[] | undefined) ?? []), text]
}

/** Whether a rule is about the row being written. */
function applies(m: AnyModel, { when }: Unique, row: Row): boolean {
  const has = (name: string) => (row[columnOf(m, name)] ?? '') !== ''
  const isNull = (name: string) => (row[columnOf(m, name)] ?? null) === null
  return (when?.isNull ?? []).every(isNull) && (when?.isSet ?? []).every(has)
}
