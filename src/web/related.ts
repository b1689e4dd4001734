import { html } from 'hono/html'
import { conditionOf } from '../http/lists.ts'
import type { Visit } from './visit.ts'
import { may } from '../engine/actor.ts'
import { fieldsOf, genericPrefix, modelNamed } from '../engine/catalog.ts'
import { filtersOf } from '../engine/filters.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Field } from '../fields/field.ts'
import type { Related } from '../engine/pages.ts'
import { assignHref } from './assign.ts'
import type { Html } from './cells.ts'
import { hasPage, listHref, withQuery } from './links.ts'
import { portLinks } from './parts/connection.ts'
import { isCabled } from './parts/ends.ts'
import { memberLinks } from './release.ts'
import { allowed, rowLinks } from './row-links.ts'
import { type Column, columnOf, columnsBy, type Row, rowsOf, table, type TableOptions } from './table.ts'
import { pluralOf, words } from './words.ts'

/** Rows that a table below an object shows at most; a link leads to the others. */
const MaxRows = 25

/** Whether the object has the values that the query of a related table cannot do without (`$name!`). */
export const isAsked = (row: Row, query: string): boolean =>
  [...query.matchAll(/=\$(\w+)!/g)].every(([, name]) => row[name!] !== null && row[name!] !== undefined)

/** The fields of a model that number those that the query of a related table finds, and that stand beside. */
const numbersIn = (m: AnyModel, query: string): string[] =>
  words(m.pages?.numbered?.[/^(\w+)_id\b/.exec(query)?.[1] ?? ''])

/** The columns of a table on the page of another object: less where the objects belong to that, and their numbers. */
export function columnsWithin(m: AnyModel, owner: AnyModel, query: string): Column[] {
  const isPart = fieldsOf(m).some(([, { target }]) => target?.model === owner.name && target.onDelete === 'cascade')
  const columns = columnsBy(m, isPart ? words(m.pages?.within) : [])
  const numbers = numbersIn(m, query).flatMap((name) => columnOf(m, name) ?? [])
  return [...columns.slice(0, 1), ...numbers, ...columns.slice(1)].filter(
    ({ field }) => field?.target?.model !== owner.name,
  )
}

/** The query of a related table for an object: a name alone is its id, `$name` one of its values. */
export function queryFor(row: Row, query: string): URLSearchParams {
  const made = new URLSearchParams()
  for (const part of query.split('&').filter(Boolean)) {
    const [name, value] = part.split('=') as [string, string?]
    made.append(
      name,
      value === undefined
        ? String(row.id)
        : value.startsWith('$')
          ? textOf(row[value.slice(1).replace('!', '')])
          : value,
    )
  }
  return made
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value !== 'object') return String(value)
  const { id, value: own } = value as { id?: number; value?: string }
  return String(id ?? own ?? '')
}

/** Whether a related table stands there where nothing is found. */
function isShownEmpty(row: Row, show: Related[3]): boolean {
  if (!show?.startsWith('if any')) return true
  const [, name, value] = /^if any or (\w+)=(.*)$/.exec(show) ?? []
  return name !== undefined && textOf(row[name]) === value
}

/** How many objects of a model a query finds, of those that the user may view. */
export function countOf(call: Visit, m: AnyModel, query: URLSearchParams): number {
  return call.store.reader.page(m, conditionOf(call, m, query), undefined, 0, 0).count ?? 0
}

/** A table of related objects with its heading; nothing where the user may not view them. */
export function relatedTable(call: Visit, owner: AnyModel, row: Row, [name, query, title, show]: Related): Html | '' {
  const m = modelNamed(name)
  if (!may(call.actor, 'view', m) || !isAsked(row, query)) return ''
  const wanted = queryFor(row, query)
  const { ids, count } = call.store.reader.page(m, conditionOf(call, m, wanted), numbersIn(m, query)[0], MaxRows, 0)
  if (ids.length === 0 && !isShownEmpty(row, show)) return ''
  const columns = columnsWithin(m, owner, query)
  const add = show === 'around' ? undefined : addHref(call, m, wanted, { m: owner, row })
  const choose = assignHref(call, m, query, owner, row)
  return html`<section class="panel wide"><h2>${title ?? pluralOf(m)} <small>${count ?? 0}</small>${
    add || choose
      ? html`<span class="add">${choose ? html`<a href="${choose}">Choose</a>` : ''}${
          add ? html`<a href="${add}">Add</a>` : ''
        }</span>`
      : ''
  }</h2>${
    ids.length
      ? table(call, m, columns, rowsOf(call, m, ids, columns), {
          actions: choose && numbersIn(m, query).length ? memberLinks(call, m, ids, choose) : actionsFor(call, m, ids),
          below: m === owner && query === `${m.tree?.parent}_id` ? row : undefined,
        })
      : html`<p class="empty">None</p>`
  }${
    (count ?? 0) > ids.length ? html`<p><a href="${listHref(call, m)}?${wanted.toString()}">All ${count!}</a></p>` : ''
  }</section>`
}

/** Links at the end of rows: to connect ports, and to change what has no page of its own. */
function actionsFor(call: Visit, m: AnyModel, ids: readonly number[]): TableOptions['actions'] {
  if (ids.length === 0 || (hasPage(m) && !isCabled(m))) return undefined
  return hasPage(m) ? portLinks(call, m, ids, allowed(call, 'change', m, ids)) : rowLinks(call, m, ids)
}

/**
 * Where an object of the model is added that the query would find; undefined for whoever may not, and where its form
 * cannot say that it belongs to the object whose page this is.
 */
export function addHref(
  call: Visit,
  m: AnyModel,
  query: URLSearchParams,
  owner: { m: AnyModel; row: Row },
): string | undefined {
  if (!(m.methods ?? ['POST']).includes('POST') || !call.actor.writes || !may(call.actor, 'add', m)) return undefined
  const preset = new URLSearchParams()
  for (const [name, value] of query) {
    if (value === 'null') continue
    const said = presetOf(m, name, value, owner.m)
    for (const [field, of] of said) preset.append(field, of)
    if (said.length === 0 && value === String(owner.row.id) && leadsTo(m, name, owner.m)) return undefined
  }
  preset.append('_back', withQuery(call, {}))
  return `${listHref(call, m)}add/?${preset}`
}

/** How a form begins so that a parameter of the list would find what it makes; empty where it has no field for it. */
function presetOf(m: AnyModel, name: string, value: string, owner: AnyModel): [string, string][] {
  const generics = fieldsOf(m).filter(([, field]) => field.generic && !field.readOnly)
  for (const [own, field] of generics)
    for (const part of ['type', 'id'])
      if (name === `${genericPrefix(field, own)}_${part}`) return [[`${own}_${part}`, value]]
  const names = [name.replace(/_id$/, ''), name, filtersOf(m).get(name)?.follows?.path ?? name]
  const asked = names.find((each) => isAskedFor(m, each))
  if (asked) return [[asked, value]]
  const [to] = leadsTo(m, name, owner) ? (generics.find(([, each]) => takes(each, owner.name)) ?? []) : []
  return to ? Object.entries({ type: owner.name, id: value }).map(([part, of]) => [`${to}_${part}`, of]) : []
}

/**
 * Whether a parameter takes ids of the owner: it says so, or is called so (`vlan_id` finds by either of two fields).
 */
function leadsTo(m: AnyModel, name: string, owner: AnyModel): boolean {
  const follows = filtersOf(m).get(name)?.follows
  return follows ? follows.model === owner.name : name.endsWith('_id')
}

/** Whether the form of a model asks for a field. */
const isAskedFor = (m: AnyModel, name: string): boolean => {
  const field = Object.hasOwn(m.fields, name) ? m.fields[name] : undefined
  return field?.control !== undefined && !field.readOnly && !field.options.hidden
}

/** Whether a generic reference is one to objects of a model that it names, or that its forms do. */
export const takes = (field: Field, model: string): boolean => {
  const control = field.control?.('')
  const models = control?.as === 'object' ? control.models : field.generic!.models
  return typeof models !== 'string' && models.includes(model)
}
