import { html } from 'hono/html'
import { may } from '../engine/actor.ts'
import { allModels, fieldsOf, genericPrefix, genericsTo, memo } from '../engine/catalog.ts'
import { filtersOf } from '../engine/filters.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Html } from './cells.ts'
import { hasPage, listHref } from './links.ts'
import { addHref, countOf, takes } from './related.ts'
import type { Row } from './table.ts'
import type { Visit } from './visit.ts'
import { labelAt, pluralOf, words } from './words.ts'

/** How objects of a model belong to one of another, by a field or by what that follows from. */
interface Way {
  from: AnyModel
  label: string
  /** Parameters of the list that finds them. */
  query: (id: unknown) => URLSearchParams
  /** None of them is without such an object, or they may stand anywhere: who looks at it may want to add one. */
  isBegunHere: boolean
}

/** All ways to belong to objects of a model but those that have a table or a tab of their own. */
const waysTo = memo((m: AnyModel): readonly Way[] =>
  allModels
    .filter((from) => !from.internal && hasPage(from))
    .flatMap((from) => [...byFilter(m, from), ...byKind(m, from)]),
)

/** Queries of the tables and tabs of an object that show objects of another model. */
const shownOf = (m: AnyModel, of: AnyModel): string[] =>
  [...(m.pages?.tables ?? []), ...Object.values(m.pages?.tabs ?? {})].flatMap((each) =>
    each !== true && each[0] === of.name ? [each[1]] : [],
  )

function byFilter(m: AnyModel, from: AnyModel): Way[] {
  const names = new Map<string, string>() // by the path that a parameter follows
  for (const [name, { follows }] of filtersOf(from)) {
    if (follows?.model !== m.name || !isOwn(m, from, follows.path)) continue
    if (!names.has(follows.path) || name === `${follows.path}_id`) names.set(follows.path, name)
  }
  const shown = shownOf(m, from)
  return [...names].flatMap(([path, name]) => {
    if (shown.includes(name)) return []
    const label = names.size > 1 ? `${pluralOf(from)} (${labelAt(from, path)})` : pluralOf(from)
    const field = from.fields[path]
    const isNeeded = field?.target !== undefined && field.required && !field.readOnly
    const isBegunHere = isNeeded || path.startsWith('_')
    return [{ from, label, query: (id) => new URLSearchParams([[name, String(id)]]), isBegunHere }]
  })
}

/** Whether what a path leads to is what an object belongs to by itself, and is not told on its page anyway. */
function isOwn(m: AnyModel, from: AnyModel, path: string): boolean {
  if (path.includes('.')) return false
  if (path.startsWith('_')) return fieldsOf(from).some(([, field]) => field.generic && takes(field, m.name))
  const told = new Set(Object.values(m.pages?.panels ?? {}).flatMap(words))
  const back = fieldsOf(m).find(([, { links }]) => links?.model === from.name && links.related === path)
  return !from.fields[path]?.options.hidden && !(back && told.has(back[0]))
}

/** By a reference to objects of several models, where no parameter finds those of one of them. */
function byKind(m: AnyModel, from: AnyModel): Way[] {
  if (shownOf(m, from).length || [...filtersOf(from).values()].some(({ follows }) => follows?.model === m.name))
    return []
  return genericsTo(m).flatMap(({ from: of, name, field }) => {
    const as = genericPrefix(field, name)
    if (of !== from || !takes(field, m.name) || !filtersOf(from).has(`${as}_type`)) return []
    const query = (id: unknown) => new URLSearchParams({ [`${as}_type`]: m.name, [`${as}_id`]: String(id) })
    return [{ from, label: pluralOf(from), query, isBegunHere: true }]
  })
}

/** Counts of what belongs to an object, as links to lists, and a menu of what may; nothing where there is neither. */
export function relatedObjects(visit: Visit, m: AnyModel, row: Row): Html | '' {
  const ways = waysTo(m).map((way) => ({ ...way, query: way.query(row.id) }))
  const counts = ways.flatMap(({ from, label, query }) => {
    const count = may(visit.actor, 'view', from) ? countOf(visit, from, query) : 0
    return count ? [{ label, count, href: `${listHref(visit, from)}?${query}` }] : []
  })
  const adds = ways.flatMap(({ from, label, query, isBegunHere }) => {
    const href = isBegunHere && addHref(visit, from, query, { m, row })
    return href ? [{ href, label }] : []
  })
  if (counts.length + adds.length === 0) return ''
  return html`<section class="panel"><div class="head"><h2>Related objects</h2>${
    adds.length
      ? html`<details class="drop add"><summary>Add</summary><ul>${adds.map(
          ({ href, label }) => html`<li><a href="${href}">${label}</a></li>`,
        )}</ul></details>`
      : ''
  }</div>${
    counts.length
      ? html`<ul class="counts">${counts.map(
          ({ label, href, count }) => html`<li><a href="${href}">${label}</a> <b>${count}</b></li>`,
        )}</ul>`
      : html`<p class="empty">None</p>`
  }</section>`
}
