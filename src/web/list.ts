import { html, raw } from 'hono/html'
import { conditionOf } from '../api/lists.ts'
import { type Answer, forbidden } from '../api/request.ts'
import type { Visit } from './visit.ts'
import { withSavedFilters } from '../api/saved-filters.ts'
import { may } from '../registry/actor.ts'
import type { AnyModel } from '../registry/model.ts'
import type { Condition } from '../store/reader.ts'
import type { Html } from './cells.ts'
import { addToChosen } from './add-components.ts'
import { hasNames } from './bulk-rename.ts'
import { chips, filterPanel, Paging } from './filter-panel.ts'
import { csrf, icon, page } from './frame.ts'
import { hasLabels, labelsHref } from './labels.ts'
import { listHref, withQuery } from './links.ts'
import { preference, preferencesOf } from './preferences.ts'
import { portButtons } from './parts/connection.ts'
import { rowLinks } from './row-links.ts'
import { columnsBy, rowsOf, table } from './table.ts'
import { pluralOf } from './words.ts'

const Sizes = [25, 50, 100, 250, 500, 1000]

/** Rows of one page of a list, and how many there are in all. */
export interface Found {
  ids: readonly number[]
  count: number
  size: number
  at: number
}

/** What a list's query finds, of what the user may view. Throws `ApiError` for filters that cannot be. */
export function find(call: Visit, m: AnyModel, preferences: Record<string, unknown>): Found {
  return paged(call, m, preferences, conditionOf(call, m, withSavedFilters(call, m)))
}

/** How many rows a page of a list has. */
export function sizeOf(call: Visit, preferences: Record<string, unknown>): number {
  const wanted = Number(call.query.get('per_page') ?? preference(preferences, 'pagination.per_page'))
  return Sizes.includes(wanted) ? wanted : 50
}

/** The page of a list that the query asks for, of what a condition finds. */
export function paged(call: Visit, m: AnyModel, preferences: Record<string, unknown>, condition: Condition): Found {
  const size = sizeOf(call, preferences)
  const at = Math.max(1, Math.trunc(Number(call.query.get('page'))) || 1)
  const { ids, count } = call.store.reader.page(
    m,
    condition,
    call.query.get('sort') ?? undefined,
    size,
    (at - 1) * size,
  )
  return { ids, count: count ?? 0, size, at }
}

/** `/dcim/sites/`: the objects of a model as a table that can be filtered, ordered and worked on. */
export function listPage(call: Visit, m: AnyModel): Answer {
  if (!may(call.actor, 'view', m)) throw forbidden()
  const preferences = preferencesOf(call)
  const found = find(call, m, preferences)
  const columns = columnsBy(
    m,
    (preference(preferences, `tables.${m.objectName.replaceAll(' ', '')}Table.columns`) as string[]) ?? [],
  )
  const rows = rowsOf(call, m, found.ids, columns)
  return page(call, {
    title: pluralOf(m),
    note: html`${found.count.toLocaleString('en')}`,
    actions: html`${actionsOf(call, m)}`,
    body: html`${toolbar(call, m)}${chips(call, m)}${filterPanel(call, m)}
${rows.length ? html`${chosen(call, m, (isOffered) => table(call, m, columns, rows, { chosen: isOffered, ordered: true, caption: pluralOf(m), actions: rowLinks(call, m, found.ids) }))}${pager(call, found)}` : empty(call, m)}`,
  })
}

function actionsOf(call: Visit, m: AnyModel): Html {
  const href = listHref(call, m)
  const isMade = (m.methods ?? ['POST']).includes('POST') && call.actor.writes && may(call.actor, 'add', m)
  return html`${
    isMade
      ? html`<a class="button primary" href="${href}add/">${icon(call, 'add')}Add</a><a class="button" href="${href}import/">${icon(call, 'import')}Import</a>`
      : ''
  }`
}

function toolbar(call: Visit, m: AnyModel): Html {
  const kept = [...call.query].filter(([name]) => name !== 'q' && name !== 'page')
  return html`<div class="toolbar"><form method="get" action="${call.config.basePath}${call.path}" role="search">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label class="unseen" for="quick">Find in ${m.plural}</label><input id="quick" type="search" name="q" value="${call.query.get('q') ?? ''}" placeholder="Find in ${m.plural}">
<button>Find</button></form></div>`
}

/** A table of rows in a form that says what can be done with those chosen; alone for whoever may do nothing. */
export function chosen(call: Visit, m: AnyModel, rows: (isOffered: boolean) => Html): Html {
  const href = listHref(call, m)
  const can = (action: string, method: string) =>
    (m.methods ?? [method]).includes(method as never) && call.actor.writes && may(call.actor, action, m)
  const buttons = [
    ...(can('change', 'PATCH')
      ? [html`<button formaction="${href}edit/">${icon(call, 'edit')}Edit chosen</button>`]
      : []),
    ...(can('change', 'PATCH') && hasNames(m)
      ? [html`<button formaction="${href}rename/">Rename chosen</button>`]
      : []),
    ...(can('delete', 'DELETE')
      ? [html`<button class="danger" formaction="${href}delete/">${icon(call, 'delete')}Delete chosen</button>`]
      : []),
  ]
  buttons.push(...portButtons(call, m))
  if (hasLabels(m))
    buttons.push(html`<button formaction="${labelsHref(call, m)}">${icon(call, 'label')}Labels</button>`)
  if (buttons.length === 0) return rows(false)
  return html`<form method="post">${csrf(call)}<input type="hidden" name="_back" value="${withQuery(call, {})}">
<input type="hidden" name="_query" value="${new URLSearchParams([...call.query].filter(([name]) => !Paging.includes(name) || name === 'q')).toString()}">
<div class="bulk"><label class="all"><input type="checkbox" name="_all" value="1"> all that match</label>${buttons}${addToChosen(call, m)}</div>${rows(true)}</form>`
}

/** Links to the other pages of a list, and to other sizes. */
export function pager(call: Visit, { count, size, at }: Found): Html {
  const last = Math.max(1, Math.ceil(count / size))
  const near = [...new Set([1, at - 2, at - 1, at, at + 1, at + 2, last])].filter((n) => n >= 1 && n <= last)
  const first = (at - 1) * size + 1
  const link = (n: number, text: string, extra = '') =>
    html`<a href="${withQuery(call, { page: n === 1 ? null : String(n) })}"${raw(extra)}>${text}</a>`
  return html`<nav class="pager" aria-label="Pages"><span>${first.toLocaleString('en')}–${Math.min(count, at * size).toLocaleString('en')} of ${count.toLocaleString('en')}</span>${
    last > 1
      ? html`<ul>${at > 1 ? html`<li>${link(at - 1, '‹', ' rel="prev" aria-label="Page before"')}</li>` : ''}${near.map(
          (n, i) =>
            html`${i > 0 && n - near[i - 1]! > 1 ? html`<li aria-hidden="true">…</li>` : ''}<li>${link(n, String(n), n === at ? ' aria-current="page"' : '')}</li>`,
        )}${at < last ? html`<li>${link(at + 1, '›', ' rel="next" aria-label="Next page"')}</li>` : ''}</ul>`
      : ''
  }<span class="sizes">${Sizes.slice(0, 5).map(
    (n) =>
      html`<a href="${withQuery(call, { per_page: String(n), page: null })}"${n === size ? raw(' aria-current="true"') : ''}>${n}</a>`,
  )}<span>a page</span></span></nav>`
}

function empty(call: Visit, m: AnyModel): Html {
  const isFiltered = [...call.query.keys()].some((name) => !Paging.includes(name) || name === 'q')
  if (isFiltered) return html`<p class="empty">No ${m.plural} match. <a href="${listHref(call, m)}">Show all</a></p>`
  const isMade = (m.methods ?? ['POST']).includes('POST') && call.actor.writes && may(call.actor, 'add', m)
  return html`<p class="empty">There are no ${m.plural} yet.${isMade ? html` <a href="${listHref(call, m)}add/">Add the first one</a> or <a href="${listHref(call, m)}import/">import a table</a>.` : ''}</p>`
}
