import type Database from 'better-sqlite3'
import type { AnyModel } from '../declare/model.ts'
import type { Order } from '../engine/order.ts'
import type { Stored } from '../fields/field.ts'
import { Lru } from '../lib/lru.ts'
import { q } from '../lib/sql.ts'
import { type Change, EveryTable } from './changes.ts'
import { type Ids, IdsInOrder } from './ids-in-order.ts'
import type { Connection } from './database.ts'
import type { Columns } from './versions.ts'
import { statementReads } from './statement-reads.ts'

/** All rows of a condition in some order. */
interface Listing {
  m: AnyModel
  order: Order
  where: readonly string[]
  values: Readonly<Record<string, Stored>>
}

/** The ids of a listing. What changed of its rows is noted, and set right when it is next asked. */
class IdList extends IdsInOrder {
  readonly key: string
  readonly listing: Listing
  /** Columns by table whose changes may change which rows there are, and their order. */
  readonly reads: ReadonlyMap<string, Columns>
  /** A row's place depends on no other row of its table. */
  readonly isByRow: boolean
  readonly pending = new Set<number>()
  isMade = false
  isGone = false
  /** Where the last row was put. */
  placed = 0
  /** How many rows it was to have when it was begun, and how many a request looked at in vain then. */
  expected = 0
  walked = 0
  /** Makes some more of it, while it is being made. */
  advance: ((ms: number) => void) | undefined

  constructor(key: string, listing: Listing, reads: ReadonlyMap<string, Columns>, isByRow: boolean, ids: Ids) {
    super(ids)
    this.key = key
    this.listing = listing
    this.reads = reads
    this.isByRow = isByRow
  }
}

/** Ids that all lists of a server may hold together: its threads share them. */
const MaxIds = 6_000_000
/** Rows of a listing below which it is soon read anew. */
const MinIds = 2000
/** Rows that are passed over sooner than a list follows what changed since it was last asked: they call for none. */
const Few = 1000
/** Changed rows past which a list is made anew instead. */
const MaxPending = 64
/**
 * Rows looked at in vain, as a multiple of all, before a list is made: so that it never costs much more than it saves.
 */
const Patience = 1
/**
 * Milliseconds for which the making of a list holds up its thread at once; and at most a request that would otherwise
 * walk as long.
 */
const [Slice, LongSlice] = [10, 40]
/** Rows that are passed over in a millisecond. */
export const RowsPerMs = 5000

/**
 * The ids of long lists in order, so that a page deep in one is found by its number. A list is made beside requests, by
 * a connection of its own, once walking or sorting has cost as much; then it follows what changes row by row, and goes
 * when more does.
 */
export class OrderedIds {
  readonly #db: Connection
  readonly #open: () => Database.Database
  readonly #max: number
  readonly #lists = new Map<string, IdList>()
  readonly #byTable = new Map<string, Set<IdList>>()
  readonly #spent = new Lru<string, number>(1000)
  #isMaking = false
  #isClosed = false

  /**
   * `open`: one more connection to the same database, to read; `share`: of the memory, where several threads keep
   * lists.
   */
  constructor(db: Connection, open: () => Database.Database, share: number) {
    this.#db = db
    this.#open = open
    this.#max = MaxIds * share
  }

  close(): void {
    this.#isClosed = true
    for (const list of [...this.#lists.values()]) this.#drop(list)
  }

  /** Ids of a page, and of how many rows; undefined where no list is kept. */
  page(key: string, limit: number | undefined, offset: number): { ids: number[]; count: number } | undefined {
    const list = this.#ready(key, offset)
    if (!list) return undefined
    const end = limit === undefined ? list.length : Math.min(list.length, offset + limit)
    return { ids: Array.from(list.ids.subarray(Math.min(offset, end), end)), count: list.length }
  }

  /** A list that is made, for a page that begins at some row. */
  #ready(key: string, offset = 0): IdList | undefined {
    const list = this.#lists.get(key)
    if (!list) return undefined
    // Who waits for a list makes it, rather than to walk or sort the same rows once more; and for no longer than that.
    if (list.advance) list.advance(Math.min(LongSlice, rowsBefore(list, offset) / RowsPerMs))
    if (!list.isMade || list.isGone) return undefined
    this.#setRight(list)
    this.#lists.delete(key)
    this.#lists.set(key, list)
    return list
  }

  /** How many lists are kept. */
  get size(): number {
    return this.#lists.size
  }

  /** Whether the list of a key is there to sort others by. */
  has(key: string): boolean {
    return this.#lists.get(key)?.isMade === true
  }

  /**
   * Ids of a listing whose rows are those of `ids` that there are, put in order by the list of all rows, `base`;
   * undefined where that is not kept. With `isKept` a long one is kept in turn.
   */
  sorted(base: string, ids: () => readonly number[], key: string, listing: Listing, isKept: boolean): Ids | undefined {
    const found = this.#ready(base)?.inOrder(ids())
    if (!found || found.length < MinIds || !isKept) return found
    const reading = statementReads(this.#db.raw, selecting(listing), listing.values)
    if (!reading) return found // nobody can tell when it changes
    const list = listOf(key, listing, reading.reads, found)
    list.isMade = true
    this.#enter(list)
    this.#trim(list)
    return found
  }

  /** Says that a page of a listing of `count` rows was found by looking at `rows` of them. */
  spent(key: string, listing: Listing, count: number, rows: number): void {
    if (
      rows <= Few ||
      count < MinIds ||
      count > this.#max / 2 ||
      this.#isMaking ||
      this.#isClosed ||
      this.#lists.has(key)
    )
      return
    const spent = (this.#spent.get(key) ?? 0) + rows
    this.#spent.set(key, spent)
    if (spent < count * Patience) return
    this.#spent.set(key, 0)
    const sql = selecting(listing)
    const reading = statementReads(this.#db.raw, sql, listing.values)
    if (!reading) return // nobody can tell when it changes
    this.#isMaking = true
    const list = listOf(key, listing, reading.reads, new Uint32Array(count + (count >> 4)))
    list.expected = count
    list.walked = rows
    setImmediate(() => this.#make(list, sql))
  }

  #enter(list: IdList): void {
    this.#lists.set(list.key, list)
    for (const table of list.reads.keys()) this.#byTable.set(table, (this.#byTable.get(table) ?? new Set()).add(list))
  }

  #make(list: IdList, sql: string): void {
    if (this.#isClosed) return
    if (this.#db.raw.inTransaction) {
      setTimeout(() => this.#make(list, sql), 5).unref() // of what it does others know nothing yet
      return
    }
    list.length = 0
    this.#enter(list)
    let raw: Database.Database | undefined
    let rows: IterableIterator<number> | undefined
    const advance = (ms: number): void => {
      if (!list.advance) return
      try {
        raw ??= this.#open()
        rows ??= raw.prepare(sql).pluck().iterate(list.listing.values) as IterableIterator<number>
        const until = performance.now() + ms
        for (;;) {
          const next = list.isGone ? rows.return!() : rows.next()
          if (next.done) break
          list.add(next.value)
          if (list.length % 64 === 0 && performance.now() > until) return
        }
        list.isMade = true
        this.#trim(list)
      } catch {
        this.#drop(list) // a busy or damaged database: pages are found without it
      }
      list.advance = undefined
      this.#isMaking = false
      raw?.close()
    }
    list.advance = advance
    const turn = () => {
      advance(Slice)
      if (list.advance) setImmediate(turn)
    }
    turn()
  }

  #trim(current: IdList): void {
    let total = 0
    for (const { ids } of this.#lists.values()) total += ids.length
    for (const list of this.#lists.values()) {
      if (total <= this.#max) return
      if (list === current) continue
      total -= list.ids.length
      this.#drop(list)
    }
  }

  #drop(list: IdList): void {
    list.isGone = true
    this.#lists.delete(list.key)
    for (const table of list.reads.keys()) this.#byTable.get(table)?.delete(list)
  }

  /** Notes a change. */
  changed(change: Change): void {
    if (change.table === EveryTable) for (const list of [...this.#lists.values()]) this.#drop(list)
    else for (const list of this.#byTable.get(change.table) ?? []) this.#note(list, change)
  }

  #note(list: IdList, { table, columns, ids }: Change): void {
    const read = list.reads.get(table)!
    if (columns !== 'all' && read !== 'all' && !columns.some((column) => read.has(column))) return
    const isByRow = ids !== 'all' && table === list.listing.m.table && list.isByRow
    if (isByRow) for (const id of ids) list.pending.add(id)
    if (!isByRow || list.pending.size > MaxPending) this.#drop(list)
  }

  /** Puts changed rows where they belong now. */
  #setRight(list: IdList): void {
    if (list.pending.size === 0) return
    const ids = [...list.pending]
    list.pending.clear()
    for (const id of ids) list.remove(id)
    const { m, where, values, order } = list.listing
    const isIn = `select 1 from ${q(m.table)} t where ${['t.id = :_id', ...where].join(' and ')}`
    for (const id of ids) {
      if (!this.#db.get(isIn, { ...values, _id: id })) continue
      list.placed = placeOf(this.#db, m, order, id, list)
      list.add(id, list.placed)
    }
  }
}

/** Rows that a request looks at in vain, for a page that begins at some row, where no list is kept. */
function rowsBefore({ expected, walked }: IdList, offset: number): number {
  const isSorted = walked >= expected // by each request, wherever its page begins
  return isSorted ? walked : Math.max(0, Math.min(offset, expected - offset))
}

/** A list whose rows are told apart by their ids where its statement names their table once. */
const listOf = (key: string, listing: Listing, reads: ReadonlyMap<string, Columns>, ids: Ids): IdList =>
  new IdList(key, listing, reads, selecting(listing).split(q(listing.m.table)).length === 2, ids)

/** The statement that selects all ids of a listing in their order. */
const selecting = ({ m, order, where }: Listing): string =>
  `select t.id as id from ${q(m.table)} t ${order.joins}${where.length ? ` where ${where.join(' and ')}` : ''}
    order by ${order.terms}`

/**
 * The place of a row among those of a list: at its ends, where most new rows belong; near to where the last one was
 * put, in growing steps, since rows made together mostly stand together; then by halves.
 */
function placeOf(db: Connection, m: AnyModel, order: Order, id: number, { ids, length, placed }: IdList): number {
  const first = `select t.id as id from ${q(m.table)} t ${order.joins}
    where t.id in (+:a, +:b) order by ${order.terms} limit 1`
  const isBefore = (at: number) => db.get<{ id: number }>(first, { a: id, b: ids[at] })?.id === id
  if (length === 0 || isBefore(0)) return 0
  if (!isBefore(length - 1)) return length
  let [low, high] = [1, length - 1]
  let near: number | undefined = placed
  let wasLower: boolean | undefined
  for (let step = 1; low < high; step *= 4) {
    const at: number = near === undefined ? (low + high) >> 1 : Math.max(low, Math.min(near, high - 1))
    const isLower = isBefore(at)
    if (isLower) high = at
    else low = at + 1
    if (near !== undefined) near = wasLower === !isLower ? undefined : at + (isLower ? -step : step)
    wasLower = isLower
  }
  return low
}
