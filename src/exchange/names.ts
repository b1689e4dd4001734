import { type Field, FieldError, type Row, type Stored } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { type Actor, binder, permittedRows } from '../engine/actor.ts'
import { fieldsOf, memo, modelNamed } from '../engine/catalog.ts'
import { keyOf } from '../engine/keys.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Store } from '../store/open.ts'

/** Attributes that name one object, by name; null where it has none. */
export type Attributes = { [name: string]: Stored | Attributes }

/** What a name is made of: fields of the object, and those of objects that it refers to. */
interface Form {
  name: string
  of?: { model: AnyModel; form: readonly Form[] }
}

/** Stands where an object has no name of its own; no import takes it. */
const Nameless = '?'

/** Names of objects by which another data folder finds the same ones, made of what the actor may view. */
export class Names {
  readonly #store: Store
  readonly #actor: Actor
  readonly #rows = new Map<AnyModel, (id: number) => (Row & { _seen: number }) | undefined>()
  readonly #forms = new Map<string, readonly Form[]>()
  readonly #known = new Map<string, Attributes | undefined>()
  readonly #nameless = new Set<string>()

  constructor(store: Store, actor: Actor) {
    this.#store = store
    this.#actor = actor
  }

  /** How many objects could not be named. */
  get nameless(): number {
    return this.#nameless.size
  }

  /** What names of a model's objects are made of here: as much of its key as tells all of them apart. */
  formOf(m: AnyModel, within: readonly AnyModel[] = []): readonly Form[] {
    const id = [...within, m].map(({ name }) => name).join()
    const known = this.#forms.get(id)
    if (known) return known
    const key = keyOf(m)
    const core = key.filter(({ extra }) => !extra)
    const parts = core.length && this.#isDistinct(m, core.map(columnOf(m))) ? core : key
    const inside = [...within, m]
    const form = parts.flatMap(({ name }): Form[] => {
      const target = m.fields[name].target && modelNamed(m.fields[name].target.model)
      if (!target) return [{ name }]
      if (inside.filter((each) => each === target).length > 1) return []
      const form = this.formOf(target, inside)
      return form.length ? [{ name, of: { model: target, form } }] : []
    })
    this.#forms.set(id, form)
    return form
  }

  /** What an object is called; one that nobody else can find is counted, and named so that no import finds it. */
  of(m: AnyModel, id: number): Attributes {
    const found = this.#attributes(m, id, this.formOf(m))
    if (found) return found
    this.#nameless.add(`${m.name} ${id}`)
    const path = pathsOf(this.formOf(m))[0] ?? ['id']
    return path.reduceRight<Attributes | string>((inner, name) => ({ [name]: inner }), `${Nameless}${id}`) as Attributes
  }

  #attributes(m: AnyModel, id: number, form: readonly Form[]): Attributes | undefined {
    const key = `${m.name}:${id}:${form.length}:${form === this.formOf(m)}`
    if (!this.#known.has(key)) this.#known.set(key, this.#read(m, id, form))
    return this.#known.get(key)
  }

  #read(m: AnyModel, id: number, form: readonly Form[]): Attributes | undefined {
    const row = this.#rowOf(m)(id)
    const [first] = form
    if (!row || !first) return undefined
    const attributes: Attributes = {}
    for (const { name, of } of form) {
      if (!row._seen && !m.brief.includes(name)) return undefined
      const value = row[of ? `${name}_id` : name] ?? null
      const named = of && value !== null ? this.#attributes(of.model, value as number, of.form) : value
      if (named === undefined || (name === first.name && (named === null || named === ''))) return undefined
      attributes[name] = named
    }
    const columns = form.map(columnOf(m))
    const same = this.#store.db.all(
      `select id from ${q(m.table)} where ${columns.map((c) => `${q(c)} is ?`).join(' and ')} limit 2`,
      ...columns.map((c) => row[c] ?? null),
    )
    return same.length === 1 ? attributes : undefined
  }

  /** Reads rows of a model, and whether the actor may view them: of others answers show the brief members alone. */
  #rowOf(m: AnyModel): (id: number) => (Row & { _seen: number }) | undefined {
    const known = this.#rows.get(m)
    if (known) return known
    const c = binder()
    const seen = permittedRows(this.#actor, 'view', m, 't', c) ?? 'true'
    const sql = `select t.*, ${seen} as _seen from ${q(m.table)} t where t.id = :id`
    const read = (id: number) => this.#store.db.get<Row & { _seen: number }>(sql, { ...c.values, id })
    this.#rows.set(m, read)
    return read
  }

  /** Whether no two rows have the same values. */
  #isDistinct(m: AnyModel, columns: readonly string[]): boolean {
    const list = columns.map(q).join(', ')
    return !this.#store.db.get(`select 1 from ${q(m.table)} group by ${list} having count(*) > 1 limit 1`)
  }
}

const columnOf =
  (m: AnyModel) =>
  ({ name }: { name: string }): string =>
    m.fields[name].target ? `${name}_id` : name

/** Paths of a form: `name`, `site.slug`. */
export const pathsOf = (form: readonly Form[]): string[][] =>
  form.flatMap(({ name, of }) => (of ? pathsOf(of.form).map((path) => [name, ...path]) : [[name]]))

/** What attributes say at a path. */
export const at = (attributes: Attributes | null, path: readonly string[]): Stored =>
  path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? (value as Attributes)[name] : null),
    attributes,
  ) as Stored

/** Fields by which people name objects of any model. */
const Words = [
  'slug',
  'name',
  'username',
  'model',
  'cid',
  'ssid',
  'rd',
  'asn',
  'vid',
  'prefix',
  'address',
  'mac_address',
  'account',
  'label',
]

/** The fields by which one word names an object of a model, in the order in which they are tried. */
export const namesFor = memo((m: AnyModel): readonly (readonly [string, Field])[] =>
  [...new Set([...keyOf(m).map((part) => part.name), ...Words])].flatMap((name) => {
    const field = fieldsOf(m).find(([own]) => own === name)?.[1]
    return field && !field.target && !field.options.secret && name in field.columns(name) ? [[name, field]] : []
  }),
)

/** Ids of the objects that a word names: by any field that names objects. */
export function called(store: Store, m: AnyModel, word: string): { ids: number[]; by: string[] } {
  const ids = new Set<number>()
  for (const [name, field] of namesFor(m)) {
    const value = field.parse ? field.parse(word) : word
    if (value === undefined) continue
    const found = store.db.all<{ id: number }>(`select id from ${q(m.table)} where ${q(name)} = ? limit 100`, value)
    for (const { id } of found) ids.add(id)
  }
  return { ids: [...ids], by: namesFor(m).map(([name]) => name) }
}

/** Refuses a word that names no object, or several. */
export const refused = (m: AnyModel, word: string, ids: readonly number[], by: readonly string[]): FieldError =>
  new FieldError(
    ids.length
      ? `${word} names more than one ${m.label}`
      : `there is no ${m.label} ${word}${by.length ? ` (by ${by.join(', ')})` : ''}`,
  )
