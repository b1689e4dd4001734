import { allModels, fieldsOf } from '../../src/engine/catalog.ts'
import { openDatabase } from '../../src/lib/addons.ts'
import { journaled } from '../../src/store/journal.ts'
import type { Store } from '../../src/store/open.ts'

/** Not in the state that an undo gives back: accounts, what has no history, what is traced anew under other ids. */
const Apart = /^(users_|core_|count_|extras_(notification|bookmark|subscription|dashboard|script)|dcim_cablepath)/
/** Columns that say when, and ids of what is made anew. */
const Free = new Set(['last_updated', '_path_id'])

/** Every row that an undo gives back, as texts by table; links by what they link. */
export function stateOf(store: Store): Map<string, string[]> {
  const state = new Map<string, string[]>()
  const tables = store.db.all<{ name: string }>(
    `select name from sqlite_schema where type = 'table' and name glob '[a-z]*_*' and name not like 'search%'
       and name not like 'history%' and name not like 'sqlite%'`,
  )
  for (const { name } of tables) {
    if (Apart.test(name)) continue
    const rows = store.db.all<Record<string, unknown>>(`select * from "${name}"`)
    state.set(
      name,
      rows
        .map((row) =>
          JSON.stringify(
            Object.fromEntries(
              Object.entries(row)
                .filter(
                  ([column]) =>
                    !Free.has(column) &&
                    !('from_id' in row && column === 'id') &&
                    !(name === 'extras_taggeditem' && column === 'id'),
                )
                .map(([column, value]) => [column, Buffer.isBuffer(value) ? value.toString('hex') : value]),
            ),
          ),
        )
        .sort(),
    )
  }
  return state
}

/** Rows that are in one state only. */
export function differences(a: Map<string, string[]>, b: Map<string, string[]>): string[] {
  return [...a].flatMap(([table, rows]) => {
    const [before, after] = [new Set(rows), new Set(b.get(table))]
    return [
      ...[...before].filter((row) => !after.has(row)).map((row) => `- ${table} ${row}`),
      ...[...after].filter((row) => !before.has(row)).map((row) => `+ ${table} ${row}`),
    ]
  })
}

/** Every row whose earlier states are kept, column by column, and the change log. */
export function contentOf(file: string): Record<string, string[]> {
  const raw = openDatabase(file, { readonly: true })
  const tables = [...journaled().keys(), 'core_objectchange']
  const rows = (table: string) =>
    (raw.prepare(`select * from "${table}" order by id`).all() as object[]).map((row) => JSON.stringify(row))
  const found = Object.fromEntries(tables.map((table) => [table, rows(table)]))
  raw.close()
  return found
}

/** Models of which a server holds objects. */
export const modelsWithRows = (store: Store): number =>
  allModels.filter((m) => fieldsOf(m).length && store.db.get(`select 1 from "${m.table}" limit 1`)).length
