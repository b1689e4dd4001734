import { isObject } from '../../lib/json.ts'
import { stringifyExact } from '../../lib/exact-json.ts'
import { html } from 'hono/html'
import { conditionOf } from '../../http/lists.ts'
import { fieldsOf, genericPrefix, modelNamed, models } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import type { Field } from '../../fields/field.ts'
import { earlier, cell, dot, type Html, Nothing } from '../cells.ts'
import { icon } from '../frame.ts'
import { hasPage, listHref, objectHref } from '../links.ts'
import { displaysOf, visibleOf } from '../displays.ts'
import { columnsBy, type Row, rowsOf, table } from '../table.ts'
import type { Visit } from '../visit.ts'
import { labelAt, labelFor, titleOf, words } from '../words.ts'
import type { SpecialPanel } from './part.ts'

type Data = Readonly<Record<string, unknown>>
const changes = () => modelNamed('core.objectchange')
const isOne = (m: AnyModel) => m.name === 'core.objectchange'
const isData = (value: unknown): value is Data => isObject(value)
const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isData(value) && Object.keys(value).length === 0)
const isSame = (a: unknown, b: unknown): boolean => stringifyExact(a ?? null) === stringifyExact(b ?? null)

/** A snapshot with its custom fields beside the other members. */
function flat(snapshot: unknown): Data {
  if (!isData(snapshot)) return {}
  const { custom_fields: custom, ...own } = snapshot
  return {
    ...own,
    ...Object.fromEntries(Object.entries(isData(custom) ? custom : {}).map(([name, value]) => [`cf_${name}`, value])),
  }
}

/** The model whose ids a member of a snapshot holds, where it holds any. */
function targetOf(m: AnyModel | undefined, name: string, snapshot: Data): AnyModel | undefined {
  if (!m) return undefined
  const field = m.fields[name]
  if (field?.target || field?.links) return modelNamed((field.target ?? field.links)!.model)
  for (const [own, each] of fieldsOf(m)) {
    if (each.generic && `${genericPrefix(each, own)}_id` === name)
      return models[String(snapshot[`${genericPrefix(each, own)}_type`])]
  }
  return undefined
}

/** Texts and addresses of the objects that snapshots name, of those that the user may view. */
type Named = ReadonlyMap<string, Html>

function namesIn(visit: Visit, m: AnyModel | undefined, snapshots: readonly Data[]): Named {
  const ids = new Map<AnyModel, Set<number>>()
  for (const snapshot of snapshots)
    for (const [name, value] of Object.entries(snapshot)) {
      const target = targetOf(m, name, snapshot)
      if (!target || target.internal) continue
      const own = ids.get(target) ?? new Set()
      for (const id of [value].flat()) if (typeof id === 'number') own.add(id)
      ids.set(target, own)
    }
  const named = new Map<string, Html>()
  for (const [target, own] of ids) {
    if (own.size === 0) continue
    for (const [id, text] of displaysOf(visit, target, visibleOf(visit, target, [...own])))
      named.set(
        `${target.name}:${id}`,
        hasPage(target) ? html`<a href="${objectHref(visit, target, id)}">${text}</a>` : html`${text}`,
      )
  }
  return named
}

interface Reading {
  visit: Visit
  m: AnyModel | undefined
  named: Named
}

function shownValue({ visit, m, named }: Reading, name: string, value: unknown, snapshot: Data): Html {
  if (isNothing(value)) return Nothing
  const target = targetOf(m, name, snapshot)
  if (target) {
    const one = (id: unknown) => named.get(`${target.name}:${id as number}`) ?? html`#${String(id)}`
    return Array.isArray(value)
      ? html`<ul class="items">${value.slice(0, 50).map((id) => html`<li>${one(id)}</li>`)}</ul>`
      : one(value)
  }
  if (name.endsWith('_type') && models[String(value)]) return html`${titleOf(models[String(value)]!)}`
  const field = m?.fields[name]
  const control = field?.control?.(name)
  if (control?.as === 'choice' && !Array.isArray(value)) {
    const choices: readonly (readonly [string | number, string, string?])[] = control.choices
    return html`${choices.find(([each]) => String(each) === String(value))?.[1] ?? String(value)}`
  }
  if (field?.look === 'color') return html`${dot(String(value))} <code>${String(value)}</code>`
  if (field?.look === 'moment') return cell(visit, value, field)
  const items = itemsOf(m, name, value)
  if (items) return html`<ul class="items">${items.map((item) => html`<li>${String(item)}</li>`)}</ul>`
  if (typeof value === 'object') return html`<pre class="code"><code>${stringifyExact(value, 2)}</code></pre>`
  return html`${typeof value === 'boolean' ? cell(visit, value) : String(value)}`
}

/** Items of a list as people read them; undefined for what is no list, or one of more than words and numbers. */
function itemsOf(m: AnyModel | undefined, name: string, value: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(value)) return undefined
  const field: Field | undefined = m?.fields[name]
  const items = field?.inWords?.(value) ?? value
  return items.some((item) => typeof item === 'object') ? undefined : items
}

/** So many lines around a difference are shown with it. */
const Around = 2

/** Lines of two texts between what both begin and end with, marked by what became of them. */
function lines(before: string, after: string): Html {
  const [a, b] = [before.split('\n'), after.split('\n')]
  let first = 0
  while (first < a.length && first < b.length && a[first] === b[first]) first++
  let last = 0
  while (last < a.length - first && last < b.length - first && a.at(-1 - last) === b.at(-1 - last)) last++
  const from = Math.max(0, first - Around)
  const shown = (mark: string, list: readonly string[]) => list.map((line) => `${mark} ${line}\n`).join('')
  const [gone, come] = [a.slice(first, a.length - last), b.slice(first, b.length - last)]
  const changed = html`<del>${shown('−', gone)}</del><ins>${shown('+', come)}</ins>`
  const behind = shown(' ', a.slice(a.length - last, a.length - last + Around))
  return html`<pre class="code lines"><code>${shown(' ', a.slice(from, first))}${changed}${behind}</code></pre>`
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : stringifyExact(value ?? null, 2))
const isLong = (value: unknown): boolean =>
  (typeof value === 'string' && value.includes('\n')) || isData(value) || (Array.isArray(value) && value.some(isData))

function difference(visit: Visit, row: Row): Html {
  const m = models[String(row.changed_object_type)]
  const [before, after] = [flat(row.prechange_data), flat(row.postchange_data)]
  const [had, has] = [Object.keys(before).length > 0, Object.keys(after).length > 0]
  const place = new Map(Object.keys(m?.fields ?? {}).map((name, i) => [name, i]))
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !isSame(before[name], after[name]) && !(isNothing(before[name]) && isNothing(after[name])))
    .sort((a, b) => (place.get(a) ?? 999) - (place.get(b) ?? 999) || (a < b ? -1 : 1))
  if (names.length === 0) return html`<p class="empty">No field differs.</p>`
  const reading = { visit, m, named: namesIn(visit, m, [before, after]) }
  const label = (name: string) =>
    name.startsWith('cf_') ? labelFor(name.slice(3)) : m?.fields[name] ? labelAt(m, name) : labelFor(name)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Difference"><table class="difference"><thead>
<tr><th scope="col">Field</th>${
    had ? html`<th scope="col">Before</th>` : ''
  }${has ? html`<th scope="col">After</th>` : ''}</tr></thead><tbody>${names.map((name) => {
    const head = html`<th scope="row">${label(name)}</th>`
    if (had && has && (isLong(before[name]) || isLong(after[name])) && !targetOf(m, name, after))
      return html`<tr>${head}<td colspan="2">${lines(asText(before[name]), asText(after[name]))}</td></tr>`
    return html`<tr>${head}${
      had ? html`<td><del>${shownValue(reading, name, before[name], before)}</del></td>` : ''
    }${has ? html`<td><ins>${shownValue(reading, name, after[name], after)}</ins></td>` : ''}</tr>`
  })}</tbody></table></div>`
}

/** The change of the same object before or after one, of those that the user may see. */
function neighbour(visit: Visit, row: Row, way: 'lt' | 'gt'): number | undefined {
  const query = new URLSearchParams([
    ['changed_object_type', String(row.changed_object_type)],
    ['changed_object_id', String(row.changed_object_id)],
    [`id__${way}`, String(row.id)],
  ])
  const condition = conditionOf(visit, changes(), query)
  return visit.store.reader.page(changes(), condition, way === 'lt' ? '-id' : 'id', 1, 0).ids[0]
}

/** Buttons that take a change back, or all of its request; of a change that the page is about. */
function undoButtons(visit: Visit, row: Row): Html {
  if (!visit.actor.writes || !row.request_id) return html``
  const at = objectHref(visit, changes(), row.id, 'undo')
  return html`<a class="button" href="${at}">${icon(visit, 'undo')}Undo this request</a><a class="button"
    href="${at}?only=1">Undo this change alone</a>`
}

/** The way to the object as it was before the request of a change. */
function then(visit: Visit, row: Row): Html | '' {
  const [type, id, request] = [String(row.changed_object_type), Number(row.changed_object_id), String(row.request_id)]
  return row.request_id ? earlier(visit, { type, id, request, change: row.id }, 'button') : ''
}

/** What a change did, field by field, with the ones of the object before and after it. */
export const changeDifference: SpecialPanel = {
  of: isOne,
  side: 'wide',
  show: (visit, m, row) => {
    const [before, after] = [neighbour(visit, row, 'lt'), neighbour(visit, row, 'gt')]
    const link = (id: number | undefined, text: string) =>
      id === undefined ? '' : html`<a class="button" href="${objectHref(visit, m, id)}">${text}</a>`
    const whole = (title: string, data: unknown) =>
      isNothing(data)
        ? ''
        : html`<details class="panel"><summary>${title}</summary>
<pre class="code"><code>${stringifyExact(data, 2)}</code></pre></details>`
    return html`<section class="panel wide"><h2>Difference</h2>${difference(visit, row)}</section>
<p class="toolbar">${link(before, '‹ The change before')}${link(after, 'The change after ›')}${then(visit, row)}
${undoButtons(visit, row)}</p>
${whole('All of it before', row.prechange_data)}${whole('All of it after', row.postchange_data)}`
  },
}

/** So many other changes of the request are shown; a link leads to all. */
const MaxOthers = 25

/** What else the same request changed. */
export const changeCompany: SpecialPanel = {
  of: isOne,
  side: 'wide',
  show: (visit, m, row) => {
    const query = new URLSearchParams({ request_id: String(row.request_id) })
    const { ids, count } = visit.store.reader.page(m, conditionOf(visit, m, query), '-id', MaxOthers + 1, 0)
    const others = ids.filter((id) => id !== row.id).slice(0, MaxOthers)
    if (others.length === 0) return ''
    const columns = columnsBy(m, words('time action changed_object_type object message'))
    return html`<section class="panel wide"><h2>Other changes of this request <small>${(count ?? 1) - 1}</small></h2>
${table(visit, m, columns, rowsOf(visit, m, others, columns))}
<p><a href="${listHref(visit, m)}?${query}">All changes of this request</a></p></section>`
  },
}
