import type { SqlContext } from './context.ts'
import { q } from '../lib/sql.ts'

/** SQL of the display text of a row of another model, by an expression of its id. */
export function displayOf(sql: SqlContext, model: string, id: string): string {
  const target = sql.model(model)
  const a = sql.alias()
  sql.uses(target.table)
  const text = typeof target.display === 'function' ? target.display(a, sql) : `${a}.${q(target.display)}`
  return `(select ${text} from ${q(target.table)} ${a} where ${a}.id = ${id})`
}
