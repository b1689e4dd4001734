import { html } from 'hono/html'
import { formPairs } from '../../http/body.ts'
import { conditionOf } from '../../http/lists.ts'
import { ApiError } from '../../http/request.ts'
import type { Control } from '../../fields/control.ts'
import { may } from '../../engine/actor.ts'
import { models } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import { accountHref } from '../account/account.ts'
import { mine } from '../account/mine.ts'
import { cell, type Html } from '../cells.ts'
import { linesOf } from '../failure.ts'
import type { FormData } from '../form-data.ts'
import { listHref } from '../links.ts'
import { markdown } from '../markdown.ts'
import { countOf } from '../related.ts'
import { columnsBy, rowsOf, table } from '../table.ts'
import type { Visit } from '../visit.ts'
import { pluralOf, titleOf } from '../words.ts'
import type { Widget } from './dashboard.ts'
import { isObject, textOfJson } from '../../lib/json.ts'

type Config = Readonly<Record<string, unknown>>

/** A field of the form of a box. */
interface WidgetField {
  name: string
  label: string
  help?: string
  control: Control
  required?: boolean
  /** Texts of what is kept. */
  texts: (config: Config) => readonly string[]
}
/** A kind of box: what it is called, what it shows, and what it asks for. */
interface WidgetKind {
  label: string
  about: string
  size: readonly [w: number, h: number]
  show: (visit: Visit, config: Config) => Html
  fields: readonly WidgetField[]
  /** What is kept of a form; `errors` by field take what is wrong with it. */
  read: (data: FormData, errors: Record<string, string>, visit: Visit) => Config
}

const MaxModels = 40
const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string')
const shownModels = (visit: Visit, names: unknown): AnyModel[] =>
  texts(names)
    .slice(0, MaxModels)
    .flatMap((name) => models[name] ?? [])
    .filter((m) => !m.internal && may(visit.actor, 'view', m))

/** The query that a box keeps: an object of parameters. */
function queryOf(kept: unknown): URLSearchParams {
  const query = new URLSearchParams()
  if (isObject(kept))
    for (const [name, values] of Object.entries(kept))
      for (const value of [values].flat().slice(0, 100))
        if (['string', 'number', 'boolean'].includes(typeof value)) query.append(name, String(value))
  return query
}

/** A query typed as text (`status=active&site=a`) as it is kept. */
function queryIn(text: string): Record<string, string | string[]> {
  const query = formPairs(text.trim().replace(/^[^?]*\?/, ''))
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const all = query.getAll(name)
      return [name, all.length > 1 ? all : all[0]!]
    }),
  )
}

const known = (names: readonly string[], errors: Record<string, string>, field: string): readonly string[] => {
  const wrong = names.find((name) => !models[name] || models[name].internal)
  if (wrong !== undefined) errors[field] = `There is no kind of object ${wrong}.`
  else if (names.length > MaxModels) errors[field] = `No more than ${MaxModels}.`
  return names
}
const first = (data: FormData, name: string): string => data.all(name)[0] ?? ''
const filters = (name: string): WidgetField => ({
  name,
  label: 'Filters',
  help: 'What stands behind the ? in the address of a filtered list, as status=active. Empty: all.',
  control: { as: 'line', type: 'text', max: 2000 },
  texts: (config) => [queryOf(config[name]).toString()],
})
const refused = (error: unknown): Html => {
  if (!(error instanceof ApiError)) throw error
  return html`<p class="error">The filters of this box cannot be used: ${linesOf(error, error.body).join(' ')}</p>`
}

/** The query typed in a field, and what of it the lists of these kinds of objects cannot take. */
function filtersIn(visit: Visit, data: FormData, name: string, models: unknown, errors: Record<string, string>) {
  const asked = queryIn(first(data, name))
  for (const m of shownModels(visit, models))
    try {
      conditionOf(visit, m, queryOf(asked))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      errors[name] = linesOf(error, error.body).join(' ')
    }
  return asked
}

const counts: WidgetKind = {
  label: 'Object counts',
  about: 'How many there are of some kinds of objects, with links to their lists.',
  size: [4, 3],
  show: (visit, config) => {
    const query = queryOf(config.filters)
    const own = shownModels(visit, config.models)
    if (own.length === 0) return html`<p class="empty">Nothing to count.</p>`
    const text = query.size ? `?${query}` : ''
    try {
      return html`<ul class="counts">${own.map((m) => {
        const count = countOf(visit, m, query).toLocaleString('en')
        return html`<li><a href="${listHref(visit, m)}${text}">${pluralOf(m)}</a> <b>${count}</b></li>`
      })}</ul>`
    } catch (error) {
      return refused(error)
    }
  },
  fields: [
    {
      name: 'models',
      label: 'Kinds of objects',
      control: { as: 'types', feature: 'all', multiple: true },
      required: true,
      texts: (config) => texts(config.models),
    },
    filters('filters'),
  ],
  read: (data, errors, visit) => {
    const names = known(data.all('models').filter(Boolean), errors, 'models')
    if (names.length === 0) errors.models = 'Choose at least one.'
    const asked = filtersIn(visit, data, 'filters', names, errors)
    return { models: names, ...(Object.keys(asked).length ? { filters: asked } : {}) }
  },
}

const MaxRows = 50
const list: WidgetKind = {
  label: 'Object list',
  about: 'The first rows of a list.',
  size: [12, 5],
  show: (visit, config) => {
    const [m] = shownModels(visit, config.model)
    if (!m) return html`<p class="empty">You may not see these objects.</p>`
    const query = queryOf(config.url_params)
    const size = Math.min(MaxRows, Math.max(1, Math.trunc(Number(textOfJson(config.page_size))) || 10))
    try {
      const { ids, count } = visit.store.reader.page(
        m,
        conditionOf(visit, m, query),
        query.get('sort') ?? query.get('ordering') ?? undefined,
        size,
        0,
      )
      const columns = columnsBy(m, []).slice(0, 7)
      return ids.length
        ? html`${table(visit, m, columns, rowsOf(visit, m, ids, columns), { caption: pluralOf(m) })}${
            (count ?? 0) > ids.length
              ? html`<p><a href="${listHref(visit, m)}${query.size ? `?${query}` : ''}">All ${count!.toLocaleString(
                  'en',
                )}</a></p>`
              : ''
          }`
        : html`<p class="empty">None</p>`
    } catch (error) {
      return refused(error)
    }
  },
  fields: [
    {
      name: 'model',
      label: 'Kind of objects',
      control: { as: 'types', feature: 'all' },
      required: true,
      texts: (config) => texts(config.model),
    },
    {
      name: 'page_size',
      label: 'Rows',
      control: { as: 'line', type: 'number', least: 1, most: MaxRows },
      texts: (config) => [textOfJson(config.page_size ?? 10)],
    },
    filters('url_params'),
  ],
  read: (data, errors, visit) => {
    const [model = ''] = known(data.all('model').filter(Boolean), errors, 'model')
    if (!model) errors.model = 'Choose one.'
    const size = Number(first(data, 'page_size') || 10)
    if (!Number.isInteger(size) || size < 1 || size > MaxRows) errors.page_size = `A number from 1 to ${MaxRows}.`
    return { model, page_size: size, url_params: filtersIn(visit, data, 'url_params', model, errors) }
  },
}

const note: WidgetKind = {
  label: 'Note',
  about: 'A text of your own, in Markdown.',
  size: [4, 3],
  show: (_, config) =>
    typeof config.content === 'string' && config.content
      ? html`<div class="prose">${markdown(config.content)}</div>`
      : html`<p class="empty">Nothing is written here yet.</p>`,
  fields: [
    {
      name: 'content',
      label: 'Text',
      control: { as: 'area', markdown: true, max: 20_000 },
      texts: (config) => texts(config.content),
    },
  ],
  read: (data, errors) => {
    const content = first(data, 'content')
    if (content.length > 20_000) errors.content = 'No more than 20,000 characters.'
    return { content }
  },
}

const Orders = [
  ['-created', 'Newest first'],
  ['created', 'Oldest first'],
  ['display', 'By name'],
] as const
const bookmarks: WidgetKind = {
  label: 'Bookmarks',
  about: 'What you have bookmarked.',
  size: [4, 4],
  show: (visit, config) => {
    if (visit.actor.userId === null) return html`<p class="empty">Log in to keep bookmarks.</p>`
    const wanted = new Set(texts(config.object_types))
    const max = Math.min(100, Math.max(1, Math.trunc(Number(textOfJson(config.max_items))) || 20))
    const rows = mine(visit, 'bookmarks', 500).rows.filter(
      (row) => row.object && (wanted.size === 0 || wanted.has(row.object_type)),
    )
    if (config.order_by === 'display') rows.sort((a, b) => (a.display < b.display ? -1 : 1))
    else if (config.order_by !== 'created') rows.reverse()
    return rows.length
      ? html`<ul class="marks">${rows
          .slice(0, max)
          .map(
            (row) => html`<li>${cell(visit, row.object)} <small>${titleOf(models[row.object_type]!)}</small></li>`,
          )}</ul>${rows.length > max ? html`<p><a href="${accountHref(visit, 'bookmarks')}">All</a></p>` : ''}`
      : html`<p class="empty">None yet: <b>Bookmark</b> on the page of an object puts it here.</p>`
  },
  fields: [
    {
      name: 'object_types',
      label: 'Kinds of objects',
      help: 'Empty: all.',
      control: { as: 'types', feature: 'bookmarks', multiple: true },
      texts: (config) => texts(config.object_types),
    },
    {
      name: 'order_by',
      label: 'Order',
      control: { as: 'choice', choices: Orders },
      required: true,
      texts: (config) => [texts(config.order_by)[0] ?? '-created'],
    },
    {
      name: 'max_items',
      label: 'At most',
      control: { as: 'line', type: 'number', least: 1, most: 100 },
      texts: (config) => [textOfJson(config.max_items ?? 20)],
    },
  ],
  read: (data, errors) => {
    const max = Number(first(data, 'max_items') || 20)
    if (!Number.isInteger(max) || max < 1 || max > 100) errors.max_items = 'A number from 1 to 100.'
    const order = first(data, 'order_by') || '-created'
    if (!Orders.some(([name]) => name === order)) errors.order_by = 'This is none of the choices.'
    return {
      object_types: known(data.all('object_types').filter(Boolean), errors, 'object_types'),
      order_by: order,
      max_items: max,
    }
  },
}

/** Kinds of boxes by the name that the API keeps. */
export const Kinds: Readonly<Record<string, WidgetKind>> = {
  'extras.ObjectCountsWidget': counts,
  'extras.ObjectListWidget': list,
  'extras.NoteWidget': note,
  'extras.BookmarksWidget': bookmarks,
}

/** What a box shows. */
export function widgetBody(visit: Visit, { kind, config }: Widget): Html {
  const own = Object.hasOwn(Kinds, kind) ? Kinds[kind] : undefined
  return own
    ? own.show(visit, config)
    : html`<p class="empty">This box is of a kind that is not shown here: ${kind || 'none'}.</p>`
}
