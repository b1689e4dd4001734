import { stringify } from 'csv-stringify/sync'
import { type Field, q } from '../fields/field.ts'
import { fieldsOf, genericPrefix, modelNamed } from '../registry/catalog.ts'
import type { AnyModel } from '../registry/model.ts'
import type { Store } from '../store/open.ts'
import { isText, Names } from './model.ts'

type Json = Record<string, unknown>
/** One column: its header, and its text of an object as the API shows it. */
interface Column {
  header: string
  text: (json: Json) => string
}

/** Objects made into text at a time. */
const Chunk = 500

/** The rows of a model as CSV, in pieces, the header first. The columns are those that an import takes. */
export function* csvOf(store: Store, m: AnyModel): Generator<string> {
  const columns = columnsOf(store, m)
  yield stringify([columns.map(({ header }) => header)])
  const ids = store.db
    .all<{ id: number }>(`select id from ${q(m.table)} order by ${m.tree ? '_place' : 'id'}`)
    .map(({ id }) => id)
  for (let at = 0; at < ids.length; at += Chunk) {
    const rows = store.reader
      .rows(m, ids.slice(at, at + Chunk), {}, '')
      .map((bytes) => JSON.parse(bytes.toString()) as Json)
    yield stringify(rows.map((json) => columns.map(({ text }) => text(json))))
  }
}

function columnsOf(store: Store, m: AnyModel): Column[] {
  const columns: Column[] = [{ header: 'id', text: (json) => String(json.id) }]
  for (const [name, field] of fieldsOf(m))
    if (isText(field) && !field.options.writeOnly) columns.push(...ofField(store, m, name, field))
  return columns
}

function ofField(store: Store, m: AnyModel, name: string, field: Field): Column[] {
  if (field.generic) return ['type', 'id'].map((part) => plain(`${genericPrefix(field, name)}_${part}`))
  if (field.kind === 'tags')
    return [{ header: name, text: (json) => listText((json[name] as Json[]).map((tag) => tag.slug)) }]
  if (field.kind === 'custom-fields')
    return store.customFields.of(m).map((definition) => ({
      header: `cf_${definition.name}`,
      text: (json) => customText((json[name] as Json)[definition.name], definition.type),
    }))
  if (field.target)
    return [
      reference(store, name, modelNamed(field.target.model), (value, label) =>
        idOf(value) === undefined ? '' : label(idOf(value)!),
      ),
    ]
  if (field.links)
    return [
      reference(store, name, modelNamed(field.links.model), (value, label) =>
        listText((value as unknown[]).map((each) => (typeof each === 'string' ? each : label(idOf(each)!)))),
      ),
    ]
  return [plain(name)]
}

const plain = (name: string): Column => ({ header: name, text: (json) => plainText(json[name]) })
const idOf = (value: unknown): number | undefined => {
  const id = typeof value === 'object' && value !== null ? (value as Json).id : value
  return typeof id === 'number' ? id : undefined
}

/** A column of references: by slug or name where each names one object, and else by id. */
function reference(
  store: Store,
  name: string,
  target: AnyModel,
  text: (value: unknown, label: (id: number) => string) => string,
): Column {
  const by = Names.slice(0, 3).find((attribute) => target.fields[attribute] && isDistinct(store, target, attribute))
  if (!by) return { header: name, text: (json) => text(json[name], String) }
  const labels = new Map<number, string>()
  const label = (id: number): string => {
    const known =
      labels.get(id) ??
      String(store.db.get<Json>(`select ${q(by)} as label from ${q(target.table)} where id = ?`, id)?.label ?? id)
    labels.set(id, known)
    return known
  }
  return { header: `${name}.${by}`, text: (json) => text(json[name], label) }
}

/** Whether every row has a value that no other has, which can stand in a list. */
const isDistinct = (store: Store, target: AnyModel, attribute: string): boolean => {
  const a = q(attribute)
  const { rows, names, odd } = store.db.get<{ rows: number; names: number; odd: number | null }>(
    `select count(*) as rows, count(distinct fold(${a})) as names, sum(${a} = '' or instr(${a}, ',') > 0) as odd from ${q(target.table)}`,
  )!
  return rows === names && !odd
}

function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return listText(value)
  if (typeof value !== 'object') return String(value)
  const { value: chosen, label } = value as Json
  return label !== undefined && chosen !== undefined && Object.keys(value).length === 2
    ? String(chosen)
    : JSON.stringify(value)
}

/** A list with commas, or as JSON where that would not say it. */
function listText(list: readonly unknown[]): string {
  const isPlain = list.every(
    (each) => typeof each === 'number' || (typeof each === 'string' && each !== '' && !/[,[\]]/.test(each)),
  )
  return isPlain ? list.join(',') : JSON.stringify(list.map(named))
}
/** An object of a list without what a body does not take. */
const named = (each: unknown): unknown =>
  typeof each === 'object' && each !== null && 'object' in each ? { ...each, object: undefined } : each

function customText(value: unknown, type: string): string {
  if (value === null || value === undefined) return ''
  if (type === 'object') return String(idOf(value) ?? '')
  if (type === 'multiobject') return listText((value as unknown[]).map(idOf))
  return type === 'json' ? JSON.stringify(value) : plainText(value)
}
