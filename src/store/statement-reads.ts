import type Database from 'better-sqlite3'
import { q } from '../lib/sql.ts'
import type { Columns, Reads } from './versions.ts'

/** What a SELECT depends on: columns by table, those apart that it reads of the row of one alias. */
interface Reading {
  reads: Reads
  /** Columns of the alias asked for; undefined where they cannot be told from those of others. */
  own: ReadonlySet<string> | undefined
}

/** An alias of a table, by its place in the outermost FROM: SQLite numbers cursors in that order. */
interface Row {
  place: number
  table: string
}

/** A table, or an index of one. Of its columns SQLite is asked when they are first wanted: there are a thousand. */
class Source<C> {
  readonly table: string
  readonly #find: () => C
  #columns: C | undefined

  constructor(table: string, find: () => C) {
    this.table = table
    this.#find = find
  }

  get columns(): C {
    this.#columns ??= this.#find()
    return this.#columns
  }
}

/** Tables and indexes by the page where they begin. */
interface Schema {
  version: number
  tables: ReadonlyMap<number, Source<readonly string[]>>
  indexes: ReadonlyMap<number, Source<Columns>>
  /** Finds the name of a virtual table, or of one behind it, in the text of a statement. */
  virtual: RegExp | undefined
}
const schemas = new WeakMap<Database.Database, Schema>()

interface Step {
  opcode: string
  p1: number
  p2: number
  p3: number
}
/** Cursors over what the statement itself makes. */
const Own = new Set(['OpenEphemeral', 'OpenAutoindex', 'OpenPseudo', 'SorterOpen', 'OpenDup', 'VOpen'])
/** Steps that read no row, though they begin with a number that may be that of a cursor. */
const Rowless = new Set('Close Copy Count Goto Halt Init Integer Null ResultRow SCopy Transaction'.split(' '))
/** Steps that read a whole row. */
const Whole = new Set(['RowData', 'RowCell', 'SorterData'])

/**
 * What a SELECT reads, as SQLite's own program for it says; undefined where that does not tell (virtual tables).
 * Whatever is compared, ordered by, or shown is a column of an open table or index, so a change of others cannot change
 * the result. `row`: an alias whose columns are told apart.
 */
export function statementReads(raw: Database.Database, sql: string, values: object, row?: Row): Reading | undefined {
  const schema = schemaOf(raw)
  if (schema.virtual?.test(sql)) return undefined
  const steps = raw.prepare(`explain ${sql}`).all(values) as Step[]
  const reads = new Map<string, Columns>()
  const own = new Set<string>()
  const cursors = new Map<number, { table: string; columns?: readonly string[]; all?: Columns }>()
  const add = (table: string, columns: Columns): void => {
    const known = reads.get(table)
    reads.set(table, known === 'all' || columns === 'all' ? 'all' : new Set([...(known ?? []), ...columns]))
  }
  const isOwn = steps.some(
    ({ opcode, p1, p2 }) => opcode === 'OpenRead' && p1 === row?.place && schema.tables.get(p2)?.table === row.table,
  )
  for (const { opcode, p1, p2, p3 } of steps) {
    if (opcode === 'OpenRead' || opcode === 'ReopenIdx') {
      const table = schema.tables.get(p2)
      const index = schema.indexes.get(p2)
      if (p3 !== 0 || (!table && !index) || (cursors.has(p1) && cursors.get(p1)!.table !== (table ?? index)!.table))
        return undefined
      cursors.set(
        p1,
        table ? { table: table.table, columns: table.columns } : { table: index!.table, all: index!.columns },
      )
      if (!isOwn || p1 !== row?.place) add(cursors.get(p1)!.table, new Set())
      continue
    }
    const cursor = cursors.get(p1)
    if (!cursor || Rowless.has(opcode)) {
      if (/^Open/.test(opcode) && !Own.has(opcode)) return undefined
      continue
    }
    if (cursor.all) add(cursor.table, cursor.all)
    else if (Whole.has(opcode)) add(cursor.table, 'all')
    else if (opcode === 'Column') {
      const column = cursor.columns![p2]
      if (column === undefined) return undefined
      if (isOwn && p1 === row?.place) own.add(column)
      else add(cursor.table, new Set([column]))
    }
  }
  return { reads, own: isOwn ? own : undefined }
}

function schemaOf(raw: Database.Database): Schema {
  const version = raw.pragma('schema_version', { simple: true }) as number
  const known = schemas.get(raw)
  if (known?.version === version) return known
  const tables = new Map<number, Source<readonly string[]>>()
  const indexes = new Map<number, Source<Columns>>()
  const virtual: string[] = []
  const rows = raw
    .prepare("select type, name, tbl_name, rootpage, sql from sqlite_schema where type in ('table', 'index')")
    .all() as { type: string; name: string; tbl_name: string; rootpage: number; sql: string | null }[]
  for (const { type, name, tbl_name: table, rootpage, sql } of rows)
    if (type === 'index' && isPartial(sql)) indexes.set(rootpage, new Source<Columns>(table, () => 'all'))
    else if (type === 'index') indexes.set(rootpage, new Source(table, () => columnsOfIndex(raw, name)))
    else if (rootpage) tables.set(rootpage, new Source(name, () => columnsOfTable(raw, name)))
    else virtual.push(name)
  const behind = [...tables.values()]
    .map(({ table }) => table)
    .filter((name) => virtual.some((of) => name.startsWith(`${of}_`)))
  const made = {
    version,
    tables,
    indexes,
    virtual: virtual.length ? new RegExp(`\\b(?:${[...virtual, ...behind].join('|')})\\b`, 'i') : undefined,
  }
  schemas.set(raw, made)
  return made
}

function columnsOfTable(raw: Database.Database, name: string): string[] {
  const columns = raw.pragma(`table_info(${q(name)})`) as { name: string }[]
  return columns.map((column) => column.name)
}

const isPartial = (sql: string | null): boolean => /\)\s*where\b/i.test(sql ?? '')

/** Those that an index holds; `all` where it depends on more than them. */
function columnsOfIndex(raw: Database.Database, name: string): Columns {
  const columns = raw.pragma(`index_xinfo(${q(name)})`) as { cid: number; name: string | null }[]
  if (columns.some(({ cid }) => cid < -1)) return 'all'
  return new Set(columns.flatMap((column) => (column.name === null ? [] : [column.name])))
}
