import { type Actor, permittedRows, binder } from '../engine/actor.ts'
import type { Stored } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { Lru } from '../lib/lru.ts'
import type { AnyModel } from '../declare/model.ts'
import { orderOf } from '../engine/order.ts'
import { comparing } from '../engine/paths.ts'
import { rendering, type Rendering, type View } from '../engine/select.ts'
import { models } from '../engine/catalog.ts'
import { filled, type Gap, gapsIn } from '../fields/generic.ts'
import type { Connection } from './database.ts'
import type { CustomFields } from './custom-fields.ts'
import { idsOfPage } from './page-ids.ts'

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

/** A rendered row; `uses` names the tables behind the generic objects in it, beyond those of its view. */
interface Rendered {
  id: number
  bytes: Buffer
  uses: ReadonlySet<string> | undefined
  stamp: number
}
interface Fragments {
  rendering: Rendering
  stamp: number
  rows: Map<number, Rendered>
  bytes: number
}

/** Rendered rows kept per model, view and base URL are dropped when any table behind them changes, or past this size. */
const MaxBytesPerView = 32 * 1024 * 1024
/** Bound of all rendered rows together, looked at after so many more bytes. */
const MaxBytes = 128 * 1024 * 1024
const BytesBetweenLooks = 8 * 1024 * 1024

/** Reads: ids of a page from indexes, then the JSON of those rows, made by SQLite and kept until a table behind it changes. */
export class Reader {
  readonly #db: Connection
  readonly #custom: CustomFields
  readonly #views = new Lru<string, Fragments>(400)
  readonly #selections = new Lru<string, { stamp: number; tables: readonly string[]; page: Page }>(2000)
  readonly #displays = new Map<AnyModel, string>()
  #bytesSinceLook = 0

  constructor(db: Connection, custom: CustomFields) {
    this.#db = db
    this.#custom = custom
  }

  /** JSON of rows, in the order of the ids; an id without a row is left out. */
  rows(m: AnyModel, ids: readonly number[], view: View | 'nested', base: string): Buffer[] {
    const fragments = this.#fragments(m, view, base)
    const found: Buffer[] = []
    for (const id of ids) {
      const row = fragments.rows.get(id)
      if (!row || !this.#isFresh(row)) return this.#find(fragments, ids, base).map(({ bytes }) => bytes)
      found.push(row.bytes)
    }
    return found
  }

  /** Rows of a view, remembered or rendered now, in the order of the ids. */
  #find(fragments: Fragments, ids: readonly number[], base: string): Rendered[] {
    const isKept = (id: number) => {
      const row = fragments.rows.get(id)
      return row !== undefined && this.#isFresh(row)
    }
    const missing = ids.filter((id) => !isKept(id))
    if (missing.length && fragments.bytes > MaxBytesPerView) {
      fragments.rows.clear()
      fragments.bytes = 0
      return this.#render(fragments, ids, base)
    }
    if (missing.length) this.#render(fragments, missing, base)
    return ids.map((id) => fragments.rows.get(id)).filter((row) => row !== undefined)
  }

  #isFresh(row: Rendered): boolean {
    return row.uses === undefined || row.stamp === this.#db.stamp(row.uses)
  }

  one(m: AnyModel, id: number, view: View, base: string): Buffer | undefined {
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

  #displayOf({ type, id }: Gap): string {
    return models[type] ? this.display(models[type], id) : ''
  }

  /** Ids of one page in order, and the count of all matches. Remembered until a table behind the answer changes. */
  page(
    m: AnyModel,
    condition: Condition,
    ordering: string | undefined,
    limit: number | undefined,
    offset: number,
  ): Page {
    const order = orderOf(m, ordering)
    const where = condition.where.length ? ` where ${condition.where.join(' and ')}` : ''
    const key = keyOf([m.name, where, order.joins, order.terms, limit ?? null, offset], condition.values)
    const known = this.#selections.get(key)
    if (known && known.stamp === this.#db.stamp(known.tables)) return known.page
    const count = this.#count(m, where, condition)
    const ids = idsOfPage(this.#db, m, { order, ...condition, limit, offset, count })
    return this.#remember(key, { ids, count }, [m.table, ...condition.uses, ...order.uses])
  }

  /** How many rows a condition holds for. Remembered like pages, for all of them. */
  #count(m: AnyModel, where: string, condition: Condition): number {
    const key = keyOf([m.name, 'count', where], condition.values)
    const known = this.#selections.get(key)
    if (known && known.stamp === this.#db.stamp(known.tables)) return known.page.count!
    const { n } = this.#db.get<{ n: number }>(`select count(*) as n from ${q(m.table)} t${where}`, condition.values)!
    return this.#remember(key, { ids: [], count: n }, [m.table, ...condition.uses]).count!
  }

  /** Ids of up to `limit` rows from an id on. */
  from(m: AnyModel, condition: Condition, start: number, limit: number): Page {
    const where = ['t.id >= :start', ...condition.where].join(' and ')
    const key = keyOf([m.name, 'from', where, start, limit], condition.values)
    const known = this.#selections.get(key)
    if (known && known.stamp === this.#db.stamp(known.tables)) return known.page
    const ids = this.#db.all<{ id: number }>(
      `select t.id as id from ${q(m.table)} t where ${where} order by t.id limit :limit`,
      { ...condition.values, start, limit },
    )
    return this.#remember(key, { ids: ids.map((row) => row.id), count: null }, [m.table, ...condition.uses])
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

  #remember(key: string, page: Page, tables: readonly string[]): Page {
    const own = [...new Set(tables)]
    if (page.ids.length <= 1000) this.#selections.set(key, { stamp: this.#db.stamp(own), tables: own, page })
    return page
  }

  #fragments(m: AnyModel, view: View | 'nested', base: string): Fragments {
    const name = view === 'nested' ? view : view.members || view.omit ? JSON.stringify(view) : view.brief ? 'brief' : ''
    const key = `${m.name}|${name.length}|${name}${base}`
    const known = this.#views.get(key)
    if (known) {
      const stamp = this.#db.stamp(known.rendering.uses)
      if (known.stamp === stamp) return known
      if (
        !known.rendering.uses.has('extras_customfield') ||
        this.#custom.version === this.#custom.seen(known.rendering)
      ) {
        known.rows.clear()
        known.bytes = 0
        known.stamp = stamp
        return known
      }
    }
    const made = rendering(m, view, (of) => this.#custom.columns(of))
    this.#custom.see(made)
    const fresh = { rendering: made, stamp: this.#db.stamp(made.uses), rows: new Map<number, Rendered>(), bytes: 0 }
    this.#views.set(key, fresh)
    return fresh
  }

  /** Nested objects of generic references, one statement for each type: by type and id, with the tables behind each type's. */
  #objects(gaps: readonly Gap[], base: string): { json: Map<string, string>; tables: Map<string, Set<string>> } {
    const json = new Map<string, string>()
    const tables = new Map<string, Set<string>>()
    const idsByType = new Map<string, Set<number>>()
    for (const { as, type, id } of gaps) {
      const ids = idsByType.get(type) ?? new Set()
      idsByType.set(type, as === 'object' ? ids.add(id) : ids)
    }
    for (const [type, ids] of idsByType) {
      const m = models[type]
      if (!m) continue
      const fragments = this.#fragments(m, 'nested', base)
      const behind = new Set(fragments.rendering.uses)
      for (const { id, bytes, uses } of this.#find(fragments, [...ids], base)) {
        json.set(`${type}:${id}`, bytes.toString())
        for (const table of uses ?? []) behind.add(table)
      }
      tables.set(type, behind)
    }
    return { json, tables }
  }

  #render(fragments: Fragments, ids: readonly number[], base: string): Rendered[] {
    const made = this.#db.prepare(fragments.rendering.sql).all({ ids: JSON.stringify(ids), base }) as {
      id: number
      json: string
    }[]
    const splits = made.map(({ json }) => gapsIn(json))
    const gaps = splits.flatMap((split) => split?.gaps ?? [])
    const objects = gaps.length ? this.#objects(gaps, base) : undefined
    const fill = (gap: Gap): string =>
      gap.as === 'object'
        ? (objects!.json.get(`${gap.type}:${gap.id}`) ?? 'null')
        : JSON.stringify(this.#displayOf(gap)).slice(1, -1)
    return made.map(({ id, json }, i) => {
      const split = splits[i]
      const row: Rendered = {
        id,
        bytes: Buffer.from(split ? filled(split.pieces, split.gaps.map(fill)) : json),
        uses: undefined,
        stamp: 0,
      }
      if (split) {
        row.uses = new Set(split.gaps.flatMap(({ type }) => [...(objects!.tables.get(type) ?? [])]))
        row.stamp = this.#db.stamp(row.uses)
      }
      fragments.rows.set(id, row)
      fragments.bytes += row.bytes.length
      this.#bytesSinceLook += row.bytes.length
      if (this.#bytesSinceLook > BytesBetweenLooks) this.#look(fragments)
      return row
    })
  }

  /** Drops rows of the views that were not asked for lately while all of them together take too much memory. */
  #look(current: Fragments): void {
    this.#bytesSinceLook = 0
    let total = 0
    for (const { bytes } of this.#views.values()) total += bytes
    for (const view of this.#views.values()) {
      if (total <= MaxBytes) return
      if (view === current) continue
      total -= view.bytes
      view.rows.clear()
      view.bytes = 0
    }
  }
}

/** Text that two questions share only when they are the same: their parts, and each bound value with its name and type. */
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
