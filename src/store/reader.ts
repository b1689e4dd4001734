import { type Actor, permittedRows, binder } from '../registry/actor.ts'
import { q, type Stored } from '../fields/field.ts'
import { Lru } from '../tools/lru.ts'
import type { AnyModel } from '../registry/model.ts'
import { orderOf } from '../registry/order.ts'
import { comparing } from '../registry/paths.ts'
import { rendering, type Rendering, type View } from '../registry/select.ts'
import { models } from '../registry/catalog.ts'
import { Deferred } from '../fields/generic.ts'
import type { Connection } from './database.ts'
import type { CustomFields } from './custom-fields.ts'

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

const EscapedDeferred = JSON.stringify(Deferred).slice(1, -1)
const DeferredDisplay = new RegExp(`${Deferred}=([\\w.]+):(\\d+);`, 'g')
const DeferredDisplayJson = new RegExp(`${EscapedDeferred.replaceAll('\\', '\\\\')}=([\\w.]+):(\\d+);`, 'g')
const DeferredText = new RegExp(
  `"${JSON.stringify(Deferred).slice(1, -1).replaceAll('\\', '\\\\')}([\\w.]+):(\\d+)"`,
  'g',
)

/** A rendered row; `uses` names the tables behind the generic objects in it, beyond those of its view. */
interface Rendered {
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
    const missing = ids.filter((id) => !this.#isFresh(fragments.rows.get(id)))
    if (missing.length) {
      if (fragments.bytes > MaxBytesPerView) {
        fragments.rows.clear()
        fragments.bytes = 0
        return this.#render(fragments, ids, base).map((row) => row.bytes)
      }
      this.#render(fragments, missing, base)
    }
    const found: Buffer[] = []
    for (const id of ids) {
      const row = fragments.rows.get(id)
      if (row) found.push(row.bytes)
    }
    return found
  }

  #isFresh(row: Rendered | undefined): boolean {
    return row !== undefined && (row.uses === undefined || row.stamp === this.#db.stamp(row.uses))
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
    if (!text.includes(Deferred)) return text
    return text.replace(DeferredDisplay, (_, type, id) => (models[type] ? this.display(models[type], Number(id)) : ''))
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
    const count = this.#db.get<{ n: number }>(`select count(*) as n from ${q(m.table)} t${where}`, condition.values)!.n
    const ids =
      offset >= count
        ? []
        : this.#db
            .all<{ id: number }>(
              `select t.id as id from ${q(m.table)} t ${order.joins}${where} order by ${order.terms} limit :limit offset :offset`,
              { ...condition.values, limit: limit ?? -1, offset },
            )
            .map((row) => row.id)
    return this.#remember(key, { ids, count }, [m.table, ...condition.uses, ...order.uses])
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
    const key = JSON.stringify([m.name, view, base])
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

  /** Puts the nested objects of generic references in their places, one statement for each type among the rows; answers the tables behind each row's. */
  #fillIn(made: { json: string }[], base: string): (ReadonlySet<string> | undefined)[] {
    const wanted = new Map<string, Set<number>>()
    const types = made.map(({ json }) => {
      if (!json.includes(EscapedDeferred)) return undefined
      const own = new Set<string>()
      for (const [, type] of json.matchAll(DeferredDisplayJson)) own.add(type!)
      for (const [, type, id] of json.matchAll(DeferredText)) {
        own.add(type!)
        wanted.set(type!, (wanted.get(type!) ?? new Set()).add(Number(id)))
      }
      return own
    })
    if (types.every((own) => own === undefined)) return types as undefined[]
    const objects = new Map<string, string>()
    const tables = new Map<string, Set<string>>()
    for (const type of new Set(types.flatMap((own) => [...(own ?? [])]))) {
      const m = models[type]
      if (!m) continue
      const fragments = this.#fragments(m, 'nested', base)
      tables.set(type, new Set(fragments.rendering.uses))
      const ids = [...(wanted.get(type) ?? [])]
      for (const row of this.rows(m, ids, 'nested', base))
        objects.set(`${type}:${/^\{"id":(\d+)/.exec(row.toString('latin1', 0, 30))![1]}`, row.toString())
      for (const id of ids) for (const table of fragments.rows.get(id)?.uses ?? []) tables.get(type)!.add(table)
    }
    return made.map((row, i) => {
      if (!types[i]) return undefined
      row.json = row.json
        .replace(DeferredDisplayJson, (_, type, id) =>
          models[type] ? JSON.stringify(this.display(models[type], Number(id))).slice(1, -1) : '',
        )
        .replace(DeferredText, (_, type, id) => objects.get(`${type}:${id}`) ?? 'null')
      return new Set([...types[i]].flatMap((type) => [...(tables.get(type) ?? [])]))
    })
  }

  #render(fragments: Fragments, ids: readonly number[], base: string): Rendered[] {
    const made = this.#db.prepare(fragments.rendering.sql).all({ ids: JSON.stringify(ids), base }) as {
      id: number
      json: string
    }[]
    const uses = this.#fillIn(made, base)
    return made.map(({ id, json }, i) => {
      const row: Rendered = { bytes: Buffer.from(json), uses: uses[i], stamp: uses[i] ? this.#db.stamp(uses[i]) : 0 }
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
