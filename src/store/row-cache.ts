import type { Rendering } from '../engine/select.ts'
import type { AnyModel } from '../declare/model.ts'
import { Lru } from '../lib/lru.ts'
import { OldestFirst } from '../lib/oldest-first.ts'
import { type Change, EveryTable } from './changes.ts'
import type { Connection } from './database.ts'
import type { Columns } from './versions.ts'
import { statementReads } from './statement-reads.ts'

/** A rendered row as JSON; without text where there is no such row. */
export interface Rendered {
  readonly id: number
  readonly text: string | undefined
  /** Of the text in UTF-8. */
  readonly bytes: number
  /** When it was changed, or else made; undefined where the view does not tell. */
  readonly moment: string | null | undefined
  /** Rows of other views that this one shows, and what they show in turn. */
  readonly parts: readonly Rendered[]
  readonly of: CachedView
  isGone: boolean
  /** It was asked for since rows were last evicted. */
  isAsked: boolean
}

/**
 * A table behind a view: a change of these columns drops the row itself, those that the changed row refers to by `by`,
 * or all.
 */
interface Dependency {
  table: string
  columns: Columns
  drops: 'own' | 'all' | readonly string[]
}

/** A rendering with what it depends on. */
export interface Known {
  m: AnyModel
  rendering: Rendering
  dependencies: readonly Dependency[]
  /** State of the custom field definitions that it was made by. */
  custom: number
}

/** What a rendering depends on. */
export function dependenciesOf(db: Connection, m: AnyModel, { sql, uses, by, row }: Rendering): Dependency[] {
  const reading = statementReads(db.raw, sql, { ids: '[]', base: '' }, { place: row, table: m.table })
  const found: Dependency[] = reading?.own ? [{ table: m.table, columns: reading.own, drops: 'own' }] : []
  const dropsBy = (table: string) => (by.has(table) ? [...by.get(table)!] : 'all')
  for (const [table, columns] of reading?.reads ?? []) found.push({ table, columns, drops: dropsBy(table) })
  for (const table of uses)
    if (!reading?.reads.has(table) && !(table === m.table && reading?.own))
      found.push({ table, columns: 'all', drops: dropsBy(table) })
  return found
}

/** Bytes that a cached row takes beside its text, about. */
const Overhead = 200
const sizeOf = ({ bytes, parts }: Rendered): number => bytes + parts.length * 8 + Overhead

/** Part of the bytes of a limit from which on a row is kept only where it was asked for before. */
const AlmostFull = 0.95
/**
 * Rows that were not kept are remembered in so many places: enough for the page that somebody looks at again, and far
 * fewer than the rows of which a reader of everything would have each kept at the second round.
 */
const Places = 2048

/** Of a row in one of the views: two that share one are rare, and cost a row that is kept too soon. */
const hashOf = (view: number, id: number): number => Math.imul(id + 1, 0x9e3779b1) ^ Math.imul(view, 0x85ebca6b)

/** The rows of some views, which share a limit of bytes. */
class Budget {
  bytes = 0
  readonly #max: number
  readonly #rows = new Set<Rendered>()
  readonly #oldest = new OldestFirst(() => this.#rows.values())
  /** Hashes of rows that were asked for lately, and not kept. */
  readonly #lately = new Int32Array(Places)
  /** The same of rows that were written, apart: among the others their places would be taken within some requests. */
  readonly #written = new Int32Array(Places)

  constructor(max: number) {
    this.#max = max
  }

  /**
   * Whether a row is kept: where there is room, or it is asked for a second time within as many as there are places.
   * Who reads far more rows than there is room for would only have those that others ask for again evicted, and what
   * is kept for a while costs V8 much more than what goes at once.
   */
  admits(view: number, id: number): boolean {
    if (this.bytes < AlmostFull * this.#max) return true
    const hash = hashOf(view, id)
    const place = hash & (Places - 1)
    if (this.#lately[place] === hash) return true
    if (this.#written[place] === hash) {
      this.#written[place] = 0
      return true
    }
    this.#lately[place] = hash
    return false
  }

  /** A row was written: it is kept when it is asked for next. */
  wrote(view: number, id: number): void {
    const hash = hashOf(view, id)
    this.#written[hash & (Places - 1)] = hash
  }

  add(row: Rendered): void {
    this.#rows.add(row)
    this.bytes += sizeOf(row)
  }

  remove(row: Rendered): void {
    if (this.#rows.delete(row)) this.bytes -= sizeOf(row)
  }

  /** Evicts rows that nobody asked for since the last time, the oldest first. */
  evict(): void {
    if (this.bytes <= this.#max) this.#oldest.rest()
    while (this.bytes > this.#max) {
      const row = this.#oldest.next()
      if (!row) return
      if (row.isAsked) {
        row.isAsked = false
        this.#rows.delete(row)
        this.#rows.add(row)
      } else row.of.drop(row.id)
    }
  }
}

/** Rendered rows of one view. */
export class CachedView {
  readonly known: Known
  /** Its rows are shown inside others. */
  readonly isPart: boolean
  /** Nobody tells it of changes any more. */
  isForgotten = false
  /** Among the views that were made. */
  readonly #number: number
  readonly #budget: Budget
  readonly #rows = new Map<number, Rendered>()

  constructor(known: Known, isPart: boolean, budget: Budget, number: number) {
    this.known = known
    this.#number = number
    this.isPart = isPart
    this.#budget = budget
  }

  /** A row that still holds. */
  get(id: number): Rendered | undefined {
    const row = this.#rows.get(id)
    if (!row) return undefined
    for (const part of row.parts) {
      if (part.isGone) return undefined
      if (!part.isAsked) part.isAsked = true
    }
    row.isAsked = true
    return row
  }

  /**
   * Keeps a row where that is worth it, or in the place of one that does not hold any more. One that is not kept counts
   * as gone, since nobody tells it of changes: nor is kept what shows it.
   */
  offer(row: Rendered): void {
    // In this order: to count it as asked for while its parts are not kept was tried, and 100,000 devices got slower.
    row.isGone =
      row.parts.some((part) => part.isGone) || !(this.#rows.has(row.id) || this.#budget.admits(this.#number, row.id))
    if (row.isGone) return
    this.drop(row.id)
    this.#rows.set(row.id, row)
    this.#budget.add(row)
  }

  drop(id: number): void {
    const row = this.#rows.get(id)
    if (!row) return
    row.isGone = true
    this.#rows.delete(id)
    this.#budget.remove(row)
  }

  /** Drops a row that was written, and keeps it when it is asked for again. */
  wrote(id: number): void {
    this.drop(id)
    this.#budget.wrote(this.#number, id)
  }

  /** The same of a row that shows what was written, if it was kept. */
  outdate(id: number): void {
    if (this.#rows.has(id)) this.wrote(id)
  }

  clear(): void {
    for (const row of this.#rows.values()) {
      row.isGone = true
      this.#budget.remove(row)
    }
    this.#rows.clear()
  }

  /** Evicts rows until those that are left fit. */
  evict(): void {
    this.#budget.evict()
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0
  }
}

/** Bytes that cached rows may take in one thread that caches for all, those inside others apart. */
const MaxBytes = { rows: 16 * 1024 * 1024, parts: 5 * 1024 * 1024 }
const MaxViews = 400

/** Rendered rows by view. A change invalidates those that show what it touched. */
export class RowCache {
  readonly #views = new Lru<string, CachedView>(MaxViews)
  readonly #byTable = new Map<string, Set<readonly [CachedView, Dependency]>>()
  readonly #entries = new Map<CachedView, readonly (readonly [CachedView, Dependency])[]>()
  readonly #budgets: { rows: Budget; parts: Budget }
  /** How many views were made. */
  #made = 0

  /** `share`: of what one thread may cache, where several do. */
  constructor(share = 1) {
    this.#budgets = { rows: new Budget(share * MaxBytes.rows), parts: new Budget(share * MaxBytes.parts) }
  }

  /** Bytes of all rows, and of those inside others. */
  get bytes(): { rows: number; parts: number } {
    return { rows: this.#budgets.rows.bytes, parts: this.#budgets.parts.bytes }
  }

  /** The view of a key, made anew where it is not of this rendering. */
  view(key: string, known: Known, isPart: boolean): CachedView {
    const view = this.#views.get(key)
    if (view?.known === known) return view
    if (view) this.#forget(view)
    const made = new CachedView(known, isPart, this.#budgets[isPart ? 'parts' : 'rows'], ++this.#made)
    const entries = known.dependencies.map((dependency) => [made, dependency] as const)
    this.#entries.set(made, entries)
    for (const entry of entries) {
      const { table } = entry[1]
      this.#byTable.set(table, (this.#byTable.get(table) ?? new Set()).add(entry))
    }
    this.#views.set(key, made)
    if (this.#entries.size > MaxViews) {
      const left = new Set(this.#views.values())
      for (const each of this.#entries.keys()) if (!left.has(each)) this.#forget(each)
    }
    return made
  }

  #forget(view: CachedView): void {
    view.isForgotten = true
    view.clear()
    for (const entry of this.#entries.get(view) ?? []) this.#byTable.get(entry[1].table)?.delete(entry)
    this.#entries.delete(view)
  }

  changed(change: Change): void {
    if (change.table === EveryTable) for (const view of this.#views.values()) view.clear()
    else for (const [view, dependency] of this.#byTable.get(change.table) ?? []) drop(view, dependency, change)
  }
}

function drop(view: CachedView, { columns, drops }: Dependency, change: Change): void {
  if (view.isEmpty) return
  if (columns !== 'all' && change.columns !== 'all' && !change.columns.some((column) => columns.has(column))) return
  if (drops === 'all' || (drops === 'own' && change.ids === 'all')) view.clear()
  else if (drops === 'own') for (const id of change.ids as readonly number[]) view.wrote(id)
  else
    for (const column of drops) {
      const held = change.refers[column]
      if (held) for (const id of held) view.outdate(id)
      else view.clear()
    }
}
