import { q } from '../fields/field.ts'
import { allModels } from '../registry/catalog.ts'
import type { Store } from '../store/open.ts'

interface Broken {
  table: string
  rowid: number
  parent: string
  fkid: number
}
interface Key {
  id: number
  from: string
}

/** Takes back references to objects that were not copied: the reference where a row can be without it, else the row. Answers what it did. */
export function mendReferences(store: Store): string[] {
  const { raw } = store.db
  const done: string[] = []
  for (let rounds = 0; rounds < 50; rounds++) {
    const broken = raw.pragma('foreign_key_check') as Broken[]
    if (broken.length === 0) break
    for (const { table, rowid, parent, fkid } of broken) {
      const column = (raw.pragma(`foreign_key_list(${q(table)})`) as Key[]).find(({ id }) => id === fkid)!.from
      const isNeeded =
        (raw.pragma(`table_info(${q(table)})`) as { name: string; notnull: number }[]).find(
          ({ name }) => name === column,
        )!.notnull === 1
      const changed = isNeeded
        ? store.db.run(`delete from ${q(table)} where id = ?`, rowid)
        : store.db.run(`update ${q(table)} set ${q(column)} = null where id = ?`, rowid)
      const name = allModels.find((m) => m.table === table)?.name
      if (name && changed.changes)
        done.push(
          `${name} ${rowid}: ${isNeeded ? 'left out' : column.replace(/_id$/, '')}, because its ${nameOf(parent)} is not here`,
        )
    }
  }
  return done
}

const nameOf = (table: string): string => allModels.find((m) => m.table === table)?.name ?? table
