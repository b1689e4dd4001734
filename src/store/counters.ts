import { q } from '../lib/sql.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Connection } from './database.ts'

/** Moves a stored counter of the row that is counted for. */
export function count(db: Connection, owner: AnyModel, column: string, id: number | null, by: 1 | -1): void {
  if (id !== null && id !== undefined)
    db.run(`update ${q(owner.table)} set ${q(column)} = ${q(column)} ${by > 0 ? '+' : '-'} 1 where id = ?`, id)
}
