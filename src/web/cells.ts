import { stringifyExact } from '../lib/exact-json.ts'
import { html, raw } from 'hono/html'
import type { Visit } from './visit.ts'
import type { Field } from '../fields/field.ts'
import { may } from '../engine/actor.ts'
import { modelNamed, models } from '../engine/catalog.ts'
import { wasBefore } from '../history/steps.ts'
import type { AnyModel } from '../declare/model.ts'
import { dataText } from './data-text.ts'
import { hasPage, hrefOf, listHref, objectHref } from './links.ts'
import { markdown } from './markdown.ts'
import { parentBeside } from './parents.ts'
import { titleOf } from './words.ts'

/** HTML, escaped where it holds values. */
export type Html = ReturnType<typeof html>

/** Of what kind a status is, for its colour; what is not here is plain. */
const Tones: Readonly<Record<string, string>> = {
  ...tones('good', 'active connected online completed available enabled up success'),
  ...tones('calm', 'planned staged staging scheduled new inventory reserved running pending queued container'),
  ...tones('odd', 'decommissioning paused deprecated syncing dhcp slaac provisioning'),
  ...tones('bad', 'failed offline retired errored disabled decommissioned deprovisioning down'),
}
function tones(tone: string, values: string): Record<string, string> {
  return Object.fromEntries(values.split(' ').map((value) => [value, tone]))
}

export const Nothing = html`<span class="none">—</span>`

/** Whether there is nothing to show of a value. */
export const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** How many items of a list a cell of a table shows, and how many the page of an object. */
const MaxItems = 5
export const MaxItemsOfPage = 100

interface Shown {
  id?: number
  url?: string
  display?: string
  color?: string
  value?: string | number
  label?: string
  object?: Shown | null
}

/** A value of a field, as JSON has it, the way people read it; of a list so many items at `most`. */
export function cell(
  call: Visit,
  value: unknown,
  field?: Pick<Field, 'look' | 'labels' | 'inWords' | 'objects' | 'target'>,
  most = MaxItems,
): Html {
  if (isNothing(value)) return Nothing
  if (field?.look) return looks[field.look](call, value, most)
  const label = field?.labels?.get(value)
  if (label !== undefined) return html`${label}`
  if (Array.isArray(value) && field?.objects) return list(call, value, most, (each) => end(call, each as Shown))
  if (Array.isArray(value)) return list(call, field?.inWords?.(value) ?? value, most)
  if (typeof value === 'boolean') return truth(value)
  if (typeof value === 'number' && field?.target) return referred(call, modelNamed(field.target.model), value)
  if (typeof value === 'object') return object(call, value as Shown)
  return html`${String(value)}`
}

/** An object of which answers tell the id alone. */
const referred = (call: Visit, m: AnyModel, id: number): Html =>
  object(call, {
    id,
    url: `${call.config.basePath}/api/${m.path}/${id}/`,
    display: call.store.reader.display(m, id) || String(id),
  })

/** Whether an address leads somewhere and runs nothing. */
export const isSafeLink = (address: string): boolean => /^(?:(?:https?|ftps?|sftp|ssh|mailto|tel):|\/)/i.test(address)

const looks: Readonly<Record<NonNullable<Field['look']>, (call: Visit, value: unknown, most: number) => Html>> = {
  markdown: (_, value) => html`<div class="prose">${markdown(String(value))}</div>`,
  code: (call, value) =>
    html`<pre class="code"><code>${typeof value === 'string' ? value : dataText(call, value)}</code></pre>`,
  color: (_, value) => html`${dot(String(value))} <code>#${value as string}</code>`,
  moment: (_, value) => moment(String(value)),
  image: (_, value) => html`<a href="${value as string}"><img class="thumb" src="${value as string}" alt=""></a>`,
  link: (_, value) =>
    isSafeLink(String(value))
      ? html`<a href="${value as string}" rel="noreferrer">${value as string}</a>`
      : html`${value as string}`,
  mail: (_, value) => html`<a href="mailto:${value as string}">${value as string}</a>`,
  percent: (_, value) => bar(Number(value)),
  types: (call, value, most) => list(call, [value].flat(), most, (each) => kind(call, String(each))),
  secret: () => html`••••••••`,
  earlier: (call, value) => earlier(call, value as Earlier) || Nothing,
}

interface Earlier {
  type: string
  id: number
  request: string
  change: number
}

/** The way to an object's page as it was before the request of a change. */
export function earlier(call: Visit, { type, id, request, change }: Earlier, style = ''): Html | '' {
  const m = models[type]
  const isShown = m && hasPage(m) && m.past !== false && may(call.actor, 'view', m) && wasBefore(call.store.db, change)
  if (!isShown) return style ? '' : Nothing
  return html`<a data-now${
    style && raw(` class="${style}"`)
  } href="${objectHref(call, m, id)}?at=before-${request}" hx-boost="false">As it was before</a>`
}

/** A colour of the objects' own, as a drawing: a strict policy lets no style in. */
export const dot = (color: string): Html =>
  /^[0-9a-f]{6}$/i.test(color) ? html`<svg class=dot color="#${color}" aria-hidden=true></svg>` : html``

/** A moment in UTC to the minute, with the whole in its title. */
export const moment = (text: string): Html =>
  html`<time datetime="${text}" title="${text}">${text.slice(0, 16).replace('T', ' ')}</time>`

const truth = (value: boolean): Html => (value ? html`<span class="yes">yes</span>` : html`<span class="no">no</span>`)

/** A part of a whole as a bar and a figure; `of` 100 where it is a percentage. */
export const bar = (part: number): Html => {
  const width = Math.max(0, Math.min(100, part))
  const tone = width >= 90 ? ' full' : width >= 70 ? ' high' : ''
  return html`<span class=use><svg class="bar${tone}" viewBox="0 0 100 8" preserveAspectRatio=none
    aria-hidden=true><path d="M0 4h${width}"/></svg> ${Math.round(part * 10) / 10} %</span>`
}

export const badge = (text: string, tone = 'plain'): Html => html`<span class="badge ${tone}">${text}</span>`

function object(call: Visit, value: Shown): Html {
  if (value.label !== undefined && 'value' in value) {
    const tone = Tones[String(value.value)]
    return tone ? badge(value.label, tone) : html`${value.label}`
  }
  const display = value.display ?? value.object?.display
  if (display === undefined) return html`<code>${stringifyExact(value)}</code>`
  const href = hrefOf(call, value.url ?? value.object?.url)
  const color = value.color ?? value.object?.color
  const text = html`${color ? dot(color) : ''}${display}`
  const parent = value.object ? parentBeside({ ...value.object, display }) : undefined
  return html`${parent ? html`${object(call, parent)} › ` : ''}${href ? html`<a href="${href}">${text}</a>` : text}`
}

/** An object of another whole, told with that: a port of a device. */
function end(call: Visit, value: Shown): Html {
  const parent = parentBeside(value)
  return html`${parent ? html`${object(call, parent)} › ` : ''}${object(call, value)}`
}

function list(
  call: Visit,
  values: readonly unknown[],
  most: number,
  one: (value: unknown) => Html = (value) => cell(call, value),
): Html {
  const shown = values.slice(0, most).map((value) => html`<li>${one(value)}</li>`)
  const more = values.length - shown.length
  return html`<ul class="items">${shown}${more > 0 ? html`<li class="more">+${more}</li>` : ''}</ul>`
}

/** A kind of object by its name for clients (`dcim.site`), with a link to its list. */
function kind(call: Visit, name: string): Html {
  const m = models[name]
  if (!m) return html`${name}`
  return m.internal || !may(call.actor, 'view', m)
    ? html`${titleOf(m)}`
    : html`<a href="${listHref(call, m)}">${titleOf(m)}</a>`
}
