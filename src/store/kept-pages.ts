import type { Stored } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { Lru } from '../lib/lru.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Change } from './changes.ts'
import type { Connection } from './database.ts'
import { RecentChanges, rowsChanged } from './recent-changes.ts'
import { statementReads } from './statement-reads.ts'
import type { Columns, Reads } from './versions.ts'

/** Rows of a page: their ids, and how many rows there are in all (null when that was not asked). */
export interface Page {
  ids: readonly number[]
  count: number | null
}

/** How a page was found: a SELECT of rows as `t`, its values, and tables that it may depend on without reading them. */
interface Selecting {
  m: AnyModel
  sql: string
  where: readonly string[]
  values: Readonly<Record<string, Stored>>
  uses: readonly string[]
}

/** What a SELECT depends on. */
interface Basis {
  /** A sum that is unchanged while all of it is. */
  all: () => number
  /** The same but for the rows of its own table; undefined where they cannot be told from those of others. */
  rest: (() => number) | undefined
  /** Columns that it reads of its own rows. */
  own: Columns
  /** Its conditions. */
  where: readonly string[]
}

/** A page that is kept while what it depends on is the same. */
interface Kept {
  page: Page
  basis: Basis
  was: number
  /** Of a page that shows all rows of its condition. */
  whole: { was: number; next: number; m: AnyModel; values: Selecting['values'] } | undefined
}

/** Pages kept, and ids in one of them. */
const [MaxPages, MaxIds] = [2000, 1000]

/**
 * Pages that were found, until what decides them changes. Of one that shows all rows that meet its condition, rows that
 * change are looked at: while none of them is on it, or belongs there now, it stays as it is.
 */
export class KeptPages {
  readonly #db: Connection
  readonly #kept = new Lru<string, Kept>(MaxPages)
  readonly #bases = new Lru<string, Basis>(MaxPages)
  readonly #recent = new RecentChanges()

  constructor(db: Connection) {
    this.#db = db
  }

  /** Takes note of a change. */
  changed(change: Change): void {
    this.#recent.note(change)
  }

  get(key: string): Page | undefined {
    const known = this.#kept.get(key)
    return known && (known.was === known.basis.all() || this.#stays(known)) ? known.page : undefined
  }

  keep(key: string, page: Page, selecting: Selecting): Page {
    if (page.ids.length > MaxIds) return page
    const basis = this.#basisOf(selecting)
    const { m, where, values } = selecting
    const isWhole = basis.rest && where.length > 0 && page.ids.length === page.count
    const whole = isWhole ? { was: basis.rest!(), next: this.#recent.of(m.table).next, m, values } : undefined
    this.#kept.set(key, { page, basis, was: basis.all(), whole })
    return page
  }

  /** Whether a page is what it was though rows of its table have changed. */
  #stays(known: Kept): boolean {
    const { page, basis, whole } = known
    if (!whole || whole.was !== basis.rest!()) return false
    const recent = this.#recent.of(whole.m.table)
    const changes = recent.since(whole.next)
    if (!changes) return false
    const rows = rowsChanged(changes, basis.own)
    if (page.ids.some((id) => rows.has(id)) || this.#isAnyIn(whole, basis.where, rows)) return false
    whole.next = recent.next
    known.was = basis.all()
    return true
  }

  #isAnyIn({ m, values }: NonNullable<Kept['whole']>, where: readonly string[], rows: ReadonlySet<number>): boolean {
    if (rows.size === 0) return false
    const sql = `select 1 from json_each(+:_rows) j cross join ${q(m.table)} t on t.id = j.value
      where ${where.join(' and ')} limit 1`
    return this.#db.get(sql, { ...values, _rows: JSON.stringify([...rows]) }) !== undefined
  }

  #basisOf({ m, sql, where, values, uses }: Selecting): Basis {
    const known = this.#bases.get(sql)
    if (known) return known
    const reading = statementReads(this.#db.raw, sql, values)?.reads
    const reads = new Map(reading)
    for (const table of [m.table, ...uses]) if (!reads.has(table)) reads.set(table, 'all')
    const others: Reads = new Map([...reads].filter(([table]) => table !== m.table))
    // Rows of its own are told from others of their table where that is named once, and by nobody else.
    const isOwn = reading && sql.match(new RegExp(`\\b${m.table}\\b`, 'g'))?.length === 1 && !uses.includes(m.table)
    const made = {
      all: this.#db.stampOf(reads),
      rest: isOwn ? this.#db.stampOf(others) : undefined,
      own: reads.get(m.table) ?? 'all',
      where,
    }
    this.#bases.set(sql, made)
    return made
  }
}
