import { html, raw } from 'hono/html'
import { conditionOf } from '../../http/lists.ts'
import { type Answer, ApiError, forbidden } from '../../http/request.ts'
import { withSavedFilters } from '../../http/saved-filters.ts'
import { lengthOf } from '../../lib/text-width.ts'
import { type Line, mapSvg, type Spot } from '../../rules/map-svg.ts'
import type { Node } from '../../rules/paths.ts'
import { may } from '../../engine/actor.ts'
import { modelNamed } from '../../engine/catalog.ts'
import { planInThread } from '../../lib/map-thread.ts'
import { NotDone } from '../../lib/thread-pool.ts'
import type { MapJob } from '../../lib/map-layout.ts'
import { dot, type Html } from '../cells.ts'
import { chips } from '../chips.ts'
import { filterPanel } from '../filter-panel.ts'
import { page } from '../frame.ts'
import { hrefOf, listHref, objectHref } from '../links.ts'
import type { Row } from '../table.ts'
import { coverUnseen } from '../unseen.ts'
import type { Visit } from '../visit.ts'
import { type End, endHtml, endsOf, Unseen } from './ends.ts'
import type { Named } from '../parents.ts'
import { linkFacts, linksOf } from './trace.ts'
import { plainTable } from '../plain-table.ts'

/** So many devices and cables are drawn; the filters choose which. */
const MaxDevices = 400
const MaxCables = 2000

interface Device extends Row {
  url: string
  role: { color?: string } | null
  site: Named
  location: Named | null
  rack: Named | null
  position: number | null
}
interface Listed {
  object_type: string
  object_id: number
}
interface Cable {
  id: number
  a: readonly Node[]
  b: readonly Node[]
}

/** `/dcim/map/?site_id=1`: the devices that filters find and the cables between them, as a drawing and as a table. */
export async function mapPage(visit: Visit): Promise<Answer> {
  const m = modelNamed('dcim.device')
  const cable = modelNamed('dcim.cable')
  if (!may(visit.actor, 'view', m) || !may(visit.actor, 'view', cable)) throw forbidden()
  const condition = conditionOf(visit, m, withSavedFilters(visit, m))
  const { ids, count } = visit.store.reader.page(m, condition, undefined, MaxDevices, 0)
  const devices = devicesOf(visit, ids)
  const { cables, count: all } = cablesAt(visit, ids)
  const ends = endsOf(
    visit,
    cables.flatMap(({ a, b }) => [...a, ...b]),
  )
  const bounds = [
    ...((count ?? 0) > ids.length
      ? [`The first ${ids.length} of ${count!.toLocaleString('en')} devices are drawn: choose by the filters.`]
      : []),
    ...(all > cables.length ? [`The first ${cables.length} of ${all.toLocaleString('en')} cables are drawn.`] : []),
  ]
  return page(visit, {
    title: 'Map',
    note: html`${devices.length} devices, ${cables.length} cables`,
    body: html`${chips(visit, m)}${filterPanel(visit, m)}${bounds.map(
      (text) => html`<p class="message odd" role="status">${text}</p>`,
    )}${
      devices.length
        ? html`<div class="drawing map">${raw(await drawing(visit, devices, cables, ends))}</div>${cableTable(
            visit,
            cables,
            ends,
          )}`
        : html`<p class="empty">No devices match.</p>`
    }`,
  })
}

function devicesOf(visit: Visit, ids: readonly number[]): Device[] {
  const members = ['id', 'url', 'display', 'role', 'site', 'location', 'rack', 'position']
  const m = modelNamed('dcim.device')
  const rows = visit.store.reader
    .rows(m, ids, { members, also: ['role.color'] }, visit.config.basePath)
    .map((bytes) => JSON.parse(bytes.toString()) as Device & { 'role.color'?: string })
  coverUnseen(visit, m, rows, ['role.color'])
  return rows.map((row) => ({ ...row, role: { color: row['role.color'] ?? '' } }))
}

/** Cables of which an end is at one of some devices. */
function cablesAt(visit: Visit, devices: readonly number[]): { cables: Cable[]; count: number } {
  if (devices.length === 0) return { cables: [], count: 0 }
  const m = modelNamed('dcim.cable')
  const query = new URLSearchParams(devices.map((id): [string, string] => ['device_id', String(id)]))
  const found = visit.store.reader.page(m, conditionOf(visit, m, query), undefined, MaxCables, 0)
  const nodes = (list: readonly Listed[]) =>
    list.map(({ object_type, object_id }) => ({ type: object_type, id: object_id }))
  const cables = visit.store.reader
    .rows(m, found.ids, { members: ['id', 'a_terminations', 'b_terminations'] }, visit.config.basePath)
    .map((bytes) => {
      const row = JSON.parse(bytes.toString()) as {
        id: number
        a_terminations: Listed[]
        b_terminations: Listed[]
      }
      return { id: row.id, a: nodes(row.a_terminations), b: nodes(row.b_terminations) }
    })
  return { cables, count: found.count ?? 0 }
}

/** Ids of the devices at one end of a cable, of those ends that the user may view. */
const devicesAt = (nodes: readonly Node[], ends: ReadonlyMap<string, End>): number[] => [
  ...new Set(
    nodes.flatMap(({ type, id }) => {
      const device = ends.get(`${type}:${id}`)?.device as Named | undefined
      return device ? [device.id] : []
    }),
  ),
]

async function drawing(
  visit: Visit,
  devices: readonly Device[],
  cables: readonly Cable[],
  ends: ReadonlyMap<string, End>,
): Promise<string> {
  const byGroup = Map.groupBy(devices, (device) => (device.rack ?? device.location ?? device.site).url)
  const several = new Set(devices.map(({ site }) => site.id)).size > 1
  const place = ({ rack, location, site }: Device): string => {
    const own = rack ?? location ?? site
    return several && own !== site ? `${site.display} › ${own.display}` : own.display
  }
  const widthOf = (text: string): number => Math.min(240, Math.max(90, lengthOf(text, 12) + 24))
  const groups = [...byGroup].map(([id, own]) => ({
    id,
    isRack: own[0]!.rack !== null,
    least: Math.min(260, lengthOf(place(own[0]!), 13.4)),
    boxes: own
      .toSorted((x, y) => (y.position ?? -1) - (x.position ?? -1))
      .map((device) => ({ id: String(device.id), width: widthOf(device.display), height: 26 })),
  }))
  const lines = linesOf(visit, devices, cables, ends)
  const plan = await planOf(visit, { groups, lines: lines.map(({ a, b }) => [a, b] as const) })
  const spots: Spot[] = [...byGroup].map(([id, [first]]) => ({
    id,
    name: place(first!),
    href: hrefOf(visit, id) ?? '',
  }))
  const boxes: Spot[] = devices.map((device) => ({
    id: String(device.id),
    name: device.display,
    href: hrefOf(visit, device.url) ?? '',
    color: device.role?.color ?? '',
  }))
  return mapSvg(plan, spots, boxes, lines)
}

async function planOf(visit: Visit, job: MapJob) {
  try {
    return await planInThread(job, String(visit.actor.userId))
  } catch (error) {
    if (!(error instanceof NotDone)) throw error
    throw new ApiError(503, { detail: `The map cannot be drawn now: ${error.message}.` })
  }
}

/** One line for each two devices with a cable between them. */
function linesOf(
  visit: Visit,
  devices: readonly Device[],
  cables: readonly Cable[],
  ends: ReadonlyMap<string, End>,
): Line[] {
  const names = new Map(devices.map(({ id, display }) => [id, display]))
  const pairs = new Map<string, { from: number; to: number; ids: number[] }>()
  for (const { id, a, b } of cables)
    for (const from of devicesAt(a, ends))
      for (const to of devicesAt(b, ends)) {
        if (from === to || !names.has(from) || !names.has(to)) continue
        const key = [from, to].sort((x, y) => x - y).join()
        const pair = pairs.get(key) ?? { from, to, ids: [] }
        pair.ids.push(id)
        pairs.set(key, pair)
      }
  const facts = linksOf(
    visit,
    cables.map(({ id }) => ({ type: 'dcim.cable', id })),
  )
  return [...pairs.values()].map(({ from, to, ids }) => {
    const first = facts.get(`dcim.cable:${ids[0]}`)
    const between = `${names.get(from)} – ${names.get(to)}`
    return {
      a: String(from),
      b: String(to),
      count: ids.length,
      href: ids.length === 1 ? objectHref(visit, modelNamed('dcim.cable'), ids[0]!) : `#cable-${ids[0]}`,
      title: ids.length === 1 ? `${between}: cable ${first?.display ?? ''}` : `${between}: ${ids.length} cables`,
      color: first?.color ?? '',
      isPlanned: ids.every((id) => facts.get(`dcim.cable:${id}`)?.status === 'planned'),
    }
  })
}

function cableTable(visit: Visit, cables: readonly Cable[], ends: ReadonlyMap<string, End>): Html {
  if (cables.length === 0) return html`<p class="empty">No cables end at these devices.</p>`
  const facts = linksOf(
    visit,
    cables.map(({ id }) => ({ type: 'dcim.cable', id })),
  )
  const side = (nodes: readonly Node[]): Html =>
    html`${nodes.map(({ type, id }) => {
      const end = ends.get(`${type}:${id}`)
      return html`<div>${end ? endHtml(visit, end) : Unseen}</div>`
    })}`
  const first = (nodes: readonly Node[]) => devicesAt(nodes, ends)[0] ?? 0
  // Cables between the same two devices stand together, so that a line of several leads to them.
  const key = ({ a, b }: Cable) => [first(a), first(b)].sort((x, y) => x - y)
  const ordered = cables.toSorted((x, y) => {
    const [[a, b], [c, d]] = [key(x), key(y)]
    return a! - c! || b! - d! || x.id - y.id
  })
  const rows = ordered.map(({ id, a, b }) => {
    const link = facts.get(`dcim.cable:${id}`)!
    const head = html`${dot(link.color ?? '')}<a href="${link.display_url!}">${link.display}</a>`
    const cells = [side(a), side(b), linkFacts(link)].map((each) => html`<td>${each}</td>`)
    return html`<tr id="cable-${id}"><th scope="row" class="lead">${head}</th>${cells}</tr>`
  })
  const all = html`<a class="add" href="${listHref(visit, modelNamed('dcim.cable'))}">All cables</a>`
  const table = plainTable('Cables of these devices', ['Cable', 'A end', 'B end', 'What it is'], rows)
  return html`<section class="panel wide"><h2>Cables <small>${cables.length}</small>${all}</h2>${table}</section>`
}
