import { isObject } from '../lib/json.ts'
import type { Row } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { Refused, type WriteTools } from '../declare/behaviour.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { snapshot } from '../store/changelog.ts'
import { create, update, type Writing } from '../store/write.ts'
import { type BadCell, Columns } from './columns.ts'
import type { Line, Table, Wrong } from '../lib/tables.ts'

/** What becomes of a line; `id` is that of its object. */
export interface Outcome {
  line: number
  action: 'create' | 'change' | 'nothing' | 'refuse'
  id?: number
}
export interface Imported {
  created: number
  changed: number
  unchanged: number
  lines: readonly Outcome[]
  wrong: readonly Wrong[]
}
interface ImportOptions {
  /** Every line is a new object; ids are not looked at, and no reference may be one. */
  isNew?: boolean
  /** As pages do it: values of custom fields that are not edited in pages stay as they are. */
  isPage?: boolean
  /** Nothing is kept: what would happen is told. */
  isPreview?: boolean
  progress?: (done: number, total: number) => void
}

/**
 * Makes or changes an object of each line: all of them, or none when anything is wrong. Runs inside a transaction or
 * makes its own.
 */
export function importTable(w: Writing, m: AnyModel, table: Table, options: ImportOptions = {}): Imported {
  const columns = new Columns(w, m, table, options.isNew ?? false)
  const wrong: Wrong[] = [...columns.wrong, ...table.wrong]
  if (columns.wrong.length || !table.columns.length) return { ...Nothing, wrong }
  return together(w, wrong, options.isPreview ?? false, (lines) => {
    for (const [i, line] of table.lines.entries()) {
      lines.push(attempt(w, wrong, line, () => write(w, m, columns, line, options), columns))
      options.progress?.(i + 1, table.lines.length)
    }
  })
}

/** Keeps what `work` does with all lines, or nothing: when anything is wrong, and in a preview. */
export function together(
  { db, store, feed }: Writing,
  wrong: Wrong[],
  isPreview: boolean,
  work: (lines: Outcome[]) => void,
): Imported {
  const lines: Outcome[] = []
  const all = (): void => {
    work(lines)
    if (wrong.length || isPreview) throw new Undone()
  }
  try {
    if (db.raw.inTransaction) db.within(all)
    else store.commit.now(all, 'tentative')
  } catch (error) {
    if (!(error instanceof Undone)) throw error
    feed.drop()
    if (wrong.length) return { ...Nothing, lines, wrong: wrong.sort((a, b) => a.line - b.line) }
  }
  const count = (action: Outcome['action']) => lines.filter((each) => each.action === action).length
  return { created: count('create'), changed: count('change'), unchanged: count('nothing'), lines, wrong }
}

const Nothing = { created: 0, changed: 0, unchanged: 0, lines: [] }

/** Ends what must leave nothing behind. */
class Undone extends Error {}

/** What becomes of one line: what is wrong with it is added to `wrong`, and leaves nothing behind. */
export function attempt(
  w: Writing,
  wrong: Wrong[],
  { number: line, item }: Pick<Line, 'number' | 'item'>,
  work: () => Outcome,
  columns?: Pick<Columns, 'all'>,
): Outcome {
  let outcome: Outcome | undefined
  try {
    w.db.within(() => {
      outcome = work()
      if (outcome.action === 'nothing') throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) {
      for (const each of wrongIn(error, line, columns)) wrong.push(item ? { ...each, item } : each)
      return { line, action: 'refuse' }
    }
  }
  return outcome!
}

/** What is wrong with a line. */
export class BadLine extends Error {
  readonly wrong: readonly Wrong[]
  constructor(wrong: readonly Wrong[]) {
    super('a line is refused')
    this.wrong = wrong
  }
}

/** Creates or changes the object of a line. Throws `BadLine` with all that is wrong with it, `Refused`. */
function write(w: Writing, m: AnyModel, columns: Columns, line: Line, options: ImportOptions): Outcome {
  const text = options.isNew ? '' : (line.cells.id ?? '')
  const id = Number(text)
  const mayOn = (action: string, object: number) => w.actor.superuser || w.tools.mayOn(action, m.name, object)
  const before = text !== '' && /^\d{1,15}$/.test(text) && mayOn('view', id) ? stateOf(w, m, id) : undefined
  const refusal = (what: string) => new BadLine([{ line: line.number, column: 'id', text: what }])
  if (text !== '' && before === undefined) throw refusal(`there is no ${m.label} ${text} to change`)
  if (text !== '' && !mayOn('change', id)) throw refusal(`you may not change the ${m.label} ${text}`)
  const { body, bad } = columns.body(line, text === '')
  const written = (): number =>
    text === ''
      ? create(w, m, body, { mode: 'create', isEntered: true }).id
      : update(w, m, id, body, { mode: 'update', isEntered: true }).id
  if (bad.length) {
    const own = bad.map(({ column, message }): Wrong => ({ line: line.number, column, text: message }))
    const place = ({ column }: Wrong) => columns.all.findIndex(({ header }) => header === column)
    throw new BadLine([...own, ...others(written, line, columns, bad)].sort((a, b) => place(a) - place(b)))
  }
  const locked = options.isPage ? lockedOf(w, m, text === '' ? undefined : id) : undefined
  const object = written()
  if (locked) demandLocked(locked, lockedOf(w, m, object), line)
  const given = columns.given(line)
  if (Object.keys(given).length) m.behaviour.importColumns?.written?.(object, given, changingPermitted(w))
  if (!mayOn(text === '' ? 'add' : 'change', object))
    throw new BadLine([{ line: line.number, text: `you may not ${text === '' ? 'add' : 'make'} such a ${m.label}` }])
  const action = text === '' ? 'create' : stateOf(w, m, id) === before ? 'nothing' : 'change'
  return { line: line.number, action, id: object }
}

/**
 * The tools of a model's own columns, which change other objects too: those that the actor may change, and keeps so.
 */
function changingPermitted(w: Writing): WriteTools {
  const demand = (name: string, id: number): void => {
    if (!w.tools.mayOn('change', name, id))
      throw new Refused(403, { detail: `you may not change the ${modelNamed(name).label} so` })
  }
  return {
    ...w.tools,
    update: (name, id, body) => {
      demand(name, id)
      w.tools.update(name, id, body)
      demand(name, id)
    },
  }
}

/** Values of the custom fields that are not edited in pages, by name: those of an object, or of a new one. */
function lockedOf(w: Writing, m: AnyModel, id: number | undefined): ReadonlyMap<string, string> {
  const definitions = w.store.customFields.of(m).filter(({ ui_editable: editing }) => editing !== 'yes')
  if (definitions.length === 0) return new Map()
  const sql = `select custom_field_data from ${q(m.table)} where id = +?`
  const values =
    id === undefined ? undefined : JSON.parse(w.db.get<{ custom_field_data: string }>(sql, id)!.custom_field_data)
  const of = ({ name, default: preset }: (typeof definitions)[number]) =>
    values ? (values[name] ?? null) : JSON.parse(preset ?? 'null')
  return new Map(definitions.map((each) => [each.name, JSON.stringify(of(each))]))
}

function demandLocked(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>, { number }: Line): void {
  const changed = [...after].filter(([name, value]) => before.get(name) !== value)
  if (changed.length)
    throw new BadLine(
      changed.map(([name]) => ({ line: number, column: `cf_${name}`, text: 'this field is not edited in pages' })),
    )
}

/** What else would be wrong with a line some of whose cells cannot be taken. */
function others(written: () => number, line: Line, columns: Columns, bad: readonly BadCell[]): Wrong[] {
  try {
    written()
    return []
  } catch (error) {
    const known = new Set(bad.flatMap(({ column, key }) => [column, key]))
    return wrongIn(error, line.number, columns).filter(({ column }) => column !== undefined && !known.has(column))
  }
}

/** All that is kept of an object but when it was changed; undefined when it is not there. */
function stateOf(w: Writing, m: AnyModel, id: number): string | undefined {
  const row = w.db.get<Row>(`select * from ${q(m.table)} where id = +?`, id)
  if (!row) return undefined
  const { last_updated: _, custom_field_data: __, ...columns } = row
  const { custom_fields: custom = {}, ...rest } = JSON.parse(snapshot(w.db, m, row)) as Row & { custom_fields?: object }
  const references = w.store.customFields.columns(m).filter(({ target }) => target !== undefined)
  const targets = new Map(references.map(({ name, target }) => [name, target!]))
  const said = Object.entries(custom)
    .map(([name, value]) => [name, targets.has(name) ? thereOf(w, targets.get(name)!, value) : value])
    .filter(([, value]) => value !== null && value !== '') // nothing, null and '' are the same
  return JSON.stringify([columns, rest, said], (_, value: unknown) => (value === '' ? null : value))
}

/** Of objects that a custom field names those that are there, as an export knows no others; of a list, by their ids. */
function thereOf(w: Writing, model: string, value: number | readonly number[] | null): unknown {
  if (value === null) return null
  const ids = w.db.all<{ id: number }>(
    `select id from ${q(modelNamed(model).table)} where id in (select value from json_each(?)) order by id`,
    JSON.stringify([value].flat()),
  )
  const there = ids.map(({ id }) => id)
  return Array.isArray(value) ? there : (there[0] ?? null)
}

function wrongIn(error: unknown, line: number, columns: Pick<Columns, 'all'> = { all: [] }): Wrong[] {
  if (error instanceof BadLine) return [...error.wrong]
  if (!(error instanceof Refused)) throw error
  if (typeof error.body !== 'object' || error.body === null) return [{ line, text: String(error.body) }]
  return Object.entries(error.body).flatMap(([key, value]): Wrong[] => {
    if (key === 'custom_fields' && isObject(value))
      return Object.entries(value).map(([name, each]) => ({ line, column: `cf_${name}`, text: textsOf(each) }))
    const text = textsOf(value)
    const column =
      columns.all.find((each) => each.key === key)?.header ?? (OfTheWhole.has(key) ? customIn(text, columns) : key)
    return [{ line, ...(column === undefined ? {} : { column }), text }]
  })
}
const OfTheWhole = new Set(['__all__', 'detail', 'non_field_errors'])

/** The custom field's column that a text about the whole object speaks of. */
const customIn = (text: string, { all }: Pick<Columns, 'all'>): string | undefined => {
  const [, name] = /custom field '(\w+)'/i.exec(text) ?? []
  return all.find(({ header }) => header === `cf_${name}`)?.header
}

const textsOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textsOf).join(' ')
    : typeof value === 'object' && value !== null
      ? Object.values(value).map(textsOf).join(' ')
      : String(value)
