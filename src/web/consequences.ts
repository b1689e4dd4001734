import { html } from 'hono/html'
import { may } from '../engine/actor.ts'
import type { AnyModel } from '../declare/model.ts'
import { consequencesOf } from '../store/cascade.ts'
import type { Html } from './cells.ts'
import { hasPage, objectHref } from './links.ts'
import { displaysOf, MaxNamed, visibleOf } from './displays.ts'
import type { Visit } from './visit.ts'
import { pluralOf } from './words.ts'

/** Names of so many objects of a model that prevent a delete. */
const MaxBlocking = 20

/** Names of objects, each a link where it has a page. */
export function named(visit: Visit, m: AnyModel, ids: readonly number[]): Html {
  const names = displaysOf(visit, m, ids.slice(0, MaxNamed))
  return html`${[...names].map(
    ([id, text]) => html`<li>${hasPage(m) ? html`<a href="${objectHref(visit, m, id)}">${text}</a>` : text}</li>`,
  )}${ids.length > MaxNamed ? html`<li>… and ${(ids.length - MaxNamed).toLocaleString('en')} more</li>` : ''}`
}

/**
 * What goes with some objects, what loses a reference, and what prevents that they go; of models that the user may
 * view.
 */
export function consequences(visit: Visit, m: AnyModel, ids: readonly number[]): { html: Html; isPossible: boolean } {
  const { goes, emptied, blocking } = consequencesOf(visit.store.db, m, ids)
  const isShown = (of: AnyModel) => !of.internal && may(visit.actor, 'view', of)
  const counted = (title: string, counts: readonly (readonly [AnyModel, number])[]): Html | '' => {
    const known = counts.filter(([of]) => isShown(of))
    return known.length
      ? html`<h2>${title}</h2><ul class="counts">${known.map(
          ([of, count]) => html`<li><span>${pluralOf(of)}</span> <b>${count.toLocaleString('en')}</b></li>`,
        )}</ul>`
      : ''
  }
  const keeping = Map.groupBy(blocking, ({ m: of }) => of)
  const seen = [...keeping].flatMap(([of, rows]) => {
    const ids = visibleOf(
      visit,
      of,
      rows.map(({ id }) => id),
    )
    return ids.length ? [[of, ids.slice(0, MaxBlocking)] as const] : []
  })
  const shown = seen.reduce((sum, [, own]) => sum + own.length, 0)
  const told = html`${
    blocking.length
      ? html`<div class="message bad" role="alert"><p><b>This cannot be deleted:</b> ${
          blocking.length === 1
            ? 'one object depends on it'
            : `${blocking.length.toLocaleString('en')} objects depend on it`
        }.</p>${seen.map(([of, own]) => html`<p>${pluralOf(of)}</p><ul class="named">${named(visit, of, own)}</ul>`)}${
          blocking.length > shown ? html`<p>… and ${(blocking.length - shown).toLocaleString('en')} more</p>` : ''
        }</div>`
      : ''
  }${counted(
    'What goes with it',
    [...goes].map(([of, rows]) => [of, rows.length] as const),
  )}${counted('What is kept and refers to nothing then', [...emptied])}`
  return { html: told, isPossible: blocking.length === 0 }
}
