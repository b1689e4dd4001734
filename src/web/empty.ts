import { html } from 'hono/html'
import { may } from '../engine/actor.ts'
import { fieldsOf, modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Html } from './cells.ts'
import { Paging } from './filter-panel.ts'
import { hasPage, listHref, withQuery } from './links.ts'
import { countOf } from './related.ts'
import type { Visit } from './visit.ts'
import { mayMake } from './may-make.ts'

/** What stands where a list has no rows: what to do about it. */
export function emptyList(call: Visit, m: AnyModel): Html {
  const href = listHref(call, m)
  const filters = [...call.query.keys()].filter((name) => !Paging.includes(name))
  const all = html`<a href="${href}">Show all ${m.plural}</a>`
  if (call.query.get('q'))
    return html`<p class="empty">No ${m.plural} match “${call.query.get('q')!}”. ${
      filters.length ? html`<a href="${withQuery(call, { q: null })}">Look without it</a> or ${all}` : all
    }.</p>`
  if (filters.length) return html`<p class="empty">No ${m.plural} match these filters. ${all}.</p>`
  if (call.query.get('page')) return html`<p class="empty">There is no such page. ${all}.</p>`
  const by = m.pages?.madeBy
  if (by) return html`<p class="empty">There are no ${m.plural} yet: <code>${by}</code> makes one.</p>`
  if (!mayMake(call, m)) return html`<p class="empty">There are no ${m.plural} yet.</p>`
  const missing = neededBy(call, m)
  return html`<div class="empty"><p>There are no ${m.plural} yet.</p>${
    missing.length
      ? html`<p>What a ${m.label} needs first: ${missing.map(
          (each, i) => html`${i ? ', ' : ''}<a href="${listHref(call, each)}add/">add a ${each.label}</a>`,
        )}.</p>`
      : ''
  }<p><a class="button primary" href="${href}add/">Add the first ${m.label}</a> <a class="button"
    href="${href}import/">Import a table</a></p></div>`
}

/** Models of which an object is needed before there can be one of this, and of which the user sees none. */
const neededBy = (call: Visit, m: AnyModel): AnyModel[] =>
  [
    ...new Set(
      fieldsOf(m).flatMap(([, field]) =>
        field.required && field.target && !field.readOnly ? [field.target.model] : [],
      ),
    ),
  ]
    .map((name) => modelNamed(name))
    .filter(
      (each) =>
        each !== m && hasPage(each) && may(call.actor, 'add', each) && countOf(call, each, new URLSearchParams()) === 0,
    )
