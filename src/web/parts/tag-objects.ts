import { html } from 'hono/html'
import { conditionOf } from '../../http/lists.ts'
import { typesTagged } from '../../rules/tagged.ts'
import { may } from '../../engine/actor.ts'
import { models } from '../../engine/catalog.ts'
import { filtersOf } from '../../engine/filters.ts'
import { listHref, objectHref } from '../links.ts'
import { displaysOf } from '../displays.ts'
import { pluralOf } from '../words.ts'
import type { SpecialTab } from './part.ts'
import { numberHead, plainTable } from '../plain-table.ts'

/** So many of each kind are named. */
const MaxNamed = 10

/** `/extras/tags/3/objects/`: what has a tag, of what the user may see, kind by kind. */
export const tagObjects: SpecialTab = {
  label: 'Objects',
  body: (visit, _m, row) => {
    const query = new URLSearchParams({ tag: String(row.slug) })
    const kinds = typesTagged(visit.store.rows, row.id).flatMap((type) => {
      const m = models[type]
      if (!m || !filtersOf(m).has('tag') || !may(visit.actor, 'view', m)) return []
      const { ids, count } = visit.store.reader.page(m, conditionOf(visit, m, query), undefined, MaxNamed, 0)
      return count ? [{ m, ids, count, names: displaysOf(visit, m, ids) }] : []
    })
    const lines = kinds.map(({ m, ids, count, names }) => {
      const kind = html`<a href="${listHref(visit, m)}?${query.toString()}">${pluralOf(m)}</a>`
      return html`<tr><th scope="row">${kind}</th><td class="number">${count.toLocaleString('en')}</td><td>${ids.map(
        (id, i) => html`${i ? ', ' : ''}<a href="${objectHref(visit, m, id)}">${names.get(id)}</a>`,
      )}${count > ids.length ? ' …' : ''}</td></tr>`
    })
    return lines.length
      ? plainTable('Objects with this tag', ['Kind', numberHead('Objects'), 'Among them'], lines)
      : html`<p class="empty">Nothing that you may see has this tag.</p>`
  },
}
