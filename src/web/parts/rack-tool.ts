import { html, raw } from 'hono/html'
import { conditionOf } from '../../http/lists.ts'
import type { Face } from '../../rules/elevation-svg.ts'
import { devicesById, devicesInRacks, type RackDevice, type Reserved, reservedIn } from '../../rules/rack-contents.ts'
import { may } from '../../engine/actor.ts'
import { modelNamed } from '../../engine/catalog.ts'
import { assetHref } from '../assets.ts'
import { dot, type Html } from '../cells.ts'
import { csrf, icon } from '../frame.ts'
import { listHref, objectHref } from '../links.ts'
import type { Visit } from '../visit.ts'
import type { SpecialPanel } from './part.ts'
import { type DrawnRack, faceDrawing, marks, patterns, racksBy, seeing, unitsText } from './rack-drawing.ts'

const device = () => modelNamed('dcim.device')
const reservation = () => modelNamed('dcim.rackreservation')
/** How many devices at no unit, and in no rack, a page offers. */
const MaxLoose = 50

/** Ids of those of the devices that a query finds that the user may move. */
function movableIn(visit: Visit, query: URLSearchParams): Set<number> {
  if (!visit.actor.writes || !may(visit.actor, 'change', device())) return new Set()
  const condition = conditionOf(visit, device(), query, 'change')
  return new Set(visit.store.reader.page(device(), condition, undefined, undefined, 0).ids)
}

/** Devices of a site that are in no rack, as many as a page offers, and how many there are. */
function looseAt(visit: Visit, site: number): { devices: RackDevice[]; count: number; query: URLSearchParams } {
  const query = new URLSearchParams({ site_id: String(site), rack_id: 'null' })
  if (!may(visit.actor, 'view', device())) return { devices: [], count: 0, query }
  const found = visit.store.reader.page(device(), conditionOf(visit, device(), query), undefined, MaxLoose, 0)
  return { devices: devicesById(seeing(visit), found.ids), count: found.count ?? 0, query }
}

/** Where the form adds a device at a unit; undefined for whoever may add none. */
const adding = (visit: Visit, rack: DrawnRack, face: Face) =>
  visit.actor.writes && may(visit.actor, 'add', device())
    ? (position: number): string => {
        const { id, site, location } = rack
        const preset = new URLSearchParams({ site: String(site), rack: String(id), face, position: String(position) })
        if (location !== null) preset.set('location', String(location))
        return `${listHref(visit, device())}add/?${preset}`
      }
    : undefined

/** What stands beside the drawings of racks, and what may be done with it. */
interface Held {
  racks: readonly DrawnRack[]
  devices: readonly RackDevice[]
  reserved: readonly Reserved[]
  movable: ReadonlySet<number>
}

/** Everything that drawings of some racks need, in a statement of each kind however many they are. */
export function heldIn(visit: Visit, ids: readonly number[]): Held {
  const tools = seeing(visit)
  const query = new URLSearchParams(ids.map((id): [string, string] => ['rack_id', String(id)]))
  return {
    racks: racksBy(visit, ids),
    devices: devicesInRacks(tools, ids),
    reserved: reservedIn(tools, ids),
    movable: ids.length ? movableIn(visit, query) : new Set(),
  }
}

/** Some faces of a rack beside each other, each with its name. */
export function faces(visit: Visit, rack: DrawnRack, held: Held, which: readonly Face[], linked = false): Html {
  const own = held.devices.filter((each) => each.rack === rack.id)
  const kept = held.reserved.filter((each) => each.rack === rack.id)
  return html`${which.map(
    (face) =>
      html`<figure class="face"><figcaption>${
        linked ? html`<a href="${objectHref(visit, modelNamed('dcim.rack'), rack.id)}">${rack.display}</a> ` : ''
      }<small>${face}</small></figcaption>${faceDrawing(visit, rack, face, own, kept, {
        add: adding(visit, rack, face),
        movable: held.movable,
      })}</figure>`,
  )}`
}

/** The frame of drawings in which devices can be moved: the switch, what is said, and the script. */
export const rackTool = (
  visit: Visit,
  title: string,
  racks: readonly DrawnRack[],
  canMove: boolean,
  body: Html,
): Html =>
  html`<section class="panel wide rack-tool" data-racks><h2>${title}<span class="tools">${
    canMove
      ? html`<button type="button" data-rearrange aria-pressed="false" hidden>${icon(visit, 'edit')}Rearrange</button>`
      : ''
  }</span></h2>${patterns(racks)}
<p class="said" role="status" aria-live="polite"></p>${body}<script src="${assetHref(visit.config.basePath, 'rack.js')}"
  defer></script></section>`

/** The elevations of a rack: both faces, what has no unit yet, and forms to move devices and reserve units. */
export const rackElevations: SpecialPanel = {
  of: (m) => m.name === 'dcim.rack',
  side: 'top',
  show: (visit, _m, row) => {
    const held = heldIn(visit, [row.id])
    const [rack] = held.racks
    if (!rack) return ''
    const atNoUnit = held.devices.filter((each) => each.position === null && each.seen)
    const unplaced = atNoUnit.slice(0, MaxLoose)
    const loose = looseAt(visit, rack.site)
    const movable = new Set([...held.movable, ...(loose.count ? movableIn(visit, loose.query) : [])])
    const all = { ...held, movable }
    return rackTool(
      visit,
      'Elevations',
      [rack],
      movable.size > 0,
      html`<div class="faces">${faces(visit, rack, all, ['front', 'rear'])}<div class="beside">
${looseList(visit, 'In this rack, at no unit', String(rack.id), unplaced, movable)}
${
  atNoUnit.length > unplaced.length
    ? html`<p><a href="${objectHref(visit, modelNamed('dcim.rack'), rack.id, 'nonracked_devices')}">All
${atNoUnit.length}</a></p>`
    : ''
}${looseList(visit, 'At this site, in no rack', '', loose.devices, movable)}${
  loose.count > loose.devices.length
    ? html`<p><a href="${listHref(visit, device())}?${loose.query.toString()}">All ${loose.count}</a></p>`
    : ''
}${
  movable.size
    ? placeForm(
        visit,
        [rack],
        [...held.devices.filter(({ position }) => position !== null), ...unplaced, ...loose.devices],
        movable,
      )
    : ''
}${reserveForm(visit, rack, held.reserved)}</div></div>`,
    )
  },
}

function looseList(
  visit: Visit,
  title: string,
  rack: string,
  devices: readonly RackDevice[],
  movable: ReadonlySet<number>,
): Html {
  return html`<section class="loose" data-loose="${rack}"><h3>${title}</h3>${
    devices.length
      ? html`<ul>${devices.map(
          (each) =>
            html`<li><a href="${objectHref(visit, device(), each.id)}"${
              movable.has(each.id) ? marks(each) : ''
            }>${dot(each.seen!.color)}${each.seen!.name}</a> <small>${each.height}U ${each.seen!.model}</small></li>`,
        )}</ul>`
      : html`<p class="empty">None</p>`
  }</section>`
}

/** What the form to move a device holds; texts as they were sent. */
export interface Placed {
  device?: string
  rack?: string
  position?: string
  face?: string
}

/** A form that moves a device to a unit: the way for keyboards, and for browsers without scripts. */
export function placeForm(
  visit: Visit,
  racks: readonly DrawnRack[],
  devices: readonly RackDevice[],
  movable: ReadonlySet<number>,
  placed: Placed = {},
): Html {
  const offered = devices.filter((each) => each.seen && movable.has(each.id))
  const at = (each: RackDevice) =>
    each.position === null ? '' : ` – ${unitsText(each.position, each.height)}, ${each.face}`
  const group = (title: string, own: readonly RackDevice[]) =>
    own.length
      ? html`<optgroup label="${title}">${own.map((each) => {
          const isPlaced = placed.device === String(each.id)
          return html`<option value="${each.id}"${chosen(isPlaced)}>${each.seen!.name}${at(each)}</option>`
        })}</optgroup>`
      : ''
  const most = Math.max(...racks.map(({ start, height }) => start + height - 1))
  const least = Math.min(...racks.map(({ start }) => start))
  const units: number[] = []
  for (let unit = most + 0.5; unit >= least; unit -= 0.5) units.push(unit)
  return html`<form class="place" method="post" action="${listHref(visit, modelNamed('dcim.rack'))}place/"
    data-place>${csrf(visit)}<h3>Move a device</h3>
<label>Device <select name="device" required><option value="">—</option>${racks.map((rack) =>
    group(
      `In ${rack.display}`,
      offered.filter((each) => each.rack === rack.id),
    ),
  )}${group(
    'In no rack',
    offered.filter((each) => each.rack === null),
  )}</select></label>
<label${racks.length === 1 ? raw(' hidden') : ''}>Rack <select name="rack">${racks.map(
    (rack) => html`<option value="${rack.id}"${chosen(placed.rack === String(rack.id))}>${rack.display}</option>`,
  )}</select></label>
<label>Face <select name="face">${['front', 'rear'].map(
    (face) => html`<option value="${face}"${chosen(placed.face === face)}>${face}</option>`,
  )}</select></label>
<label>Unit <select name="position"><option value="">none</option>${units.map(
    (unit) => html`<option value="${unit}"${chosen(placed.position === String(unit))}>U${unit}</option>`,
  )}</select></label>
<button>Move</button></form>`
}
const chosen = (is: boolean) => (is ? raw(' selected') : '')

/** Units of a rack to choose, which the form of a reservation then holds. */
function reserveForm(visit: Visit, rack: DrawnRack, reserved: readonly Reserved[]): Html | '' {
  if (!visit.actor.writes || !may(visit.actor, 'add', reservation())) return ''
  const taken = new Set(reserved.flatMap(({ units }) => units))
  const units = Array.from({ length: rack.height }, (_, i) => rack.start + i).filter((unit) => !taken.has(unit))
  if (!rack.isDescending) units.reverse()
  return html`<details class="reserve" data-reserve><summary>Reserve units</summary>
<form method="get" action="${listHref(visit, reservation())}add/"><input type="hidden" name="rack"
  value="${rack.id}"><input type="hidden" name="user" value="${visit.actor.userId ?? ''}">
<fieldset><legend>Units</legend><div class="units">${units.map(
    (unit) => html`<label><input type="checkbox" name="units" value="${unit}"> ${unit}</label>`,
  )}</div></fieldset><button>Reserve…</button></form></details>`
}

/** Where in its rack a device is. */
export const deviceElevations: SpecialPanel = {
  of: (m) => m.name === 'dcim.device',
  side: 'right',
  show: (visit, _m, row) => {
    const rack = row.rack as { id: number } | null | undefined
    if (!rack || row.position === null) return ''
    return still(visit, rack.id, 'Place in its rack', { devices: new Set([row.id]) })
  },
}

/** What a reservation keeps, in its rack. */
export const reservationElevations: SpecialPanel = {
  of: (m) => m.name === 'dcim.rackreservation',
  side: 'right',
  show: (visit, _m, row) =>
    still(visit, (row.rack as { id: number }).id, 'Elevations', { units: new Set(row.units as number[]) }),
}

/** Both faces of a rack with something of it marked; nothing where the user may not view the rack. */
function still(
  visit: Visit,
  id: number,
  title: string,
  bright: { devices?: ReadonlySet<number>; units?: ReadonlySet<number> },
): Html | '' {
  if (visit.store.reader.mayOn(visit.actor, 'view', modelNamed('dcim.rack'), id) !== true) return ''
  const tools = seeing(visit)
  const [rack] = racksBy(visit, [id])
  const [devices, reserved] = [devicesInRacks(tools, [id]), reservedIn(tools, [id])]
  const at = objectHref(visit, modelNamed('dcim.rack'), id)
  return html`<section class="panel"><h2>${title} <small><a href="${at}">${rack!.display}</a></small></h2>
${patterns([rack!])}<div class="faces">${(['front', 'rear'] as const).map(
    (face) =>
      html`<figure class="face">
<figcaption><small>${face}</small></figcaption>${faceDrawing(visit, rack!, face, devices, reserved, { bright })}
</figure>`,
  )}</div></section>`
}
