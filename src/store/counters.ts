import { q } from '../lib/sql.ts'
import { memo } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Connection } from './database.ts'
import { transactionCache } from './transaction-cache.ts'
import { copyOf } from './rows.ts'

/** Statements that move a counter up and down, by its column. */
const moving = memo(() => new Map<string, Record<1 | -1, string>>())
function movingOf(owner: AnyModel, column: string): Record<1 | -1, string> {
  const known = moving(owner).get(column)
  if (known) return known
  const by = (sign: string) => `update ${q(owner.table)} set ${q(column)} = ${q(column)} ${sign} 1 where id = ?`
  const made = { 1: by('+'), [-1]: by('-') } as Record<1 | -1, string>
  moving(owner).set(column, made)
  return made
}

/** Moves a stored counter of the row that is counted for. */
export function count(db: Connection, owner: AnyModel, column: string, id: number | null, by: 1 | -1): void {
  if (id === null || id === undefined) return
  const recent = transactionCache(db)
  const row = recent.known(owner.table, id)
  db.run(movingOf(owner, column)[by], id)
  if (row) recent.keep(owner.table, id, Object.assign(copyOf(row), { [column]: (row[column] as number) + by }))
}
