import { isObject } from '../lib/json.ts'
import { html } from 'hono/html'
import { formPairs } from '../http/body.ts'
import { conditionOf } from '../http/lists.ts'
import { ApiError } from '../http/request.ts'
import { demand } from '../http/resource.ts'
import { withSavedFilters } from '../http/saved-filters.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Html } from './cells.ts'
import { among, displaysOf } from './displays.ts'
import type { FormData } from './form-data.ts'
import { listHref, safePath } from './links.ts'
import type { Visit } from './visit.ts'
import { addTo } from '../lib/lists.ts'

/** The objects of a list that somebody wants to do something to. */
export interface Selection {
  /** In the order of the list; those that the user may not do this to are not among them. */
  ids: readonly number[]
  /** How many of those named the user may not do this to. */
  left: number
  /** Hidden fields by which the next form names the same objects. */
  hidden: Html
  /** The list that they were chosen in. */
  back: string
  /** True where what matches is not what it was when the form was made. */
  hasMoved: boolean
}

/** What the boxes of a list, or its query, name. Throws `ApiError` for more than one may change at once. */
export function selectionOf(
  visit: Visit,
  m: AnyModel,
  data: FormData,
  action: 'view' | 'change' | 'delete',
): Selection {
  demand(visit, action, m)
  demand(visit, 'view', m)
  const isAll = data.all('_all').includes('1')
  const query = formPairs(isAll ? (data.all('_query')[0] ?? '') : '')
  const asked: Visit = { ...visit, query }
  const named = [...new Set(data.all('pk').filter((text) => /^\d{1,15}$/.test(text)))].map(Number)
  const max = visit.config.maxBulkItems
  const seen = conditionOf(asked, m, withSavedFilters(asked, m))
  const found = visit.store.reader.page(m, isAll ? seen : among(seen, named), query.get('sort') ?? undefined, max, 0)
  if ((found.count ?? 0) > max || named.length > max)
    throw new ApiError(400, {
      detail:
        `These are ${(found.count ?? 0).toLocaleString('en')} ${m.plural}. ` +
        `No more than ${max.toLocaleString('en')} can be worked on at once: narrow the list by its filters.`,
    })
  const permitted = among(
    conditionOf({ ...visit, query: new URLSearchParams() }, m, new URLSearchParams(), action),
    found.ids,
  )
  const ids = visit.store.reader.page(m, permitted, query.get('sort') ?? undefined, undefined, 0).ids
  const back = safePath(visit, data.all('_back')[0]) ?? listHref(visit, m)
  const before = data.all('_count')[0]
  return {
    ids,
    left: found.ids.length - ids.length,
    back,
    hasMoved: isAll && before !== undefined && before !== String(ids.length),
    hidden: html`<input type="hidden" name="_back" value="${back}">${
      isAll
        ? html`<input type="hidden" name="_all" value="1"><input type="hidden" name="_query"
          value="${query.toString()}"><input type="hidden" name="_count" value="${ids.length}">`
        : ids.map((id) => html`<input type="hidden" name="pk" value="${id}">`)
    }`,
  }
}

/** How many objects of a model, in words. */
export const howMany = (m: AnyModel, count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? m.label : m.plural}`

/** What was left out of a selection, and what changed since it was made, in words. */
export function remarks(m: AnyModel, { left, hasMoved, ids }: Selection): Html | '' {
  const lines = [
    ...(hasMoved
      ? [`What matches has changed meanwhile: these are now ${howMany(m, ids.length)}. Nothing was done yet.`]
      : []),
    ...(left
      ? [
          `${howMany(m, left)} of those chosen ${left === 1 ? 'is' : 'are'} left out: ` +
            `you may not do this to ${left === 1 ? 'it' : 'them'}.`,
        ]
      : []),
  ]
  return lines.length
    ? html`<div class="message odd" role="status">${lines.map((line) => html`<p>${line}</p>`)}</div>`
    : ''
}

/** What is wrong with some objects, as text by object: objects with the same fault stand together. */
export function faults(visit: Visit, m: AnyModel, refused: ReadonlyMap<number, unknown>): Html {
  const byText = new Map<string, number[]>()
  for (const [id, body] of refused) {
    const text = textOf(body)
    addTo(byText, text, id)
  }
  const names = displaysOf(visit, m, [...refused.keys()])
  return html`<div class="message bad" role="alert"><p><b>Nothing was changed.</b> This cannot be:</p><ul>${[
    ...byText,
  ].map(
    ([text, ids]) =>
      html`<li>${text} <span class="of">(${ids
        .slice(0, 10)
        .map((id) => names.get(id))
        .join(', ')}${ids.length > 10 ? ` and ${ids.length - 10} more` : ''})</span></li>`,
  )}</ul></div>`
}

/** The errors of a refusal as one line: each with the name of its field. */
function textOf(body: unknown): string {
  if (!isObject(body)) return [body].flat(3).map(String).join(' ')
  return Object.entries(body)
    .map(([name, text]) => {
      const words = isObject(text) ? textOf(text) : [text].flat(3).map(String).join(' ')
      return ['detail', '__all__', 'non_field_errors'].includes(name) ? words : `${name}: ${words}`
    })
    .join(' ')
}
