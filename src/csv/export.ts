import { parseExact } from '../tools/exact-json.ts'
import { stringify } from 'csv-stringify/sync'
import { customTexts } from '../domain/custom-values.ts'
import { type Field, q, type TextContext } from '../fields/field.ts'
import { byIds, idOf } from '../fields/texts.ts'
import { fieldsOf, modelNamed } from '../registry/catalog.ts'
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
      .map((bytes) => parseExact(bytes.toString()) as Json)
    yield stringify(rows.map((json) => columns.map(({ text }) => text(json))))
  }
}

const bySlug: TextContext = { ...byIds, name: (_model, shown) => (shown as Json).slug }

function columnsOf(store: Store, m: AnyModel): Column[] {
  const columns: Column[] = [{ header: 'id', text: (json) => String(json.id) }]
  for (const [name, field] of fieldsOf(m))
    if (isText(field) && !field.options.writeOnly) columns.push(...ofField(store, name, field))
  for (const definition of store.customFields.of(m)) {
    const { toText } = customTexts(definition)
    const text = (json: Json) => toText((json.custom_fields as Json)[definition.name], byIds, definition.name)
    columns.push({ header: `cf_${definition.name}`, text })
  }
  return columns
}

function ofField(store: Store, name: string, field: Field): Column[] {
  const target = field.target ?? field.links
  if (target) return [reference(store, name, modelNamed(target.model), field)]
  return (field.keys?.(name) ?? [name]).map((key) => ({
    header: key,
    text: (json) => field.toText!(json[key], bySlug, key),
  }))
}

/** A column of references: by slug or name where each names one object, and else by id. */
function reference(store: Store, name: string, target: AnyModel, field: Field): Column {
  const by = Names.slice(0, 3).find((attribute) => target.fields[attribute] && isDistinct(store, target, attribute))
  const column = (header: string, label: (id: number) => unknown): Column => {
    const context = {
      ...byIds,
      name: (_model: string, shown: unknown) => (typeof shown === 'string' ? shown : label(idOf(shown)!)),
    }
    return { header, text: (json) => field.toText!(json[name], context, name) }
  }
  if (!by) return column(name, (id) => id)
  const labels = new Map<number, string>()
  return column(`${name}.${by}`, (id) => {
    const known =
      labels.get(id) ??
      String(store.db.get<Json>(`select ${q(by)} as label from ${q(target.table)} where id = ?`, id)?.label ?? id)
    labels.set(id, known)
    return known
  })
}

/** Whether every row has a value that no other has, which can stand in a list. */
const isDistinct = (store: Store, target: AnyModel, attribute: string): boolean => {
  const a = q(attribute)
  const { rows, names, odd } = store.db.get<{ rows: number; names: number; odd: number | null }>(
    `select count(*) as rows, count(distinct fold(${a})) as names, sum(${a} = '' or instr(${a}, ',') > 0) as odd from ${q(target.table)}`,
  )!
  return rows === names && !odd
}
