import { parseExact } from '../lib/exact-json.ts'
import { html, raw } from 'hono/html'
import { type Answer, forbidden } from '../http/request.ts'
import { NoSuchObject } from './no-such-object.ts'
import type { Visit } from './visit.ts'
import { may } from '../engine/actor.ts'
import { fieldsOf, modelNamed } from '../engine/catalog.ts'
import { pagesOnly, extraOf } from '../engine/extra.ts'
import type { AnyModel } from '../declare/model.ts'
import { above } from './above.ts'
import { addComponents } from './add-components.ts'
import { cell, dot, type Html, MaxItemsOfPage, moment } from './cells.ts'
import { customLinks } from './custom-links.ts'
import { customPanels } from './custom-panels.ts'
import { icon, page } from './frame.ts'
import { offersLabels, labelsHref } from './labels.ts'
import { hrefOf, listHref, objectHref } from './links.ts'
import { markdown } from './markdown.ts'
import { ownActions } from './own-actions.ts'
import { panelsOf, specialTabs } from './parts/index.ts'
import type { SpecialPanel, SpecialTab } from './parts/part.ts'
import { countOf, isAsked, queryFor, relatedTable } from './related.ts'
import { relatedObjects } from './related-objects.ts'
import { systemOf } from './measures.ts'
import { watched } from './watch.ts'
import { columnOf, columnsAmong, isMember, type Row, shown } from './table.ts'
import { coverUnseen, neededFor } from './unseen.ts'
import { pluralOf, titleOf, words } from './words.ts'
import { mayMake } from './may-make.ts'

/** The object of a page with every member that its panels show. Throws `ApiError` where the user may not view it. */
export function objectRow(call: Visit, m: AnyModel, id: number): Row {
  if (!may(call.actor, 'view', m)) throw forbidden()
  if (call.store.reader.mayOn(call.actor, 'view', m, id) !== true) throw new NoSuchObject(m, id)
  const reached = Object.values(m.pages?.panels ?? {})
    .flatMap(words)
    .filter((path) => !isMember(m, path) && columnOf(m, path))
  for (const name of ['tags', 'created', 'last_updated', ...pagesOnly(m).map(([entered]) => entered)])
    if (name in extraOf(m) && !reached.includes(name)) reached.push(name)
  const also = [...reached, ...neededFor(m, reached).filter((path) => !isMember(m, path) && !reached.includes(path))]
  const bytes = call.store.reader.one(m, id, also.length ? { omit: [], also } : {}, call.config.basePath)
  if (!bytes) throw new NoSuchObject(m, id)
  const row = parseExact(bytes.toString()) as Row
  coverUnseen(call, m, [row], reached)
  return row
}

/** `/dcim/sites/3/`: an object with all that is known of it. */
export async function objectPage(call: Visit, m: AnyModel, id: number): Promise<Answer> {
  const row = objectRow(call, m, id)
  const panels = Object.entries(m.pages?.panels ?? { [titleOf(m)]: own(m) })
  const [first, ...others] = panels.map(([title, names]) => attributes(call, m, row, title, words(names)))
  const special = (side: SpecialPanel['side']) => Promise.all(panelsOf(m, side).map((each) => each.show(call, m, row)))
  const [top, left, right, wide, links] = await Promise.all([
    special('top'),
    special('left'),
    special('right'),
    special('wide'),
    customLinks(call, m, row),
  ])
  return framed(
    call,
    m,
    row,
    '',
    html`${links}${top}<div class="columns">
<div>${first ?? ''}${left}${customPanels(call, m, row)}${tags(call, m, row)}${comments(row)}</div>
<div>${others}${right}${relatedObjects(call, m, row)}</div></div>
${wide}${(m.pages?.tables ?? []).map((each) => relatedTable(call, m, row, each))}`,
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
export function framed(call: Visit, m: AnyModel, row: Row, tab: string, body: Html, status = 200): Answer {
  const title = row.display || `${titleOf(m)} ${row.id}`
  const tabs = tabsOf(call, m, row)
  return page(call, {
    status,
    title,
    crumbs: [[listHref(call, m), pluralOf(m)], ...parents(call, m, row)],
    note: html`${titleOf(m)}`,
    actions: actions(call, m, row),
    body: html`${watched(call, m, 'object', row.id)}${standing(call, row)}${
      tabs.length > 1
        ? html`<nav class="tabs" aria-label="Tabs"><ul>${tabs.map(
            ({ name, label, count }) =>
              html`<li><a href="${objectHref(call, m, row.id, name)}"${
                name === tab ? raw(' aria-current="page"') : ''
              }>${label}${count === undefined ? '' : html` <small>${count}</small>`}</a></li>`,
          )}</ul></nav>`
        : ''
    }${body}`,
  })
}

/** Who is responsible for an object, and when it came and changed. */
function standing(call: Visit, { owner, created, last_updated: changed }: Row): Html | '' {
  const said = [
    ...(typeof created === 'string' ? [html`Created ${moment(created)}`] : []),
    ...(typeof changed === 'string' && created ? [html`changed ${moment(changed)}`] : []),
    ...(owner ? [html`owned by ${cell(call, owner)}`] : []),
  ]
  if (said.length === 0) return ''
  return html`<p class="stamps">${said.map((each, i) => html`${i > 0 ? ' · ' : ''}${each}`)}</p>`
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
  return html`${
    can('change', 'PATCH') ? html`<a class="button primary" href="${href}edit/">${icon(call, 'edit')}Edit</a>` : ''
  }${addComponents(call, m, row)}${
    mayMake(call, m)
      ? html`<a class="button" href="${listHref(call, m)}add/?_clone=${row.id}">${icon(call, 'copy')}Clone</a>`
      : ''
  }${ownActions(call, m, row)}${
    offersLabels(m)
      ? html`<a class="button" href="${labelsHref(call, m, [row.id])}">${icon(call, 'label')}Label</a>`
      : ''
  }<a class="button" href="${call.config.basePath}/api/${m.path}/${row.id}/" hx-boost="false">JSON</a>${
    can('delete', 'DELETE')
      ? html`<a class="button danger" href="${href}delete/">${icon(call, 'delete')}Delete</a>`
      : ''
  }`
}

interface Tab {
  name: string
  label: string
  count?: number
}

/** The tabs of an object that the user may see, with how much is on each. */
function tabsOf(call: Visit, m: AnyModel, row: Row): Tab[] {
  const declared = m.pages?.tabs ?? {}
  const byFeature = Object.entries(specialTabs).filter(([name, tab]) => !(name in declared) && tab.of?.(m))
  const special = (name: string, tab: SpecialTab): Tab[] => {
    if (tab.model && !may(call.actor, 'view', modelNamed(tab.model))) return []
    const count = tab.count?.(call, m, row)
    return [{ name, label: tab.label, ...(count ? { count } : {}) }]
  }
  return [
    { name: '', label: titleOf(m) },
    ...Object.entries(declared).flatMap(([name, tab]): Tab[] => {
      if (tab === true) return specialTabs[name] ? special(name, specialTabs[name]) : []
      const target = modelNamed(tab[0])
      if (!may(call.actor, 'view', target)) return []
      const count = isAsked(row, tab[1]) ? countOf(call, target, queryFor(row, tab[1])) : 0
      if (count === 0 && tab[3] !== 'always') return []
      return [{ name, label: tab[2] ?? pluralOf(target), ...(count ? { count } : {}) }]
    }),
    ...byFeature.flatMap(([name, tab]) => special(name, tab)),
  ]
}

function attributes(call: Visit, m: AnyModel, row: Row, title: string, names: readonly string[]): Html {
  const columns = columnsAmong(m, names)
  const [only, ...more] = columns
  // What fills a panel needs no label beside its heading.
  if (only && more.length === 0 && only.field?.look === 'code')
    return html`<section class="panel"><h2>${title}</h2>${cell(call, row[only.path], only.field)}</section>`
  const system = columns.some(({ unit }) => unit) ? systemOf(call) : undefined
  const items = columns.map((column) => {
    const value = shown(call, row, column, system, MaxItemsOfPage)
    return html`<div><dt>${column.head ?? column.label}</dt><dd>${above(call, column, row[column.path])}${value}</dd>
</div>`
  })
  return html`<section class="panel"><h2>${title}</h2><dl>${items}</dl></section>`
}

function tags(call: Visit, m: AnyModel, row: Row): Html | '' {
  const given = row.tags as { display: string; color: string; slug: string }[] | undefined
  if (!given || !m.features?.includes('tags')) return ''
  return html`<section class="panel"><h2>Tags</h2><p class="tags">${
    given.length
      ? given.map(({ slug, color, display }) => {
          const alike = `${listHref(call, m)}?${new URLSearchParams({ tag: slug })}`
          return html`<a class="tag" href="${alike}">${dot(color)}${display}</a>`
        })
      : html`<span class="none">None</span>`
  }</p></section>`
}

const comments = (row: Row): Html | '' =>
  typeof row.comments === 'string' && row.comments
    ? html`<section class="panel"><h2>Comments</h2><div class="prose">${markdown(row.comments)}</div></section>`
    : ''
