import { html, raw } from 'hono/html'
import { dropDashboard } from '../../http/dashboard.ts'
import { type Answer, noSuchPage } from '../../http/request.ts'
import { ownId } from '../account/account.ts'
import { assetHref } from '../assets.ts'
import type { Html } from '../cells.ts'
import { controlHtml } from '../controls.ts'
import { csrf, icon, leadTo, page } from '../frame.ts'
import { readForm } from '../form-data.ts'
import type { Visit } from '../visit.ts'
import { changed, keep, MaxWidgets, type Widget, widgetsOf } from './dashboard.ts'
import { firstSteps } from './welcome.ts'
import { Kinds, widgetBody } from './widgets.ts'

const Colors = 'blue indigo purple pink red orange yellow green teal cyan gray black'.split(' ')

const at = (visit: Visit, path: string): string => `${visit.config.basePath}/extras/dashboard/${path}`
const arranging = (visit: Visit, id = ''): string => `${visit.config.basePath}/?arrange=1${id && `#w-${id}`}`

function arrangingActions(visit: Visit): Html {
  const add = html`<a class="button" href="${at(visit, 'widgets/add/')}">${icon(visit, 'add')}Add a box</a>`
  const reset = html`${csrf(visit)}<button>${icon(visit, 'undo')}As at first</button>`
  const done = html`<a class="button primary" href="${visit.config.basePath}/">Done</a>`
  return html`${add}<form method="post" action="${at(visit, 'reset/')}">${reset}</form>${done}`
}

/** `/`: the boxes that one has arranged; `?arrange=1` shows what each can be told. */
export function homePage(visit: Visit): Answer {
  const { widgets } = widgetsOf(visit)
  const mayArrange = visit.actor.userId !== null && visit.actor.writes
  const isArranging = mayArrange && visit.query.has('arrange')
  return page(visit, {
    title: 'Home',
    actions: !mayArrange
      ? ''
      : isArranging
        ? arrangingActions(visit)
        : html`<a class="button" href="${arranging(visit)}">Arrange</a>`,
    body: html`${isArranging ? '' : firstSteps(visit)}${
      isArranging
        ? html`<p class="help">Boxes fill the page from the top left in their order, 12 columns wide. Drag a box by its
title, or its size by the lower right corner, or use the buttons.</p>`
        : ''
    }
<div class="dashboard${
      isArranging ? ' arranged' : ''
    }">${widgets.map((widget) => boxHtml(visit, widget, isArranging))}</div>${
      isArranging
        ? html`<script src="${assetHref(visit.config.basePath, 'dashboard.js')}" defer></script>`
        : widgets.length
          ? ''
          : html`<p class="empty">There is nothing here. ${
              mayArrange ? html`<a href="${arranging(visit)}">Arrange</a> adds boxes.` : ''
            }</p>`
    }`,
  })
}

const Buttons = [
  ['earlier', '←', 'Move earlier'],
  ['later', '→', 'Move later'],
  ['narrower', '⇤', 'Make narrower'],
  ['wider', '⇥', 'Make wider'],
  ['shorter', '⤒', 'Make shorter'],
  ['taller', '⤓', 'Make taller'],
] as const

function boxHtml(visit: Visit, widget: Widget, isArranging: boolean): Html {
  const { id, title, color, w, h, x } = widget
  const tone = Colors.includes(color) ? ` tone-${color}` : ''
  const name = title || Kinds[widget.kind]?.label || 'Box'
  return html`<section class="panel widget w${w} h${h} x${x}${tone}" id="w-${id}" data-w="${w}" data-h="${h}"
    aria-labelledby="t-${id}"><h2 id="t-${id}">${name}</h2>${
      isArranging
        ? html`<form class="arrange" method="post" action="${at(visit, `widgets/${id}/`)}">${csrf(visit)}${Buttons.map(
            ([what, sign, label]) =>
              html`<button id="${what}-${id}" name="do" value="${what}" aria-label="${label}: ${name}"
          title="${label}">${sign}</button>`,
          )}<a class="button" href="${at(
            visit,
            `widgets/${id}/configure/`,
          )}" aria-label="Configure ${name}" title="Configure">${icon(visit, 'edit')}</a><button class="danger"
          name="do" value="remove" aria-label="Remove ${name}" title="Remove">${icon(visit, 'delete')}</button></form>`
        : ''
    }<div class="inside"${
      isArranging ? '' : raw(` tabindex="0" role="group" aria-labelledby="t-${id}"`)
    }>${widgetBody(visit, widget)}</div></section>`
}

/** `POST /extras/dashboard/widgets/ID/`: does what a button says. */
export async function arrange(visit: Visit, id: string): Promise<Answer> {
  ownId(visit)
  const what = (await readForm(visit)).all('do')[0] ?? ''
  const { widgets } = widgetsOf(visit)
  if (!widgets.some((widget) => widget.id === id)) throw noSuchPage()
  await keep(visit, (now) => changed(now, id, what))
  return leadTo(visit, arranging(visit, what === 'remove' ? '' : id))
}

/** `POST /extras/dashboard/reset/`: back to what everybody has at first. */
export async function reset(visit: Visit): Promise<Answer> {
  ownId(visit)
  await readForm(visit)
  await dropDashboard(visit)
  return leadTo(visit, arranging(visit), 'Home is as it was at first.')
}

/** `/extras/dashboard/widgets/add/`: which kind, then its form. */
export function addWidgetPage(visit: Visit): Answer {
  ownId(visit)
  const kind = visit.query.get('kind') ?? ''
  if (Object.hasOwn(Kinds, kind)) return widgetForm(visit, { kind, config: {}, title: '', color: '' })
  return page(visit, {
    title: 'Add a box',
    crumbs: [[arranging(visit), 'Home']],
    body: html`<section class="panel"><ul class="kinds">${Object.entries(Kinds).map(
      ([name, { label, about }]) =>
        html`<li><a href="${at(visit, `widgets/add/?kind=${name}`)}">${label}</a> – ${about}</li>`,
    )}</ul></section>`,
  })
}

/** `POST /extras/dashboard/widgets/add/`. */
export const addWidget = (visit: Visit): Promise<Answer> => written(visit, undefined)

/** `/extras/dashboard/widgets/ID/configure/`. */
export const widgetPage = (visit: Visit, id: string): Answer => widgetForm(visit, ownWidget(visit, id))

/** `POST /extras/dashboard/widgets/ID/configure/`. */
export const setWidget = (visit: Visit, id: string): Promise<Answer> => written(visit, id)

function ownWidget(visit: Visit, id: string): Widget {
  ownId(visit)
  const found = widgetsOf(visit).widgets.find((widget) => widget.id === id)
  if (!found || !Object.hasOwn(Kinds, found.kind)) throw noSuchPage()
  return found
}

async function written(visit: Visit, changed: string | undefined): Promise<Answer> {
  ownId(visit)
  const data = await readForm(visit)
  const before = changed === undefined ? undefined : ownWidget(visit, changed)
  const kind = before?.kind ?? data.all('kind')[0] ?? ''
  if (!Object.hasOwn(Kinds, kind)) throw noSuchPage()
  const errors: Record<string, string> = {}
  const config = Kinds[kind]!.read(data, errors, visit)
  const [title = '', color = ''] = [data.all('title')[0]?.slice(0, 100), data.all('color')[0]]
  if (color && !Colors.includes(color)) errors.color = 'This is none of the choices.'
  const { widgets } = widgetsOf(visit)
  if (!before && widgets.length >= MaxWidgets) errors.title = `There are ${MaxWidgets} boxes already.`
  if (Object.keys(errors).length) return widgetForm(visit, { ...before, kind, config, title, color }, errors, 400)
  const own = { kind, config, title, color }
  const [w, h] = Kinds[kind]!.size
  const id = before?.id ?? crypto.randomUUID()
  await keep(visit, (now) =>
    before
      ? now.map((widget) => (widget.id === id ? { ...widget, ...own } : widget))
      : [...now.slice(0, MaxWidgets - 1), { id, w, h, ...own }],
  )
  return leadTo(visit, arranging(visit, id))
}

function widgetForm(
  visit: Visit,
  own: Pick<Widget, 'kind' | 'config' | 'title' | 'color'> & { id?: string },
  errors: Readonly<Record<string, string>> = {},
  status = 200,
): Answer {
  const { label, fields, about } = Kinds[own.kind]!
  const all = [
    {
      name: 'title',
      label: 'Title',
      control: { as: 'line', type: 'text', max: 100 },
      texts: () => [own.title || label],
    },
    {
      name: 'color',
      label: 'Colour',
      control: { as: 'choice', choices: Colors.map((name) => [name, name] as const) },
      texts: () => [own.color],
    },
    ...fields,
  ] as typeof fields
  return page(visit, {
    status,
    title: own.id ? `Configure ${own.title || label}` : `Add a box: ${label.toLowerCase()}`,
    crumbs: [[arranging(visit), 'Home']],
    body: html`<form class="form" method="post">${csrf(visit)}<input type="hidden" name="kind" value="${own.kind}">
<fieldset><legend>${label}</legend><p class="help">${about}</p>${all.map(
      ({ name, label: text, help, control, required, texts }) => {
        const ids = [...(errors[name] ? [`e-${name}`] : []), ...(help ? [`h-${name}`] : [])]
        return html`<div class="field${errors[name] ? ' wrong' : ''}${
          control.as === 'area' ? ' tall' : ''
        }"><label for="f-${name}">${text}</label>${controlHtml(visit, control, {
          name,
          values: texts(own.config),
          required: required ?? false,
          describedBy: ids.join(' ') || undefined,
          invalid: Boolean(errors[name]),
        })}${
          errors[name] ? html`<p class="error" id="e-${name}" role="alert">${errors[name]}</p>` : ''
        }${help ? html`<p class="help" id="h-${name}">${help}</p>` : ''}</div>`
      },
    )}</fieldset><p class="submit"><button class="primary">${own.id ? 'Save' : 'Add'}</button><a class="button"
      href="${arranging(visit)}">Cancel</a></p></form>`,
  })
}
