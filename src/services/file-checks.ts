import { statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { SearchTable } from '../engine/search.ts'
import { q } from '../lib/sql.ts'
import type { Store } from '../store/open.ts'
import { found, type Outcome } from './derived.ts'
import { inRanges, pauseCheck } from './id-ranges.ts'

/** Bytes of a file, and rows of a table, that are looked through at once. */
const Small = { file: 256 * 2 ** 20, rows: 200_000 }

/**
 * Damage of the file: in a large one table by table, and in large tables row by row, since SQLite keeps in its log what
 * is written during each look. Pages that belong to no table are then left to `backup --verify`, which looks through a
 * copy at once.
 */
export function integrity(store: Store, small = Small.file): Outcome {
  const { raw } = store.db
  if (raw.inTransaction || sizeOf(raw.name) <= small) return found(problemsOf(raw, ''))
  const tables = raw.prepare("select name from sqlite_schema where type = 'table'").pluck().all() as string[]
  return found(
    tables.flatMap((table, i) => {
      const problems = faultsOf(store, table) ?? problemsOf(raw, `(${q(table)})`)
      pauseCheck(store, i + 1, tables.length)
      return problems
    }),
  )
}

/** Whether an error, or what it came of, says that the file of a database is damaged. */
export const isDamage = (error: unknown): boolean =>
  [error, (error as Error | null)?.cause].some((each) =>
    /^SQLITE_(?:CORRUPT|NOTADB)/.test(String((each as { code?: unknown } | null | undefined)?.code)),
  )

/** Whether the file of a database is whole: a small one as far as a look through its pages tells. */
export function isSound(store: Store, small = Small.file): boolean {
  const { raw } = store.db
  try {
    if (sizeOf(raw.name) > small) return integrity(store, small).problems.length === 0
    return raw.pragma('quick_check(1)', { simple: true }) === 'ok'
  } catch (error) {
    if (isDamage(error)) return false // too much to be looked through
    throw error
  }
}

const problemsOf = (raw: Database.Database, what: string): string[] =>
  atOnce(raw, () => refreshed(raw).pragma(`integrity_check${what}`) as { integrity_check: string }[])
    .map((row) => row.integrity_check)
    .filter((text) => text !== 'ok')

/**
 * What is wrong with the rows of a large table: each is read whole, and looked up by its id and in each of its indexes,
 * which are to have as many entries as each other. Undefined for tables that are small, or cannot be looked at so.
 */
export function faultsOf(store: Store, table: string, many = Small.rows): string[] | undefined {
  const { raw } = store.db
  try {
    const look = lookAt(raw, table)
    if (!look || (look.last.get() as number) <= many) return undefined
    const missing = inRanges(store, table, (range) =>
      (look.rows.all(range) as { id: number; lacks: string }[]).flatMap(({ id, lacks }) =>
        lacks
          .trimEnd()
          .split('\n')
          .map((way) => `row ${id} missing from ${way}`),
      ),
    )
    const counts = Object.entries((look.counts?.get() ?? {}) as Record<string, number>)
    const least = Math.min(...counts.map(([, count]) => count))
    const tooMany = counts.filter(([, count]) => count > least).map(([name]) => `wrong # of entries in index ${name}`)
    return [...missing, ...(missing.length ? [] : tooMany)]
  } catch (error) {
    if (!isDamage(error)) throw error
    return [`table ${table}: ${(error as Error).message}`]
  }
}

/** How a table is looked at. */
interface Look {
  last: Database.Statement
  /** Selects those rows that are not found in each of the ways to them, and in which they are not. */
  rows: Database.Statement
  /** Selects how many entries those indexes have that hold all rows. */
  counts: Database.Statement | undefined
}

/** Undefined for what is no table of rows with ids, or has indexes of expressions. */
function lookAt(raw: Database.Database, table: string): Look | undefined {
  const columns = raw.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[]
  const isTable = raw.prepare("select 1 from pragma_table_list(?) where schema = 'main' and type = 'table' and not wr")
  const hasIds = raw.prepare("select 1 from pragma_table_info(?) where name = 'id' and pk and type like 'integer'")
  if (!isTable.get(table) || !hasIds.get(table)) return undefined
  const indexes = raw
    .prepare(
      `select l.name, s.sql, (select json_group_array(x.name) from pragma_index_xinfo(l.name) x where x.key) as columns
        from pragma_index_list(?) l left join sqlite_schema s on s.name = l.name`,
    )
    .all(table) as { name: string; sql: string | null; columns: string }[]
  const full = indexes.filter(({ sql }) => !/\swhere\s/i.test(sql ?? ''))
  const counts = full.map(({ name }) => {
    // Without the condition SQLite counts the entries of the smallest index, whichever is named.
    return `(select count(*) from ${q(table)} indexed by ${q(name)} where +id is not 0) as ${q(name)}`
  })
  const lacks = indexes.map(({ name, sql, columns: keys }) => {
    const where = /\swhere\s(.*)$/is.exec(sql ?? '')?.[1] ?? 'true'
    const isSame = (JSON.parse(keys) as (string | null)[]).map((key) => `i.${q(key ?? '')} is t.${q(key ?? '')}`)
    return `iif((${where}) and not exists (
      select 1 from ${q(table)} i indexed by ${q(name)} where (${where}) and ${isSame.join(' and ')} and i.id = t.id
    ), ${text(`index ${name}\n`)}, '')`
  })
  const byId = `iif(exists (select 1 from ${q(table)} i where i.id = t.id), '', ${text(`table ${table}\n`)})`
  const read = columns.map((column) => `coalesce(length(t.${q(column)}), 0)`).join(' + ')
  try {
    return {
      last: raw.prepare(`select max(id) from ${q(table)}`).pluck(),
      rows: raw.prepare(`select id, lacks from (
        select t.id, ${[byId, ...lacks].join(' || ')} as lacks, ${read} as read
          from ${q(table)} t not indexed where t.id between :from and :to
      ) where lacks <> '' or read < 0`),
      counts: counts.length ? raw.prepare(`select ${counts.join(', ')}`) : undefined,
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_ERROR') return undefined // SQLite cannot do it this way
    throw error
  }
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** Reads of one state of the data. */
function atOnce<T>(raw: Database.Database, work: () => T): T {
  return raw.inTransaction ? work() : raw.transaction(work)()
}
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** A look at the index makes FTS5 forget what it knew before others wrote, which its own check takes for damage. */
function refreshed(raw: Database.Database): Database.Database {
  raw.prepare(`select 1 from ${SearchTable} where ${SearchTable} match '"nothing"' limit 1`).get()
  return raw
}
