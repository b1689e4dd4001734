import { html, raw } from 'hono/html'
import type { Visit } from './visit.ts'
import type { Field } from '../fields/field.ts'
import { fieldsOf, genericPrefix, memo, modelNamed } from '../registry/catalog.ts'
import type { AnyModel } from '../registry/model.ts'
import { cell, type Html } from './cells.ts'
import { objectHref, withQuery } from './links.ts'
import { labelAt, words } from './words.ts'

/** A column of a list: a member of the model or the end of a path of references. */
export interface Column {
  path: string
  label: string
  field: Field | undefined
  /** Name by which the list can be ordered. */
  order?: string
}

/** A row as pages read it: its members by name, with its id, address and display. */
export type Row = Record<string, unknown> & { id: number; display: string; url?: string }

const Heads: Readonly<Record<string, string>> = { id: 'ID', display: 'Name' }

/** The column of a path; undefined where the model has nothing there. */
export function columnOf(m: AnyModel, path: string): Column | undefined {
  if (path in Heads) return { path, label: Heads[path]!, field: undefined, ...(path === 'id' ? { order: 'id' } : {}) }
  const field = fieldAt(m, path.split('.'))
  if (!field || field.options.hidden || field.options.writeOnly || field.options.secret) return undefined
  const isOwn = !path.includes('.') && path in m.fields
  return { path, label: labelAt(m, path), field, ...(isOwn && (field.compare || field.target) ? { order: path } : {}) }
}

/** Members of a model's objects, those that come with a generic reference among them. */
const members = memo((m) => new Set(fieldsOf(m).flatMap(([name, field]) => [name, ...(field.keys?.(name) ?? [])])))
/** Whether objects of the model have a member of this name in the API. */
export const isMember = (m: AnyModel, name: string): boolean => members(m).has(name)

/** The kind of a generic reference, which is a member of its own. */
const typeOf = memo((m): ReadonlyMap<string, Field> => {
  const generic = fieldsOf(m).filter(([, field]) => field.generic)
  return new Map(
    generic.map(([name, field]) => [
      `${genericPrefix(field, name)}_type`,
      { ...field, look: 'types', target: undefined, compare: undefined, options: {} } as unknown as Field,
    ]),
  )
})

function fieldAt(m: AnyModel, [head, ...rest]: readonly string[]): Field | undefined {
  const field = (m.pages?.extra?.[head!] ?? m.fields[head!] ?? typeOf(m).get(head!)) as Field | undefined
  if (!field || rest.length === 0) return field
  return field.target ? fieldAt(modelNamed(field.target.model), rest) : undefined
}

/** All columns that a list of the model can have: every member, and what the model declares for pages. */
export function allColumns(m: AnyModel): Column[] {
  const paths = [
    'id',
    ...fieldsOf(m).map(([name]) => name),
    ...Object.keys(m.pages?.extra ?? {}),
    ...words(m.pages?.columns).filter((path) => path.includes('.')),
  ]
  return [...new Set(paths)].flatMap((path) => columnOf(m, path) ?? [])
}

/** The columns by some paths, those left out that there are not; those of the model when none is left. */
export function columnsBy(m: AnyModel, paths: readonly string[]): Column[] {
  const found = paths.flatMap((path) => columnOf(m, path) ?? [])
  if (found.length) return found
  const own = words(m.pages?.columns ?? m.brief.filter((name) => !['url', 'id'].includes(name)).join(' '))
  return (own.length ? own : ['display']).flatMap((path) => columnOf(m, path) ?? [])
}

/** Rows of some ids with what the columns show, in the order of the ids. */
export function rowsOf(call: Visit, m: AnyModel, ids: readonly number[], columns: readonly Column[]): Row[] {
  const own = columns.filter(({ path }) => isMember(m, path)).map(({ path }) => path)
  if ('_depth' in m.fields) own.push('_depth') // trees are shown with their steps
  const also = columns.filter(({ path }) => !isMember(m, path) && !(path in Heads)).map(({ path }) => path)
  const view = { members: ['id', 'url', 'display', ...own], ...(also.length ? { also } : {}) }
  return call.store.reader.rows(m, ids, view, call.config.basePath).map((bytes) => JSON.parse(bytes.toString()) as Row)
}

export interface TableOptions {
  /** Rows have boxes by which the form around the table knows them. */
  chosen?: boolean
  /** Heads of columns order the list. */
  ordered?: boolean
  /** What stands at the end of each row. */
  actions?: (row: Row) => Html | ''
  caption?: string
  /** Where a row leads, when not to the page of its object. */
  href?: (row: Row) => string
  /** Rows that stand before the row of an index, or after the last; `width` is the number of their columns. */
  between?: (index: number, width: number) => Html | ''
  /** Rows that someone looked for. */
  marked?: (row: Row) => boolean
}

/** Rows as a table; the first column, or the one of the name, leads to the object. */
export function table(
  call: Visit,
  m: AnyModel,
  columns: readonly Column[],
  rows: readonly Row[],
  options: TableOptions = {},
): Html {
  const lead = columns.some(({ path }) => path === 'name') ? 'name' : columns[0]?.path
  const ordering = call.query.get('sort') ?? ''
  const width = columns.length + Number(options.chosen ?? false) + Number(options.actions !== undefined)
  const heads = columns.map(({ path, label, order }) => {
    if (!options.ordered || !order) return html`<th scope="col" data-column="${path}">${label}</th>`
    const way = ordering === order ? 'ascending' : ordering === `-${order}` ? 'descending' : 'none'
    const next = way === 'ascending' ? `-${order}` : order
    return html`<th scope="col" data-column="${path}" aria-sort="${way}"><a href="${withQuery(call, { sort: next, page: null })}">${label}</a></th>`
  })
  return html`<div class="scroll"><table>${options.caption ? html`<caption class="unseen">${options.caption}</caption>` : ''}<thead><tr>${
    options.chosen
      ? html`<th class="pick"><input type="checkbox" data-all aria-label="Choose all on this page"></th>`
      : ''
  }${heads}${options.actions ? html`<th class="acts"><span class="unseen">Actions</span></th>` : ''}</tr></thead><tbody>${rows.map(
    (row, i) =>
      html`${options.between?.(i, width) ?? ''}<tr${options.marked?.(row) ? raw(' class="found" aria-current="true"') : ''}>${
        options.chosen
          ? html`<td class="pick"><input type="checkbox" name="pk" value="${row.id}" aria-label="${row.display}"></td>`
          : ''
      }${columns.map(({ path, field }) =>
        path === lead
          ? leading(call, m, row, path, field, options.href)
          : html`<td${field?.look ? '' : numeric(row[path])}>${cell(call, row[path], field)}</td>`,
      )}${options.actions ? html`<td class="acts">${options.actions(row)}</td>` : ''}</tr>`,
  )}${options.between?.(rows.length, width) ?? ''}</tbody></table></div>`
}

const numeric = (value: unknown) => (typeof value === 'number' ? raw(' class="number"') : '')

function leading(
  call: Visit,
  m: AnyModel,
  row: Row,
  path: string,
  field: Field | undefined,
  href?: TableOptions['href'],
): Html {
  const depth = typeof row._depth === 'number' ? row._depth : 0
  const value = row[path]
  const text = typeof value === 'string' && value !== '' ? value : row.display || `${row.id}`
  const shown = field?.look === 'moment' && value ? cell(call, value, field) : html`${text}`
  const inner =
    m.displayUrl === false
      ? typeof value === 'object'
        ? cell(call, value, field)
        : shown
      : html`<a href="${href?.(row) ?? objectHref(call, m, row.id)}">${shown}</a>`
  return html`<th scope="row" class="lead">${depth > 0 ? html`<span class="depth" aria-hidden="true">${'· '.repeat(Math.min(depth, 12))}</span>` : ''}${inner}</th>`
}
