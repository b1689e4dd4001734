import { html, raw } from 'hono/html'
import type { Visit } from './visit.ts'
import type { Control } from '../fields/control.ts'
import { type Answer, forbidden, jsonAnswer, noSuchPage } from '../http/request.ts'
import { may } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import { filtersOf, type Parameter, parametersOf } from '../engine/filters.ts'
import type { AnyModel } from '../declare/model.ts'
import { customParameter } from '../filters/custom.ts'
import type { Html } from './cells.ts'
import { controlHtml, versionOf } from './controls.ts'
import { controlOf, customLabel } from './custom-controls.ts'
import { listHref } from './links.ts'
import { savedFilters } from './saved-filters.ts'
import { filterLabel, words } from './words.ts'

/** Parameters that every list takes besides its filters. */
export const Paging = ['page', 'per_page', 'sort', 'q', 'columns', 'export', 'embedded', 'tableconfig_id', 'format']
const Line: Control = { as: 'line', type: 'text' }

/** A filter as the panel asks for it. */
interface Asked {
  name: string
  label: string
  control: Control
  lookups: readonly string[]
}
type Group = readonly [title: string, filters: readonly Asked[]]

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
function narrowing(control: Control, names: ReadonlySet<string>): Readonly<Record<string, string>> | undefined {
  if (control.as !== 'pick') return undefined
  const all = Object.entries(modelNamed(control.model).pages?.narrow ?? {})
  const here = all
    .map(([parameter, field]) => [parameter, `${field}_id`] as const)
    .filter(([, name]) => names.has(name))
  return here.length ? Object.fromEntries(here) : undefined
}

/** The filters of the fields that users defined for a model. */
const customFilters = (call: Visit, m: AnyModel): Asked[] =>
  m.fields.custom_fields
    ? call.store.customFields.of(m).flatMap((definition) => {
        const parameter = customParameter(call.store.customFields.of(m), definition.name)
        if (!parameter || definition.filter_logic === 'disabled' || definition.ui_visible === 'hidden') return []
        const control = controlOf(definition)
        const many = control.as === 'choice' || control.as === 'pick' ? { ...control, multiple: true } : control
        const asked = many.as === 'area' ? Line : many
        return [
          {
            name: `cf_${definition.name}`,
            label: customLabel(definition),
            control: asked,
            lookups: parameter.filter.lookups,
          },
        ]
      })
    : []

/** The filters that a user saved, or that are shared. */
function savedOnes(call: Visit, m: AnyModel): Group[] {
  const choices = savedFilters(call, m)
  const control: Control = { as: 'choice', choices, multiple: true }
  const asked: Asked = { name: 'filter_id', label: 'Saved filter', control, lookups: [] }
  return choices.length ? [['Saved filters', [asked]]] : []
}

/** The filters of a model, as it declares them and as users defined fields. */
function filterFields(call: Visit, m: AnyModel): Group[] {
  const filters = filtersOf(m)
  const asked = (name: string): Asked => {
    const { control = Line, lookups } = filters.get(name)!
    return { name, label: filterLabel(m, name), control, lookups }
  }
  const declared = filterGroups(m).map(([title, names]): Group => [title, names.map(asked)])
  return [...declared, ['Custom fields', customFilters(call, m)] as const].filter(([, own]) => own.length)
}

/** `…/choices/?of=type`: what a filter of many choices offers, which a page asks for when that is first needed. */
export function filterChoices(call: Visit, m: AnyModel): Answer {
  if (!may(call.actor, 'view', m)) throw forbidden()
  const of = call.query.get('of')
  const all = [...savedOnes(call, m), ...filterFields(call, m)].flatMap(([, own]) => own)
  const control = all.find(({ name }) => name === of)?.control
  if (control?.as !== 'choice') throw noSuchPage()
  const isKept = call.query.get('v') === versionOf(control.choices)
  return jsonAnswer(200, control.choices, {
    'cache-control': isKept ? 'private, max-age=31536000, immutable' : 'no-store',
  })
}

/** The panel of a list's filters, as a form that asks for the list again; what it does not ask for is kept. */
export function filterPanel(call: Visit, m: AnyModel): Html {
  const filters = filtersOf(m)
  const groups = filterFields(call, m)
  const names = new Set(groups.flatMap(([, own]) => own.map(({ name }) => name)))
  const shown = new Set([...names].flatMap((name) => [name, `${name}__gte`, `${name}__lte`, `${name}__ic`]))
  shown.add('filter_id')
  // What the panel does not ask for stays in the address.
  const kept = [...call.query].filter(
    ([name, value]) => name !== 'page' && value !== '' && (!shown.has(name) || isBeside(call, name, names, filters)),
  )
  const isUsed = [...call.query.keys()].some((name) => shown.has(name))
  return html`<details class="filters"${
    isUsed ? raw(' data-used') : ''
  }><summary>Filters</summary><form method="get" action="${call.config.basePath}${call.path}">
<span id="kept">${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}</span>
<div class="groups">${[...savedOnes(call, m), ...groups].map(
    ([title, own]) =>
      html`<fieldset><legend>${title}</legend>${own.map((each) => fieldHtml(call, m, each, names))}</fieldset>`,
  )}</div>
<p class="submit"><button class="primary">Apply</button> <a class="button"
  href="${call.config.basePath}${call.path}">Clear</a></p></form></details>`
}

/**
 * A parameter that a control of the panel cannot show: an exact value where a range is asked for, or several of them.
 */
function isBeside(
  call: Visit,
  name: string,
  names: ReadonlySet<string>,
  filters: ReturnType<typeof filtersOf>,
): boolean {
  if (name.includes('__')) return call.query.getAll(name).length > 1
  const control = filters.get(name)?.control ?? Line
  return (
    names.has(name) &&
    control.as === 'line' &&
    formOf(sought(control), filters.get(name)?.lookups ?? []) !== 'plain' &&
    call.query.getAll(name).length > 1
  )
}

/** How a line asks: for a range, for a part of the text, or for the value itself. */
function formOf(control: Control, lookups: readonly string[]): 'range' | 'part' | 'plain' {
  if (control.as !== 'line') return 'plain'
  if (control.type !== 'text') return lookups.includes('gte') && lookups.includes('lte') ? 'range' : 'plain'
  return lookups.includes('ic') ? 'part' : 'plain'
}

function fieldHtml(
  call: Visit,
  m: AnyModel,
  { name, label, control: entered, lookups }: Asked,
  names: ReadonlySet<string>,
): Html {
  const control = sought(entered)
  const form = formOf(control, lookups)
  const exact = call.query.getAll(name).filter(Boolean)
  const drawn = (parameter: string, extra: object = {}) => {
    const own = call.query.getAll(parameter).filter(Boolean)
    const values = own.length || exact.length !== 1 ? own : exact
    return controlHtml(call, control, {
      name: parameter,
      values,
      filter: true,
      choicesAt: `${listHref(call, m)}choices/?of=${parameter}`,
      narrow: narrowing(control, names),
      plain: plainOf(m, parameter, control),
      always: isAlways(m, name),
      ...extra,
    })
  }
  if (form === 'range') {
    const least = html`<label for="f-${name}__gte">${label}</label>`
    const most = html`<label for="f-${name}__lte">to</label>${drawn(`${name}__lte`)}`
    return html`<div class=field>${least}<span class="range">${drawn(`${name}__gte`)}${most}</span></div>`
  }
  const parameter = form === 'part' ? `${name}__ic` : name
  return html`<div class=field><label for="f-${parameter}">${label}</label>${drawn(parameter)}</div>`
}

/** How a line is asked for to find by: a part of a value, and a bound beyond those of values, are no mistakes. */
function sought(control: Control): Control {
  if (control.as !== 'line') return control
  const { type, step } = control
  return { as: 'line', type: type === 'url' || type === 'email' ? 'text' : type, step }
}

/** Whether every object refers to one of these. */
function isAlways(m: AnyModel, name: string): boolean {
  const field = m.fields[name.replace(/_id$/, '')]
  return Boolean(field?.target && !field.options.nullable)
}

/** The parameter beside `site_id` that takes the slug of a site. */
function plainOf(m: AnyModel, name: string, control: Control): string | undefined {
  const plain = name.replace(/_id$/, '')
  const other = control.as === 'pick' && plain !== name ? filtersOf(m).get(plain)?.control : undefined
  return other?.as === 'pick' && other.by === 'slug' ? plain : undefined
}

/** The parameter of a query, where it is a filter of the model. */
export function filterOf(call: Visit, m: AnyModel, name: string): Parameter | undefined {
  if (Paging.includes(name)) return undefined
  const known =
    parametersOf(m).get(name) ??
    (name.startsWith('cf_') ? customParameter(call.store.customFields.of(m), name.slice(3)) : undefined)
  return known ?? m.openFilter?.(name)
}
