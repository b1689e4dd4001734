import type { Row } from '../../fields/field.ts'
import { q } from '../../lib/sql.ts'
import { fieldsOf, genericPrefix, memo } from '../../engine/catalog.ts'
import { type AnyModel, fieldOfPart } from '../../declare/model.ts'
import type { Connection } from '../../store/database.ts'

/** Sets of columns that name one row. */
const keysOf = memo((m: AnyModel): readonly (readonly string[])[] => {
  const columnsOf = (names: readonly string[]) =>
    names.flatMap((name) => {
      const field = m.fields[name]
      if (field?.target) return [`${name}_id`]
      return field?.generic ? [`${genericPrefix(field, name)}_type`, `${genericPrefix(field, name)}_id`] : [name]
    })
  const own = fieldsOf(m)
    .filter(([, field]) => field.options.unique && !field.options.hidden)
    .map(([name]) => [name])
  const ruled = (m.unique ?? []).map((rule) => rule.fields.map(fieldOfPart))
  return [...own, ...ruled].map(columnsOf)
})

/** The row here that has the same name, slug or other unique key; undefined when there is none. */
export function twinOf(db: Connection, m: AnyModel, row: Row): number | undefined {
  for (const columns of keysOf(m)) {
    const given = columns.filter((name) => row[name] !== null && row[name] !== undefined && row[name] !== '')
    if (given.length === 0 || row[columns[0]!] === null || row[columns[0]!] === '') continue
    const isSame = columns.map((name) => `${q(name)} is ?`).join(' and ')
    const found = db.get<{ id: number }>(
      `select id from ${q(m.table)} where ${isSame} order by id limit 1`,
      ...columns.map((name) => row[name] ?? null),
    )
    if (found) return found.id
  }
  return undefined
}
