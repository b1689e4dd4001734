import { html } from 'hono/html'
import { type Answer, forbidden, noSuchPage } from '../api/request.ts'
import { may } from '../registry/actor.ts'
import { modelNamed } from '../registry/catalog.ts'
import type { AnyModel } from '../registry/model.ts'
import type { Related } from '../registry/pages.ts'
import { chosen, find, pager, rowActions } from './list.ts'
import { framed, objectRow } from './object.ts'
import { preferencesOf } from './preferences.ts'
import { addHref, queryFor } from './related.ts'
import { columnsBy, rowsOf, table } from './table.ts'
import type { Visit } from './visit.ts'
import { pluralOf } from './words.ts'

/** `/dcim/devices/3/interfaces/`: the objects of another model that belong to this one. */
export function tabPage(visit: Visit, m: AnyModel, id: number, name: string): Answer {
  const tab = m.pages?.tabs?.[name]
  if (!tab || tab === true) throw noSuchPage()
  return relatedTab(visit, m, id, name, tab)
}

function relatedTab(visit: Visit, m: AnyModel, id: number, name: string, [of, query]: Related): Answer {
  const row = objectRow(visit, m, id)
  const target = modelNamed(of)
  if (!may(visit.actor, 'view', target)) throw forbidden()
  const own = queryFor(row, query)
  const asked: Visit = { ...visit, query: new URLSearchParams([...own, ...visit.query]) }
  const found = find(asked, target, preferencesOf(visit))
  const columns = columnsBy(target, []).filter(({ field }) => field?.target?.model !== m.name)
  const add = addHref(visit, target, own)
  return framed(
    visit,
    m,
    row,
    name,
    html`<div class="toolbar">${add ? html`<a class="button primary" href="${add}">Add</a>` : ''}</div>${
      found.ids.length
        ? html`${chosen(asked, target, (isOffered) =>
            table(visit, target, columns, rowsOf(visit, target, found.ids, columns), {
              chosen: isOffered,
              ordered: true,
              caption: pluralOf(target),
              actions: (each) => rowActions(visit, target, each),
            }),
          )}${pager(visit, found)}`
        : html`<p class="empty">There are none yet.</p>`
    }`,
  )
}
