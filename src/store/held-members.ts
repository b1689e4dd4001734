import { fieldsOf, memo } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { linkTable, type Row } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import type { Connection } from './database.ts'

/** Many-to-many fields whose members a value of another field holds, and what takes them from a row. */
export const heldFields = memo((m: AnyModel) =>
  fieldsOf(m).flatMap(([name, { links }]) => {
    if (!links?.heldBy) return []
    const table = linkTable(m.table, name)
    return [{ name, table, ...links.heldBy, drop: `delete from ${q(table)} where from_id = ?` }]
  }),
)

/** Takes from a row that was changed the members that nothing holds any more, but for those that are given now. */
export function dropUnheld(db: Connection, m: AnyModel, row: Row, given: Record<string, unknown>): void {
  for (const { name, field, value, drop } of heldFields(m))
    if (row[field] !== value && !(given[name] as readonly number[] | undefined)?.length) db.run(drop, row.id)
}

/** The same where a row was put to another state; `isGiven`: whether members come along, by their table. */
export function dropLetGo(
  db: Connection,
  m: AnyModel,
  before: Row,
  row: Row,
  isGiven: (table: string) => boolean,
): void {
  for (const { table, field, value, drop } of heldFields(m))
    if (before[field] === value && row[field] !== value && !isGiven(table)) db.run(drop, row.id)
}
