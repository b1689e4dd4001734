import type { Field, Row } from '../fields/field.ts'
import { labelOf } from '../fields/facts.ts'
import { q } from '../lib/sql.ts'
import type { Errors } from '../declare/behaviour.ts'
import { fieldsOf, memo } from '../engine/catalog.ts'
import { type AnyModel, fieldOfPart, type Unique } from '../declare/model.ts'
import type { Connection } from './database.ts'

const columnOf = (m: AnyModel, name: string): string =>
  (m.fields[name] as Field | undefined)?.target ? `${name}_id` : name
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A column that no two rows share, and what is said of one that is taken. */
interface Own {
  name: string
  column: string
  sql: string
  text: string
}
const ownOf = memo((m: AnyModel): readonly Own[] =>
  fieldsOf(m)
    .filter(([, { options }]) => options.unique)
    .map(([name, { options }]) => {
      const column = columnOf(m, name)
      return {
        name,
        column,
        sql: `select id from ${q(m.table)} where ${q(column)} = +? and id <> +?`,
        text: `${m.label} with this ${(options.label ?? labelOf(name)).toLowerCase()} already exists.`,
      }
    }),
)

/**
 * Adds a text for each unique field or set of fields that another row has already. Of a row that was there `before`,
 * only those with a changed column are looked at.
 */
export function checkUnique(db: Connection, m: AnyModel, row: Row, before: Row | undefined, errors: Errors): void {
  const self = (row.id as number | null | undefined) ?? 0
  for (const { name, column, sql, text } of ownOf(m)) {
    if (row[column] === null || row[column] === undefined || (before && before[column] === row[column])) continue
    if (db.get(sql, row[column], self) !== undefined) errors[name] ??= [text]
  }
  for (const rule of rulesOf(m)) checkRule(db, m, rule, row, before, self, errors)
}

/** Columns on which it depends whether two rows of a model are the same. */
export const uniqueColumns = memo((m: AnyModel): readonly string[] => [
  ...ownOf(m).map(({ column }) => column),
  ...rulesOf(m).flatMap(({ rule, parts }) => [
    ...parts.map(({ column }) => column),
    ...[...(rule.when?.isNull ?? []), ...(rule.when?.isSet ?? [])].map((name) => columnOf(m, name)),
  ]),
])

/** What finds rows of a model that are the same by a rule which no index keeps, and what is said of them. */
export const sameRows = memo((m: AnyModel): readonly { sql: string; text: string }[] =>
  rulesOf(m)
    .filter(({ parts }) => parts.some(({ lower }) => lower))
    .map(({ rule, parts, text }) => {
      const group = parts.map(({ column, lower }) => (lower ? `fold(${q(column)})` : q(column)))
      const isNull = (rule.when?.isNull ?? []).map((name) => `${q(columnOf(m, name))} is null`)
      const isSet = [...parts.map(({ column }) => column), ...(rule.when?.isSet ?? []).map((name) => columnOf(m, name))]
      const where = [...isNull, ...isSet.map((column) => `coalesce(${q(column)}, '') <> ''`)]
      return {
        sql: `select json_group_array(id) as ids from ${q(m.table)} where ${where.join(' and ')}
          group by ${group.join(', ')} having count(*) > 1`,
        text,
      }
    }),
)

/** Whether an error says that two rows would be the same in what is unique. */
export const isDuplicate = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'SQLITE_CONSTRAINT_UNIQUE'

/** What is said where no rule foresaw that something would follow which the database does not take. */
export const SameOthers = 'This change would make two other objects the same in what must tell them apart.'

/** A rule over several columns, with the columns it compares, as they are or folded to lower case. */
interface Whole {
  rule: Unique
  parts: readonly { column: string; lower: boolean }[]
  /**
   * Selects a row that is the same, where texts to fold are ASCII: then SQLite's own lower() does, and has an index;
   * and where they are not.
   */
  sql: string
  foldedSql: string
  text: string
}
const rulesOf = memo((m: AnyModel): readonly Whole[] =>
  (m.unique ?? [])
    .filter((rule) => rule.fields.length > 1 || rule.when || typeof rule.fields[0] === 'object')
    .map((rule) => {
      const parts = rule.fields.map((part) => ({
        column: columnOf(m, fieldOfPart(part)),
        lower: typeof part === 'object',
      }))
      const labels = rule.fields.map(fieldOfPart).map((name) => m.fields[name]?.options.label ?? labelOf(name))
      const named = labels.length > 1 ? `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}` : labels[0]
      const text = rule.message ?? `${capital(m.label)} with this ${named} already exists.`
      return { rule, parts, sql: sameSql(m, rule, parts, true), foldedSql: sameSql(m, rule, parts, false), text }
    }),
)

function sameSql(m: AnyModel, { when }: Unique, parts: Whole['parts'], isAscii: boolean): string {
  const isFolded = parts.some(({ lower }) => lower)
  const lead = parts.find(({ lower }) => !lower)?.column // the one index to go by, where no index covers the whole rule
  const same = parts
    .map(({ column, lower }) =>
      lower
        ? isAscii
          ? `lower(t.${q(column)}) = lower(+?)`
          : `fold(t.${q(column)}) = fold(+?)`
        : `${isFolded && (isAscii || column !== lead) ? '+' : ''}t.${q(column)} = +?`,
    )
    .join(' and ')
  const isNull = (when?.isNull ?? []).map((name) => ` and t.${q(columnOf(m, name))} is null`)
  const isSet = (when?.isSet ?? [])
    .map((name) => `t.${q(columnOf(m, name))}`)
    .map((column) => ` and ${column} is not null and ${column} <> ''`)
  const whole = `${same}${isNull.join('')}${isSet.join('')}`
  return `select t.id from ${q(m.table)} t where ${whole} and t.id <> +?`
}

function checkRule(
  db: Connection,
  m: AnyModel,
  whole: Whole,
  row: Row,
  before: Row | undefined,
  self: number,
  errors: Errors,
): void {
  const { rule, parts, text } = whole
  if (before && !rule.when && parts.every(({ column }) => before[column] === row[column])) return
  if (ownerOf(db, m, whole, row, self) === undefined) return
  const key = rule.key ?? '__all__'
  errors[key] = [...((errors[key] as string[] | undefined) ?? []), text]
}

/** The row that has what a rule says no two have; undefined where there is none. */
function ownerOf(
  db: Connection,
  m: AnyModel,
  { rule, parts, sql, foldedSql }: Whole,
  row: Row,
  self: number,
): { id: number } | undefined {
  if (!applies(m, rule, row)) return undefined
  const values = parts.map(({ column }) => row[column])
  if (values.some((value) => value === null || value === undefined)) return undefined
  const isAscii = parts.every(({ column, lower }) => !lower || /^[\0-\x7f]*$/.test(String(row[column])))
  return db.get<{ id: number }>(isAscii ? sql : foldedSql, ...values, self)
}

/** Rows that have what is unique of a row, each with the fields of the rule that says so. */
export function* ownersOf(db: Connection, m: AnyModel, row: Row): Generator<{ id: number; fields: readonly string[] }> {
  const self = (row.id as number | null | undefined) ?? 0
  for (const { name, column, sql } of ownOf(m)) {
    const owner = row[column] == null ? undefined : db.get<{ id: number }>(sql, row[column], self)
    if (owner) yield { id: owner.id, fields: [name] }
  }
  for (const whole of rulesOf(m)) {
    const owner = ownerOf(db, m, whole, row, self)
    if (owner) yield { id: owner.id, fields: whole.rule.fields.map(fieldOfPart) }
  }
}

/** Whether a rule is about the row being written. */
function applies(m: AnyModel, { when }: Unique, row: Row): boolean {
  const has = (name: string) => (row[columnOf(m, name)] ?? '') !== ''
  const isNull = (name: string) => (row[columnOf(m, name)] ?? null) === null
  return (when?.isNull ?? []).every(isNull) && (when?.isSet ?? []).every(has)
}
