import { customTexts } from '../rules/custom-values.ts'
import type { Field } from '../fields/field.ts'
import type { Actor } from '../engine/actor.ts'
import type { TextContext } from '../fields/context.ts'
import { q } from '../lib/sql.ts'
import { byIds, idOf } from '../fields/texts.ts'
import { fieldsOf, genericPrefix, modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Store } from '../store/open.ts'
import { parseExact } from '../lib/exact-json.ts'
import { csvLines, endOf, type Format, objectText } from '../lib/tables.ts'
import { isText } from './model.ts'
import { type Attributes, at, Names, pathsOf } from './names.ts'

type Json = Record<string, unknown>

/** One column: its name, its text of an object as the API shows it, and what an object of a list has under its key. */
interface Column {
  header: string
  text: (json: Json) => string
  key: string
  value: (json: Json) => unknown
}
interface ExportOptions {
  format?: Format
  /** Who gets it: of objects that they may not view, names are made of what answers show of these anyway. */
  actor: Actor
  /** References are ids, which say something in this data folder alone. */
  ids?: boolean
  /** Objects to write, in this order, instead of all. */
  rows?: readonly number[]
  /** For people's spreadsheets: cells of CSV that such a program would take for a formula begin with an apostrophe. */
  harmless?: boolean
  /** What stands between the columns of CSV. */
  delimiter?: string
}

/** Objects made into text at a time: of a whole table, and of some rows, between which others are served. */
const Chunk = 500
const ChunkOfSome = 100

/** All rows of a model as a table that an import takes. */
export class Export {
  readonly #store: Store
  readonly #m: AnyModel
  readonly #names: Names
  readonly #o: ExportOptions

  constructor(store: Store, m: AnyModel, options: ExportOptions) {
    this.#store = store
    this.#m = m
    this.#o = options
    this.#names = new Names(store, options.actor)
  }

  /** Objects referred to that have no name by which another data folder finds them; known once all is written. */
  get nameless(): number {
    return this.#names.nameless
  }

  /** The text in pieces, for one reader after another. */
  *[Symbol.iterator](): Generator<string> {
    const { format = 'csv', rows: some, harmless = false, delimiter = ',' } = this.#o
    const columns = this.#columns()
    if (format === 'csv') yield csvLines([columns.map(({ header }) => header)], { delimiter })
    const m = this.#m
    const step = some ? ChunkOfSome : Chunk
    const ids =
      some ??
      this.#store.db
        .all<{ id: number }>(`select id from ${q(m.table)} order by ${m.tree ? '_place' : 'id'}`)
        .map(({ id }) => id)
    for (let start = 0; start < ids.length; start += step) {
      const rows = this.#store.reader
        .rows(m, ids.slice(start, start + step), {}, '')
        .map((bytes) => parseExact(bytes.toString()) as Json)
      yield format === 'csv'
        ? csvLines(
            rows.map((json) => columns.map(({ text }) => text(json))),
            { harmless, delimiter },
          )
        : rows.map((json, i) => objectText(objectOf(columns, json), format, start + i === 0)).join('')
    }
    yield endOf(format, ids.length === 0)
  }

  #columns(): Column[] {
    const m = this.#m
    const columns: Column[] = [plain('id', 'id', (json) => String(json.id), Number)]
    for (const [name, field] of fieldsOf(m))
      if (isText(field) && !field.options.writeOnly) columns.push(...this.#ofField(name, field))
    for (const definition of this.#store.customFields.of(m)) {
      const texts = customTexts(definition)
      const shown = (json: Json) => (json.custom_fields as Json)[definition.name]
      const text = (json: Json) => texts.toText(shown(json), this.#context, '')
      const name = `cf_${definition.name}`
      const column = plain(name, name, text, (each) => texts.fromText(each, asIs, ''))
      columns.push(texts.toWord ? { ...column, value: (json) => texts.toWord!(shown(json)) } : column)
    }
    return columns
  }

  #ofField(name: string, field: Field): Column[] {
    const ofKey = (key: string): Column => {
      const text = (json: Json) => field.toText!(json[key], this.#context, key)
      const column = plain(key, key, text, (each) => field.fromText!(each, asIs, key))
      return field.toWord ? { ...column, value: (json) => field.toWord!(json[key]) } : column
    }
    if (this.#o.ids)
      return (field.keys?.(name) ?? [name]).map((key): Column => {
        const column = ofKey(key)
        if (!field.target && !(field.links && field.namesObjects)) return column
        const text = (json: Json) => field.toText!(json[key], byIds, key)
        return { ...column, header: `${key}.id`, text, value: (json) => withIds(json[key]) }
      })
    if (field.generic) {
      const as = genericPrefix(field, name)
      const named = (json: Json): Attributes | null => {
        const [type, id] = [json[`${as}_type`], json[`${as}_id`]]
        return typeof type === 'string' && typeof id === 'number' ? this.#names.of(modelNamed(type), id) : null
      }
      const text = (json: Json): string => {
        const attributes = named(json)
        return attributes ? JSON.stringify(attributes) : ''
      }
      return [ofKey(`${as}_type`), { header: name, key: name, text, value: named }]
    }
    if (!field.target) return [ofKey(name)]
    const target = modelNamed(field.target.model)
    const named = (json: Json): Attributes | null => {
      const id = idOf(json[name])
      return id === undefined ? null : this.#names.of(target, id)
    }
    const paths = pathsOf(this.#names.formOf(target))
    if (!paths.length) return [{ ...ofKey(name), value: named }]
    return paths.map((path) => ({
      header: [name, ...path].join('.'),
      key: name,
      text: (json) => String(at(named(json), path) ?? ''),
      value: named,
    }))
  }

  /** Names objects in lists: by a word where one attribute names them, and else by their attributes. */
  readonly #context: TextContext = {
    ...byIds,
    name: (model, shown) => {
      const id = idOf(shown)
      if (id === undefined) return shown
      if (this.#o.ids) return { id }
      const attributes = this.#names.of(modelNamed(model), id)
      const [only, ...more] = Object.values(attributes)
      return more.length || typeof only === 'object' || isNumber(only) ? attributes : only
    },
  }
}

/** A word that could be the id of another object as well. */
const isNumber = (word: unknown): boolean => /^\d+$/.test(String(word))

/** An object or several as attributes that say that they are named by their ids. */
const withIds = (shown: unknown): unknown => {
  if (Array.isArray(shown)) return shown.map(withIds)
  const id = idOf(shown)
  return id === undefined ? null : { id }
}

/** Objects stay as they are named. */
const asIs: TextContext = { refer: (_model, named) => parsed(named), name: (_model, shown) => shown }
const parsed = (named: unknown): unknown =>
  typeof named === 'string' && named.startsWith('{') ? JSON.parse(named) : named

const plain = (header: string, key: string, text: (json: Json) => string, read: (text: string) => unknown): Column => ({
  header,
  key,
  text,
  value: (json) => {
    const value = read(text(json))
    return typeof value === 'symbol' ? null : value // what no JSON says: no choice
  },
})

const objectOf = (columns: readonly Column[], json: Json): Json => {
  const object: Json = {}
  for (const { key, value } of columns) if (!(key in object)) object[key] = value(json)
  return object
}
