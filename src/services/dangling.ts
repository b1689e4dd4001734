import type { Field } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { allModels, fieldsOf, genericPrefix, models } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Connection } from '../store/database.ts'

/** A reference to a row that is not there. */
interface Dangling {
  table: string
  rowid: number
  /** Its columns, which become null together; a row that needs them cannot be without. */
  columns: readonly string[]
  isNeeded: boolean
  /** The table or model of what is missing. */
  parent: string
}

interface Broken {
  table: string
  rowid: number
  parent: string
  fkid: number
}

/** What is kept of foreign keys in the schema: column and whether it may be null, by table and number of the key. */
function keysOf(db: Connection): (table: string, key: number) => { column: string; isNeeded: boolean } {
  const known = new Map<string, Map<number, { column: string; isNeeded: boolean }>>()
  return (table, key) => {
    if (!known.has(table)) {
      const columns = db.raw.pragma(`table_info(${q(table)})`) as { name: string; notnull: number }[]
      const keys = db.raw.pragma(`foreign_key_list(${q(table)})`) as { id: number; from: string }[]
      const isNeeded = (name: string) => columns.find((column) => column.name === name)?.notnull === 1
      known.set(table, new Map(keys.map(({ id, from }) => [id, { column: from, isNeeded: isNeeded(from) }])))
    }
    return known.get(table)!.get(key)!
  }
}

/**
 * Every reference to a row that is not there: foreign keys and generic references, those of change records apart.
 * `resting` is called between statements.
 */
export function danglingReferences(db: Connection, resting = () => {}): Dangling[] {
  const key = keysOf(db)
  const tables = db.raw.prepare("select name from sqlite_schema where type = 'table'").pluck().all() as string[]
  const keyed = tables.flatMap((name) => {
    const broken = db.raw.pragma(`foreign_key_check(${q(name)})`) as Broken[]
    resting()
    return broken.map(({ table, rowid, parent, fkid }): Dangling => {
      const { column, isNeeded } = key(table, fkid)
      return { table, rowid, columns: [column], isNeeded, parent }
    })
  })
  const generic = allModels.flatMap((m) =>
    fieldsOf(m).flatMap(([name, field]) =>
      field.generic?.onDelete === 'cascade' ? genericOf(db, m, name, field, resting) : [],
    ),
  )
  return [...keyed, ...generic]
}

function genericOf(db: Connection, m: AnyModel, name: string, field: Field, resting: () => void): Dangling[] {
  const [type, id] = [`${genericPrefix(field, name)}_type`, `${genericPrefix(field, name)}_id`]
  const columns = field.columns(name)
  if (!(id in columns)) return []
  const types = db.all<{ type: string }>(
    `select distinct ${q(type)} as type from ${q(m.table)} where ${q(id)} is not null`,
  )
  return types.flatMap(({ type: parent }) => {
    resting()
    const target = models[parent]
    const missing = target ? `and not exists (select 1 from ${q(target.table)} o where o.id = t.${q(id)})` : ''
    return db
      .all<{ id: number }>(
        `select t.id from ${q(m.table)} t where t.${q(type)} = ? and t.${q(id)} is not null ${missing}`,
        parent,
      )
      .map((row): Dangling => {
        const isNeeded = !columns[id]!.null
        return { table: m.table, rowid: row.id, columns: columns[type]?.null ? [type, id] : [id], isNeeded, parent }
      })
  })
}

/** A row that is worked out from others, or a column that is: it can be made anew. */
export const isDerived = ({ table, columns }: Dangling): boolean =>
  columns.every((name) => name.startsWith('_')) || Derived.has(table)
/** Tables of which every row is worked out from others. */
export const Derived: ReadonlySet<string> = new Set(['dcim_cablepath', 'dcim_cablepathnode'])

/** Takes references back: the columns become null, or the row goes. Answers whether there was something to do. */
export function takeBack(db: Connection, { table, rowid, columns, isNeeded }: Dangling): boolean {
  const sql = isNeeded
    ? `delete from ${q(table)} where rowid = ?`
    : `update ${q(table)} set ${columns.map((name) => `${q(name)} = null`).join(', ')} where rowid = ?`
  return db.run(sql, rowid).changes > 0
}

/** Passes: rows that are deleted may leave other references dangling. */
const MaxRounds = 50

/**
 * Takes back every such reference. Answers how many of each kind: `dcim.cable: bundle` or `dcim.cable: left out`, with
 * what is missing.
 */
export function takeBackAll(db: Connection): Map<string, number> {
  const done = new Map<string, number>()
  for (let round = 0; round < MaxRounds; round++) {
    const dangling = danglingReferences(db)
    if (dangling.length === 0) break
    for (const each of dangling) {
      if (!takeBack(db, each)) continue
      const [owner, column] = partOf(each)
      const what = `${owner}: ${column}, because its ${nameOf(each.parent)} is not here`
      done.set(what, (done.get(what) ?? 0) + 1)
    }
  }
  return done
}

/**
 * The model whose reference it is, and its field; a row that goes is left out, but for a link, which is one of a field.
 */
function partOf({ table, columns, isNeeded }: Dangling): [owner: string, field: string] {
  const own = allModels.find((m) => m.table === table)
  if (own) return [own.name, isNeeded ? 'left out' : columns.at(-1)!.replace(/_id$/, '')]
  const linked = allModels.find((m) => table.startsWith(`${m.table}_`) && m.fields[table.slice(m.table.length + 1)])
  return linked ? [linked.name, table.slice(linked.table.length + 1)] : [table, 'left out']
}

const nameOf = (parent: string): string => allModels.find(({ table }) => table === parent)?.name ?? parent

/** One sentence about a reference to what is not there. */
export const said = ({ table, rowid, parent, columns }: Dangling): string =>
  `${table} ${rowid} refers to a missing row of ${nameOf(parent).replace('.', '_')} (${columns.at(-1)})`
