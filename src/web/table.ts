import { parseExact } from '../lib/exact-json.ts'
import { html, raw } from 'hono/html'
import type { Visit } from './visit.ts'
import type { Field } from '../fields/field.ts'
import { may } from '../engine/actor.ts'
import { fieldsOf, genericPrefix, memo, modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { extraOf } from '../engine/extra.ts'
import { filtersOf } from '../engine/filters.ts'
import { cell, type Html, isNothing } from './cells.ts'
import type { Definition } from '../store/custom-fields.ts'
import { customLabel, lookOf } from './custom-controls.ts'
import { hasPage, listHref, objectHref, queryWith } from './links.ts'
import { measured, type System, systemOf } from './measures.ts'
import { coverUnseen, neededFor } from './unseen.ts'
import { labelAt, withinText, withoutUnit, words } from './words.ts'

/** A column of a list: a member of the model, the end of a path of references, or a custom field (`cf_shelf`). */
export interface Column {
  path: string
  /** What it is called where values stand without their unit: `Memory (MB)`. */
  label: string
  /** What it is called above or beside shown values, where that is not its label. */
  head?: string
  field: Pick<Field, 'look' | 'labels' | 'inWords' | 'target' | 'tally'> | undefined
  /** Name by which the list can be ordered. */
  order?: string
  /** The path of what says the unit of its numbers, or the unit itself. */
  unit?: { path: string } | { is: string }
}

/** A row as pages read it: its members by name, with its id, address and display. */
export type Row = Record<string, unknown> & { id: number; display: string; url?: string }

const Heads: Readonly<Record<string, string>> = { id: 'ID', display: 'Name' }

/** The column of a path, called otherwise than every other of the model; undefined where there is nothing. */
export const columnOf = (m: AnyModel, path: string): Column | undefined => columnAmong(m, path, headings(m))

/** The columns of some paths, each called otherwise than the others among them. */
export function columnsAmong(m: AnyModel, paths: readonly string[]): Column[] {
  const own = headingsOf(m, paths)
  return paths.flatMap((path) => columnAmong(m, path, own) ?? [])
}

type Headings = ReadonlyMap<string, string[]>

function columnAmong(m: AnyModel, path: string, among: Headings): Column | undefined {
  const column = plainColumn(m, path)
  const { head, ...labelled } = column ?? {}
  const others = column && among.get(headingOf(column))
  if (!column || !others || (others.length === 1 && others[0] === path)) return column
  if (!path.includes('.')) return labelled as Column // with its unit: SA lifetime (seconds), SA lifetime (KB)
  const label = labelOfWay(m, path)
  return { ...column, label, ...(head ? { head: withoutUnit(label) } : {}) }
}

const headingOf = ({ head, label }: Column): string => head ?? label

/** Paths by what their columns would be called. */
const headingsOf = (m: AnyModel, paths: readonly string[]): Headings =>
  Map.groupBy(
    paths.filter((path) => plainColumn(m, path)),
    (path) => headingOf(plainColumn(m, path)!),
  )
/** Those of all columns of a model. */
const headings = memo((m) => headingsOf(m, columnPaths(m)))

/** The labels of all members of a path: `Device serial number`. */
function labelOfWay(m: AnyModel, path: string): string {
  const steps = path.split('.')
  const labels = steps.map((_, i) => labelAt(m, steps.slice(0, i + 1).join('.')))
  return labels.map((label, i) => (i ? withinText(label) : label)).join(' ')
}

function plainColumn(m: AnyModel, path: string): Column | undefined {
  if (Object.hasOwn(Heads, path))
    return { path, label: Heads[path]!, field: undefined, ...(path === 'id' ? { order: 'id' } : {}) }
  const field = fieldAt(m, path.split('.'))
  if (!field || field.options.hidden || field.options.writeOnly || field.options.secret) return undefined
  const isOwn = !path.includes('.') && path in m.fields
  const unit = unitOf(m, path, field)
  const label = (path.includes('.') && m.pages?.labels?.[path]) || labelAt(m, path)
  return {
    path,
    label,
    field,
    ...(isOwn && (field.compare || field.target) ? { order: path } : {}),
    ...(unit ? { unit } : {}),
    ...(unit && 'is' in unit ? { head: withoutUnit(label) } : {}),
  }
}

function unitOf(m: AnyModel, path: string, { options: { unit } }: Field): Column['unit'] {
  if (!unit) return undefined
  const beside = path.replace(/[^.]+$/, unit)
  return fieldAt(m, beside.split('.')) ? { path: beside } : { is: unit }
}

/** What a column shows of a row; of a list so many items at `most`. */
export function shown(call: Visit, row: Row, { path, field, unit }: Column, system: System, most?: number): Html {
  const value = row[path]
  const said = unit && ('is' in unit ? unit.is : row[unit.path])
  const name = typeof said === 'object' && said !== null ? (said as { value?: string }).value : said
  return typeof value === 'number' && typeof name === 'string'
    ? measured(value, name, system)
    : cell(call, value, field, most)
}

/** Members of a model's objects, those that come with a generic reference among them. */
const members = memo(
  (m) =>
    new Set(fieldsOf(m).flatMap(([name, field]) => (name in extraOf(m) ? [] : [name, ...(field.keys?.(name) ?? [])]))),
)
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
  const own = [extraOf(m), m.fields].find((fields) => Object.hasOwn(fields, head!))
  const field = (own ? own[head!] : typeOf(m).get(head!)) as Field | undefined
  if (!field || rest.length === 0) return field
  const to = field.target ?? field.object
  return to && fieldAt(modelNamed(to.model), rest)
}

/** The columns of the custom fields of a model, but those that are not to be shown. */
export const customColumns = (call: Visit, m: AnyModel): Column[] =>
  m.fields.custom_fields
    ? call.store.customFields
        .of(m)
        .filter(({ ui_visible: showing }) => showing !== 'hidden')
        .map((definition) => {
          const look = lookOf(definition)
          return { path: `cf_${definition.name}`, label: customLabel(definition), field: look ? { look } : undefined }
        })
    : []

/** Paths to members of what a model has to do with, where those say that they are worth a column there. */
const besideOf = (m: AnyModel): string[] =>
  fieldsOf(m).flatMap(([name, { target, object, options }]) => {
    const to = target ?? object
    if (!to || options.hidden) return []
    const other = modelNamed(to.model)
    // What is found by its reference to the row leads back by that to the row alone.
    const isBack = (member: string) => !target && other.fields[member]?.target?.model === m.name
    return words(other.pages?.beside).flatMap((member) => (isBack(member) ? [] : [`${name}.${member}`]))
  })

/** Paths of all columns that a list of the model can have, but its custom fields. */
export const columnPaths = (m: AnyModel): string[] => [
  ...new Set(
    [
      'id',
      ...words(m.pages?.columns),
      ...fieldsOf(m).map(([name]) => name),
      ...typeOf(m).keys(),
      ...Object.keys(extraOf(m)),
      ...besideOf(m),
    ].filter((path) => path !== 'custom_fields' && plainColumn(m, path)),
  ),
]

/** All columns that a list can have: every member, what the model declares for pages, and its custom fields. */
export const allColumns = (call: Visit, m: AnyModel): Column[] => [
  ...columnPaths(m).flatMap((path) => columnOf(m, path) ?? []),
  ...customColumns(call, m),
]

/** References that a path follows at most, and paths of several steps that a list shows: people choose any. */
const [MaxSteps, MaxPaths] = [4, 50]
function bounded(paths: readonly string[]): string[] {
  const isLong = (path: string) => path.includes('.')
  const long = paths.filter((path) => isLong(path) && path.split('.').length <= MaxSteps + 1)
  const kept = new Set([...new Set(long)].slice(0, MaxPaths))
  return [...new Set(paths.filter((path) => !isLong(path) || kept.has(path)))]
}

/** The columns by some paths, those left out that there are not; those of the model when none is left. */
export function columnsBy(m: AnyModel, paths: readonly string[], custom: readonly Column[] = []): Column[] {
  const found = bounded(paths).flatMap(
    (path) => custom.find((column) => column.path === path) ?? columnOf(m, path) ?? [],
  )
  if (found.length) return found
  const own = words(m.pages?.columns ?? m.brief.filter((name) => !['url', 'id'].includes(name)).join(' '))
  return (own.length ? own : ['display']).flatMap((path) => columnOf(m, path) ?? [])
}

/** Rows of some ids with what the columns show, in the order of the ids. */
export function rowsOf(call: Visit, m: AnyModel, ids: readonly number[], columns: readonly Column[]): Row[] {
  const paths = columns.flatMap(({ path, unit }) => (unit && 'path' in unit ? [path, unit.path] : [path]))
  const own = paths.filter((path) => isMember(m, path))
  if ('_depth' in m.fields) own.push('_depth') // trees are shown with their steps
  const isCustom = (path: string) => path.startsWith('cf_') && !(path in m.fields)
  const custom = paths.filter(isCustom)
  if (custom.length) own.push('custom_fields')
  const reached = paths.filter((path) => !isMember(m, path) && !Object.hasOwn(Heads, path) && !isCustom(path))
  const also = [...reached, ...neededFor(m, reached).filter((path) => !paths.includes(path))]
  const labels = new Map(call.store.customFields.of(m).map((each) => [each.name, each.labels]))
  const view = { members: ['id', 'url', 'display', ...own], ...(also.length ? { also } : {}) }
  const rows = call.store.reader.rows(m, ids, view, call.config.basePath).map((text) => parseExact(text) as Row)
  coverUnseen(call, m, rows, reached)
  for (const row of rows) for (const path of custom) row[path] = called(labels, path.slice(3), row.custom_fields)
  return rows
}

/** A value of a custom field, choices by what people call them. */
function called(labels: ReadonlyMap<string, Definition['labels']>, name: string, values: unknown): unknown {
  const value = (values as Record<string, unknown>)[name]
  const one = (each: unknown) => labels.get(name)?.get(String(each)) ?? each
  return Array.isArray(value) ? value.map(one) : one(value)
}

export interface TableOptions {
  /** Rows have boxes by which the form around the table knows them. */
  chosen?: boolean
  /** Heads of columns order the list. */
  ordered?: boolean
  /** What stands at the end of each row. */
  actions?: ((row: Row) => Html | '') | undefined
  caption?: string
  /** Where a row leads, when not to the page of its object. */
  href?: (row: Row) => string
  /** Rows that stand before the row of an index, or after the last; `width` is the number of their columns. */
  between?: (index: number, width: number) => Html | ''
  /** Rows that someone looked for. */
  marked?: (row: Row) => boolean
  /** The row of a tree below which all of them are: their steps begin there. */
  below?: Row | undefined
}

/** The column that leads to the objects: the name, or else the first if it stands for them itself. */
const leadOf = (columns: readonly Column[], rows: readonly Row[]): Column | undefined =>
  columns.find(({ path }) => path === 'name') ??
  columns
    .slice(0, 1)
    .find(
      ({ path, field }) =>
        !field?.target && [undefined, 'moment'].includes(field?.look) && rows.every((row) => isPlain(row[path])),
    )
const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null

/** Rows as a table, led by what the objects are called where no column of theirs can lead to them: a site, a status. */
export function table(
  call: Visit,
  m: AnyModel,
  own: readonly Column[],
  rows: readonly Row[],
  options: TableOptions = {},
): Html {
  const columns = leadOf(own, rows) ? own : [columnOf(m, 'display')!, ...own.filter(({ path }) => path !== 'display')]
  const lead = leadOf(columns, rows)?.path
  const ordering = call.query.get('sort') ?? ''
  const width = columns.length + Number(options.chosen ?? false) + Number(options.actions !== undefined)
  const figures = new Set(
    columns.filter((column) => column.path !== lead && rows.some((row) => isNumber(row[column.path], column))),
  )
  const heads = columns.map((column) => {
    const { path, label, head = label, order } = column
    const aligned = figures.has(column) ? raw(' class=number') : ''
    if (!options.ordered || !order) return html`<th scope=col${aligned} data-column="${path}">${head}`
    const way = ordering === order ? 'ascending' : ordering === `-${order}` ? 'descending' : ''
    const next = way === 'ascending' ? `-${order}` : order
    return html`<th scope=col${aligned} data-column="${path}"${
      way && raw(` aria-sort="${way}"`)
    }><a href="${queryWith(call, { sort: next, page: null })}">${head}</a>`
  })
  const system = columns.some(({ unit }) => unit) ? systemOf(call) : undefined
  const linked = new Map(columns.map((column) => [column.path, countHref(call, column)]))
  // Rows are short: their cells end where the next begins, and empty ones are marked by the style sheet.
  return html`<div class="scroll"><table class="rows${options.chosen ? ' picks' : ''}${
    options.actions ? ' acting' : ''
  }">${options.caption ? html`<caption class="unseen">${options.caption}</caption>` : ''}<thead><tr>${
    options.chosen ? html`<th><input type="checkbox" data-all aria-label="Choose all on this page"></th>` : ''
  }${heads}${options.actions ? html`<th><span class="unseen">Actions</span></th>` : ''}</tr></thead><tbody>${rows.map(
    (row, i) =>
      html`${options.between?.(i, width) ?? ''}<tr${
        options.marked?.(row) ? raw(' class="found" aria-current="true"') : ''
      }>${
        options.chosen ? html`<td><input type=checkbox name=pk value=${row.id} aria-label="${row.display}">` : ''
      }${columns.map((column) => {
        const { path, field } = column
        const value = row[path]
        if (path === lead) return leading(call, m, row, path, field, options)
        if (isNothing(value)) return figures.has(column) ? EmptyNumber : Empty
        const href = value ? linked.get(path) : undefined
        if (isNumber(value, column))
          return href
            ? html`<td class=number><a href="${href}${row.id}">${value}</a>`
            : html`<td class=number>${column.unit ? shown(call, row, column, system) : value}`
        return html`<td>${cell(call, value, field)}`
      })}${options.actions ? html`<td>${options.actions(row)}` : ''}`,
  )}${options.between?.(rows.length, width) ?? ''}</tbody></table></div>`
}

const Empty = html`<td>`
const EmptyNumber = html`<td class=number>`

/** Whether a value is shown as figures, which stand below each other from the right. */
const isNumber = (value: unknown, { field }: Column): boolean =>
  typeof value === 'number' && !field?.look && !field?.labels && !field?.target

/** Where the objects that a column counts are listed, to be followed by the id of the row; none for other columns. */
function countHref(call: Visit, { path, field }: Column): string | undefined {
  if (!field?.tally || path.includes('.')) return undefined
  const target = modelNamed(field.tally.model)
  const parameter = `${field.tally.by}_id`
  return hasPage(target) &&
    !target.internal &&
    !target.fields[field.tally.by]?.generic &&
    may(call.actor, 'view', target) &&
    filtersOf(target).has(parameter)
    ? `${listHref(call, target)}?${parameter}=`
    : undefined
}

function leading(
  call: Visit,
  m: AnyModel,
  row: Row,
  path: string,
  field: Column['field'],
  { href, below }: Pick<TableOptions, 'href' | 'below'>,
): Html {
  const stepsOf = (of: Row | undefined) => (typeof of?._depth === 'number' ? of._depth : -1)
  const depth = stepsOf(row) - stepsOf(below) - 1
  const value = row[path]
  const text = typeof value === 'string' && value !== '' ? value : row.display || `${row.id}`
  const shown = field?.look === 'moment' && value ? cell(call, value, field) : html`${text}`
  const inner = hasPage(m)
    ? html`<a href="${href?.(row) ?? objectHref(call, m, row.id)}">${shown}</a>`
    : typeof value === 'object'
      ? cell(call, value, field)
      : shown
  return html`<th scope=row>${
    depth > 0 ? html`<span class="depth" aria-hidden="true">${'· '.repeat(Math.min(depth, 12))}</span>` : ''
  }${inner}`
}
