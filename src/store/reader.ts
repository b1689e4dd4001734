import { type Actor, permittedRows, binder } from '../engine/actor.ts'
import type { Shape } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { transientBytes } from '../lib/transient-bytes.ts'
import { Lru } from '../lib/lru.ts'
import type { AnyModel } from '../declare/model.ts'
import { comparing } from '../engine/paths.ts'
import { rendering, type View } from '../engine/select.ts'
import { models } from '../engine/catalog.ts'
import { filled, type Gap, gapsIn, placeOf } from '../fields/generic.ts'
import type Database from 'better-sqlite3'
import type { Connection } from './database.ts'
import type { CustomFields } from './custom-fields.ts'
import { dependenciesOf, RowCache, type CachedView, type Known, type Rendered } from './row-cache.ts'
import { Selections } from './selections.ts'

const Comma = 44 // as a letter

/** Hosts and paths by which the server is called of which the views of gaps are known by name. */
const MaxBases = 20

/** Rows of one write that are kept for who asks for them next. */
const FewWritten = 20

/**
 * Reads: ids of a page from indexes, then the JSON of those rows, made by SQLite; kept until what they show or depend
 * on changes.
 */
export class Reader {
  readonly #db: Connection
  readonly #custom: CustomFields
  readonly #cache: RowCache
  readonly #renderings = new Lru<string, Known>(400)
  readonly #displays = new Map<AnyModel, string>()
  /** Views of what fills gaps, by what URLs begin with and the places of the gaps. */
  readonly #gapViews = new Lru<string, Map<string, CachedView>>(MaxBases)
  readonly #selections: Selections

  /**
   * `open`: one more connection to the same database, to read; `share`: of the memory for what is kept, where several
   * threads keep the same.
   */
  constructor(db: Connection, custom: CustomFields, open: () => Database.Database, share = 1) {
    this.#db = db
    this.#custom = custom
    this.#cache = new RowCache(share)
    this.#selections = new Selections(db, open, share)
    this.page = this.#selections.page.bind(this.#selections)
    this.from = this.#selections.from.bind(this.#selections)
    const forget = db.onChange((change) => {
      this.#cache.changed(change)
      this.#selections.changed(change)
    })
    this.close = () => {
      forget()
      this.#selections.close()
    }
  }

  /** Ends its use: it is told of no more changes. */
  readonly close: () => void
  readonly page: Selections['page']
  readonly from: Selections['from']

  /** JSON of rows, in the order of the ids; an id without a row is left out. */
  rows(m: AnyModel, ids: readonly number[], view: View | 'nested', base: string): string[] {
    const kept = view === 'nested' ? this.#partsOf(m, undefined, base) : this.#viewOf(m, view, base)
    const rows: string[] = []
    for (const { text } of this.#find(kept, ids, base)) if (text !== undefined) rows.push(text)
    return rows
  }

  /** JSON of rows with commas, between a head and a tail, for one answer: see `transientBytes`. */
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
    const all = transientBytes(size)
    let at = all.write(head)
    for (const [i, { text, bytes }] of rows.entries()) {
      if (i > 0) all[at++] = Comma
      at += all.write(text!, at, text!.length === bytes ? 'latin1' : 'utf8')
    }
    all.write(tail, at)
    return all
  }

  /** Bytes of rendered rows that are kept. */
  get cachedBytes(): { rows: number; parts: number } {
    return this.#cache.bytes
  }

  /** How many lists of ids in order are kept. */
  get cachedLists(): number {
    return this.#selections.lists
  }

  /** Rows of a view, kept or rendered now, in the order of the ids. */
  #find(view: CachedView, ids: readonly number[], base: string, isKept = true): readonly Rendered[] {
    const found = ids.map((id) => view.get(id))
    const missing = ids.filter((_, i) => !found[i])
    if (missing.length === 0) return found as Rendered[]
    const made = this.#render(view, missing, base, isKept)
    return ids.flatMap((id, i) => found[i] ?? made.get(id) ?? [])
  }

  one(m: AnyModel, id: number, view: View, base: string): string | undefined {
    return this.oneWithMoment(m, id, view, base)?.text
  }

  /** The same with when it was changed, or else made: undefined where the view does not tell. */
  oneWithMoment(m: AnyModel, id: number, view: View, base: string): Pick<Rendered, 'text' | 'moment'> | undefined {
    return this.#find(this.#viewOf(m, view, base), [id], base)[0]
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

  /** Whether what the actor may do of this to rows of a model depends on the row. */
  asksOfRows(actor: Actor, action: string, m: AnyModel): boolean {
    return permittedRows(actor, action, m, 't', binder()) !== undefined
  }

  /** Whether the actor may do this to one row; undefined when there is no such row. */
  mayOn(actor: Actor, action: string, m: AnyModel, id: number): boolean | undefined {
    const c = binder()
    const condition = permittedRows(actor, action, m, 't', c)
    if (!condition) return this.#db.rows.has(m.table, id) || undefined
    const found = this.#db.get<{ ok: number }>(`select ${condition} as ok from ${q(m.table)} t where t.id = :id`, {
      ...c.values,
      id,
    })
    return found && found.ok === 1
  }

  #viewOf(m: AnyModel, view: View, base: string): CachedView {
    const name = view.members || view.omit || view.also ? JSON.stringify(view) : view.brief ? 'brief' : ''
    return this.#cache.view(...this.#keyOf(m, name, view, base), false)
  }

  /** Objects as other objects show them. */
  #partsOf(m: AnyModel, shape: Shape | undefined, base: string): CachedView {
    const view = { nested: shape }
    return this.#cache.view(...this.#keyOf(m, JSON.stringify(view), view, base), true)
  }

  /** Displays as other texts show them. */
  #displaysOf(m: AnyModel): CachedView {
    return this.#cache.view(...this.#keyOf(m, 'display', { members: ['display'] }, ''), true)
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

  /** The view of what fills gaps of one kind; undefined where their model is unknown. */
  #viewAt(place: string, base: string): CachedView | undefined {
    let views = this.#gapViews.get(base)
    if (!views) {
      views = new Map()
      this.#gapViews.set(base, views)
    }
    const known = views.get(place)
    if (known && !known.isForgotten && known.known.custom === this.#custom.version) return known
    const { as, type, shape } = placeOf(place)
    const m = models[type]
    const view = m && (as === 'object' ? this.#partsOf(m, shape, base) : this.#displaysOf(m))
    if (view) views.set(place, view)
    return view
  }

  /** What fills the gaps of some texts: one statement for each model and shape among them. */
  #fillings(gaps: readonly Gap[], base: string): (gap: Gap) => Rendered | undefined {
    const places = new Map<string, { view: CachedView | undefined; rows: Map<number, Rendered | undefined> }>()
    for (const { place, id } of gaps) {
      let there = places.get(place)
      if (!there) {
        there = { view: this.#viewAt(place, base), rows: new Map() }
        places.set(place, there)
      }
      there.rows.set(id, undefined)
    }
    for (const { view, rows } of places.values())
      if (view) for (const row of this.#find(view, [...rows.keys()], base)) rows.set(row.id, row)
    return ({ place, id }) => places.get(place)!.rows.get(id)
  }

  #render(view: CachedView, ids: readonly number[], base: string, isKept: boolean): Map<number, Rendered> {
    const { isPart, known } = view
    const made = this.#db.prepare(known.rendering.sql).all({ ids: JSON.stringify(ids), base }) as {
      id: number
      json: string
      moment?: string | null
    }[]
    const splits = made.map(({ json }) => gapsIn(json))
    const gaps = splits.flatMap((split) => split?.gaps ?? [])
    const fillings = gaps.length ? this.#fillings(gaps, base) : undefined
    const found = new Map<number, Rendered>()
    const keep = (id: number, text: string | undefined, parts: readonly Rendered[], moment?: string | null): void => {
      const row = {
        id,
        text,
        bytes: text === undefined ? 0 : Buffer.byteLength(text),
        moment,
        parts,
        of: view,
        isGone: false,
        isAsked: false,
      }
      found.set(id, row)
      if (isKept) view.offer(row)
    }
    for (const [i, { id, json, moment }] of made.entries()) {
      const split = splits[i]
      if (!split) {
        keep(id, json, [], moment)
        continue
      }
      const parts = new Set<Rendered>()
      const fill = (gap: Gap): string => {
        const part = fillings!(gap)
        if (part) for (const each of [part, ...part.parts]) parts.add(each)
        return gap.place[0] === 'o' ? (part?.text ?? 'null') : displayIn(part)
      }
      keep(id, filled(split.pieces, split.gaps.map(fill)), [...parts], moment)
    }
    if (isPart) for (const id of ids) if (!found.has(id)) keep(id, undefined, [])
    if (isKept) view.evict()
    return found
  }
}

/** The display in a rendered row, as part of a JSON text. */
const displayIn = (row: Rendered | undefined): string =>
  row?.text === undefined
    ? ''
    : JSON.stringify(String((JSON.parse(row.text) as { display: unknown }).display ?? '')).slice(1, -1)

function displaySql(m: AnyModel): string {
  let aliases = 0
  const text =
    typeof m.display === 'function'
      ? m.display('t', comparing(m, { alias: () => `d${++aliases}`, uses: () => {} }))
      : `t.${q(m.display)}`
  return `select ${text} as display from ${q(m.table)} t where t.id = ?`
}
