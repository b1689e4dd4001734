import type Database from 'better-sqlite3'
import { Lru } from '../lib/lru.ts'
import { sqlFunctions } from '../lib/sql-functions.ts'
import { Additions } from './additions.ts'
import { type Change, Changes, EveryTable, everything } from './changes.ts'
import type { CommitNumber } from './commit-number.ts'
import type { Keeping } from './keeping.ts'
import { KnownRows } from './known-rows.ts'
import { statementChange, tableOf } from './statement-changes.ts'
import { type IdRange, idsOf, Kits, refusePastLastId, withId } from './own-ids.ts'
import { SlowStatements } from './slow-statements.ts'
import { type Reads, Versions } from './versions.ts'

export type Statement = Database.Statement<unknown[]>

/** Registers the SQL functions that statements of all tables use. */
function ownFunctions(raw: Database.Database): void {
  for (const [name, run] of Object.entries(sqlFunctions)) raw.function(name, { deterministic: true }, run)
  refusePastLastId(raw)
}

/** Whether an error is SQLITE_BUSY: another connection holds the lock. */
export const isBusy = (error: unknown): boolean =>
  String((error as { code?: unknown } | null)?.code).startsWith('SQLITE_BUSY')

/**
 * A statement that is prepared once: of a bound LIMIT, OFFSET or pattern SQLite looks at the value for its plan, and so
 * prepares the statement anew each time that it is given another one, or the same. An expression it takes as it comes.
 */
const steady = (sql: string): string => sql.replaceAll(/\b(limit|offset|like|glob)\s+(?=[:?@$])/gi, '$1 +')

/** Prepared statements kept, of some 35 KB each; past this one goes that nobody asked for lately. */
const MaxStatements = 2000

/** What sees to it that work does not take long, and ends it where it would. */
interface Pace {
  /** Rows that one statement may take. */
  rows: number
  /**
   * Called before each statement that is asked for by its text, and of some with the number of rows that it is about to
   * take; what it throws ends the work.
   */
  check: (rows?: number) => void
}

/**
 * The connection. Every statement is prepared here once and kept; one that writes says what it changes, which is how
 * what is kept of derived data knows that it is out of date.
 *
 * Who keeps something derived either compares `stampOf` what it read, or is told of each change by `onChange`. Both
 * hold at once, inside the transaction too, and a rollback says again what it undid. Connections of other threads call
 * `changed` with what `onCommit` gave them of a commit, before or while their reads begin to show it. Where nobody
 * tells of all commits, `pragma data_version` says that there was one, and `explain` is asked whether that was told;
 * where it was not, everything counts as changed.
 */
export class Connection {
  #raw: Database.Database
  readonly #statements = new Lru<string, Statement>(MaxStatements)
  readonly #versions = new Versions()
  readonly #listeners = new Set<(change: Change) => void>()

  #dataVersion: Statement
  /** What gives a connection the functions of our own, in the order in which they were given. */
  readonly #lessons: ((raw: Database.Database) => void)[] = []
  /** The version of the data that was last seen: from the beginning, as what is read then is kept. */
  #seen: number
  /** What was changed since the innermost transaction or savepoint began; undefined outside. */
  #since: Changes | undefined
  /** Told of what was committed, after each commit that changed something. */
  onCommit: ((changes: readonly Change[]) => void) | undefined
  /** What sees to it that earlier states are kept. */
  keeping: Keeping | undefined
  /** Called at the end of each transaction that changed something, inside it. */
  finishing: () => void = () => {}
  /** Called after that, when nothing but the commit follows, and when there was none. */
  committing: { begin: () => void; fail: () => void } | undefined
  /** Rows that were added, and what notes them. */
  readonly added = new Additions()
  readonly rows = new KnownRows(this)
  /**
   * Asked when others committed something: tells what that was by `changed` and answers true, or false where it does
   * not know.
   */
  explain: () => boolean = () => false
  /** Somebody tells of whatever others commit, so that nobody has to look. */
  isTold = false
  /** Numbers all commits to this database: to see that there was none takes a tenth of what SQLite takes for it. */
  commits: CommitNumber | undefined
  /** The number of the last one when SQLite was last asked. */
  #number: number | undefined

  constructor(raw: Database.Database) {
    this.#raw = raw
    this.#dataVersion = raw.prepare('pragma data_version').pluck() as Statement
    this.#seen = this.#dataVersion.get() as number
    this.teach(ownFunctions)
  }

  /** The database itself: another one after `replace`. */
  get raw(): Database.Database {
    return this.#raw
  }

  /** Gives the database functions, and any that takes its place. */
  teach(lesson: (raw: Database.Database) => void): void {
    this.#lessons.push(lesson)
    lesson(this.#raw)
  }

  /** Gives one more connection to the same database the functions that this one has. */
  teachTo(raw: Database.Database): void {
    for (const lesson of this.#lessons) lesson(raw)
  }

  /**
   * Goes on with another database of the same shape: nothing that was read of the one before counts any more. It is
   * closed.
   */
  replace(raw: Database.Database): void {
    const before = this.#raw
    for (const lesson of this.#lessons) lesson(raw)
    this.#statements.clear()
    this.commits = undefined
    this.#raw = raw
    this.#dataVersion = raw.prepare('pragma data_version').pluck() as Statement
    this.#seen = this.#dataVersion.get() as number
    before.close()
    this.touchAll()
  }

  readonly slow = new SlowStatements()

  /**
   * Where rows came from other copies of this inventory: the ids that this one gives, from the first up to but not the
   * second.
   */
  #ownIds: IdRange | undefined
  #areIdsKnown = false

  #lookAtIds(): void {
    this.#areIdsKnown = true
    const range = idsOf(this.raw)
    if (range?.from === this.#ownIds?.from) return
    this.#ownIds = range
    this.#statements.clear()
  }

  /** A prepared statement; the same text gives the same one. */
  prepare(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const given = this.#ownIds && this.keeping ? withId(sql, this.keeping.tables, this.#ownIds) : sql
    const statement = this.#raw.prepare(steady(given)) as Statement
    if (!statement.readonly) this.#watch(statement, sql)
    this.slow.watch(this.#raw, statement, sql)
    this.#statements.set(sql, statement)
    return statement
  }

  /** Where work is not to take long. */
  pace: Pace | undefined

  get<T>(sql: string, ...values: unknown[]): T | undefined {
    this.pace?.check()
    return this.prepare(sql).get(...values) as T | undefined
  }

  all<T>(sql: string, ...values: unknown[]): T[] {
    this.pace?.check()
    return this.prepare(sql).all(...values) as T[]
  }

  run(sql: string, ...values: unknown[]): Database.RunResult {
    this.pace?.check()
    return this.prepare(sql).run(...values)
  }

  /** How often a table was written since the connection was made. */
  version(table: string): number {
    return this.#versions.of(table)
  }

  /** Sum of the versions of some tables: unchanged while none of them is written. */
  stamp(tables: Iterable<string>): number {
    return this.#versions.sum(tables)
  }

  /** A sum that is unchanged while nothing of what was read is: rows that come or go, and those columns. */
  stampOf(reads: Reads): () => number {
    return this.#versions.sumOf(reads)
  }

  /** From now on `listener` is told of each change, at once, until what this answers is called. */
  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Says that rows changed: of this connection's own statements, or of what another committed. */
  changed(change: Change): void {
    this.#since?.add(change)
    this.#tell(change)
  }

  #tell(change: Change): void {
    const { table } = change
    if (table === EveryTable || table === Kits) this.#areIdsKnown = false
    this.#versions.note(change)
    for (const listener of this.#listeners) listener(change)
  }

  /**
   * Runs a statement that changes what is said, where that is more exact than what its text tells; of one that adds a
   * row by the row's id.
   */
  runFor(change: Change | ((inserted: number) => Change), sql: string, ...values: unknown[]): Database.RunResult {
    this.pace?.check()
    this.#told = change
    try {
      return this.prepare(sql).run(...values)
    } finally {
      this.#told = undefined
    }
  }
  #told: Change | ((inserted: number) => Change) | undefined

  /**
   * A number that stays while the open transaction only adds and changes rows, which `version` tells; undefined where
   * none is open. After a deletion, which may take rows of other tables along, it is another one.
   */
  get unbroken(): number | undefined {
    return this.#since ? this.#breaks : undefined
  }
  #breaks = 0

  /** A number that stays while the same transaction is open; undefined where none is. */
  get transaction(): number | undefined {
    return this.#since ? this.#begun : undefined
  }
  #begun = 0

  /** Does `work` in a savepoint, or in a transaction where there is none; what it throws undoes it. */
  within<T>(work: () => T): T {
    const isInner = this.#raw.inTransaction
    this.added.settle()
    const around = this.#since
    const kept = isInner ? this.keeping?.count : 0
    const own = new Changes()
    if (!isInner && !this.#areIdsKnown) this.#lookAtIds()
    this.prepare(isInner ? 'savepoint work' : 'begin').run()
    this.#breaks++
    if (!isInner) this.#begun++
    this.#since = own
    try {
      const value = work()
      if (!isInner) this.#finish(own)
      this.prepare(isInner ? 'release work' : 'commit').run()
      if (!isInner) this.keeping?.done()
      this.#since = around
      this.#keep(own)
      return value
    } catch (error) {
      this.added.drop()
      if (this.#raw.inTransaction) {
        this.prepare(isInner ? 'rollback to work' : 'rollback').run()
        if (isInner) this.prepare('release work').run()
        this.keeping?.forget(kept)
      }
      this.#since = around
      this.#breaks++
      if (!isInner) this.committing?.fail()
      for (const change of own.list()) this.#tell(change)
      throw error
    }
  }

  /** Does `work`, which reads, of one state of the data, whatever others write meanwhile. */
  atOneMoment<T>(work: () => T): T {
    return this.#raw.inTransaction ? work() : this.within(work)
  }

  /** Begins a transaction that waits for nobody. Throws SQLite's busy error while another process writes. */
  begin(): void {
    this.#raw.exec('begin immediate')
    if (!this.#areIdsKnown) this.#lookAtIds()
    this.#breaks++
    this.#begun++
    this.#since = new Changes()
  }

  commit(): void {
    const own = this.#since!
    this.#finish(own)
    this.#raw.exec('commit')
    this.#since = undefined
    this.keeping?.done()
    this.#keep(own)
  }

  /** What the transaction that is open changed so far. */
  get changes(): readonly Change[] {
    return this.#since?.list() ?? []
  }

  /** Undoes the transaction, if there is one still. */
  rollback(): void {
    const own = this.#since
    this.#since = undefined
    this.added.drop()
    if (this.#raw.inTransaction) this.#raw.exec('rollback')
    this.committing?.fail()
    this.keeping?.forget()
    for (const change of own?.list() ?? []) this.#tell(change)
  }

  #finish(own: Changes): void {
    if (own.isEmpty) return
    this.added.settle()
    this.finishing()
    this.committing?.begin()
  }

  /** What is done for good counts to what is around it. */
  #keep(own: Changes): void {
    if (own.isEmpty) return
    if (this.#since) for (const change of own.list()) this.#since.add(change)
    else this.onCommit?.(own.list())
  }

  #watch(statement: Statement, sql: string): void {
    const changing = statementChange(sql)
    if (!changing) return
    const run = statement.run.bind(statement)
    const table = tableOf(sql)
    const onlyAdds = /^\s*(?:insert\s+(?:or\s+ignore\s+)?into|update)\s/i.test(sql)
    const verb = /^\s*(insert|update|delete)\s/i.exec(sql)?.[1]?.toLowerCase() // of rows, if it is one of these
    const adding = verb === 'insert' ? this.#addingOf(sql, table!, run) : undefined
    statement.run = (...values: unknown[]) => {
      // What follows from rows that are added is done at the end of a transaction.
      if (adding && this.added.follows(table!) && !this.#isWithin) return this.within(() => statement.run(...values))
      this.keeping?.before(table, verb === 'insert')
      const told = this.#told
      this.#told = undefined
      if (!adding) this.added.settle(table)
      const result = adding && this.added.follows(table!) ? adding(values) : run(...values)
      if (verb && result.changes === 0) return result // there was nothing to do
      if (!onlyAdds) this.#breaks++
      const inserted = Number(result.lastInsertRowid)
      this.#note(typeof told === 'function' ? told(inserted) : (told ?? changing(values, inserted)))
      return result
    }
  }

  /**
   * Runs a statement that adds rows to a table which is followed. Throws where it cannot tell which of them are new.
   */
  #addingOf(sql: string, table: string, run: (...values: unknown[]) => Database.RunResult) {
    const replaces = /\bor\s+replace\b|\bdo\s+update\b/i.test(sql)
    const isMany = /\bselect\b/i.test(sql)
    let telling: Statement | undefined
    const adding = (values: readonly unknown[]): Database.RunResult => {
      if (replaces) throw new Error(`whether a row of ${table} is new must be known: ${sql}`)
      if (isMany) {
        telling ??= this.#raw.prepare(`${sql} returning rowid`).pluck() as Statement
        const ids = telling.all(...values) as number[]
        for (const id of ids) this.added.add(table, id)
        return { changes: ids.length, lastInsertRowid: ids.at(-1) ?? 0 }
      }
      const result = run(...values)
      if (result.changes > 1) throw new Error(`rows of ${table} are added one by one, or by a SELECT: ${sql}`)
      if (result.changes === 1) this.added.add(table, Number(result.lastInsertRowid))
      return result
    }
    return adding
  }

  #note(change: Change): void {
    this.changed(change)
    if (!this.#isWithin) this.onCommit?.([change])
  }

  /** Whether a transaction is open; SQLite is asked only where this connection did not begin it by itself. */
  get #isWithin(): boolean {
    return this.#since !== undefined || this.#raw.inTransaction
  }

  /** Notices what other connections committed, so that nothing derived stays out of date. */
  sync(): void {
    if (this.isTold) return
    if (this.commits) {
      const { now } = this.commits
      if (now === this.#number) return
      this.#number = now
    }
    const version = this.#dataVersion.get() as number
    if (version === this.#seen) return
    if (!this.explain()) this.touchAll()
    this.#seen = version
  }

  /** Notes the number of a commit of its own, of which nobody has to ask what it was. */
  made(commit: number): void {
    if (this.#number === commit - 1) this.#number = commit
  }

  /** Says that everything may have changed, by means that nobody knows of. */
  touchAll(): void {
    this.changed(everything)
  }
}
