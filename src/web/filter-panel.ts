import { html, raw } from 'hono/html'
import type { Visit } from './visit.ts'
import type { Control } from '../fields/control.ts'
import type { Filter } from '../filters/filter.ts'
import { modelNamed } from '../registry/catalog.ts'
import { filtersOf, parametersOf } from '../registry/filters.ts'
import type { AnyModel } from '../registry/model.ts'
import type { Html } from './cells.ts'
import { controlHtml } from './controls.ts'
import { withQuery } from './links.ts'
import { labelFor, words } from './words.ts'

/** Parameters that every list takes besides its filters. */
export const Paging = ['page', 'per_page', 'sort', 'q', 'columns', 'export', 'embedded']
const Line: Control = { as: 'line', type: 'text' }

/** Groups of parameters, those of the declaration first, then what nearly every model has. */
export function filterGroups(m: AnyModel): (readonly [title: string, names: readonly string[]])[] {
  const filters = filtersOf(m)
  const own = Object.entries(m.pages?.filters ?? {}).map(([title, names]) => [title, words(names)] as const)
  const shared = [
    ['Tenant', ['tenant_group_id', 'tenant_id']],
    ['Contacts', ['contact', 'contact_role', 'contact_group']],
    ['Ownership', ['owner_group_id', 'owner_id']],
    ['Tags', ['tag']],
  ] as const
  const said = new Set(own.flatMap(([, names]) => names))
  return [...own, ...shared.map(([title, names]) => [title, names.filter((name) => !said.has(name))] as const)]
    .map(([title, names]) => [title, names.filter((name) => filters.has(name))] as const)
    .filter(([, names]) => names.length > 0)
}

/** Where a picker of a filter narrows: the parameters of its model, by the filters beside it. */
function narrowing(filter: Filter, names: ReadonlySet<string>): Readonly<Record<string, string>> | undefined {
  if (filter.control?.as !== 'pick') return undefined
  const all = Object.entries(modelNamed(filter.control.model).pages?.narrow ?? {})
  const here = all
    .map(([parameter, field]) => [parameter, `${field}_id`] as const)
    .filter(([, name]) => names.has(name))
  return here.length ? Object.fromEntries(here) : undefined
}

/** The panel of a list's filters, as a form that asks for the list again; `more` are other parameters that it keeps. */
export function filterPanel(call: Visit, m: AnyModel, more: readonly string[] = []): Html {
  const filters = filtersOf(m)
  const groups = filterGroups(m)
  const custom = call.store.customFields
    .of(m)
    .map(({ name }) => `cf_${name}`)
    .filter((name) => call.query.has(name))
  const names = new Set(groups.flatMap(([, own]) => own))
  const field = (name: string) => {
    const filter = filters.get(name)!
    return html`<div class="field"><label for="f-${name}">${labelFor(name)}</label>${controlHtml(
      call,
      filter.control ?? Line,
      { name, values: call.query.getAll(name), filter: true, narrow: narrowing(filter, names) },
    )}</div>`
  }
  const kept = [...call.query].filter(([name]) => ['q', 'sort', 'per_page', ...more].includes(name))
  const isUsed = [...call.query.keys()].some((name) => names.has(name))
  return html`<details class="filters"${isUsed ? raw(' data-used') : ''}><summary>Filters</summary><form method="get" action="${call.config.basePath}${call.path}">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${custom.map((name) => html`<input type="hidden" name="${name}" value="${call.query.get(name) ?? ''}">`)}
<div class="groups">${groups.map(([title, own]) => html`<fieldset><legend>${title}</legend>${own.map(field)}</fieldset>`)}</div>
<p class="submit"><button class="primary">Apply</button> <a class="button" href="${call.config.basePath}${call.path}">Clear</a></p></form></details>`
}

/** The filters in force, each with a link that takes it away. */
export function chips(call: Visit, m: AnyModel): Html | '' {
  const known = parametersOf(m)
  const used = [...new Set(call.query.keys())].filter(
    (name) =>
      name !== 'q' &&
      !Paging.includes(name) &&
      (known.has(name) || name.startsWith('cf_') || m.openFilter?.(name)) &&
      call.query.getAll(name).some(Boolean),
  )
  if (used.length === 0) return ''
  return html`<ul class="chips" aria-label="Filters in force">${used.map((name) => {
    const values = call.query.getAll(name).filter(Boolean).slice(0, 5)
    const control = known.get(name)?.filter.control
    return html`<li><span>${labelFor(name.replace(/__.*/, ''))}${lookupOf(name)}: ${values.map((value) => shownValue(call, control, value)).join(', ')}</span><a href="${withQuery(call, { [name]: null, page: null })}" aria-label="Remove the filter ${labelFor(name)}">×</a></li>`
  })}</ul>`
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

function shownValue(call: Visit, control: Control | undefined, value: string): string {
  if (value === 'null') return 'none'
  if (control?.as === 'choice') return control.choices.find(([own]) => String(own) === value)?.[1] ?? value
  if (control?.as === 'truth') return { true: 'yes', false: 'no' }[value] ?? value
  if (control?.as !== 'pick' || (control.by ?? 'id') !== 'id' || !/^\d{1,15}$/.test(value)) return value
  const target = modelNamed(control.model)
  return call.store.reader.mayOn(call.actor, 'view', target, Number(value)) === true
    ? call.store.reader.display(target, Number(value))
    : value
}
