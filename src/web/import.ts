import { html, raw } from 'hono/html'
import { type Answer, ApiError, type Call, forbidden, noSuchPage } from '../http/request.ts'
import { messageOf, transact, writingFor } from '../http/resource.ts'
import { importDefinitions, isLibraryText, kindOf, nameOf, partsOf } from '../exchange/device-library/texts.ts'
import { importTable, type Imported, type Outcome } from '../exchange/import.ts'
import { may } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { NotDone } from '../lib/thread-pool.ts'
import { definitionsOf, tableIn } from '../lib/parse-thread.ts'
import { textOfUtf8 } from '../lib/utf8.ts'
import { type Format, Formats, formatOf, guessedFormat, placesOf, type Table, type Wrong } from '../lib/tables.ts'
import type { Html } from './cells.ts'
import { askedField } from './asked-field.ts'
import { fieldHtml } from './form-page.ts'
import { type FormData, readForm } from './form-data.ts'
import type { FormField } from './form-fields.ts'
import { csrf, leadTo, page } from './frame.ts'
import { guideOf } from './import-guide.ts'
import { hasPage, listHref, objectHref } from './links.ts'
import { howMany } from './selection.ts'
import type { Visit } from './visit.ts'
import { pluralOf } from './words.ts'
import { plainTable } from './plain-table.ts'

/**
 * Lines, columns and faults that a preview shows; the rest is counted. `most`: columns, with those that something is
 * wrong in, and faults of a line.
 */
const Shown = { lines: 200, columns: 12, most: 40, faults: 100 }

/** What somebody wants to import. */
interface Given {
  text: string
  /** `library`: definitions of the device library. */
  format: Format | 'library'
}
/** A text as lines, whatever its format. */
interface Read {
  table: Table
  run: (call: Visit, isPreview: boolean, message: string) => Imported
}

/** Whether the pages of a model offer this user to import. */
const mayImport = (visit: Visit, m: AnyModel): boolean =>
  (m.methods ?? ['POST']).includes('POST') && visit.actor.writes && (may(visit.actor, 'add', m) || isChanger(visit, m))
const isChanger = (visit: Visit, m: AnyModel) =>
  (m.methods ?? ['PATCH']).includes('PATCH') && may(visit.actor, 'change', m)

function demandImport(visit: Visit, m: AnyModel): void {
  if (!(m.methods ?? ['POST']).includes('POST')) throw noSuchPage()
  if (!mayImport(visit, m)) throw forbidden()
}

/** `/dcim/sites/import/`: where a table is pasted, uploaded, or named. */
export function importPage(visit: Visit, m: AnyModel): Answer {
  demandImport(visit, m)
  return shown(visit, m, {})
}

/** `POST …/import/`: shows what a table would do, and with `_apply` does it. */
export async function importObjects(visit: Visit, m: AnyModel): Promise<Answer> {
  demandImport(visit, m)
  const data = await readForm(visit)
  demandImport(visit, m)
  const chosen = data.all('format')[0] ?? ''
  const message = data.all('changelog_message')[0] ?? ''
  const typed: State = { text: data.all('text')[0] ?? '', format: chosen, message }
  try {
    const given = textGiven(visit, m, data, chosen)
    Object.assign(typed, { text: given.text, as: given.format })
    const read = await readText(visit, m, given)
    const isPreview = data.all('_apply').length === 0
    const written = { changelog_message: message }
    const done = await transact(visit, () => read.run(visit, isPreview, messageOf(written)), 'tentative')
    // What was read well is of the format that was guessed; where something is wrong, the guess may be.
    if (done.wrong.length) return shown(visit, m, { ...typed, read, done }, 400)
    if (isPreview) return shown(visit, m, { ...typed, format: given.format, read, done })
    return leadTo(visit, listHref(visit, m), `Imported: ${summary(done)}.`)
  } catch (error) {
    if (!(error instanceof Unreadable) && !(error instanceof ApiError && error.status === 400)) throw error
    const { changelog_message: text } = ((error as ApiError).body ?? {}) as Record<string, unknown>
    const refused = text
      ? { message: [text].flat().join(' ') }
      : { [(error as Unreadable).field ?? 'text']: error.message }
    return shown(visit, m, { ...typed, refused }, 400)
  }
}

/** A text that cannot be taken as a table, and the field that it came from. */
class Unreadable extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

const summary = ({ created, changed, unchanged }: Imported): string =>
  [
    [created, 'created'],
    [changed, 'changed'],
    [unchanged, 'as before'],
  ]
    .filter(([count]) => count)
    .map(([count, word]) => `${count!.toLocaleString('en')} ${word}`)
    .join(', ') || 'nothing'

/** The text of a form: that of an uploaded file, of a data file, or what was pasted. Throws `Unreadable`. */
function textGiven(visit: Visit, m: AnyModel, data: FormData, chosen: string): Given {
  const file = data.file('file')
  const id = data.all('data_file').findLast(Boolean)
  const known = file ?? (id ? dataFile(visit, id) : undefined)
  const text = known ? decoded(known.bytes, file ? 'file' : 'data_file') : (data.all('text')[0] ?? '')
  if (text.trim() === '') throw new Unreadable('text', 'Paste a table, or choose a file.')
  return { text, format: formatOfText(m, text, known?.name ?? '', chosen) }
}

function formatOfText(m: AnyModel, text: string, name: string, chosen: string): Given['format'] {
  if (chosen === 'library' && kindOf(m)) return 'library'
  if (Formats.includes(chosen as Format)) return chosen as Format
  const format = /\.(?:csv|tsv|txt|json|ya?ml)$/i.test(name) ? formatOf(name) : guessedFormat(text)
  return format === 'yaml' && kindOf(m) && isLibraryText(text) ? 'library' : format
}

function dataFile(visit: Visit, id: string): { name: string; bytes: Buffer } {
  const m = modelNamed('core.datafile')
  const mayRead = /^\d{1,15}$/.test(id) && visit.store.reader.mayOn(visit.actor, 'view', m, Number(id)) === true
  const row = mayRead ? visit.store.rows.row('core.datafile', Number(id)) : undefined
  if (!row) throw new Unreadable('data_file', 'There is no such data file.')
  return { name: String(row.path), bytes: Buffer.from(row.data as string) }
}

function decoded(bytes: Buffer, field: string): string {
  try {
    return textOfUtf8(bytes)
  } catch (error) {
    throw new Unreadable(field, (error as Error).message)
  }
}

async function readText(visit: Visit, m: AnyModel, { text, format }: Given): Promise<Read> {
  const asker = String(visit.actor.userId)
  try {
    if (format === 'library') {
      const found = await definitionsOf(text, asker)
      bounded(visit, found.length)
      const cells = ({ definition }: (typeof found)[number]) => ({
        type: nameOf(definition),
        with: partsOf(definition),
      })
      const places = placesOf(found.map(({ line }) => line))
      const lines = found.map((each, i) => ({ ...places[i]!, cells: cells(each) }))
      return {
        table: { columns: ['type', 'with'], lines, wrong: [] },
        run: (call, isPreview, message) => importDefinitions(writingFor(call, message), m, found, isPreview),
      }
    }
    const table = await tableIn(text, format, asker)
    if (!table.wrong.length || table.lines.length) bounded(visit, table.lines.length)
    return {
      table,
      run: (call, isPreview, message) => importTable(writingFor(call, message), m, table, { isPreview, isPage: true }),
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error
    if (error instanceof NotDone) throw new ApiError(503, { detail: `The table cannot be read now: ${error.message}.` })
    throw new Unreadable('text', `This cannot be read: ${(error as Error).message}`)
  }
}

function bounded({ config }: Pick<Call, 'config'>, count: number): void {
  if (count === 0) throw new Unreadable('text', 'There is no line to import: the first line names the columns.')
  if (count > config.maxBulkItems)
    throw new Unreadable(
      'text',
      `These are ${count.toLocaleString('en')} lines. ` +
        `No more than ${config.maxBulkItems.toLocaleString('en')} can be imported at once.`,
    )
}

interface State {
  text?: string
  /** The format that was chosen, and the one that it is read as: a guess is made anew for another text. */
  format?: string
  as?: string
  message?: string
  /** What is wrong with a field of this form. */
  refused?: Readonly<Record<string, string>>
  read?: Read
  done?: Imported
}

function shown(visit: Visit, m: AnyModel, state: State, status = 200): Answer {
  const { read, done } = state
  return page(visit, {
    status,
    title: `Import ${m.plural}`,
    crumbs: [[listHref(visit, m), pluralOf(m)]],
    body: html`${
      read && done ? preview(visit, m, state, read.table, done) : ''
    }${form(visit, m, state)}${guide(visit, m)}`,
  })
}

const field = (name: string, label: string, control: FormField['control'], help?: string): FormField =>
  askedField({ name, label, help, control })

/** The hidden fields by which the next step knows the same text. */
const kept = ({ text = '', as = '', message = '' }: State): Html =>
  html`<input type="hidden" name="format" value="${as}"><input type="hidden" name="changelog_message"
    value="${message}"><textarea name="text" hidden>${'\n'}${text}</textarea>`

const Pasted = 'Paste a table: a first line with the names of the columns, then a line for each object.'

function form(visit: Visit, m: AnyModel, state: State): Html {
  const { text = '', format = '', message = '', refused = {} } = state
  const texts: Record<string, string> = { text, format, changelog_message: message }
  const errors = { ...refused, ...(refused.message ? { changelog_message: refused.message } : {}) }
  const filled = { texts: ({ name }: FormField) => (texts[name] ? [texts[name]] : []), errors }
  const formats: [string, string][] = [
    ['csv', 'CSV'],
    ['json', 'JSON'],
    ['yaml', 'YAML'],
    ...(kindOf(m) ? [['library', 'Device type library (YAML)'] as [string, string]] : []),
  ]
  const hasSources = may(visit.actor, 'view', modelNamed('core.datafile'))
  const row = (each: FormField) => fieldHtml(visit, each, filled)
  return html`<form class="form" method="post" enctype="multipart/form-data"
    hx-encoding="multipart/form-data">${csrf(visit)}
<fieldset><legend>${state.done ? 'Table, to be mended' : 'Table'}</legend>
${row(field('text', 'Text', { as: 'area', code: true }, Pasted))}
${row(field('file', 'or a file', { as: 'file', image: false }))}
${
  hasSources
    ? row(field('data_file', 'or a data file', { as: 'pick', model: 'core.datafile' }, 'A file of a data source.'))
    : ''
}
${row(field('format', 'Format', { as: 'choice', choices: formats }, 'Left open, it is guessed.'))}
${row(field('changelog_message', 'Message', { as: 'line', type: 'text', max: 200 }, 'Why, for the change log.'))}
</fieldset>
<p class="submit"><button class="primary">Preview</button><a class="button" href="${listHref(visit, m)}">Cancel</a></p>
<p class="help">Nothing is written before you have seen what would happen. All lines are imported, or none.</p></form>`
}

/** What would become of each line. */
function preview(visit: Visit, m: AnyModel, state: State, table: Table, done: Imported): Html {
  const { wrong } = done
  const columns = columnsShown(table, wrong)
  const byPlace = Map.groupBy(wrong, ({ line, item }) => placeText(line, item))
  const all = table.lines.map(({ number, item, cells }, i) => {
    const place = placeText(number, item)
    return { place, cells, outcome: done.lines[i], faults: byPlace.get(place) ?? [] }
  })
  const bad = all.filter(({ faults }) => faults.length)
  const lines = bad.length ? bad : all
  const places = new Set(all.map(({ place }) => place))
  const [elsewhere, inLines] = [false, true].map((isIn) =>
    wrong.filter(({ line, item }) => places.has(placeText(line, item)) === isIn),
  )
  const unit = table.lines.some(({ item }) => item) ? 'objects' : 'lines'
  const say = wrong.length
    ? html`<div class="message bad" role="alert"><p><b>Nothing was imported.</b> ${wrong.length.toLocaleString('en')} ${
        wrong.length === 1 ? 'value is' : 'values are'
      } wrong${
        bad.length ? ` in ${bad.length.toLocaleString('en')} of ${table.lines.length.toLocaleString('en')} ${unit}` : ''
      }.</p><ul>${[...elsewhere!, ...inLines!]
        .slice(0, Shown.faults)
        .map(
          ({ line, item, column, text }) => html`<li>Line ${placeText(line, item)}${inColumn(column)}: ${text}</li>`,
        )}</ul>${
        wrong.length > Shown.faults
          ? html`<p>… and ${(wrong.length - Shown.faults).toLocaleString('en')} more.</p>`
          : ''
      }</div>`
    : html`<div class="message good" role="status">
<p>This would be: ${summary(done)}. Nothing has been written yet.</p></div>
<form method="post" class="apply" enctype="multipart/form-data"
  hx-encoding="multipart/form-data">${csrf(visit)}<input type="hidden" name="_apply" value="1">${kept(state)}
<p class="submit"><button class="primary">Import ${howMany(m, table.lines.length)}</button></p></form>`
  if (!done.lines.length) return say
  return html`${say}<div class="scroll" tabindex="0" role="region" aria-label="Preview">
<table class="preview"><caption class="unseen">Preview</caption><thead>
<tr><th scope="col">Line</th><th scope="col">What</th>${columns.map(
    (name) => html`<th scope="col">${name}</th>`,
  )}</tr></thead><tbody>${lines.slice(0, Shown.lines).map(({ place, cells, outcome, faults }) => {
    const own = faults.slice(0, Shown.most)
    const of = (name: string) => own.filter(({ column }) => column === name).map(({ text }) => text)
    const rest = own.filter(({ column }) => column === undefined || !columns.includes(column))
    return html`<tr${
      own.length ? raw(' class="wrong"') : ''
    }><th scope="row">${place}</th><td>${what(visit, m, outcome)}${rest.map(
      ({ column, text }) => html`<p class="error">${column ? `${column}: ` : ''}${text}</p>`,
    )}</td>${columns.map(
      (name) => html`<td>${short(cells[name] ?? '')}${of(name).map((text) => html`<p class="error">${text}</p>`)}</td>`,
    )}</tr>`
  })}</tbody></table></div>${
    lines.length > Shown.lines
      ? html`<p class="help">The first ${Shown.lines} ${unit} are shown of ${lines.length.toLocaleString('en')}.</p>`
      : ''
  }`
}

/** Where an object begins in a text: its line, and which object it is where others begin there too. */
const placeText = (line: number, item?: number): string => (item ? `${line}, item ${item}` : String(line))

/** The first columns, and those that something is wrong in. */
function columnsShown({ columns }: Table, wrong: readonly Wrong[]): string[] {
  const faulty = new Set(wrong.map(({ column }) => column))
  return columns.filter((name, i) => name !== 'id' && (i < Shown.columns || faulty.has(name))).slice(0, Shown.most)
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text)

const Words = { create: 'new', change: 'change', nothing: 'as before', refuse: 'wrong' } as const

function what(visit: Visit, m: AnyModel, outcome: Outcome | undefined): Html {
  if (!outcome) return html`–`
  const { action, id } = outcome
  const word = html`<span class="what ${action}">${Words[action]}</span>`
  if (id === undefined || action === 'create' || !hasPage(m)) return word
  return html`${word} <a href="${objectHref(visit, m, id)}">${visit.store.reader.display(m, id)}</a>`
}

/** The columns that a table may have. */
function guide(visit: Visit, m: AnyModel): Html {
  const columns = guideOf(visit, m)
  const first = columns.filter(({ required }) => required).map(({ name }) => name)
  const lines = columns.map(
    ({ name, label, required, says }) => html`<tr><th scope="row"><code>${name}</code></th><td>${label}</td>
<td>${required ? 'yes' : ''}</td><td>${says}</td></tr>`,
  )
  return html`<details class="guide" open><summary>Columns</summary>
<p>A table of ${m.plural} needs ${
    first.length ? html`<code>${first.join(',')}</code>` : 'no column of its own'
  }; the others may be left out.
An object that a cell names may be named by an attribute of your choice, in a column of the name <code>site.slug</code>.
An empty cell leaves a new object its default, and empties what is there already. In JSON and YAML, a list of objects
with these members says the same.${
    kindOf(m)
      ? html` A file of the community's device type library, pasted as it is, is taken with its components and its
manufacturer.`
      : ''
  }</p>
${plainTable('Columns', ['Column', 'Name', 'Needed', 'What a cell says'], lines, { isFocusable: true })}</details>`
}

const inColumn = (column: string | undefined): Html | '' => (column === undefined ? '' : html`, <code>${column}</code>`)
