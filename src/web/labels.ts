import { selfOf } from '../store/kit.ts'
import { html, raw } from 'hono/html'
import { conditionOf } from '../http/lists.ts'
import { type Answer, ApiError, forbidden, noSuchPage } from '../http/request.ts'
import { may } from '../engine/actor.ts'
import { models } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { inTurns } from '../lib/turns.ts'
import type { Html } from './cells.ts'
import { readForm } from './form-data.ts'
import { csrf, icon, leadTo, page } from './frame.ts'
import { Default, Fields, fits, type Layout, paperOf, Papers, readLayout } from './label-layout.ts'
import { type Label, sheets } from './label-sheet.ts'
import { labelLines, membersIn } from './label-lines.ts'
import { hasPage, hrefOf, listHref } from './links.ts'
import { keepPreferences, preferencesOf } from './preferences.ts'
import { selectionOf } from './selection.ts'
import type { Row } from './table.ts'
import type { Visit } from './visit.ts'
import { pluralOf } from './words.ts'

/** How many labels are made at once. */
const MaxLabels = 250

/** The model of a query that has labels: one whose objects have pages. Throws 404 for others. */
function modelIn(visit: Visit): AnyModel {
  const name = visit.query.get('type') ?? ''
  const m = Object.hasOwn(models, name) ? models[name] : undefined
  if (!m || !hasLabels(m)) throw noSuchPage()
  if (!may(visit.actor, 'view', m)) throw forbidden()
  return m
}

/** Whether objects of a model have a page that a label can lead to. */
const hasLabels = (m: AnyModel): boolean => !m.internal && hasPage(m)

/** Whether pages offer them: not of what the server itself writes (the change log), on which nobody sticks one. */
export const offersLabels = (m: AnyModel): boolean => hasLabels(m) && (m.methods ?? ['POST']).includes('POST')

/** Where the labels of some objects are. */
export function labelsHref(visit: Visit, m: AnyModel, ids: readonly number[] = []): string {
  const asked = new URLSearchParams([['type', m.name], ...ids.map((id): [string, string] => ['id', String(id)])])
  return `${visit.config.basePath}/labels/?${asked}`
}

/** `/labels/?type=dcim.device&id=1&id=2`: labels to print, with codes that lead to the objects. */
export async function labelsPage(visit: Visit): Promise<Answer> {
  const m = modelIn(visit)
  const ids = visit.query.getAll('id').filter((text) => /^\d{1,15}$/.test(text))
  if (ids.length > MaxLabels) throw tooMany(ids.length)
  const kept = (preferencesOf(visit).labels ?? {}) as Record<string, unknown>
  const { layout, errors } = readLayout((name) => visit.query.get(name), { ...Default, ...kept })
  const problem = Object.values(errors)[0] ?? fits(layout)
  const labels = ids.length ? labelsOf(visit, m, ids) : []
  const drawn = problem || !labels.length ? [] : await inTurns(sheets(labels, layout))
  const [width, height] = paperOf(layout)
  return page(visit, {
    status: problem ? 400 : 200,
    title: 'Labels',
    note: html`${labels.length}`,
    crumbs: [[listHref(visit, m), pluralOf(m)]],
    body: html`<link rel="stylesheet"
      href="${visit.config.basePath}/labels/sheet.css?width=${width}&amp;height=${height}">${
        problem ? html`<p class="message bad" role="alert">${problem}</p>` : ''
      }${form(visit, m, ids, layout)}${
        labels.length ? '' : html`<p class="empty">There is nothing to print. Choose objects in their list.</p>`
      }<div class="sheets">${drawn}</div>`,
  })
}

const tooMany = (count: number): ApiError =>
  new ApiError(400, { detail: `These are ${count} labels; no more than ${MaxLabels} are made at once.` })

/** Labels of those of some objects that the user may view, in the order given. */
function labelsOf(visit: Visit, m: AnyModel, ids: readonly string[]): Label[] {
  const query = new URLSearchParams(ids.map((id): [string, string] => ['id', id]))
  const seen = new Set(visit.store.reader.page(m, conditionOf(visit, m, query), undefined, undefined, 0).ids)
  const wanted = [...new Set(ids.map(Number))].filter((id) => seen.has(id))
  const members = ['id', 'url', 'display', ...membersIn(m)]
  const root = rootOf(visit)
  return visit.store.reader.rows(m, wanted, { members }, visit.config.basePath).map((bytes) => {
    const row = JSON.parse(bytes.toString()) as Row
    const path = hrefOf(visit, row.url)!.slice(visit.config.basePath.length)
    return { title: row.display, lines: labelLines(m, row), address: `${root}${path}` }
  })
}

/** Where codes lead: a kit is gone one day, and what is made in it keeps its id at the source. */
function rootOf(visit: Visit): string {
  const source = selfOf(visit.store.db)?.url.replace(/\/+$/, '')
  return source ?? `${new URL(visit.base).origin}${visit.config.basePath}`
}

function form(visit: Visit, m: AnyModel, ids: readonly string[], layout: Layout): Html {
  return html`<form class="sizes-of-labels panel" ${
    visit.at
      ? html`method="get" action="${visit.config.basePath}/labels/"><input type="hidden" name="type" value="${m.name}">`
      : html`method="post" action="${labelsHref(visit, m)}">${csrf(visit)}`
  }${ids.map((id) => html`<input type="hidden" name="id" value="${id}">`)}<div class="sizes-in">
<label>Paper <select name="paper">${Object.entries(Papers).map(
    ([name, { label }]) =>
      html`<option value="${name}"${name === layout.paper ? raw(' selected') : ''}>${label}</option>`,
  )}</select></label>
${Object.entries(Fields).map(
  ([name, { label, least, most, step }]) =>
    html`<label>${label} <input type="number" name="${name}" value="${layout[name as keyof typeof Fields]}"
      min="${least}" max="${most}" step="${step}"></label>`,
)}</div><p class="submit"><button class="primary" name="_show" value="1">Show</button>${
    visit.actor.userId === null || visit.at ? '' : html`<button name="_keep" value="1">Keep these sizes</button>`
  }<button type="button" data-print hidden>${icon(visit, 'print')}Print</button></p></form>`
}

/**
 * `POST /labels/`: leads from the objects chosen in a list to their labels, or shows labels in other sizes, which it
 * may keep.
 */
export async function labelsPost(visit: Visit): Promise<Answer> {
  const data = await readForm(visit)
  const m = modelIn(visit)
  if (!data.all('_show').length && !data.all('_keep').length) {
    const { ids } = selectionOf(visit, m, data, 'view')
    if (ids.length > MaxLabels) throw tooMany(ids.length)
    return leadTo(visit, labelsHref(visit, m, ids))
  }
  const names = ['paper', ...Object.keys(Fields)]
  const to = new URLSearchParams({ type: m.name })
  for (const name of ['id', ...names]) for (const text of data.all(name)) to.append(name, text)
  const { layout, errors } = readLayout((name) => to.get(name), Default)
  const isKept = data.all('_keep').length > 0 && visit.actor.userId !== null
  if (isKept && Object.keys(errors).length === 0 && !fits(layout)) {
    await keepPreferences(visit, { labels: layout })
    for (const name of names) to.delete(name)
    return leadTo(visit, `${visit.config.basePath}/labels/?${to}`, 'These sizes are kept.')
  }
  return leadTo(visit, `${visit.config.basePath}/labels/?${to}`)
}

/** `/labels/sheet.css`: a style that prints the sheets on paper of this size, and nothing else of the page. */
export function sheetStyle(visit: Visit): Answer {
  const size = (name: string): number => {
    const n = Number(visit.query.get(name))
    if (!(n >= 5 && n <= 1000)) throw noSuchPage()
    return n
  }
  const [width, height] = [size('width'), size('height')]
  const body = `@page{size:${width}mm ${height}mm;margin:0}
@media print{.head,.crumbs,.sizes-of-labels,.message,.top,.menu{display:none!important}
main{padding:0!important;max-width:none!important}.sheets{display:block;overflow:visible}
.sheet{display:block;border:0;box-shadow:none;break-after:page;max-width:none;height:${height}mm;width:${width}mm}
.sheet:last-child{break-after:auto}.sheet .cut{display:none}}`
  return { status: 200, body, headers: { 'content-type': 'text/css', 'cache-control': 'private, max-age=86400' } }
}
