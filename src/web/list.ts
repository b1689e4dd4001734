import { html, raw } from 'hono/html'
import { exported } from '../http/export.ts'
import { conditionOf } from '../http/lists.ts'
import { type Answer, forbidden } from '../http/request.ts'
import type { Visit } from './visit.ts'
import { withSavedFilters } from '../http/saved-filters.ts'
import { may } from '../engine/actor.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Condition } from '../store/selections.ts'
import type { Html } from './cells.ts'
import { addToChosen } from './add-components.ts'
import { nameOf } from './bulk-rename.ts'
import { chips } from './chips.ts'
import { emptyList } from './empty.ts'
import { told } from './failure.ts'
import { filterPanel, Paging } from './filter-panel.ts'
import { csrf, icon, page } from './frame.ts'
import { offersLabels, labelsHref } from './labels.ts'
import { hasPage, listHref, withQuery } from './links.ts'
import { maySyncSome } from './own-actions.ts'
import { preference, preferencesOf } from './preferences.ts'
import { portButtons } from './parts/connection.ts'
import { allowed, partLinks, rowLinks } from './row-links.ts'
import { tableConfig } from './table-configs.ts'
import { type Column, columnsBy, customColumns, type Row, rowsOf, table } from './table.ts'
import { watched } from './watch.ts'
import { pluralOf } from './words.ts'
import { mayMake } from './may-make.ts'
import { textOfJson } from '../lib/json.ts'

export const Sizes = [25, 50, 100, 250, 500, 1000]
/** More pages than any list has; what is skipped stays a number that SQLite takes. */
const MaxPage = 1e9

/** Rows of one page of a list, and how many there are in all. */
interface Found {
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
  const wanted = Number(textOfJson(call.query.get('per_page') ?? preference(preferences, 'pagination.per_page')))
  return Sizes.includes(wanted) ? wanted : 50
}

/** The page of a list that the query asks for, of what a condition finds. */
export function paged(call: Visit, m: AnyModel, preferences: Record<string, unknown>, condition: Condition): Found {
  const size = sizeOf(call, preferences)
  const at = Math.min(MaxPage, Math.max(1, Math.trunc(Number(call.query.get('page'))) || 1))
  const { ids, count } = call.store.reader.page(
    m,
    condition,
    call.query.get('sort') ?? undefined,
    size,
    (at - 1) * size,
  )
  return { ids, count: count ?? 0, size, at }
}

/** Where the columns that somebody chose for a model's list are kept. */
export const columnsPath = (m: AnyModel): string => `tables.${tableName(m)}.columns`
export const tableName = (m: AnyModel): string => `${m.objectName.replaceAll(' ', '')}Table`

/**
 * The columns of a model's list for whoever asks: those of a named configuration, those they chose, or the model's own.
 */
export function chosenColumns(call: Visit, m: AnyModel, preferences: Record<string, unknown>): Column[] {
  const given = tableConfig(call, m)?.columns ?? preference(preferences, columnsPath(m))
  return columnsBy(m, Array.isArray(given) ? given.map(textOfJson) : [], customColumns(call, m))
}

/** `/dcim/sites/`: the objects of a model as a table that can be filtered, ordered and worked on. */
export function listPage(call: Visit, m: AnyModel): Answer | Promise<Answer> {
  if (!may(call.actor, 'view', m)) throw forbidden()
  if (call.query.has('export')) return exported(call, m)
  const preferences = preferencesOf(call)
  let found: Found
  try {
    found = find(call, m, preferences)
  } catch (error) {
    return refusedList(call, m, error as Error)
  }
  const columns = chosenColumns(call, m, preferences)
  const rows = rowsOf(call, m, found.ids, columns)
  const placement = preference(preferences, 'pagination.placement')
  const options = { ordered: true, caption: pluralOf(m), actions: rowActions(call, m, found.ids) }
  return page(call, {
    title: pluralOf(m),
    note: html`<span id="count">${found.count.toLocaleString('en')}</span>`,
    actions: html`${actionsOf(call, m)}`,
    body: html`${watched(call, m, 'list')}${toolbar(call, m)}${filterPanel(call, m)}
<div id="found">${chips(call, m)}${
      rows.length
        ? html`${
            placement === 'top' || placement === 'both' ? pager(call, found, placement === 'top' ? m : undefined) : ''
          }${chosen(
            call,
            m,
            (isOffered) => table(call, m, columns, rows, { ...options, chosen: isOffered }),
            found.count,
          )}${placement === 'top' ? '' : pager(call, found, m)}`
        : emptyList(call, m)
    }</div>`,
  })
}

/** A list whose filters cannot be, as where a bookmark names a site that is gone: each can be taken away. */
function refusedList(call: Visit, m: AnyModel, error: Error): Answer {
  const { status, lines, isOfMoment } = told(error)
  if (status !== 400 || isOfMoment) throw error
  return page(call, {
    status,
    title: pluralOf(m),
    actions: actionsOf(call, m),
    body: html`${toolbar(call, m)}${filterPanel(call, m)}<div id="found">${chips(call, m)}${lines}</div>`,
  })
}

function actionsOf(call: Visit, m: AnyModel): Html {
  const href = listHref(call, m)
  const isMade = mayMake(call, m)
  return html`${
    isMade
      ? html`<a class="button primary" href="${href}add/">${icon(call, 'add')}Add</a><a class="button"
        href="${href}import/">${icon(call, 'import')}Import</a>`
      : ''
  }${Object.entries(m.pages?.views ?? {}).map(
    ([path, label]) =>
      html`<a class="button" href="${call.config.basePath}/${path}/${
        call.query.size ? `?${call.query}` : ''
      }">${label}</a>`,
  )}`
}

/** What narrows a list as one types, and what is done with the list as a whole. */
function toolbar(call: Visit, m: AnyModel): Html {
  const kept = [...call.query].filter(([name, value]) => name !== 'q' && name !== 'page' && value !== '')
  return html`<div class="toolbar">${
    m.search
      ? html`<form method="get" action="${call.config.basePath}${call.path}" role="search"
        hx-get="${call.config.basePath}${call.path}" hx-trigger="submit, input delay:250ms from:#quick"
        hx-target="#found" hx-select="#found" hx-select-oob="#count,#kept" hx-swap="outerHTML" hx-replace-url="true"
        hx-sync="this:replace">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label class="unseen" for="quick">Find in ${m.plural}</label><input id="quick" type="search" name="q"
  value="${call.query.get('q') ?? ''}" placeholder="Find in ${m.plural}" autocomplete="off">
<button>Find</button></form>`
      : ''
  }<span class="tools">${
    call.actor.userId === null || call.at
      ? ''
      : html`<a class="button" href="${listHref(call, m)}columns/?${new URLSearchParams({
          _back: withQuery(call, { page: null }),
        })}">Columns</a>`
  }<a class="button" href="${listHref(call, m)}export/?${call.query}">Export</a></span></div>`
}

/** A table of rows in a form that says what can be done with those chosen; alone for whoever may do nothing. */
export function chosen(call: Visit, m: AnyModel, rows: (isOffered: boolean) => Html, count?: number): Html {
  const href = listHref(call, m)
  const can = (action: string, method: string) =>
    (m.methods ?? [method]).includes(method as never) && call.actor.writes && may(call.actor, action, m)
  const buttons = [
    ...(can('change', 'PATCH')
      ? [html`<button formaction="${href}edit/">${icon(call, 'edit')}Edit chosen</button>`]
      : []),
    ...(can('change', 'PATCH') && nameOf(m) ? [html`<button formaction="${href}rename/">Rename chosen</button>`] : []),
    ...(maySyncSome(call, m)
      ? [html`<button formaction="${href}sync/">${icon(call, 'down')}Sync chosen</button>`]
      : []),
    ...(can('delete', 'DELETE')
      ? [html`<button class="danger" formaction="${href}delete/">${icon(call, 'delete')}Delete chosen</button>`]
      : []),
  ]
  buttons.push(...portButtons(call, m))
  if (offersLabels(m))
    buttons.push(html`<button formaction="${labelsHref(call, m)}">${icon(call, 'label')}Labels</button>`)
  if (buttons.length === 0 || call.at) return rows(false)
  return html`<form method="post">${csrf(call)}<input type="hidden" name="_back" value="${withQuery(call, {})}">
<input type="hidden" name="_query"
  value="${new URLSearchParams([...call.query].filter(([name]) => !Paging.includes(name) || name === 'q')).toString()}">
<div class="bulk"><label class="all"><input type="checkbox" name="_all"
  value="1"> all ${count?.toLocaleString('en') ?? ''} that match</label>${buttons}${addToChosen(call, m)}</div>
${rows(true)}</form>`
}

/**
 * What stands at the end of each row: what can be done with a port, the link to its form, and to delete it where it has
 * no page of its own.
 */
function rowActions(call: Visit, m: AnyModel, ids: readonly number[]): (row: Row) => Html | '' {
  if (!hasPage(m)) return rowLinks(call, m, ids)
  const changed = allowed(call, 'change', m, ids)
  const parts = partLinks(call, m, ids, changed)
  const edit = ({ id }: Row) => (changed.has(id) ? html`<a href="${id}/edit/" aria-label=Edit>✎</a>` : '')
  return (row) => html`${parts(row)}${edit(row)}`
}

/** Links to the other pages of a list, and to other sizes. */
export function pager(call: Visit, { count, size, at }: Found, m?: AnyModel, offered?: readonly number[]): Html {
  const last = Math.max(1, Math.ceil(count / size))
  const near = [...new Set([1, at - 2, at - 1, at, at + 1, at + 2, last])].filter((n) => n >= 1 && n <= last)
  const first = (at - 1) * size + 1
  const link = (n: number, text: string, extra = '') =>
    html`<a href="${withQuery(call, { page: n === 1 ? null : String(n) })}"${raw(extra)}>${text}</a>`
  return html`<nav class="pager"
    aria-label="Pages"><span>${first.toLocaleString('en')}–${Math.min(count, at * size).toLocaleString('en')} of
${count.toLocaleString('en')}</span>${
    last > 1
      ? html`<ul>${at > 1 ? html`<li>${link(at - 1, '‹', ' rel="prev" aria-label="Page before"')}</li>` : ''}${near.map(
          (n, i) =>
            html`${
              i > 0 && n - near[i - 1]! > 1 ? html`<li aria-hidden="true">…</li>` : ''
            }<li>${link(n, String(n), n === at ? ' aria-current="page"' : '')}</li>`,
        )}${at < last ? html`<li>${link(at + 1, '›', ' rel="next" aria-label="Next page"')}</li>` : ''}</ul>`
      : ''
  }${sizes(call, size, m, offered)}</nav>`
}

/** Other sizes of a page: kept for whoever is logged in, and else links. */
function sizes(call: Visit, size: number, m?: AnyModel, offered: readonly number[] = Sizes): Html {
  if (!m || call.actor.userId === null || call.at)
    return html`<span class="sizes">${offered.map(
      (n) =>
        html`<a href="${withQuery(call, { per_page: String(n), page: null })}"${
          n === size ? raw(' aria-current="true"') : ''
        }>${n}</a>`,
    )}<span>a page</span></span>`
  return html`<form class="sizes"
    method="post" action="${listHref(call, m)}columns/">${csrf(call)}<input type="hidden" name="_back"
      value="${withQuery(call, { per_page: null, page: null })}">${offered.map(
        (n) => html`<button name="per_page" value="${n}"${n === size ? raw(' aria-current="true"') : ''}>${n}</button>`,
      )}<span>a page</span></form>`
}
