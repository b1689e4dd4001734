import {
  ChangedRows,
  customSearched,
  searchedModels,
  searchIndexing,
  searchedOf,
  searchNumber,
  searchRenoting,
} from '../engine/search.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Connection } from './database.ts'

/**
 * An earlier state of a database is mostly looked at without a search; what would have to be put into the index for it
 * is noted only, row by row and column by column, and put there when somebody first searches. `field`: the number of a
 * searched column; below zero for the custom fields, and for all that is searched.
 */
const Later = 'search_later'
const Custom = -1
export const EveryText = -2

/** Columns of a table whose texts are searched, by name: what `noteTexts` is told of them. */
export function searchedColumns(table: string): ReadonlyMap<string, number> {
  const m = searchedModels.find((each) => each.table === table)
  if (!m) return new Map()
  const columns = searchedOf(m).map(({ name, number }): [string, number] => [name, number])
  return new Map(customSearched.includes(m) ? [...columns, ['custom_field_data', Custom]] : columns)
}

/** Has triggers note no texts of a table from now on; answers the statements that make them again. */
export function pauseNoting({ raw }: Connection, table: string): string[] {
  const triggers = raw
    .prepare("select name, sql from sqlite_schema where type = 'trigger' and tbl_name = ? and name in (?, ?)")
    .all(table, `search_${table}_update`, `search_${table}_delete`) as { name: string; sql: string }[]
  for (const { name } of triggers) raw.exec(`drop trigger "${name}"`)
  return triggers.map(({ sql }) => sql)
}

/** Notes rows of a table for later, those that are gone too: the texts of one column of them, or `EveryText`. */
export function noteTexts({ raw }: Connection, table: string, field: number, ids: readonly number[]): void {
  const m = searchedModels.find((each) => each.table === table)
  if (!m || ids.length === 0) return
  raw.exec(`create table if not exists ${Later} (
    model integer, field integer, id integer, primary key (model, field, id)) strict, without rowid`)
  raw
    .prepare(`insert or ignore into ${Later} select ?, ?, value from json_each(?)`)
    .run(searchNumber(m), field, JSON.stringify(ids))
}

/** Notes, for the end of the transaction, what was left for later. */
export function noteNow(db: Connection): void {
  const { raw } = db
  db.touchAll()
  if (!hasLater(db)) return
  const numbers = new Map(searchedModels.map((m): [number, AnyModel] => [searchNumber(m), m]))
  const left = raw
    .prepare(`select model, field, json_group_array(id) as ids from ${Later} group by model, field`)
    .all() as { model: number; field: number; ids: string }[]
  for (const { model, field, ids } of left) {
    const m = numbers.get(model)!
    for (const each of field === EveryText ? searchedColumns(m.table).values() : [field]) {
      const sql =
        each === Custom
          ? `insert or ignore into ${ChangedRows} select ${model}, value from json_each(:ids)`
          : searchRenoting(m, each)
      raw.prepare(sql).run({ ids })
    }
  }
  raw.exec(`drop table ${Later}`)
}

const hasLater = ({ raw }: Connection): boolean =>
  raw.prepare('select 1 from sqlite_schema where name = ?').get(Later) !== undefined

/** Of databases whose index may lack what was noted for later: what brings it up to date. */
const onDemand = new WeakMap<Connection, () => void>()

/** `bring` is called, once, when something of a database is first looked for by its index; if that lacks anything. */
export function indexOnDemand(db: Connection, bring: () => void): void {
  if (hasLater(db) || db.get(searchIndexing.areMany) !== undefined) onDemand.set(db, bring)
}

/** Whether the index lacks what was left for later. */
export const isIndexBehind = (db: Connection): boolean => onDemand.has(db)

/**
 * To be called before the index of the search is read: that of an earlier state is brought up to date when that first
 * happens.
 */
export function demandIndex(db: Connection): void {
  const bring = onDemand.get(db)
  onDemand.delete(db)
  bring?.()
}
