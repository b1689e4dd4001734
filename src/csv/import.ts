import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { System } from '../registry/actor.ts'
import { q } from '../fields/field.ts'
import { Refused } from '../registry/behaviour.ts'
import type { AnyModel } from '../registry/model.ts'
import type { Store } from '../store/open.ts'
import { create, update, Writing } from '../store/write.ts'
import { now } from '../tools/datetime.ts'
import { BadCell, type Cell, cellsOf, Header } from './cells.ts'

/** One thing that is wrong: the line of the file (from 1), the column's header where it is one column's, and what it is. */
export interface Wrong {
  line: number
  column?: string
  text: string
}
export interface Imported {
  created: number
  changed: number
  wrong: Wrong[]
}

interface Line {
  number: number
  cells: string[]
}

/** Rows of a CSV text become objects: all of them, or none when anything is wrong. `isNew`: ids are not looked at. */
export function importCsv(
  store: Store,
  m: AnyModel,
  text: string,
  isNew: boolean,
  progress: (done: number, total: number) => void,
): Imported {
  const [head, ...lines] = linesOf(text)
  if (!head)
    return { created: 0, changed: 0, wrong: [{ line: 1, text: 'the file is empty: its first line names the columns' }] }
  const header = new Header(store, m, head.cells)
  const wrong: Wrong[] = header.wrong.map((each) => ({ line: head.number, ...each }))
  const counts = { created: 0, changed: 0 }
  if (wrong.length) return { ...counts, wrong }
  const w = new Writing(store, System, { userId: null, username: '', requestId: randomUUID(), message: '', now: now() })
  try {
    store.commit.now(() => {
      for (const [i, line] of lines.entries()) {
        try {
          store.db.raw.transaction(() => counts[one(w, m, header, line, isNew)]++)()
        } catch (error) {
          wrong.push(...wrongIn(error, line, header))
        }
        progress(i + 1, lines.length)
      }
      if (wrong.length) throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
    store.db.touchAll()
    return { created: 0, changed: 0, wrong }
  }
  return { ...counts, wrong }
}

class Undone extends Error {}

function linesOf(text: string): Line[] {
  let last = 0
  const records = parse(text, { info: true, bom: true, relaxColumnCount: true, skipEmptyLines: true }) as unknown as {
    record: string[]
    info: { lines: number }
  }[]
  return records.map(({ record, info }) => {
    const number = last + 1
    last = info.lines
    return { number, cells: record }
  })
}

/** Creates or changes the object of a line. */
function one(w: Writing, m: AnyModel, header: Header, line: Line, isNew: boolean): 'created' | 'changed' {
  if (line.cells.length > header.columns.length)
    throw new BadCell(undefined, `has ${line.cells.length} values for ${header.columns.length} columns`)
  const cells: Cell[] = cellsOf(header, line.cells)
  const id = isNew ? '' : (cells.find(({ column }) => column.key === 'id')?.text ?? '')
  if (id === '') {
    create(w, m, header.body(cells, true), { mode: 'create' })
    return 'created'
  }
  if (!/^\d{1,15}$/.test(id) || !w.db.get(`select 1 from ${q(m.table)} where id = ?`, Number(id)))
    throw new BadCell('id', `there is no ${m.label} ${id} to change`)
  update(w, m, Number(id), header.body(cells, false), { mode: 'update' })
  return 'changed'
}

function wrongIn(error: unknown, { number: line }: Line, header: Header): Wrong[] {
  if (error instanceof BadCell)
    return [{ line, ...(error.column === undefined ? {} : { column: error.column }), text: error.message }]
  if (!(error instanceof Refused)) throw error
  if (typeof error.body !== 'object' || error.body === null) return [{ line, text: String(error.body) }]
  return Object.entries(error.body).flatMap(([key, value]) => {
    const texts = textsOf(value)
    if (key === 'custom_fields' && typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.entries(value).map(([name, each]) => ({ line, column: `cf_${name}`, text: textsOf(each) }))
    const column =
      header.columns.find((each) => each.key === key)?.header ?? (OfTheWhole.has(key) ? customIn(texts, header) : key)
    return [{ line, ...(column === undefined ? {} : { column }), text: texts }]
  })
}
const OfTheWhole = new Set(['__all__', 'detail', 'non_field_errors'])

/** The custom field's column that a text about the whole object speaks of. */
const customIn = (text: string, { columns }: Header): string | undefined => {
  const [, name] = /custom field '(\w+)'/i.exec(text) ?? []
  return columns.find(({ header }) => header === `cf_${name}`)?.header
}

const textsOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textsOf).join(' ')
    : typeof value === 'object' && value !== null
      ? Object.values(value).map(textsOf).join(' ')
      : String(value)
