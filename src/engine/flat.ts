import type { AnyModel } from '../declare/model.ts'
import type { Field, Pair, Stored } from '../fields/field.ts'
import type { FlatContext } from '../fields/context.ts'
import { gapsIn } from '../fields/generic.ts'
import { lit, q } from '../lib/sql.ts'
import { type Actor, may, permittedRows } from './actor.ts'
import { allModels, fieldsOf, memo } from './catalog.ts'
import { comparing } from './paths.ts'

/** A model as reports read it: a table of plain values. */
interface FlatTable {
  readonly model: AnyModel
  readonly columns: readonly string[]
}

let made: ReadonlyMap<string, FlatTable> | undefined
/**
 * The tables of reports by name: the last word of a model's endpoint (`ip_addresses` of `ipam/ip-addresses`), with that
 * of its application before it where an earlier one is called the same (`virtualization_interfaces`).
 */
export function flatTables(): ReadonlyMap<string, FlatTable> {
  if (made) return made
  const tables = new Map<string, FlatTable>()
  for (const model of allModels) {
    if (model.internal) continue
    const [app, name] = model.path.replaceAll('-', '_').split('/') as [string, string]
    tables.set(tables.has(name) ? `${app}_${name}` : name, { model, columns: pairsOf(model).map(([column]) => column) })
  }
  made = tables
  return tables
}

/** SQL that selects the rows and columns of a model that an actor may view. */
export function flatSql(actor: Actor, m: AnyModel): string {
  const columns = pairsOf(m).map(([name, sql]) => `${sql} as ${q(name)}`)
  return `select ${columns.join(', ')} from ${permitted(actor, m)} t`
}

/**
 * The rows that an actor may view, as a FROM has them. With the LIMIT SQLite tries no condition of a question on a row
 * before it is known to be one of them: by an error in such a condition one would learn of rows that one does not see.
 */
function permitted(actor: Actor, m: AnyModel): string {
  let aliases = 0
  const context = { bind: literal, alias: () => `c${++aliases}`, uses: () => {} }
  const condition = may(actor, 'view', m) ? permittedRows(actor, 'view', m, 't', context) : 'false'
  return condition === undefined ? q(m.table) : `(select * from ${q(m.table)} t where ${condition} limit -1)`
}

/** A value as it stands in SQL: a view takes no bound values. */
function literal(value: Stored): string {
  if (value === null) return 'null'
  if (Buffer.isBuffer(value)) return `x'${value.toString('hex')}'`
  if (typeof value !== 'string') return String(value)
  // SQLite reads its text up to the first NUL, and no further.
  return value.includes('\0') ? `cast(x'${Buffer.from(value).toString('hex')}' as text)` : lit(value)
}

/** Columns of a model with the SQL of each on row alias `t`; what is secret is not among them. */
const pairsOf = memo((m: AnyModel): readonly Pair[] => {
  const sql = contextOf(m, 'x')
  const display = displayOn(m, 't', sql)
  const columns = new Map<string, string>([['id', 't.id'], ...(display ? [['display', display] as const] : [])])
  for (const [name, field] of fieldsOf(m)) {
    const { hidden, writeOnly, secret } = field.options
    if (hidden || writeOnly || secret || field.look === 'secret') continue
    for (const [column, value] of flatOf(field, name, sql)) if (!columns.has(column)) columns.set(column, value)
  }
  return [...columns]
})

function flatOf(field: Field, name: string, sql: FlatContext): readonly Pair[] {
  if (field.flat) return field.flat('t', name, sql)
  if (field.compare) return [[name, field.compare('t', name, sql)]]
  return name in field.columns(name) ? [[name, `t.${q(name)}`]] : []
}

function contextOf(m: AnyModel, prefix: string): FlatContext {
  let aliases = 0
  const alias = () => `${prefix}${++aliases}`
  const sql: FlatContext = {
    ...comparing(m, { alias, uses: () => {} }),
    display: (target, id) => {
      const a = alias()
      const text = displayOn(target, a, { ...sql, owner: target })
      return text && `(select ${text} from ${q(target.table)} ${a} where ${a}.id = ${id})`
    },
  }
  return sql
}

/** SQL of the display of row alias `t`; undefined where parts of it are filled in later. */
function displayOn(m: AnyModel, t: string, sql: FlatContext): string | undefined {
  const text = typeof m.display === 'function' ? m.display(t, sql) : `${t}.${q(m.display)}`
  return gapsIn(text) ? undefined : text
}
