import { isObject } from '../lib/json.ts'
import { customTexts } from '../rules/custom-values.ts'
import { type Field, FieldError } from '../fields/field.ts'
import type { ResolveContext, TextContext } from '../fields/context.ts'
import { q } from '../lib/sql.ts'
import { idOf } from '../fields/texts.ts'
import type { ImportColumns } from '../declare/behaviour.ts'
import { fieldsOf, genericPrefix, modelNamed } from '../engine/catalog.ts'
import { enteredOf } from '../engine/extra.ts'
import type { AnyModel } from '../declare/model.ts'
import { resolver } from '../store/references.ts'
import type { Writing } from '../store/write.ts'
import type { Line, Table, Wrong } from '../lib/tables.ts'
import { called, refused } from './names.ts'

/** A column: the key of a body that it sets, the attribute by which it names an object, and what reads it. */
interface Column {
  header: string
  key: string
  path: readonly string[]
  read: 'id' | 'field' | 'custom' | 'object' | 'own' | 'narrow'
  field?: Field
  texts?: Pick<Field, 'fromText' | 'fromWord'>
  /** What a model's own column says: a model's name, `text` or `boolean`. */
  says?: string
}

/** A value of one column that cannot be taken. */
export class BadCell extends Error {
  readonly column: string
  /** The member of a body that it would have set. */
  readonly key: string
  constructor(column: string, key: string, message: string) {
    super(message)
    this.column = column
    this.key = key
  }
}

type Json = Record<string, unknown>
/** Steps of a column's path: no name of an object has as many. */
const MaxPath = 10
const Yes = new Set(['true', '1', 't', 'y', 'yes', 'on'])
const isMap = (value: unknown): value is Json => isObject(value)

/** What the columns of a table mean for a model. */
export class Columns {
  readonly all: readonly Column[]
  readonly wrong: readonly Wrong[]
  readonly #m: AnyModel
  readonly #w: Writing
  readonly #isNew: boolean
  readonly #own: ImportColumns | undefined
  #bad: BadCell[] = []
  /** What the model's own columns say of the line that is read. */
  #given: Json = {}

  /** `isNew`: the table comes from another data folder, whose ids say nothing here. */
  constructor(w: Writing, m: AnyModel, { columns }: Table, isNew: boolean) {
    this.#m = m
    this.#w = w
    this.#isNew = isNew
    this.#own = m.behaviour.importColumns
    const wrong: Wrong[] = []
    this.all = columns.flatMap((header) => {
      const column = this.#column(header)
      const text = !column
        ? `${m.label} has no such column`
        : isNew && isIdColumn(column)
          ? 'ids of another data folder say nothing here: name the object'
          : undefined
      if (text !== undefined) wrong.push({ line: 1, column: header, text })
      return column ? [column] : []
    })
    this.wrong = wrong
  }

  #column(header: string): Column | undefined {
    const [first = '', ...path] = header.split('.')
    if (path.length > MaxPath) return undefined
    if (header === 'id') return { header, key: 'id', path: [], read: 'id' }
    const says = this.#own?.columns[header]
    if (says !== undefined) {
      const field = this.#m.fields[header] as Field | undefined
      const as = field?.generic ? { key: genericPrefix(field, header), field } : { key: header }
      return { header, path: [], read: 'own', says, ...as }
    }
    const custom = /^cf_(.+)$/.exec(header)?.[1]
    const definition = this.#w.store.customFields.of(this.#m).find(({ name }) => name === custom)
    if (definition) return { header, key: definition.name, path: [], read: 'custom', texts: customTexts(definition) }
    for (const [name, field] of enteredOf(this.#m)) {
      if (!field.fromText) continue
      if (field.generic) {
        const as = genericPrefix(field, name)
        if (header === `${as}_type` || header === `${as}_id`)
          return { header, key: header, path: [], read: 'field', field, texts: field }
        if (first === name || header === `${as}_name`) return { header, key: as, path, read: 'object', field }
      } else if (name === first) {
        if (path.length && !field.target && !field.links) return undefined
        return { header, key: first, path, read: 'field', field, texts: field }
      }
    }
    return undefined
  }

  /**
   * The body of a line, and the cells that cannot be taken. An empty cell says nothing of a new object, and empties a
   * member of one that is there.
   */
  body(line: Line, isCreated: boolean): { body: Json; bad: BadCell[] } {
    this.#bad = []
    const own = this.given(line)
    this.#given = own
    const body: Json = {}
    const paths = new Map<string, { column: Column; attributes: Json }>()
    for (const column of this.all) {
      const text = line.cells[column.header]
      if (text === undefined || column.read === 'id') continue
      if (column.read === 'own') {
        if (column.field && isAttributes(text))
          paths.set(column.key, { column: { ...column, read: 'object' }, attributes: text as never })
        continue
      }
      if (column.path.length && (column.field!.target || column.read === 'object')) {
        const known = paths.get(column.key) ?? { column, attributes: {} }
        put(known.attributes, column.path, text === '' ? null : text)
        paths.set(column.key, known)
      } else if (column.read === 'field' && !(isCreated && text === ''))
        body[column.key] = this.#told(column, () => this.#read(line, column, body, column.key))
      else if (column.read === 'custom' && !(isCreated && text === ''))
        body.custom_fields = {
          ...(body.custom_fields as object | undefined),
          [column.key]: this.#told(column, () => this.#read(line, column, body, column.header)),
        }
      else if (column.read === 'object' && !column.path.length && text !== '')
        paths.set(column.key, { column, attributes: text as never })
    }
    for (const { column, attributes } of paths.values()) this.#refer(column, attributes, body, isCreated)
    this.#readOwn(own, body)
    return { body, bad: this.#bad }
  }

  /** What a body says of a cell. Throws `FieldError`. */
  #read({ cells, words }: Line, column: Column, body: Json, key: string): unknown {
    const text = cells[column.header]!
    const { fromText, fromWord } = column.texts!
    if (fromWord && text !== '' && words?.includes(column.header)) return fromWord(text)
    return fromText!(text, this.#context(column, body), key)
  }

  /** What a model's own columns say of a line, by name; those that are empty are left out. */
  given(line: Line): Json {
    const given: Json = {}
    this.#given = given
    for (const [header, says] of Object.entries(this.#own?.columns ?? {})) {
      const text = line.cells[header]
      if (!text || (this.#m.fields[header]?.generic && isAttributes(text))) continue
      const column: Column = { header, key: header, path: [], read: 'own', says }
      given[header] =
        says === 'text'
          ? text
          : says === 'boolean'
            ? Yes.has(text.toLowerCase())
            : this.#told(column, () => this.#find(modelNamed(says), text, {}, header))
    }
    return given
  }

  #readOwn(given: Json, body: Json): void {
    if (!this.#own || !Object.keys(given).length) return
    try {
      Object.assign(
        body,
        this.#own.read(given, (model, attributes) => this.#related(model, attributes), body),
      )
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      const header = error.key ?? Object.keys(given)[0]!
      this.#bad.push(new BadCell(header, header, textOf(error)))
    }
  }

  /** Sets a reference that columns name by attributes, or by one word. */
  #refer(column: Column, attributes: Json | string, body: Json, isCreated: boolean): void {
    const { field, key } = column
    const named = (m: AnyModel) => (typeof attributes === 'string' ? attributes : stripped(m, attributes))
    if (column.read === 'object') {
      const type = body[`${key}_type`]
      const isKnown = typeof type === 'string' && this.#resolve.typesWith('all').has(type)
      const object = isKnown ? named(modelNamed(type)) : attributes
      if (object === null) return
      body[`${key}_id`] = this.#told(column, () => {
        if (!isKnown) throw new FieldError(`the column ${key}_type must say of which kind the object is`)
        return this.#find(modelNamed(type), object, body, key)
      })
      return
    }
    const target = modelNamed(field!.target!.model)
    const object = named(target)
    if (object !== null) body[key] = this.#told(column, () => this.#find(target, object, body, key))
    else if (!isCreated && !(key in body)) body[key] = null
  }

  #context(column: Column, body: Json): TextContext {
    const { path } = column
    return {
      refer: (model, named) =>
        this.#find(modelNamed(model), path.length && !isMap(named) ? put({}, path, named) : named, body, column.key),
      name: (_model, shown) => shown,
    }
  }

  get #resolve(): ResolveContext {
    return resolver(this.#w, this.#m, undefined)
  }

  /**
   * The id of the object that a word, an id or attributes name: exactly one, that the user may see. Throws
   * `FieldError`.
   */
  #find(target: AnyModel, named: unknown, body: Json, key: string): number {
    if (typeof named === 'string' && named.startsWith('{')) {
      try {
        return this.#find(target, JSON.parse(named), body, key)
      } catch (error) {
        if (error instanceof SyntaxError) throw new FieldError(`This is not JSON: ${error.message}`)
        throw error
      }
    }
    if (isMap(named)) {
      if (this.#isNew && 'id' in named) throw new FieldError('ids of another data folder say nothing here')
      return this.#related(target.name, named)
    }
    const word = String(named)
    const { ids, by } = called(this.#w.store, target, word)
    const visible = ids.filter((id) => this.#w.tools.mayOn('view', target.name, id))
    const found = this.#narrow(target, visible, body, key)
    const asId = /^\d{1,15}$/.test(word) && !this.#isNew && this.#resolve.exists(target.name, Number(word))
    const all = new Set(asId ? [...found, Number(word)] : found)
    if (all.size === 1) return [...all][0]!
    if (all.size > 1 && asId) {
      const ways = ['id', ...by].map((name) => `.${name}`).join(' or ')
      throw new FieldError(`${word} is the id of one ${target.label} and the name of another: say which by ${ways}`)
    }
    throw refused(target, word, [...all], [...(this.#isNew ? [] : ['id']), ...by])
  }

  /** Of several objects of a name, those that belong where the line says: the same site, device, provider. */
  #narrow(target: AnyModel, ids: readonly number[], body: Json, key: string): readonly number[] {
    const told = Object.entries(this.#own?.narrows ?? {}).flatMap(([column, those]) =>
      those.filter(([narrowed]) => narrowed === key).map(([, by]) => [by, this.#given[column]] as const),
    )
    const shared = fieldsOf(target).flatMap(([name, field]) =>
      field.target && this.#m.fields[name]?.target?.model === field.target.model ? [[name, body[name]] as const] : [],
    )
    const inside = (left: readonly number[], [name, value]: readonly [string, unknown]): readonly number[] => {
      const sql = `select id from ${q(target.table)}
        where ${q(`${name}_id`)} = ? and id in (select value from json_each(?))`
      const id = idOf(value)
      return id === undefined
        ? left
        : this.#w.db.all<{ id: number }>(sql, id, JSON.stringify(left)).map((row) => row.id)
    }
    const named = told.reduce(inside, ids)
    return shared.reduce((left, each) => {
      const some = left.length > 1 ? inside(left, each) : []
      return some.length ? some : left
    }, named)
  }

  #related(model: string, attributes: object): number {
    return this.#resolve.related(model, attributes)
  }

  #told<T>(column: Column, read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      this.#bad.push(new BadCell(column.header, column.key, textOf(error)))
      return undefined
    }
  }
}

/** What an export writes of an object of any model, whatever else the column may say. */
const isAttributes = (text: string): boolean => text.startsWith('{')

/** A column of ids of other objects. */
const isIdColumn = ({ read, path, field, key }: Column): boolean =>
  (read === 'field' && path.at(-1) === 'id') || (read === 'field' && Boolean(field?.generic) && key.endsWith('_id'))

const textOf = (error: FieldError): string => [error.detail].flat().map(String).join(' ')

function put(into: Json, [name, ...rest]: readonly string[], value: unknown): Json {
  if (rest.length === 0) into[name!] = value
  else into[name!] = put(isMap(into[name!]) ? (into[name!] as Json) : {}, rest, value)
  return into
}

/**
 * Attributes of a model's object as a body names it: what is empty is null, or an empty text where there is no null;
 * null for none at all.
 */
function stripped(m: AnyModel, attributes: Json): Json | null {
  const all = Object.entries(attributes).map(([name, value]) => {
    const target = m.fields[name]?.target
    return [name, isMap(value) && target ? stripped(modelNamed(target.model), value) : value] as const
  })
  if (all.every(([, value]) => value === null)) return null
  const none = (name: string) => {
    const field = m.fields[name]
    return field && !field.target && !field.options.nullable ? '' : null
  }
  return Object.fromEntries(all.map(([name, value]) => [name, value ?? none(name)]))
}
