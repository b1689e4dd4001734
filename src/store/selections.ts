import type Database from 'better-sqlite3'
import type { Stored } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { Lru } from '../lib/lru.ts'
import { threadTime } from '../lib/thread-time.ts'
import type { AnyModel } from '../declare/model.ts'
import { type Order, orderOf } from '../engine/order.ts'
import type { Change } from './changes.ts'
import type { Connection } from './database.ts'
import { countKept } from './kept-counts.ts'
import { KeptPages, type Page } from './kept-pages.ts'
import type { Ids } from './ids-in-order.ts'
import { OrderedIds, RowsPerMs } from './ordered-ids.ts'
import { complementOf, idsAmong, idsListed, idsOfPage, idsThat } from './page-ids.ts'

/** A condition on row alias `t`: SQL, its bound values, and the tables it reads. */
export interface Condition {
  where: readonly string[]
  values: Readonly<Record<string, Stored>>
  uses: Iterable<string>
}

type Values = Condition['values']
const Unordered = { joins: '', terms: '' }

/** What a page is asked for by. */
interface Asked {
  m: AnyModel
  condition: Condition
  order: Order
  /** Names the list of all its rows. */
  key: string
  limit: number | undefined
  offset: number
  /** What is found holds beyond an open transaction. */
  isKept: boolean
}

/** Rows that are found first, then sorted: by SQL, and by the list of all. */
const [FewIds, ManyIds] = [4000, 12_000]
/**
 * Milliseconds of processor time in which most pages are found: what follows is rows that were passed over, where those
 * of a condition stand behind many others, and nobody else knows how many those were.
 */
const Soon = 4
/** Letters of an order that is kept. */
const MaxOrdering = 200
/** Conditions and orders, whatever their values, that have numbers. */
const MaxNumbered = 2000

/** Which rows a page shows, from indexes, and how many there are in all; kept until what decides it changes. */
export class Selections {
  readonly #db: Connection
  readonly #kept: KeptPages
  readonly #orders = new Lru<string, Order>(400)
  readonly #ordered: OrderedIds
  /** Numbers of conditions and orders: thousands of keys name them, and their SQL is long. */
  readonly #numbers = new Lru<string, number>(MaxNumbered)
  #lastNumber = 0

  /**
   * `open`: one more connection to the same database, to read; `share`: of the memory for what is kept, where several
   * threads keep the same.
   */
  constructor(db: Connection, open: () => Database.Database, share: number) {
    this.#db = db
    this.#kept = new KeptPages(db)
    this.#ordered = new OrderedIds(db, open, share)
  }

  /** Drops what a change makes untrue. */
  changed(change: Change): void {
    this.#kept.changed(change)
    this.#ordered.changed(change)
  }

  close(): void {
    this.#ordered.close()
  }

  /** How many lists of ids in order are kept. */
  get lists(): number {
    return this.#ordered.size
  }

  /** Ids of one page in order, and the count of all matches. Remembered until a table behind the answer changes. */
  page(
    m: AnyModel,
    condition: Condition,
    ordering: string | undefined,
    limit: number | undefined,
    offset: number,
  ): Page {
    const order = this.#orderOf(m, ordering)
    const where = condition.where.length ? ` where ${condition.where.join(' and ')}` : ''
    const all = this.#keyOf(m, where, order, condition.values)
    const key = `${limit ?? ''},${offset} ${all}`
    const known = this.#kept.get(key) ?? this.#ordered.page(all, limit, offset)
    if (known) return known
    const sql = `select t.id as id from ${q(m.table)} t ${order.joins}${where}
      order by ${order.terms} limit :limit offset :offset`
    const asked = { m, condition, order, key: all, limit, offset, isKept: !this.#db.raw.inTransaction }
    const { count, ids } = this.#db.atOneMoment(() => this.#fewOf(asked) ?? this.#manyOf(asked))
    const values = { ...condition.values, limit: 0, offset: 0 }
    const uses = [...condition.uses, ...order.uses]
    return this.#kept.keep(key, { ids, count }, { m, sql, where: condition.where, values, uses })
  }

  #orderOf(m: AnyModel, ordering: string | undefined): Order {
    const key = `${m.name}?${ordering ?? ''}`
    const known = this.#orders.get(key)
    if (known) return known
    const made = orderOf(m, ordering)
    if (key.length <= MaxOrdering) this.#orders.set(key, made)
    return made
  }

  /** A page of few rows: their ids are found once, counted, and sorted. Undefined where they are many. */
  #fewOf({ m, condition, order, key, limit, offset, isKept }: Asked): { count: number; ids: number[] } | undefined {
    if (condition.where.length === 0) return undefined
    const base = this.#keyOfAll(m, order)
    const listing = { m, order, where: condition.where, values: condition.values }
    const cut = (ids: Ids) => ids.subarray(offset, limit === undefined ? undefined : offset + limit)
    const listed = this.#ordered.has(base) ? idsListed(this.#db, condition) : undefined
    if (listed) {
      const sorted = this.#ordered.sorted(base, () => listed, key, listing, isKept)
      if (sorted) return { count: sorted.length, ids: [...cut(sorted)] }
    }
    // What is counted beforehand need not be found.
    if (countKept(this.#db, m, condition.where, condition.values) !== undefined) return undefined
    if (complementOf(condition.where)) return undefined // most rows meet it
    const most = this.#ordered.has(base) ? ManyIds : FewIds
    const ids = idsThat(this.#db, m, condition, most + 1)
    if (ids.length > most) return undefined
    const sorted = this.#ordered.sorted(base, () => ids, key, listing, isKept)
    return {
      count: ids.length,
      ids: sorted?.length === ids.length ? [...cut(sorted)] : idsAmong(this.#db, m, { ...listing, limit, offset }, ids),
    }
  }

  /** Under which the list of all rows in an order is kept. */
  #keyOfAll(m: AnyModel, order: Order): string {
    return this.#keyOf(m, '', order, {})
  }

  /** Names what a condition and an order say, and the values by which they say it: each with its name and type. */
  #keyOf(m: AnyModel, where: string, { joins, terms }: { joins: string; terms: string }, values: Values): string {
    const text = `${m.name}\0${joins}\0${terms}\0${where}`
    let number = this.#numbers.get(text)
    if (number === undefined) {
      number = ++this.#lastNumber
      this.#numbers.set(text, number)
    }
    let key = `${number}`
    for (const name of Object.keys(values)) key += `;${name}=${exact(values[name]!)}`
    return key
  }

  #manyOf({ m, condition, order, key, limit, offset }: Asked): { count: number; ids: number[] } {
    const where = condition.where.length ? ` where ${condition.where.join(' and ')}` : ''
    const count = this.#count(m, where, condition)
    const listing = { m, order, where: condition.where, values: condition.values }
    const began = threadTime()
    const found = idsOfPage(this.#db, m, { ...listing, limit, offset, count })
    const { ids } = found
    const walked = Math.max(found.walked, (threadTime() - began - Soon) * RowsPerMs)
    const rows = walked > count && where ? countKept(this.#db, m, [], {}) : undefined
    const base = { m, order, where: [], values: {} }
    if (rows !== undefined && count <= ManyIds) this.#ordered.spent(this.#keyOfAll(m, order), base, rows, walked)
    else this.#ordered.spent(key, listing, count, walked)
    return { ids, count }
  }

  /** How many rows a condition holds for. Remembered like pages, for all of them. */
  #count(m: AnyModel, where: string, condition: Condition): number {
    const key = `count ${this.#keyOf(m, where, Unordered, condition.values)}`
    const known = this.#kept.get(key)
    if (known) return known.count!
    const sql = `select count(*) as n from ${q(m.table)} t${where}`
    const n = this.#counted(m, condition.where, condition.values)
    const selecting = { m, sql, where: condition.where, values: condition.values, uses: [...condition.uses] }
    return this.#kept.keep(key, { ids: [], count: n }, selecting).count!
  }

  #counted(m: AnyModel, where: readonly string[], values: Values): number {
    const kept = countKept(this.#db, m, where, values)
    if (kept !== undefined) return kept
    const complement = complementOf(where)
    const all = complement && countKept(this.#db, m, complement.rest, values)
    if (complement && all !== undefined) return all - this.#counted(m, [...complement.rest, complement.taken], values)
    const conditions = where.length ? ` where ${where.join(' and ')}` : ''
    return this.#db.get<{ n: number }>(`select count(*) as n from ${q(m.table)} t${conditions}`, values)!.n
  }

  /** Ids of up to `limit` rows from an id on. */
  from(m: AnyModel, condition: Condition, start: number, limit: number): Page {
    const where = ['t.id >= :start', ...condition.where].join(' and ')
    const key = `from ${start},${limit} ${this.#keyOf(m, where, Unordered, condition.values)}`
    const known = this.#kept.get(key)
    if (known) return known
    const sql = `select t.id as id from ${q(m.table)} t where ${where} order by t.id limit :limit`
    const values = { ...condition.values, start, limit }
    const ids = this.#db.all<{ id: number }>(sql, values).map((row) => row.id)
    return this.#kept.keep(
      key,
      { ids, count: null },
      { m, sql, where: condition.where, values, uses: [...condition.uses] },
    )
  }
}

const exact = (value: Stored): string =>
  Buffer.isBuffer(value)
    ? `x${value.toString('hex')}`
    : typeof value === 'string'
      ? JSON.stringify(value)
      : typeof value === 'bigint'
        ? `${value}n`
        : String(value)
