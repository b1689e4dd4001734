import { html, raw } from 'hono/html'
import { type Answer, forbidden } from '../http/request.ts'
import { may } from '../engine/actor.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Html } from './cells.ts'
import { type FormData, readForm } from './form-data.ts'
import { csrf, leadTo, page } from './frame.ts'
import { listHref, safePath } from './links.ts'
import { chosenColumns, columnsPath, Sizes, tableName } from './list.ts'
import { keepPreferences, preferencesOf } from './preferences.ts'
import { configHref, tableConfigs } from './table-configs.ts'
import { allColumns, type Column } from './table.ts'
import type { Visit } from './visit.ts'
import { pluralOf } from './words.ts'

/** A column as the form has it. */
interface Row {
  column: Column
  isShown: boolean
}

function demandOwn(visit: Visit, m: AnyModel): void {
  if (visit.actor.userId === null || !may(visit.actor, 'view', m)) throw forbidden()
}

/** `/dcim/sites/columns/`: which columns the list shows whoever asks, and in which order. */
export function columnsPage(visit: Visit, m: AnyModel): Answer {
  demandOwn(visit, m)
  const shown = chosenColumns(visit, m, preferencesOf(visit))
  const others = allColumns(visit, m).filter(({ path }) => !shown.some((each) => each.path === path))
  const rows = [
    ...shown.map((column) => ({ column, isShown: true })),
    ...others.map((column) => ({ column, isShown: false })),
  ]
  return form(visit, m, rows, safePath(visit, visit.query.get('_back') ?? undefined) ?? listHref(visit, m))
}

/** `POST …/columns/`: keeps columns, their order, or the size of pages; a column that is moved shows the form again. */
export async function keepColumns(visit: Visit, m: AnyModel): Promise<Answer> {
  demandOwn(visit, m)
  const data = await readForm(visit)
  demandOwn(visit, m)
  const back = safePath(visit, data.all('_back')[0]) ?? listHref(visit, m)
  const size = Number(data.all('per_page')[0])
  if (Sizes.includes(size)) {
    await keepPreferences(visit, { pagination: { per_page: size } })
    return leadTo(visit, back)
  }
  const config = data.all('_config')[0]
  if (config !== undefined) {
    const named = tableConfigs(visit, m, { id: /^\d{1,15}$/.test(config) ? config : '0' })[0]
    if (named) await keep(visit, m, named.columns)
    return leadTo(visit, back, named ? `The columns of “${named.name}” are shown.` : 'There is no such configuration.')
  }
  if (data.all('_reset').length) {
    await keep(visit, m, null)
    return leadTo(visit, back, 'The list shows its own columns again.')
  }
  const rows = moved(rowsOf(visit, m, data), data.all('_move')[0])
  if (data.all('_move').length) return form(visit, m, rows, back)
  const shown = rows.filter(({ isShown }) => isShown).map(({ column }) => column.path)
  if (shown.length === 0) return form(visit, m, rows, back, 'Choose at least one column.')
  await keep(visit, m, shown)
  return leadTo(visit, back)
}

function keep(visit: Visit, m: AnyModel, columns: readonly string[] | null): Promise<unknown> {
  const [root = '', table = '', leaf = ''] = columnsPath(m).split('.')
  return keepPreferences(visit, { [root]: { [table]: { [leaf]: columns } } })
}

/** The columns that a form sent, in its order; those it does not name come last. */
function rowsOf(visit: Visit, m: AnyModel, data: FormData): Row[] {
  const all = allColumns(visit, m)
  const shown = new Set(data.all('column'))
  const named = [...new Set(data.all('order'))].flatMap((path) => all.find((column) => column.path === path) ?? [])
  return [...named, ...all.filter((column) => !named.includes(column))].map((column) => ({
    column,
    isShown: shown.has(column.path),
  }))
}

/** The rows after one was moved: `site:up`, `site:down`. */
function moved(rows: Row[], move = ''): Row[] {
  const [path, way] = move.split(':')
  const at = rows.findIndex(({ column }) => column.path === path)
  const to = way === 'up' ? at - 1 : at + 1
  const other = rows[to]
  if (at < 0 || !other) return rows
  rows[to] = rows[at]!
  rows[at] = other
  return rows
}

function form(visit: Visit, m: AnyModel, rows: readonly Row[], back: string, problem = ''): Answer {
  const shown = rows.filter(({ isShown }) => isShown).map(({ column }) => column.path)
  const configs = tableConfigs(visit, m)
  const save = configHref(visit, m, tableName(m), shown)
  const move = (path: string, way: 'up' | 'down', label: string): Html =>
    html`<button name="_move" value="${path}:${way}" id="${way}-${path}"
      aria-label="Move ${label} ${way}">${way === 'up' ? '↑' : '↓'}</button>`
  return page(visit, {
    status: problem ? 400 : 200,
    title: `Columns of ${m.plural}`,
    crumbs: [[listHref(visit, m), pluralOf(m)]],
    body: html`${
      problem ? html`<p class="message bad" role="alert">${problem}</p>` : ''
    }<p>These are your own; others keep theirs.</p>
<form class="form" method="post" action="${listHref(visit, m)}columns/">${csrf(visit)}<input type="hidden" name="_back"
  value="${back}">
<p class="submit"><button class="primary">Save</button><button name="_reset"
  value="1">Back to the usual ones</button><a class="button" href="${back}">Cancel</a>${
    save ? html`<a class="button" href="${save}">Save under a name</a>` : ''
  }</p>
${
  configs.length
    ? html`<fieldset><legend>Named configurations</legend>${configs.map(
        ({ id, name, description }) =>
          html`<p class="submit"><button name="_config" value="${id}">Use</button><b>${name}</b> ${description}</p>`,
      )}</fieldset>`
    : ''
}
<fieldset><legend>Columns</legend><ol class="column-order">${rows.map(
      ({ column: { path, label }, isShown }) =>
        html`<li><input type="hidden" name="order" value="${path}"><label><input type="checkbox"
          name="column" value="${path}"${isShown ? raw(' checked') : ''}> ${label}${
            path.includes('.') ? html` <small>${path}</small>` : ''
          }</label>${move(path, 'up', label)}${move(path, 'down', label)}</li>`,
    )}</ol></fieldset></form>`,
  })
}
