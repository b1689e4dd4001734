import type { Row, Stored } from '../fields/field.ts'
import { linkOf } from '../fields/refs.ts'
import { memo, models } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Rows } from '../declare/rows.ts'
import { q } from '../lib/sql.ts'
import type { Connection } from './database.ts'
import { transactionCache } from './transaction-cache.ts'

/** Selects a row by its id. */
export const rowSql = memo((m: AnyModel): string => `select * from ${q(m.table)} where id = +?`)

/**
 * A copy of a row. By `Object.assign` it would be made sooner, but all that is done with it later takes longer in V8.
 */
export const copyOf = (row: Row): Row => ({ ...row })

type Conditions = Readonly<Record<string, unknown>>
type Model = string | AnyModel

const modelOf = (model: Model): AnyModel => (typeof model === 'string' ? models[model]! : model)

/** ` where …` of columns and what they are, its values put into `values`. */
function whereOf(where: Conditions, values: Stored[]): string {
  const terms = Object.entries(where).flatMap(([column, value]) => {
    if (value === undefined) throw new Error(`nothing is said of the column ${column}`)
    return conditionsOn(q(column), value, values)
  })
  return terms.length ? ` where ${terms.join(' and ')}` : ''
}

function conditionsOn(column: string, value: unknown, values: Stored[]): string[] {
  if (value === null) return [`${column} is null`]
  const put = (given: unknown): string => {
    values.push(given as Stored)
    return '+?'
  }
  if (typeof value !== 'object' || Buffer.isBuffer(value)) return [`${column} = ${put(value)}`]
  const test = value as { not?: Stored; in?: readonly Stored[]; from?: Stored; to?: Stored }
  if (test.not === null) return [`${column} is not null`]
  if (test.not !== undefined) return [`${column} is not ${put(test.not)}`]
  if (test.in) return [`${column} in (select value from json_each(${put(JSON.stringify(test.in))}))`]
  return [
    ...(test.from === undefined ? [] : [`${column} >= ${put(test.from)}`]),
    ...(test.to === undefined ? [] : [`${column} <= ${put(test.to)}`]),
  ]
}

/** Reads and changes rows of a connection's tables by their columns. */
export function rowsIn(db: Connection): Rows {
  const select = (
    model: Model,
    where: Conditions,
    reading?: { only?: readonly string[]; order?: readonly string[] },
    limit = '',
  ): Row[] => {
    const values: Stored[] = []
    const columns = reading?.only?.map(q).join(', ') ?? '*'
    const order = reading?.order ? ` order by ${reading.order.map(q).join(', ')}` : ''
    return db.all(
      `select ${columns} from ${q(modelOf(model).table)}${whereOf(where, values)}${order}${limit}`,
      ...values,
    )
  }
  const recent = transactionCache(db)
  const row = (model: Model, id: number): Row | undefined => {
    const m = modelOf(model)
    const row = recent.row(m.table, id, rowSql(m))
    return row && copyOf(row)
  }
  const found = {
    row,
    rows: select,
    first: (model: Model, where: Conditions, reading?: object) => select(model, where, reading, ' limit 1')[0],
    has: (model: Model, where: Conditions) => {
      const values: Stored[] = []
      return db.get(`select 1 from ${q(modelOf(model).table)}${whereOf(where, values)}`, ...values) !== undefined
    },
    count: (model: Model, where: Conditions) => {
      const values: Stored[] = []
      const sql = `select count(*) as n from ${q(modelOf(model).table)}${whereOf(where, values)}`
      return db.get<{ n: number }>(sql, ...values)!.n
    },
    linked: (model: Model, field: string, ids: readonly number[]) => {
      const m = modelOf(model)
      const { table, from, to } = linkOf(m, field, m.fields[field].links.via)
      const sql = `select distinct ${to} as id from ${q(table)} where ${from} in (select value from json_each(+?))`
      return db.all<{ id: number }>(sql, JSON.stringify(ids)).map((row) => row.id)
    },
    set: (model: Model, where: Conditions, columns: Row) => {
      const values = Object.values(columns)
      const changes = Object.keys(columns).map((name) => `${q(name)} = ?`)
      db.run(`update ${q(modelOf(model).table)} set ${changes.join(', ')}${whereOf(where, values)}`, ...values)
    },
    drop: (model: Model, where: Conditions) => {
      const values: Stored[] = []
      return db.run(`delete from ${q(modelOf(model).table)}${whereOf(where, values)}`, ...values).changes
    },
    get: (statement: { text: string }, ...values: Stored[]) => db.get(statement.text, ...values),
    all: (statement: { text: string }, ...values: Stored[]) => db.all(statement.text, ...values),
    run: (statement: { text: string }, ...values: Stored[]) => db.run(statement.text, ...values).changes,
  }
  return found as unknown as Rows // the types say more of names than values can
}
