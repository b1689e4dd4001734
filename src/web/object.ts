import { html, raw } from 'hono/html'
import { type Answer, forbidden, notFound } from '../api/request.ts'
import type { Visit } from './visit.ts'
import { may } from '../registry/actor.ts'
import { fieldsOf, modelNamed } from '../registry/catalog.ts'
import type { AnyModel } from '../registry/model.ts'
import { cell, dot, type Html, moment } from './cells.ts'
import { icon, page } from './frame.ts'
import { hrefOf, listHref, objectHref } from './links.ts'
import { markdown } from './markdown.ts'
import { countOf, queryFor, relatedCounts, relatedTable } from './related.ts'
import { columnOf, type Row } from './table.ts'
import { labelAt, labelFor, pluralOf, titleOf, words } from './words.ts'

/** The object of a page with every member that its panels show. Throws `ApiError` where the user may not view it. */
export function objectRow(call: Visit, m: AnyModel, id: number): Row {
  if (!may(call.actor, 'view', m)) throw forbidden()
  if (call.store.reader.mayOn(call.actor, 'view', m, id) !== true) throw notFound(m.objectName)
  const also = Object.values(m.pages?.panels ?? {})
    .flatMap(words)
    .filter((path) => !(path in m.fields) && columnOf(m, path))
  const bytes = call.store.reader.one(m, id, also.length ? { omit: [], also } : {}, call.config.basePath)
  if (!bytes) throw notFound(m.objectName)
  return JSON.parse(bytes.toString()) as Row
}

/** `/dcim/sites/3/`: an object with all that is known of it. */
export function objectPage(call: Visit, m: AnyModel, id: number): Answer {
  const row = objectRow(call, m, id)
  const panels = Object.entries(m.pages?.panels ?? { [titleOf(m)]: own(m) })
  const [first, ...others] = panels.map(([title, names]) => attributes(call, m, row, title, words(names)))
  return framed(
    call,
    m,
    row,
    '',
    html`<div class="columns"><div>${first ?? ''}${customFields(call, m, row)}${tags(call, row)}${comments(row)}</div>
<div>${others}${related(call, m, row)}</div></div>
${(m.pages?.tables ?? []).map((each) => relatedTable(call, m, row, each))}`,
  )
}

/** Members of a model without panels of its own. */
const own = (m: AnyModel): string =>
  fieldsOf(m)
    .filter(([name, field]) => !field.options.hidden && !field.options.writeOnly && !Elsewhere.has(name))
    .map(([name]) => name)
    .join(' ')
const Elsewhere = new Set(['tags', 'custom_fields', 'comments', 'created', 'last_updated', 'owner'])

/** A page of an object in the frame that all its pages have: crumbs, actions, tabs. */
export function framed(call: Visit, m: AnyModel, row: Row, tab: string, body: Html): Answer {
  const title = row.display || `${titleOf(m)} ${row.id}`
  const tabs = tabsOf(call, m, row)
  return page(call, {
    title,
    crumbs: [[listHref(call, m), pluralOf(m)], ...parents(call, m, row)],
    note: html`${titleOf(m)}`,
    actions: actions(call, m, row),
    body: html`${stamps(row)}${
      tabs.length > 1
        ? html`<nav class="tabs" aria-label="Tabs"><ul>${tabs.map(
            ({ name, label, count }) =>
              html`<li><a href="${objectHref(call, m, row.id, name)}"${name === tab ? raw(' aria-current="page"') : ''}>${label}${count === undefined ? '' : html` <small>${count}</small>`}</a></li>`,
          )}</ul></nav>`
        : ''
    }${body}`,
  })
}

function stamps(row: Row): Html | '' {
  const { created, last_updated } = row as { created?: string | null; last_updated?: string | null }
  if (!created) return ''
  return html`<p class="stamps">Created ${moment(created)}${last_updated ? html` · changed ${moment(last_updated)}` : ''}</p>`
}

/** What an object belongs to, as its crumbs: the row above it in a tree, the device of a component. */
function parents(call: Visit, m: AnyModel, row: Row): (readonly [string, string])[] {
  for (const name of [
    m.tree?.parent,
    ...[m.relatedObject ?? []].flat(),
    'device',
    'site',
    'manufacturer',
    'provider',
    'virtual_machine',
  ]) {
    const value = name && (row[name] as { url?: string; display?: string } | null | undefined)
    const href = value && hrefOf(call, value.url)
    if (href) return [[href, String(value.display)]]
  }
  return []
}

function actions(call: Visit, m: AnyModel, row: Row): Html {
  const can = (action: string, method: string) =>
    call.actor.writes &&
    (m.methods ?? [method]).includes(method as never) &&
    call.store.reader.mayOn(call.actor, action, m, row.id) === true
  const href = objectHref(call, m, row.id)
  return html`${can('change', 'PATCH') ? html`<a class="button primary" href="${href}edit/">${icon(call, 'edit')}Edit</a>` : ''}${
    (m.methods ?? ['POST']).includes('POST') && call.actor.writes && may(call.actor, 'add', m)
      ? html`<a class="button" href="${listHref(call, m)}add/?_clone=${row.id}">${icon(call, 'copy')}Clone</a>`
      : ''
  }${can('delete', 'DELETE') ? html`<a class="button danger" href="${href}delete/">${icon(call, 'delete')}Delete</a>` : ''}`
}

export interface Tab {
  name: string
  label: string
  count?: number
}

/** The tabs of an object that the user may see, with how much is on each. */
export function tabsOf(call: Visit, m: AnyModel, row: Row): Tab[] {
  return [
    { name: '', label: titleOf(m) },
    ...Object.entries(m.pages?.tabs ?? {}).flatMap(([name, tab]): Tab[] => {
      if (tab === true) return [{ name, label: labelFor(name.replaceAll('-', '_')) }]
      const target = modelNamed(tab[0])
      if (!may(call.actor, 'view', target)) return []
      const count = countOf(call, target, queryFor(row, tab[1]))
      return count > 0 ? [{ name, label: tab[2] ?? pluralOf(target), count }] : []
    }),
  ]
}

function attributes(call: Visit, m: AnyModel, row: Row, title: string, names: readonly string[]): Html {
  const items = names.flatMap((path) => {
    const column = columnOf(m, path)
    return column ? [html`<div><dt>${labelAt(m, path)}</dt><dd>${cell(call, row[path], column.field)}</dd></div>`] : []
  })
  return html`<section class="panel"><h2>${title}</h2><dl>${items}</dl></section>`
}

function customFields(call: Visit, _m: AnyModel, row: Row): Html | '' {
  const values = Object.entries((row.custom_fields ?? {}) as Record<string, unknown>)
  if (values.length === 0) return ''
  return html`<section class="panel"><h2>Custom fields</h2><dl>${values.map(
    ([name, value]) => html`<div><dt>${labelFor(name)}</dt><dd>${cell(call, value)}</dd></div>`,
  )}</dl></section>`
}

function tags(_call: Visit, row: Row): Html | '' {
  const given = row.tags as { display: string; color: string; slug: string }[] | undefined
  if (!given) return ''
  return html`<section class="panel"><h2>Tags</h2><p class="tags">${
    given.length
      ? given.map((tag) => html`<span class="tag">${dot(tag.color)}${tag.display}</span>`)
      : html`<span class="none">None</span>`
  }</p></section>`
}

const comments = (row: Row): Html | '' =>
  typeof row.comments === 'string' && row.comments
    ? html`<section class="panel"><h2>Comments</h2><div class="prose">${markdown(row.comments)}</div></section>`
    : ''

function related(call: Visit, m: AnyModel, row: Row): Html | '' {
  const counts = relatedCounts(call, m, row)
  if (counts.length === 0) return ''
  return html`<section class="panel"><h2>Related objects</h2><ul class="counts">${counts.map(
    ({ label, href, count }) => html`<li><a href="${href}">${label}</a> <b>${count}</b></li>`,
  )}</ul></section>`
}
