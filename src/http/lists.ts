import { q } from '../lib/sql.ts'
import type { ActionTools } from '../declare/behaviour.ts'
import { fieldsOf, modelNamed } from '../engine/catalog.ts'
import { conditionsOf, FilterRefusal, type FilterSource } from '../engine/filters.ts'
import type { AnyModel } from '../declare/model.ts'
import type { View } from '../engine/select.ts'
import type { Condition } from '../store/selections.ts'
import { rowsHolding, valuesHolding } from '../store/search-index.ts'
import { sortKeyOf } from '../filters/string.ts'
import type { Stored } from '../fields/field.ts'
import type { Ids } from '../filters/filter.ts'
import { customParameter } from '../filters/custom.ts'
import { RegexTooSlow } from '../lib/regex.ts'
import { binder, may, permittedRows } from '../engine/actor.ts'
import { type Answer, ApiError, type Call, forbidden } from './request.ts'
import { withSavedFilters } from './saved-filters.ts'

/** GET of a list: filters, order, page, and the JSON of its rows. */
export function list(call: Call, m: AnyModel): Answer {
  try {
    return listed(call, m)
  } catch (error) {
    if (!(error instanceof RegexTooSlow)) throw error
    const patterns = [...new Set(call.query.keys())].filter((name) => name.endsWith('regex'))
    throw new ApiError(400, Object.fromEntries(patterns.map((name) => [name, [error.message]])))
  }
}

function listed(call: Call, m: AnyModel): Answer {
  if (!may(call.actor, 'view', m)) throw forbidden()
  const condition = conditionOf(call, m, withSavedFilters(call, m))
  const limit = limitOf(call)
  const view = viewOf(call, m)
  const start = call.query.get('start')
  if (start !== null) return cursorPage(call, m, condition, view, start, limit)
  const offset = wholeNumber(call.query.get('offset')) ?? 0
  const page = call.store.reader.page(m, condition, call.query.get('ordering') ?? undefined, limit, offset)
  const { next, previous } = neighbours(call, page.count!, limit, offset)
  return pageAnswer(call, m, page.ids, page.count, next, previous, view)
}

/** Links to the pages after and before one of `limit` rows from `offset` on. */
export function neighbours(
  call: Call,
  count: number,
  limit: number | undefined,
  offset: number,
): { next: string | null; previous: string | null } {
  const shown = limit ?? count
  return {
    next: limit !== undefined && offset + limit < count ? link(call, { limit: shown, offset: offset + limit }) : null,
    previous: offset > 0 ? link(call, { limit: shown, offset: offset - shown > 0 ? offset - shown : undefined }) : null,
  }
}

function cursorPage(
  call: Call,
  m: AnyModel,
  condition: Condition,
  view: View,
  start: string,
  limit: number | undefined,
): Answer {
  const refuse = (text: string) => new ApiError(400, [text])
  if (call.query.has('offset')) throw refuse("'start' and 'offset' are mutually exclusive.")
  if (call.query.get('ordering')) throw refuse("'start' and 'ordering' are mutually exclusive.")
  const from = wholeNumber(start)
  if (from === undefined) throw refuse("'start' must be a whole number of zero or more.")
  const size = limit ?? 2 ** 31
  const page = call.store.reader.from(m, condition, from, size)
  const next = page.ids.length === size ? link(call, { limit: size, start: page.ids.at(-1)! + 1 }) : null
  return pageAnswer(call, m, page.ids, null, next, null, view)
}

function pageAnswer(
  call: Call,
  m: AnyModel,
  ids: readonly number[],
  count: number | null,
  next: string | null,
  previous: string | null,
  view: View,
): Answer {
  const head = `{"count":${count},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":[`
  return {
    status: 200,
    body: call.store.reader.list(m, ids, view, call.base, head, ']}'),
    headers: { 'content-type': 'application/json' },
  }
}

/** `fields` before `omit` before `brief`. */
export function viewOf(call: Call, m: AnyModel, options?: { writing?: boolean }): View {
  const names = (key: string) => {
    const given = call.query.get(key)
    return given ? given.split(',').map((name) => name.trim()) : undefined
  }
  const hidden = call.query.get('exclude') === 'config_context' && m.fields.config_context ? ['config_context'] : []
  const members = names('fields')
  if (members) return { members: members.filter((name) => !hidden.includes(name)) }
  const omit = names('omit')
  if (omit) return { omit: [...omit, ...hidden] }
  if (!options?.writing && call.query.get('brief')) return { brief: true }
  return hidden.length ? { omit: hidden } : {}
}

const wholeNumber = (raw: string | null): number | undefined =>
  raw !== null && /^\s*\+?\d{1,15}\s*$/.test(raw) ? Number(raw) : undefined

/** Page size; undefined for no limit. */
export function limitOf(call: Pick<Call, 'query' | 'config'>): number | undefined {
  const { paginateCount, maxPageSize } = call.config
  const asked = wholeNumber(call.query.get('limit'))
  if (asked === undefined) return paginateCount
  if (asked === 0) return maxPageSize || undefined
  return maxPageSize ? Math.min(asked, maxPageSize) : asked
}

/** Link to another page of the same query: parameters sorted by name. */
function link(call: Call, changes: Record<string, number | undefined>): string {
  const pairs = [...call.query.entries()].filter(
    ([key]) => !(key in changes) && !(key === 'offset' && 'start' in changes),
  )
  for (const [key, value] of Object.entries(changes)) if (value !== undefined) pairs.push([key, String(value)])
  pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `${call.base}${call.path}?${new URLSearchParams(pairs)}`
}

/** 400 for parameters that filter a model, and cannot be. */
export class RefusedFilters extends ApiError {
  readonly m: AnyModel

  constructor(m: AnyModel, errors: Readonly<Record<string, readonly string[]>>) {
    super(400, errors)
    this.m = m
  }
}

/** The condition of a query's filters and of what the actor may view. Throws `RefusedFilters`. */
export function conditionOf(call: Call, m: AnyModel, query: URLSearchParams, action = 'view'): Condition {
  const c = binder('f')
  const source: FilterSource = {
    ...c,
    userId: call.actor.userId,
    idsOf: (name, attribute, value) => idsOf(call, modelNamed(name), attribute, value, c),
    holding: rowsHolding(call.store.db, c.bind),
    valuesHolding: valuesHolding(call.store.db),
    custom: (of, name) => customParameter(call.store.customFields.of(of), name),
  }
  try {
    const where = conditionsOf(m, query, source)
    const visible = permittedRows(call.actor, action, m, 't', c)
    if (visible) where.push(visible)
    return { where, values: c.values, uses: c.tables }
  } catch (error) {
    if (error instanceof FilterRefusal) throw new RefusedFilters(m, error.errors)
    throw error
  }
}

/** Ids of so many rows are bound as values, which SQLite plans best with; more are selected where they are needed. */
const FewIds = 50

/** Rows of a model whose attribute has a value: their ids, or where there are many, SQL that selects them. */
export function idsOf(
  call: Pick<Call, 'store'>,
  target: AnyModel,
  attribute: string,
  value: string,
  c: Pick<FilterSource, 'bind' | 'uses'>,
): Ids {
  if (attribute === 'id') return call.store.db.rows.has(target.table, Number(value)) ? [Number(value)] : []
  const field = fieldsOf(target).find(([name]) => name === attribute)?.[1]
  const stored = field?.parse ? field.parse(value) : value
  if (stored === undefined) return []
  const key = typeof stored === 'string' ? sortKeyOf(target, attribute, stored) : undefined
  const select = (is: (value: Stored) => string) =>
    `select id from ${q(target.table)} where ${q(attribute)} = ${is(stored as Stored)}
      ${key === undefined ? '' : `and ${q(`${attribute}_sort`)} = ${is(key)}`}`
  const values = key === undefined ? [stored] : [stored, key]
  const found = call.store.db.all<{ id: number }>(`${select(() => '+?')} limit ${FewIds + 1}`, ...values)
  if (found.length <= FewIds) return found.map(({ id }) => id)
  c.uses(target.table)
  return select(c.bind)
}

/** What the caller sees: objects of a model as their endpoint shows them, and those that a query finds. */
export const shownTo = (call: Call): Pick<ActionTools, 'render' | 'find'> => ({
  render: (model, ids, view) =>
    call.store.reader
      .rows(modelNamed(model), ids, view === 'nested' ? 'nested' : view === 'brief' ? { brief: true } : {}, call.base)
      .map(String),
  find: (model, query) =>
    may(call.actor, 'view', modelNamed(model))
      ? call.store.reader.page(modelNamed(model), conditionOf(call, modelNamed(model), query), undefined, undefined, 0)
          .ids
      : [],
})
