import { type Actor, permittedRows, binder } from '../engine/actor.ts'
import type { Shape, Stored } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { fleetingBytes } from '../lib/fleeting.ts'
import { Lru } from '../lib/lru.ts'
import type { AnyModel } from '../declare/model.ts'
import { type Order, orderOf } from '../engine/order.ts'
import { comparing } from '../engine/paths.ts'
import { rendering, type View } from '../engine/select.ts'
import { models } from '../engine/catalog.ts'
import { filled, type Gap, gapsIn, placeOf } from '../fields/generic.ts'
import type Database from 'better-sqlite3'
import type { Connection } from './database.ts'
import type { CustomFields } from './custom-fields.ts'
import { dependenciesOf, Kept, type KeptView, type Known, type Rendered } from './kept.ts'
import { countKept } from './kept-counts.ts'
import { type Ids, OrderedIds } from './ordered-ids.ts'
import { complementOf, idsAmong, idsListed, idsOfPage, idsThat } from './page-ids.ts'
import { readingOf } from './reads.ts'

/** A condition on row alias `t`: SQL, its bound values, and the tables it reads. */
export interface Condition {
  where: readonly string[]
  values: Readonly<Record<string, Stored>>
  uses: Iterable<string>
}

/** Rows of a page: their ids, and how many rows there are in all (null when that was not asked). */
export interface Page {
  ids: readonly number[]
  count: number | null
}

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

/** An answer that is kept while `stamp()` says the same. */
interface Selection {
  was: number
  stamp: () => number
  page: Page
}

const Comma = 44 // as a letter
/** Rows that are found first, then sorted: by SQL, and by the list of all. */
const [FewIds, ManyIds] = [4000, 12_000]
/** Selections kept, and ids in one of them. */
const MaxSelections = 2000
const MaxIds = 1000
/** Letters of an order that is kept. */
const MaxOrdering = 200

/** Rows of one write that are kept for who asks for them next. */
const FewWritten = 20

/**
 * Reads: ids of a page from indexes, then the JSON of those rows, made by SQLite; kept until what they show or depend
 * on changes.
 */
export class Reader {
  readonly #db: Connection
  readonly #custom: CustomFields
  readonly #kept: Kept
  readonly #renderings = new Lru<string, Known>(400)
  readonly #selections = new Lru<string, Selection>(MaxSelections)
  readonly #stamps = new Lru<string, () => number>(MaxSelections)
  readonly #displays = new Map<AnyModel, string>()
  readonly #orders = new Lru<string, Order>(400)

  readonly #ordered: OrderedIds

  /**
   * `open`: one more connection to the same database, to read; `share`: of the memory for what is kept, where several
   * threads keep the same.
   */
  constructor(db: Connection, custom: CustomFields, open: () => Database.Database, share = 1) {
    this.#db = db
    this.#kept = new Kept(share)
    this.#ordered = new OrderedIds(db, open, share)
    this.#custom = custom
    const forget = db.onChange((change) => {
      this.#kept.changed(change)
      this.#ordered.changed(change)
    })
    this.close = () => {
      forget()
      this.#ordered.close()
    }
  }
  /** Ends its use: it is told of no more changes. */
  readonly close: () => void

  /** JSON of rows, in the order of the ids; an id without a row is left out. */
  rows(m: AnyModel, ids: readonly number[], view: View | 'nested', base: string): string[] {
    const kept = view === 'nested' ? this.#partsOf(m, undefined, base) : this.#viewOf(m, view, base)
    const rows: string[] = []
    for (const { text } of this.#find(kept, ids, base)) if (text !== undefined) rows.push(text)
    return rows
  }

  /** JSON of rows with commas, between a head and a tail, for one answer: see `fleetingBytes`. */
  list(m: AnyModel, ids: readonly number[], view: View, base: string, head = '[', tail = ']'): Buffer {
    return this.#joined(this.#find(this.#viewOf(m, view, base), ids, base), head, tail)
  }

  /** The same of rows that were just written: of many none is kept, since few of them are soon asked for. */
  listWritten(m: AnyModel, ids: readonly number[], view: View, base: string): Buffer {
    return this.#joined(this.#find(this.#viewOf(m, view, base), ids, base, ids.length <= FewWritten), '[', ']')
  }

  #joined(rows: readonly Rendered[], head: string, tail: string): Buffer {
    let size = Buffer.byteLength(head) + tail.length + Math.max(0, rows.length - 1)
    for (const { bytes } of rows) size += bytes
    const all = fleetingBytes(size)
    let at = all.write(head)
    for (const [i, { text, bytes }] of rows.entries()) {
      if (i > 0) all[at++] = Comma
      at += all.write(text!, at, text!.length === bytes ? 'latin1' : 'utf8')
    }
    all.write(tail, at)
    return all
  }

  /** Bytes of rendered rows that are kept. */
  get keptBytes(): { rows: number; parts: number } {
    return this.#kept.bytes
  }

  /** How many lists of ids in order are kept. */
  get keptLists(): number {
    return this.#ordered.size
  }

  /** Rows of a view, kept or rendered now, in the order of the ids. */
  #find(view: KeptView, ids: readonly number[], base: string, isKept = true): readonly Rendered[] {
    const found = ids.map((id) => view.get(id))
    const missing = ids.filter((_, i) => !found[i])
    if (missing.length === 0) return found as Rendered[]
    const made = this.#render(view, missing, base, isKept)
    return ids.flatMap((id, i) => found[i] ?? made.get(id) ?? [])
  }

  one(m: AnyModel, id: number, view: View, base: string): string | undefined {
    return this.rows(m, [id], view, base)[0]
  }

  /** The text by which people know a row. */
  display(m: AnyModel, id: number): string {
    const sql = this.#displays.get(m) ?? displaySql(m)
    this.#displays.set(m, sql)
    const shown = this.#db.get<{ display: unknown }>(sql, id)?.display
    return shown === null || shown === undefined ? '' : this.#named(String(shown))
  }

  /** A text with the displays of generic objects in their places. */
  #named(text: string): string {
    const split = gapsIn(text)
    return split
      ? filled(
          split.pieces,
          split.gaps.map((gap) => this.#displayOf(gap)),
        )
      : text
  }

  #displayOf({ place, id }: Gap): string {
    const m = models[placeOf(place).type]
    return m ? this.display(m, id) : ''
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
    const key = keyOf([m.name, where, order.joins, order.terms, limit ?? null, offset], condition.values)
    const all = keyOf([m.name, where, order.joins, order.terms], condition.values)
    const known = this.#selected(key) ?? this.#ordered.page(all, limit, offset)
    if (known) return known
    const sql = `select t.id as id from ${q(m.table)} t ${order.joins}${where}
      order by ${order.terms} limit :limit offset :offset`
    const asked = { m, condition, order, key: all, limit, offset, isKept: !this.#db.raw.inTransaction }
    const { count, ids } = this.#atOnce(() => this.#fewOf(asked) ?? this.#manyOf(asked))
    const values = { ...condition.values, limit: 0, offset: 0 }
    return this.#remember(key, { ids, count }, sql, values, [m.table, ...condition.uses, ...order.uses])
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
    if (countKept(this.#db, m, condition.where, condition.values) !== undefined) return undefined // what is counted beforehand need not be found
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
    return keyOf([m.name, '', order.joins, order.terms], {})
  }

  #manyOf({ m, condition, order, key, limit, offset }: Asked): { count: number; ids: number[] } {
    const where = condition.where.length ? ` where ${condition.where.join(' and ')}` : ''
    const count = this.#count(m, where, condition)
    const listing = { m, order, where: condition.where, values: condition.values }
    const { ids, walked } = idsOfPage(this.#db, m, { ...listing, limit, offset, count })
    const rows = walked > count && where ? countKept(this.#db, m, [], {}) : undefined
    const base = { m, order, where: [], values: {} }
    if (rows !== undefined && count <= ManyIds) this.#ordered.spent(this.#keyOfAll(m, order), base, rows, walked)
    else this.#ordered.spent(key, listing, count, walked)
    return { ids, count }
  }

  /** Reads of one state of the data, whatever other processes write in between. */
  #atOnce<T>(work: () => T): T {
    return this.#db.raw.inTransaction ? work() : this.#db.within(work)
  }

  /** How many rows a condition holds for. Remembered like pages, for all of them. */
  #count(m: AnyModel, where: string, condition: Condition): number {
    const key = keyOf([m.name, 'count', where], condition.values)
    const known = this.#selected(key)
    if (known) return known.count!
    const sql = `select count(*) as n from ${q(m.table)} t${where}`
    const n = this.#counted(m, condition.where, condition.values)
    return this.#remember(key, { ids: [], count: n }, sql, condition.values, [m.table, ...condition.uses]).count!
  }

  #counted(m: AnyModel, where: readonly string[], values: Condition['values']): number {
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
    const key = keyOf([m.name, 'from', where, start, limit], condition.values)
    const known = this.#selected(key)
    if (known) return known
    const sql = `select t.id as id from ${q(m.table)} t where ${where} order by t.id limit :limit`
    const values = { ...condition.values, start, limit }
    const ids = this.#db.all<{ id: number }>(sql, values).map((row) => row.id)
    return this.#remember(key, { ids, count: null }, sql, values, [m.table, ...condition.uses])
  }

  /** Whether the actor may do this to one row; undefined when there is no such row. */
  mayOn(actor: Actor, action: string, m: AnyModel, id: number): boolean | undefined {
    const c = binder()
    const condition = permittedRows(actor, action, m, 't', c)
    const found = this.#db.get<{ ok: number }>(
      `select ${condition ?? '1'} as ok from ${q(m.table)} t where t.id = :id`,
      { ...c.values, id },
    )
    return found && found.ok === 1
  }

  #selected(key: string): Page | undefined {
    const known = this.#selections.get(key)
    return known && known.was === known.stamp() ? known.page : undefined
  }

  /** Keeps what a statement selected; `uses`: tables that it may depend on without reading them. */
  #remember(key: string, page: Page, sql: string, values: object, uses: readonly string[]): Page {
    if (page.ids.length > MaxIds) return page
    let stamp = this.#stamps.get(sql)
    if (!stamp) {
      const reads = new Map(readingOf(this.#db.raw, sql, values)?.reads)
      for (const table of uses) if (!reads.has(table)) reads.set(table, 'all')
      stamp = this.#db.stampOf(reads)
      this.#stamps.set(sql, stamp)
    }
    this.#selections.set(key, { was: stamp(), stamp, page })
    return page
  }

  #viewOf(m: AnyModel, view: View, base: string): KeptView {
    const name = view.members || view.omit || view.also ? JSON.stringify(view) : view.brief ? 'brief' : ''
    return this.#kept.view(...this.#keyOf(m, name, view, base), false)
  }

  /** Objects as other objects show them. */
  #partsOf(m: AnyModel, shape: Shape | undefined, base: string): KeptView {
    const view = { nested: shape }
    return this.#kept.view(...this.#keyOf(m, JSON.stringify(view), view, base), true)
  }

  /** Displays as other texts show them. */
  #displaysOf(m: AnyModel): KeptView {
    return this.#kept.view(...this.#keyOf(m, 'display', { members: ['display'] }, ''), true)
  }

  #keyOf(m: AnyModel, name: string, view: View | { nested: Shape | undefined }, base: string): [string, Known] {
    const key = `${m.name}|${name}`
    let known = this.#renderings.get(key)
    if (!known || known.custom !== this.#custom.version) {
      const made = rendering(m, view, (of) => this.#custom.columns(of))
      if (known?.rendering.sql === made.sql) known.custom = this.#custom.version
      else known = { m, rendering: made, dependencies: dependenciesOf(this.#db, m, made), custom: this.#custom.version }
      this.#renderings.set(key, known)
    }
    return [`${key}|${base}`, known]
  }

  /** What fills the gaps of some texts: one statement for each model and shape among them. */
  #fillings(gaps: readonly Gap[], base: string): (gap: Gap) => Rendered | undefined {
    const places = new Map<string, { view: KeptView | undefined; rows: Map<number, Rendered | undefined> }>()
    for (const { place, id } of gaps) {
      let there = places.get(place)
      if (!there) {
        const { as, type, shape } = placeOf(place)
        const m = models[type]
        const view = m && (as === 'object' ? this.#partsOf(m, shape, base) : this.#displaysOf(m))
        there = { view, rows: new Map() }
        places.set(place, there)
      }
      there.rows.set(id, undefined)
    }
    for (const { view, rows } of places.values())
      if (view) for (const row of this.#find(view, [...rows.keys()], base)) rows.set(row.id, row)
    return ({ place, id }) => places.get(place)!.rows.get(id)
  }

  #render(view: KeptView, ids: readonly number[], base: string, isKept: boolean): Map<number, Rendered> {
    const { isPart, known } = view
    const made = this.#db.prepare(known.rendering.sql).all({ ids: JSON.stringify(ids), base }) as {
      id: number
      json: string
    }[]
    const splits = made.map(({ json }) => gapsIn(json))
    const gaps = splits.flatMap((split) => split?.gaps ?? [])
    const fillings = gaps.length ? this.#fillings(gaps, base) : undefined
    const found = new Map<number, Rendered>()
    const keep = (id: number, text: string | undefined, parts: readonly Rendered[]): void => {
      const row = {
        id,
        text,
        bytes: text === undefined ? 0 : Buffer.byteLength(text),
        parts,
        of: view,
        since: view.generation,
        isGone: false,
        isAsked: false,
      }
      found.set(id, row)
      if (isKept) view.set(row)
    }
    for (const [i, { id, json }] of made.entries()) {
      const split = splits[i]
      if (!split) {
        keep(id, json, [])
        continue
      }
      const parts = new Set<Rendered>()
      const fill = (gap: Gap): string => {
        const part = fillings!(gap)
        if (part) for (const each of [part, ...part.parts]) parts.add(each)
        return gap.place[0] === 'o' ? (part?.text ?? 'null') : displayIn(part)
      }
      keep(id, filled(split.pieces, split.gaps.map(fill)), [...parts])
    }
    if (isPart) for (const id of ids) if (!found.has(id)) keep(id, undefined, [])
    if (isKept) view.makeRoom()
    return found
  }
}

/** The display in a rendered row, as part of a JSON text. */
const displayIn = (row: Rendered | undefined): string =>
  row?.text === undefined
    ? ''
    : JSON.stringify(String((JSON.parse(row.text) as { display: unknown }).display ?? '')).slice(1, -1)

/**
 * Text that two questions share only when they are the same: their parts, and each bound value with its name and type.
 */
function keyOf(parts: readonly Stored[], values: Readonly<Record<string, Stored>>): string {
  let key = parts.map(exact).join()
  for (const name of Object.keys(values)) key += `;${name}=${exact(values[name]!)}`
  return key
}
const exact = (value: Stored): string =>
  Buffer.isBuffer(value)
    ? `x${value.toString('hex')}`
    : typeof value === 'string'
      ? JSON.stringify(value)
      : typeof value === 'bigint'
        ? `${value}n`
        : String(value)

function displaySql(m: AnyModel): string {
  let aliases = 0
  const text =
    typeof m.display === 'function'
      ? m.display('t', comparing(m, { alias: () => `d${++aliases}`, uses: () => {} }))
      : `t.${q(m.display)}`
  return `select ${text} as display from ${q(m.table)} t where t.id = ?`
}
