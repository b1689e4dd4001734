import type Database from 'better-sqlite3'
import { compileRegex } from '../lib/regex.ts'
import { rangeName, rangeOf, unpackHost } from '../lib/ip.ts'
import { shortList } from '../lib/numbers.ts'

export type Statement = Database.Statement<unknown[]>

/** First and last address, packed, of the network of a packed address. */
const networkRange = (host: unknown, mask: unknown) => rangeOf({ ...unpackHost(host as Buffer), length: Number(mask) })

/** Whether an error says that another connection holds the database. */
export const isBusy = (error: unknown): boolean =>
  String((error as { code?: unknown } | null)?.code).startsWith('SQLITE_BUSY')

/** Prepared statements kept; past this the oldest goes. */
const MaxStatements = 4000

/**
 * The connection. Every statement is prepared here once and kept; one that writes raises the version of its table,
 * which is how caches of derived data know that they are out of date.
 */
export class Connection {
  readonly raw: Database.Database
  readonly #statements = new Map<string, Statement>()
  readonly #versions = new Map<string, number>()

  readonly #dataVersion: Statement
  #seen: number | undefined
  readonly #tables: readonly string[]

  constructor(raw: Database.Database) {
    this.raw = raw
    this.#dataVersion = raw.prepare('pragma data_version').pluck() as Statement
    this.#tables = raw.prepare("select name from sqlite_schema where type = 'table'").pluck().all() as string[]
    raw.function('fold', { deterministic: true }, (text: unknown) =>
      typeof text === 'string' ? text.toLowerCase() : text,
    )
    raw.function('ip_range_name', { deterministic: true }, (first: unknown, last: unknown) =>
      rangeName(String(first), String(last)),
    )
    raw.function(
      'network_first',
      { deterministic: true },
      (host: unknown, mask: unknown) => networkRange(host, mask).first,
    )
    raw.function(
      'network_last',
      { deterministic: true },
      (host: unknown, mask: unknown) => networkRange(host, mask).last,
    )
    raw.function('port_list', { deterministic: true }, (ports: unknown) =>
      shortList(JSON.parse(String(ports ?? '[]')) as number[]),
    )
    raw.function('regex_match', { deterministic: true }, (pattern: unknown, text: unknown, insensitive: unknown) =>
      text === null
        ? null
        : Number(compileRegex(String(pattern), { insensitive: insensitive === 1 })?.(String(text)) ?? false),
    )
  }

  /** A prepared statement; the same text gives the same one. */
  prepare(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.raw.prepare(sql) as Statement
    if (!statement.readonly) this.#watch(statement, sql)
    if (this.#statements.size >= MaxStatements) this.#statements.delete(this.#statements.keys().next().value as string)
    this.#statements.set(sql, statement)
    return statement
  }

  get<T>(sql: string, ...values: unknown[]): T | undefined {
    return this.prepare(sql).get(...values) as T | undefined
  }

  all<T>(sql: string, ...values: unknown[]): T[] {
    return this.prepare(sql).all(...values) as T[]
  }

  run(sql: string, ...values: unknown[]): Database.RunResult {
    return this.prepare(sql).run(...values)
  }

  /** How often a table was written since the server started. */
  version(table: string): number {
    return this.#versions.get(table) ?? 0
  }

  /** Sum of the versions of some tables: unchanged while none of them is written. */
  stamp(tables: Iterable<string>): number {
    let sum = 0
    for (const table of tables) sum += this.#versions.get(table) ?? 0
    return sum
  }

  #watch(statement: Statement, sql: string): void {
    const table = /^\s*(?:insert(?: or \w+)? into|update(?: or \w+)?|delete from|replace into)\s+"?(\w+)"?/i.exec(
      sql,
    )?.[1]
    if (!table) return
    const run = statement.run.bind(statement)
    statement.run = (...values: unknown[]) => {
      this.#versions.set(table, (this.#versions.get(table) ?? 0) + 1)
      return run(...values)
    }
  }

  /** Notices what another process wrote (the command line beside a running server), so that nothing derived stays out of date. */
  sync(): void {
    const version = this.#dataVersion.get() as number
    if (version !== this.#seen) {
      if (this.#seen !== undefined)
        for (const table of this.#tables) this.#versions.set(table, (this.#versions.get(table) ?? 0) + 1)
      this.#seen = version
    }
  }

  /** Forgets nothing but says that a table changed by other means (a rollback). */
  touchAll(): void {
    for (const [table, version] of this.#versions) this.#versions.set(table, version + 1)
  }
}
