import { customTexts } from '../domain/custom-values.ts'
import { type Field, FieldError, q, type TextContext } from '../fields/field.ts'
import { fieldsOf, genericPrefix, modelNamed } from '../registry/catalog.ts'
import type { AnyModel } from '../registry/model.ts'
import type { Store } from '../store/open.ts'
import { isText, Names } from './model.ts'

/** A column of the file: the member of a body that it sets, the attributes by which it names an object, and the field. */
export interface Column {
  header: string
  key: string
  path: readonly string[]
  field?: Field
  texts?: Pick<Field, 'fromText'>
  custom?: string
}
export interface Cell {
  column: Column
  text: string
}

/** A value that cannot be taken, of one column or of the line. */
export class BadCell extends Error {
  readonly column: string | undefined
  constructor(column: string | undefined, message: string) {
    super(message)
    this.column = column
  }
}

/** What the first line says of the others. */
export class Header {
  readonly columns: readonly Column[]
  readonly wrong: { column: string; text: string }[] = []
  readonly #store: Store

  constructor(store: Store, m: AnyModel, names: readonly string[]) {
    this.#store = store
    this.columns = names.map((name) => this.#column(m, name.trim()))
    const seen = new Set<string>()
    for (const { header } of this.columns) {
      if (seen.has(header)) this.wrong.push({ column: header, text: 'there are two columns of this name' })
      seen.add(header)
    }
  }

  #column(m: AnyModel, header: string): Column {
    const [first = '', ...path] = header.split('.')
    if (header === 'id') return { header, key: 'id', path: [] }
    const custom = /^cf_(.+)$/.exec(header)?.[1]
    const definition =
      custom === undefined ? undefined : this.#store.customFields.of(m).find(({ name }) => name === custom)
    if (definition)
      return { header, key: 'custom_fields', path: [], texts: customTexts(definition), custom: definition.name }
    for (const [name, field] of fieldsOf(m)) {
      if (!isText(field)) continue
      if (
        field.generic
          ? [`${genericPrefix(field, name)}_type`, `${genericPrefix(field, name)}_id`].includes(header)
          : name === first
      ) {
        if (path.length && !field.target && !field.links) break
        return { header, key: first, path, field, texts: field }
      }
    }
    this.wrong.push({ column: header, text: `${m.label} has no such column` })
    return { header, key: header, path }
  }

  /** The body of a line. An empty cell says nothing of a new object, and empties a member of one that is there. */
  body(cells: readonly Cell[], isNew: boolean): Record<string, unknown> {
    const body: Record<string, unknown> = {}
    for (const { column, text } of cells) {
      if (column.key === 'id') continue
      if (isNew && text === '') continue
      const value = this.#value(column, text)
      if (column.custom) body.custom_fields = { ...(body.custom_fields as object | undefined), [column.custom]: value }
      else if (isMap(body[column.key]) && isMap(value)) body[column.key] = merged(body[column.key] as Json, value)
      else if (!(value === null && column.key in body)) body[column.key] = value
    }
    return body
  }

  #value(column: Column, text: string): unknown {
    const { texts, path, key } = column
    const context: TextContext = {
      refer: (model, named) =>
        path.length ? nested(path, named) : isMap(named) ? named : this.#id(modelNamed(model), named),
      name: (_model, shown) => shown,
    }
    try {
      return texts?.fromText ? texts.fromText(text, context, key) : text
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      throw new BadCell(column.header, [error.detail].flat().join(' '))
    }
  }

  /** An object by its id, or by one of the fields by which people name it. */
  #id(target: AnyModel, value: unknown): unknown {
    const text = String(value)
    if (/^\d{1,15}$/.test(text)) return Number(text)
    const names = Names.filter((name) => target.fields[name])
    for (const name of names) {
      const found = this.#store.db.all<{ id: number }>(
        `select id from ${q(target.table)} where ${q(name)} = ? limit 2`,
        text,
      )
      if (found.length > 1) throw new FieldError(`${text} names more than one ${target.label}`)
      if (found[0]) return found[0].id
    }
    throw new FieldError(`there is no ${target.label} ${text} (by id${names.length ? `, ${names.join(' or ')}` : ''})`)
  }
}

type Json = Record<string, unknown>
const isMap = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const nested = (path: readonly string[], value: unknown): Json =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Json
const merged = (into: Json, from: Json): Json =>
  Object.entries(from).reduce(
    (made, [key, value]) =>
      Object.assign(made, { [key]: isMap(made[key]) && isMap(value) ? merged(made[key], value) : value }),
    { ...into },
  )

/** Cells of a line by column; those that are missing at its end are empty. */
export const cellsOf = ({ columns }: Header, texts: readonly string[]): Cell[] =>
  columns.map((column, i) => ({ column, text: (texts[i] ?? '').trim() }))
