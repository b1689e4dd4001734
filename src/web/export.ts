import { html } from 'hono/html'
import { conditionOf } from '../http/lists.ts'
import { type Answer, ApiError, forbidden } from '../http/request.ts'
import { withSavedFilters } from '../http/saved-filters.ts'
import { csvLines, endOf, type Format, objectText } from '../lib/tables.ts'
import { Export } from '../exchange/export.ts'
import { may } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Html } from './cells.ts'
import { page } from './frame.ts'
import { listHref } from './links.ts'
import { chosenColumns } from './list.ts'
import { preference, preferencesOf } from './preferences.ts'
import { type Column, rowsOf } from './table.ts'
import type { Visit } from './visit.ts'
import { pluralOf } from './words.ts'
import { textOfJson } from '../lib/json.ts'

/** Bytes that one file may have. */
const MaxBytes = 48 * 1024 * 1024
/** Rows made at a time, between which others are served. */
const Step = 100

const Formats: Readonly<Record<Format, readonly [name: string, type: string]>> = {
  csv: ['CSV', 'text/csv; charset=utf-8'],
  json: ['JSON', 'application/json'],
  yaml: ['YAML', 'application/yaml; charset=utf-8'],
}

/** `/dcim/sites/export/`: what can be made of a list; with `_as=csv` and the like the file itself. */
export function exportPage(visit: Visit, m: AnyModel): Answer | Promise<Answer> {
  if (!may(visit.actor, 'view', m)) throw forbidden()
  const format = visit.query.get('_as')
  if (format === null) return choicePage(visit, m)
  if (!Object.hasOwn(Formats, format)) throw new ApiError(400, { detail: 'A file is CSV, JSON or YAML.' })
  return file(visit, m, format as Format, visit.query.get('_of'))
}

async function choicePage(visit: Visit, m: AnyModel): Promise<Answer> {
  const query = new URLSearchParams([...visit.query].filter(([name]) => name !== 'page'))
  const { ids } = found(visit, m)
  const count = ids.length
  const link = (more: Record<string, string>, text: Html): Html => {
    const all = new URLSearchParams([...query, ...Object.entries(more)])
    return html`<li><a href="${listHref(visit, m)}export/?${all}" hx-boost="false" download>${text}</a></li>`
  }
  const templates = exportTemplates(visit, m)
  const formats = Object.entries(Formats)
  const links = (of: Record<string, string>) =>
    html`<ul class="files">${formats.map(([as, [name]]) => link({ _as: as, ...of }, html`${name}`))}</ul>`
  const nameless = await namelessOf(visit, m, ids)
  return page(visit, {
    title: `Export ${count.toLocaleString('en')} ${count === 1 ? m.label : m.plural}`,
    crumbs: [[listHref(visit, m), pluralOf(m)]],
    body: html`<div class="columns">
<section class="panel"><h2>The table as it is shown</h2>
<p>The columns of your list, as texts.</p>${links({ _of: 'shown' })}</section>
<section class="panel"><h2>Everything, to be imported again</h2>
<p>All fields; related objects by their natural keys.</p>${nameless}${links({})}
<p>With ids in their place, for this inventory alone.</p>${links({ _of: 'ids' })}</section>
${
  templates.length
    ? html`<section class="panel"><h2>Export templates</h2><ul class="files">${templates.map(
        ({ name, description }) =>
          html`<li><a href="${listHref(visit, m)}?${new URLSearchParams([...query, ['export', name]])}"
          hx-boost="false">${name}</a> ${description}</li>`,
      )}</ul></section>`
    : ''
}</div><p><a class="button" href="${listHref(visit, m)}?${query}">Back to the list</a></p>`,
  })
}

/** Rows that are looked at before people choose a file: more would keep them waiting. */
const MaxLooked = 1000

/** A warning where objects refer to others without a name of their own, which another inventory could not find. */
async function namelessOf(visit: Visit, m: AnyModel, ids: readonly number[]): Promise<Html | ''> {
  const looked = new Export(visit.store, m, { actor: visit.actor, rows: ids.slice(0, MaxLooked) })
  for (const _ of looked) await new Promise(setImmediate)
  const { nameless } = looked
  if (nameless === 0) return ''
  const count = `${ids.length > MaxLooked ? 'at least ' : ''}${nameless.toLocaleString('en')}`
  return html`<p class="message bad">Referred to without a name of their own: ${count}
objects (or without one that you may view), written as ?ID, which no import takes. Name them first, or take a file with
ids.</p>`
}

const found = (visit: Visit, m: AnyModel) =>
  visit.store.reader.page(
    m,
    conditionOf(visit, m, withSavedFilters(visit, m)),
    visit.query.get('sort') ?? undefined,
    undefined,
    0,
  )

/** The export templates of a model that the user may view. */
function exportTemplates(visit: Visit, m: AnyModel): { name: string; description: string }[] {
  const template = modelNamed('extras.exporttemplate')
  if (!may(visit.actor, 'view', template)) return []
  const asked = new URLSearchParams({ object_type: m.name })
  const { ids } = visit.store.reader.page(template, conditionOf(visit, template, asked), undefined, 100, 0)
  return visit.store.reader
    .rows(template, ids, { members: ['name', 'description'] }, '')
    .map((bytes) => JSON.parse(bytes.toString()) as { name: string; description: string })
}

async function file(visit: Visit, m: AnyModel, format: Format, of: string | null): Promise<Answer> {
  const { ids } = found(visit, m)
  const pieces =
    of === 'shown'
      ? shownAs(visit, m, ids, format)
      : new Export(visit.store, m, {
          actor: visit.actor,
          format,
          rows: ids,
          ids: of === 'ids',
          harmless: true,
          delimiter: delimiterOf(visit),
        })
  const parts: Buffer[] = []
  let bytes = 0
  for (const piece of pieces) {
    const part = Buffer.from(piece)
    bytes += part.length
    if (bytes > MaxBytes) throw new ApiError(400, { detail: 'These are too many objects for one file; filter them.' })
    parts.push(part)
    await new Promise(setImmediate)
  }
  return {
    status: 200,
    body: Buffer.concat(parts),
    headers: {
      'content-type': Formats[format][1],
      'content-security-policy': 'sandbox',
      'content-disposition': `attachment; filename="cabinet_${m.plural.replaceAll(/[^\w]+/g, '_')}.${format}"`,
    },
  }
}

const Delimiters = new Map(Object.entries({ semicolon: ';', pipe: '|', tab: '\t' }))

/** What stands between the columns of CSV for whoever asks. */
const delimiterOf = (visit: Visit): string =>
  Delimiters.get(textOfJson(preference(preferencesOf(visit), 'csv_delimiter'))) ?? ','

/** The columns of the list as texts. */
function* shownAs(visit: Visit, m: AnyModel, ids: readonly number[], format: Format): Generator<string> {
  const columns = chosenColumns(visit, m, preferencesOf(visit))
  const delimiter = delimiterOf(visit)
  if (format === 'csv') yield csvLines([columns.map(({ label }) => label)], { harmless: true, delimiter })
  for (let start = 0; start < ids.length; start += Step) {
    const lines = rowsOf(visit, m, ids.slice(start, start + Step), columns).map((row) =>
      columns.map(({ path }): [Column['path'], string] => [path, plain(row[path])]),
    )
    yield format === 'csv'
      ? csvLines(
          lines.map((line) => line.map(([, text]) => text)),
          { harmless: true, delimiter },
        )
      : lines.map((line, i) => objectText(Object.fromEntries(line), format, start + i === 0)).join('')
  }
  yield endOf(format, ids.length === 0)
}

/** A value of the JSON of an object as one text: what it is called. */
function plain(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(plain).join(', ')
  if (typeof value !== 'object') return String(value)
  const { display, label, object } = value as { display?: unknown; label?: unknown; object?: unknown }
  return textOfJson(display ?? label ?? (object ? plain(object) : value))
}
