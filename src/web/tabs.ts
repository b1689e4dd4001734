import { html } from 'hono/html'
import { type Answer, badMethod, forbidden, noSuchPage } from '../http/request.ts'
import { may } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Related } from '../engine/pages.ts'
import { readForm } from './form-data.ts'
import { chosen, find, pager } from './list.ts'
import { framed, objectRow } from './object.ts'
import { specialTabs } from './parts/index.ts'
import type { SpecialTab } from './parts/part.ts'
import { preferencesOf } from './preferences.ts'
import { assignHref } from './assign.ts'
import { addHref, columnsWithin, queryFor } from './related.ts'
import { rowLinks } from './row-links.ts'
import { rowsOf, table } from './table.ts'
import type { Visit } from './visit.ts'
import { pluralOf } from './words.ts'

/** `/dcim/devices/3/interfaces/`, `/dcim/devices/3/journal/`: what belongs to an object, a page each. */
export async function tabPage(visit: Visit, m: AnyModel, id: number, name: string): Promise<Answer> {
  const tab = declared(m, name)
  if (tab && tab !== true) return relatedTab(visit, m, id, name, tab)
  const special = specialOf(visit, m, name)
  const row = objectRow(visit, m, id)
  return (await special.file?.(visit, m, row)) ?? framed(visit, m, row, name, await special.body(visit, m, row))
}

/** What a model declares of a tab; an address may name `constructor` and the like, which no model declares. */
const declared = (m: AnyModel, name: string): Related | true | undefined =>
  m.pages?.tabs && Object.hasOwn(m.pages.tabs, name) ? m.pages.tabs[name] : undefined

/** A form of a tab: does what it asks for, or shows the tab again with what is wrong. */
export async function tabPost(visit: Visit, m: AnyModel, id: number, name: string): Promise<Answer> {
  const special = specialOf(visit, m, name)
  if (!special.post) throw badMethod(visit.method)
  objectRow(visit, m, id)
  const data = await readForm(visit)
  const row = objectRow(visit, m, id) // once more: it may be gone since the form came
  const answer = await special.post(visit, m, row, data)
  return 'again' in answer ? framed(visit, m, row, name, answer.again, answer.status) : answer
}

function specialOf(visit: Visit, m: AnyModel, name: string): SpecialTab {
  const tab = Object.hasOwn(specialTabs, name) ? specialTabs[name] : undefined
  if (!tab || !(declared(m, name) === true || tab.of?.(m))) throw noSuchPage()
  if (tab.model && !may(visit.actor, 'view', modelNamed(tab.model))) throw forbidden()
  return tab
}

function relatedTab(visit: Visit, m: AnyModel, id: number, name: string, [of, query]: Related): Answer {
  const row = objectRow(visit, m, id)
  const target = modelNamed(of)
  if (!may(visit.actor, 'view', target)) throw forbidden()
  const own = queryFor(row, query)
  const asked: Visit = { ...visit, query: new URLSearchParams([...own, ...visit.query]) }
  const found = find(asked, target, preferencesOf(visit))
  const columns = columnsWithin(target, m, query)
  const add = addHref(visit, target, own, { m, row })
  const choose = assignHref(visit, target, query, m, row)
  return framed(
    visit,
    m,
    row,
    name,
    html`<div class="toolbar">${add ? html`<a class="button primary" href="${add}">Add</a>` : ''}${
      choose ? html`<a class="button" href="${choose}">Choose</a>` : ''
    }</div>${
      found.ids.length
        ? html`${chosen(asked, target, (isOffered) =>
            table(visit, target, columns, rowsOf(visit, target, found.ids, columns), {
              chosen: isOffered,
              ordered: true,
              caption: pluralOf(target),
              actions: rowLinks(visit, target, found.ids),
            }),
          )}${pager(visit, found)}`
        : html`<p class="empty">There are none yet.</p>`
    }`,
  )
}
