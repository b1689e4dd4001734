import { html } from 'hono/html'
import type { Control } from '../fields/control.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Html } from './cells.ts'
import { controlOf } from './custom-controls.ts'
import { filterOf } from './filter-panel.ts'
import { withQuery } from './links.ts'
import { savedFilters, saveHref } from './saved-filters.ts'
import type { Visit } from './visit.ts'
import { filterLabel } from './words.ts'

/** So many values are shown one by one. */
const MaxChips = 24

/** The values of the filters in force, each with a link that takes it away, and where they can be kept for later. */
export function chips(call: Visit, m: AnyModel): Html | '' {
  const saved = call.query.has('filter_id')
    ? new Map(savedFilters(call, m).map(([id, name]) => [String(id), name]))
    : undefined
  const isFilter = (name: string, value: string) => {
    if (name === 'filter_id') return saved?.has(value)
    return name === 'q' ? m.search !== undefined : filterOf(call, m, name) !== undefined
  }
  const used = [...call.query].filter(([name, value]) => value !== '' && isFilter(name, value))
  if (used.length === 0) return ''
  const save = saveHref(call, m, used)
  const text = (name: string, value: string): string => {
    if (name === 'q') return `Find: ${value}`
    if (name === 'filter_id') return `Saved filter: ${saved?.get(value)}`
    return `${filterName(m, name)}: ${shownValue(call, controlAt(call, m, name), value)}`
  }
  return html`<ul class="chips" aria-label="Filters in force">${used.slice(0, MaxChips).map(([name, value]) => {
    const label = text(name, value)
    const href = without(call, name, value)
    return html`<li><span>${label}</span><a href="${href}" aria-label="Remove ${label}">×</a></li>`
  })}${
    used.length > MaxChips ? html`<li><span>and ${used.length - MaxChips} more</span></li>` : ''
  }<li class="plainly"><a href="${cleared(call, used)}">Clear all</a></li>${
    save ? html`<li class="plainly"><a href="${save}">Save this filter</a></li>` : ''
  }</ul>`
}

/** What people call a parameter that filters a model's list: `Name contains`. */
export function filterName(m: AnyModel, name: string): string {
  const [bare = name] = name.split('__')
  return `${filterLabel(m, bare.replace(/^cf_/, ''))}${lookupOf(name)}`
}

/** The address without one value of a parameter. */
function without(call: Visit, name: string, value: string): string {
  const left = call.query.getAll(name).filter((each) => each !== value)
  const query = new URLSearchParams([...call.query].filter(([own]) => own !== name && own !== 'page'))
  for (const each of left) query.append(name, each)
  return withQuery({ ...call, query }, {})
}
const cleared = (call: Visit, used: readonly (readonly [string, string])[]): string =>
  withQuery(call, { page: null, ...Object.fromEntries(used.map(([name]) => [name, null])) })

const controlAt = (call: Visit, m: AnyModel, name: string): Control | undefined => {
  const definition =
    name.startsWith('cf_') && call.store.customFields.of(m).find((each) => each.name === name.slice(3).split('__')[0])
  return definition ? controlOf(definition) : filterOf(call, m, name)?.filter.control
}

const Lookups: Readonly<Record<string, string>> = {
  n: ' is not',
  ic: ' contains',
  nic: ' does not contain',
  isw: ' begins with',
  iew: ' ends with',
  gt: ' >',
  gte: ' ≥',
  lt: ' <',
  lte: ' ≤',
  empty: ' is empty',
}
const lookupOf = (name: string): string => {
  const suffix = name.split('__')[1]
  return suffix ? (Lookups[suffix] ?? ` (${suffix})`) : ''
}

const YesNo = new Map([
  ['true', 'yes'],
  ['false', 'no'],
])

function shownValue(call: Visit, control: Control | undefined, value: string): string {
  if (value === 'null') return 'none'
  if (control?.as === 'choice') return control.choices.find(([own]) => String(own) === value)?.[1] ?? value
  if (control?.as === 'truth' || control?.as === 'check') return YesNo.get(value) ?? value
  if (control?.as !== 'pick' || (control.by ?? 'id') !== 'id' || !/^\d{1,15}$/.test(value)) return value
  const target = modelNamed(control.model)
  return call.store.reader.mayOn(call.actor, 'view', target, Number(value)) === true
    ? call.store.reader.display(target, Number(value))
    : value
}
