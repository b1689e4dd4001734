import { html, raw } from 'hono/html'
import { type Answer, forbidden } from '../../http/request.ts'
import { may } from '../../engine/actor.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { Html } from '../cells.ts'
import { chips } from '../chips.ts'
import { filterPanel } from '../filter-panel.ts'
import { page } from '../frame.ts'
import { find, pager } from '../list.ts'
import { listHref } from '../links.ts'
import { preferencesOf } from '../preferences.ts'
import type { Visit } from '../visit.ts'
import { faces, heldIn, placeForm, rackTool } from './rack-tool.ts'

const Orders: readonly (readonly [string, string])[] = [
  ['', 'Site, location, name'],
  ['name', 'Name'],
  ['-name', 'Name, last first'],
  ['facility_id', 'Facility ID'],
  ['-facility_id', 'Facility ID, last first'],
  ['-u_height', 'Height, tallest first'],
]
/** How many racks a page draws: a drawing is much more than a row. */
const Sizes: readonly number[] = [25, 50]
const Faces = ['front', 'rear', 'both'] as const

/** `/dcim/rack-elevations/`: the racks that a query finds, drawn side by side. */
export function elevationsPage(visit: Visit): Answer {
  const m = modelNamed('dcim.rack')
  if (!may(visit.actor, 'view', m)) throw forbidden()
  const which = Faces.find((face) => face === visit.query.get('face')) ?? 'front'
  const query = new URLSearchParams(visit.query)
  query.delete('face')
  if (!Sizes.includes(Number(query.get('per_page')))) query.set('per_page', String(Sizes[0]))
  const found = find({ ...visit, query }, m, preferencesOf(visit))
  const held = heldIn(visit, found.ids)
  const shown = which === 'both' ? (['front', 'rear'] as const) : [which]
  return page(visit, {
    title: 'Rack elevations',
    note: html`${found.count.toLocaleString('en')}`,
    crumbs: [[listHref(visit, m), 'Racks']],
    body: html`${toolbar(visit, which)}${chips(visit, m)}${filterPanel(visit, m)}${
      held.racks.length
        ? html`${rackTool(
            visit,
            'Side by side',
            held.racks,
            held.movable.size > 0,
            html`<div class="faces row">${held.racks.map((rack) => faces(visit, rack, held, shown, true))}</div>${
              held.movable.size ? placeForm(visit, held.racks, held.devices, held.movable) : ''
            }`,
          )}${pager(visit, found, undefined, Sizes)}`
        : html`<p class="empty">No racks match. <a href="${listHref(visit, m)}">Racks</a></p>`
    }`,
  })
}

function toolbar(visit: Visit, which: string): Html {
  const kept = [...visit.query].filter(([name]) => !['sort', 'face', 'page', 'q'].includes(name))
  const chosen = (is: boolean) => (is ? raw(' selected') : '')
  return html`<div class="toolbar">
<form method="get" action="${visit.config.basePath}${visit.path}" role="search">${kept.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<label class="unseen" for="quick">Find in racks</label><input id="quick" type="search" name="q"
    value="${visit.query.get('q') ?? ''}" placeholder="Find in racks">
<label>Face <select name="face">${Faces.map(
    (face) => html`<option value="${face}"${chosen(face === which)}>${face}</option>`,
  )}</select></label>
<label>Order <select name="sort">${Orders.map(
    ([value, label]) =>
      html`<option value="${value}"${chosen(value === (visit.query.get('sort') ?? ''))}>${label}</option>`,
  )}</select></label>
<button>Show</button></form></div>`
}
