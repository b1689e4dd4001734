import type Database from 'better-sqlite3'
import { q } from '../lib/sql.ts'

/** Rows of a table below which every plan does; different values that are counted. */
const [FewRows, MostValues] = [5000, 300]

/** Entries of an index that SQLite looks at; so many times as many rows as were estimated are worth another look. */
const [Looked, Much] = [2000, 10]
/**
 * Rows from which on an estimate serves larger tables as well, as parts of them stay what they are: SQLite counts all
 * entries of an index for each, some 20 ms for a million.
 */
const Enough = 500_000
/** Rows that are looked for, some 2 ms, where the last id says that there may be more: in a kit ids begin far up. */
const MaxSought = 100_000

/**
 * Estimates of tables without ids that hold whatever their size, by index. For its own, SQLite would count all of their
 * pages: those of the history are most of a database.
 */
const Fixed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // A step changes some 30 rows, and one row changes now and then.
  history_row: { history_row: '1000000 30 25 1', history_row_of_ix: '1000000 40000 4 1' },
}

/**
 * Has SQLite estimate what has grown since it last did, for the choice of indexes. It looks at some 2000 entries of
 * each, so that a value which 10,000 rows share counts as one of 240; where an index has few values they are counted.
 */
export function estimate(raw: Database.Database): void {
  const indexes = new Growth(raw).indexes()
  const all = () => {
    for (const index of indexes) estimateIndex(raw, index)
  }
  if (indexes.length) raw.transaction(all)() // one wait for the disk
  if (!hasEstimates(raw)) return
  const found = raw.prepare('select idx from sqlite_stat1 where idx is not null').pluck().all() as string[]
  let isSet = false
  for (const index of found) isSet = (!isFixed(index) && correct(raw, index)) || isSet
  if (fix(raw) || isSet) raw.exec('analyze sqlite_schema')
}

/** Whether a connection has written so much that plans may be others. */
export const hasChangedMuch = (raw: Database.Database): boolean =>
  (raw.prepare('select total_changes()').pluck().get() as number) >= FewRows

const hasEstimates = (raw: Database.Database): boolean =>
  raw.prepare("select 1 from sqlite_schema where name = 'sqlite_stat1'").get() !== undefined

const isFixed = (index: string): boolean => Object.values(Fixed).some((stats) => index in stats)

/** Sets the estimates that are fixed; answers whether they were others. */
function fix(raw: Database.Database): boolean {
  const isThere = raw.prepare('select 1 from sqlite_schema where name = ?').pluck()
  let isSet = false
  for (const [table, stats] of Object.entries(Fixed)) {
    if (!isThere.get(table)) continue
    const known = raw.prepare('select idx, stat from sqlite_stat1 where tbl = ?').raw().all(table) as [string, string][]
    if (known.length === Object.keys(stats).length && known.every(([index, stat]) => stats[index] === stat)) continue
    for (const kept of ['sqlite_stat1', 'sqlite_stat4'])
      if (isThere.get(kept)) raw.prepare(`delete from ${kept} where tbl = ?`).run(table)
    const set = raw.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)')
    for (const [index, stat] of Object.entries(stats)) set.run(table, index, stat)
    isSet = true
  }
  return isSet
}

/** Has SQLite estimate one index, or a table; for `publish` to be used. */
export function estimateIndex(raw: Database.Database, index: string): void {
  const before = raw.pragma('analysis_limit', { simple: true })
  raw.pragma(`analysis_limit = ${Looked}`)
  raw.exec(`analyze ${q(index)}`)
  raw.pragma(`analysis_limit = ${before}`)
  correct(raw, index)
}

/** Has every connection know the estimates as they are now: a changed schema is read anew, and plans with it. */
export function publish(raw: Database.Database): void {
  fix(raw)
  raw.exec('analyze sqlite_schema; create view estimates_changed as select 1; drop view estimates_changed')
}

/** What has grown since it was last estimated. */
export class Growth {
  readonly #raw: Database.Database
  readonly #last: Database.Statement
  readonly #known: Map<string, number>
  readonly #withoutIds: readonly string[]

  constructor(raw: Database.Database) {
    this.#raw = raw
    const tables = raw
      .prepare("select name, wr from pragma_table_list where schema = 'main' and type = 'table'")
      .all() as { name: string; wr: number }[]
    const [withIds, others] = [tables.filter(({ wr }) => !wr), tables.filter(({ wr }) => wr)]
    this.#withoutIds = others.map(({ name }) => name).filter((name) => !(name in Fixed))
    // A compound select has 500 terms at most.
    const lasts = withIds.map(({ name }) => `'${name}', (select max(rowid) from ${q(name)})`)
    this.#last = raw.prepare(
      `select value ->> 0 as name, value ->> 1 as last from json_each(json_array(${lasts
        .map((each) => `json_array(${each})`)
        .join(', ')}))`,
    )
    const known = hasEstimates(raw)
      ? raw.prepare('select tbl, max(cast(stat as integer)) from sqlite_stat1 group by tbl').raw().all()
      : []
    this.#known = new Map(known as [string, number][])
  }

  /** Rows that were estimated last; as many as there can be where there is no need for more. */
  #rowsOf(table: string): number {
    const known = this.#known.get(table) ?? 0
    return known < Enough ? known : Infinity
  }

  #holds(table: string, rows: number): boolean {
    return this.#raw.prepare(`select 1 from ${q(table)} limit 1 offset ${rows - 1}`).get() !== undefined
  }

  /**
   * Indexes of tables that have grown much since this was last asked, or estimated; tables without ids, of which nobody
   * knows, along with others.
   */
  indexes(): string[] {
    const grown = (this.#last.all() as { name: string; last: number | null }[]).filter(({ name, last }) => {
      const rows = Math.max(FewRows, Much * this.#rowsOf(name))
      return (last ?? 0) >= rows && this.#holds(name, Math.min(rows, MaxSought))
    })
    for (const { name, last } of grown) this.#known.set(name, last!)
    const indexesOf = this.#raw.prepare('select name from pragma_index_list(?)').pluck()
    const indexes = grown.flatMap(({ name }) => indexesOf.all(name) as string[])
    return indexes.length ? [...indexes, ...this.#withoutIds] : []
  }
}

/** Sets right what SQLite guessed of an index with few values; answers whether it did. */
function correct(raw: Database.Database, index: string): boolean {
  const found = raw.prepare('select tbl, stat from sqlite_stat1 where idx = ?').get(index)
  if (found === undefined) return false
  const { tbl, stat } = found as { tbl: string; stat: string }
  const [rows, each, ...rest] = stat.split(' ').map(Number) as [number, number, ...number[]]
  if (!(rows >= FewRows) || Number.isNaN(each)) return false
  const values = valuesOf(raw, tbl, index)
  const right = values === undefined || values === 0 ? each : Math.max(1, Math.round(rows / values))
  if (right <= each * 1.5) return false
  raw.prepare('update sqlite_stat1 set stat = ? where idx = ?').run([rows, right, ...rest].join(' '), index)
  return true
}

/**
 * How many different values the first column of an index has, by jumps along it; undefined where they are many. The
 * index is named: by what it knew before, SQLite may walk along another for each jump.
 */
function valuesOf(raw: Database.Database, table: string, index: string): number | undefined {
  const column = raw.prepare('select name from pragma_index_xinfo(?) where seqno = 0').pluck().get(index) as
    | string
    | null
  if (column === null) return undefined // an expression
  const sql = raw.prepare("select sql from sqlite_schema where type = 'index' and name = ?").pluck().get(index)
  const partial = /\swhere\s(.*)$/is.exec(String(sql))?.[1] ?? 'true'
  const along = sql === undefined ? '' : `indexed by ${q(index)}` // a table without ids goes by its own name
  const first = (where: string) =>
    raw
      .prepare(
        `select ${q(column)} from ${q(table)} ${along}
          where ${partial} and ${q(column)} ${where} order by ${q(column)} limit 1`,
      )
      .pluck()
  const next = first('> +?')
  let value = first('is not null').get()
  let n = 0
  while (value !== null && value !== undefined) {
    if (++n > MostValues) return undefined
    value = next.get(value)
  }
  return n
}
