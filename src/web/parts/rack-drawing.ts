import { html, raw } from 'hono/html'
import { runsOf } from '../../lib/number-runs.ts'
import { shownTo } from '../../http/lists.ts'
import { etagText } from '../../http/resource.ts'
import { fit } from '../../lib/text-width.ts'
import type { Face } from '../../rules/elevation-svg.ts'
import type { RackDevice, Reserved, Seeing } from '../../rules/rack-contents.ts'
import { modelNamed } from '../../engine/catalog.ts'
import { hexColor, readableOn } from '../../lib/color.ts'
import type { Html } from '../cells.ts'
import { objectHref } from '../links.ts'
import type { Visit } from '../visit.ts'

/** A rack as drawings need it: where it is, its height and how its units are numbered. */
export interface DrawnRack {
  id: number
  display: string
  height: number
  start: number
  isDescending: boolean
  site: number
  location: number | null
}

/** The statements and lists by which a visit sees what is in racks. */
export const seeing = (visit: Visit): Seeing => ({
  ...shownTo(visit),
  all: (statement, ...values) => visit.store.db.all(statement.text, ...values),
})

/** Racks by their ids, in that order. */
export function racksBy(visit: Visit, ids: readonly number[]): DrawnRack[] {
  const members = ['id', 'display', 'u_height', 'starting_unit', 'desc_units', 'site', 'location']
  return visit.store.reader.rows(modelNamed('dcim.rack'), ids, { members }, visit.config.basePath).map((bytes) => {
    const row = JSON.parse(bytes.toString()) as {
      id: number
      display: string
      u_height: number
      starting_unit: number
      desc_units: boolean
      site: { id: number }
      location: { id: number } | null
    }
    return {
      id: row.id,
      display: row.display,
      height: row.u_height,
      start: row.starting_unit,
      isDescending: row.desc_units,
      site: row.site.id,
      location: row.location?.id ?? null,
    }
  })
}

/** Sizes in the drawing's own units, which are pixels where it is not scaled. */
const Size = { unit: 24, width: 212, legend: 30, margin: 16, edge: 2 } as const

interface Drawn {
  /** Where a device is added at a unit of this face: shown on what is free. */
  add?: ((position: number) => string) | undefined
  /** Devices that the user may move. */
  movable?: ReadonlySet<number>
  /** Devices and units that the drawing is about. */
  bright?: { devices?: ReadonlySet<number>; units?: ReadonlySet<number> }
}

/** A stretch of units as people say it: `U3`, `U3–U4`, `U3.5`. */
export const unitsText = (position: number, height: number): string =>
  height <= 1 ? `U${position}` : `U${position}–U${position + Math.max(1, Math.ceil(height)) - 1}`

/** Whether a device is to be seen at a face: mounted there, or as deep as the rack. */
const isAt = (device: RackDevice, face: Face): boolean =>
  device.position !== null && device.height > 0 && (device.face === face || device.isFullDepth)

/** Free stretches of a face, from their lowest position up to where they end, by halves of units. */
export function freeIn(rack: DrawnRack, face: Face, devices: readonly RackDevice[]): [from: number, to: number][] {
  const mounted = devices.filter((device) => isAt(device, face))
  const found: [number, number][] = []
  for (let at = rack.start; at < rack.start + rack.height; at += 0.5) {
    if (mounted.some(({ position, height }) => position! <= at && at < position! + height)) continue
    const last = found.at(-1)
    if (last && last[1] === at) last[1] = at + 0.5
    else found.push([at, at + 0.5])
  }
  return found
}

/** Where so many units begin from a position on, from the top of the drawing. */
const top = ({ isDescending, start, height }: DrawnRack, position: number, units: number): number =>
  Size.edge + Size.unit * (isDescending ? position - start : start + height - position - units)

const gridId = ({ height, start, isDescending }: DrawnRack): string =>
  `rack-${height}-${start}${isDescending ? '-down' : ''}`

/** The frame, lines and numbers of a rack's units, which racks of the same height and numbers share. */
function grid(rack: DrawnRack): Html {
  const { unit, width, legend, edge } = Size
  const height = rack.height * unit
  const numbers = Array.from({ length: rack.height }, (_, i) => rack.start + i)
  const lines = numbers.map((n) => `M${legend + edge} ${top(rack, n, 1)}h${width}`).join('')
  return html`<g id="${gridId(rack)}" class="grid"><rect class="inside" x="${legend + edge / 2}" y="${edge / 2}"
    width="${width + edge}" height="${height + edge}" rx="2"/><path class="lines"
      d="${raw(lines)}"/><g class="numbers">${numbers.map(
        (n) => html`<text x="${legend - 5}" y="${top(rack, n, 1) + unit / 2}">${n}</text>`,
      )}</g></g>`
}

/** One face of a rack, as a drawing in the page: links to what is in it, marked for the script that moves devices. */
export function faceDrawing(
  visit: Visit,
  rack: DrawnRack,
  face: Face,
  devices: readonly RackDevice[],
  reserved: readonly Reserved[],
  drawn: Drawn = {},
): Html {
  const { unit, width, legend, margin, edge } = Size
  const height = rack.height * unit
  const whole = [legend + width + margin + 2 * edge, height + 2 * edge] as const
  const y = (position: number, units: number) => top(rack, position, units)
  const x = legend + edge
  const box = (position: number, units: number) =>
    raw(`x="${x}" y="${y(position, units)}" width="${width}" height="${units * unit}"`)
  const mounted = devices.filter((device) => isAt(device, face))
  const taken = devices
    .filter((device) => device.position !== null && device.height > 0)
    .map(({ id, position, height: own, face: at, isFullDepth, seen }) => [
      position,
      own,
      at,
      isFullDepth ? 1 : 0,
      seen ? id : null,
      seen?.name ?? 'something you may not see',
    ])
  return html`<svg class="elevation" viewBox="0 0 ${whole[0]} ${whole[1]}" width="${whole[0]}" height="${whole[1]}"
    role="group" aria-label="${rack.display}, ${face}" data-rack="${rack.id}" data-name="${rack.display}"
    data-face="${face}" data-height="${rack.height}" data-start="${rack.start}"
    data-descending="${rack.isDescending ? 1 : ''}" data-site="${rack.site}" data-location="${rack.location ?? ''}"
    data-box="${x} ${edge} ${width} ${unit}" data-taken="${JSON.stringify(taken)}">
<use href="#${gridId(rack)}" aria-hidden="true"/>
${reserved.map((each) => reservedParts(visit, rack, each, mounted, { y, x, box }, drawn))}
${
  drawn.add
    ? freeIn(rack, face, devices).map(([from, to]) => {
        const at = Number.isInteger(from) || to - from < 1.5 ? from : from + 0.5
        return html`<a class="free" href="${drawn.add!(at)}" data-from="${from}" data-to="${to}"
          aria-label="Add a device at ${face} U${at}"><rect ${box(from, to - from)}/></a>`
      })
    : ''
}${mounted.map((device) => mountedPart(visit, device, face, { x, y, box }, drawn))}
</svg>`
}

interface Places {
  x: number
  y: (position: number, units: number) => number
  box: (position: number, units: number) => ReturnType<typeof raw>
}

function reservedParts(
  visit: Visit,
  rack: DrawnRack,
  { id, units, text }: Reserved,
  mounted: readonly RackDevice[],
  { x, y, box }: Places,
  { bright }: Drawn,
): Html {
  const within = units.filter((unit) => unit >= rack.start && unit < rack.start + rack.height)
  const isFree = (unit: number) =>
    !mounted.some(({ position, height }) => position! < unit + 1 && unit < position! + height)
  const free = runsOf(within.filter(isFree))
  const href = objectHref(visit, modelNamed('dcim.rackreservation'), id)
  const isBright = bright?.units && within.some((unit) => bright.units!.has(unit))
  return html`${free.map(
    ([from, to]) =>
      html`<rect class="reserved${isBright ? ' bright' : ''}" fill="url(#rack-reserved)"
        ${box(from, to - from + 1)}/><text class="why" x="${x + Size.width / 2}"
          y="${y(from, to - from + 1) + ((to - from + 1) * Size.unit) / 2}">${fit(text, Size.width - 10, 11)}</text>`,
  )}<a class="kept" href="${href}"
    aria-label="Reservation: ${text}, units ${within.join(', ')}"><title>Reserved: ${text}</title>${runsOf(within).map(
      ([from, to]) =>
        html`<rect class="keeper" x="${x + Size.width + 4}" y="${y(from, to - from + 1) + 1}" width="${Size.margin - 4}"
        height="${(to - from + 1) * Size.unit - 2}" rx="2"/>`,
    )}</a>`
}

function mountedPart(
  visit: Visit,
  device: RackDevice,
  face: Face,
  { x, y, box }: Places,
  { movable, bright }: Drawn,
): Html {
  const { seen, height } = device
  const position = device.position!
  const middle = y(position, height) + (height * Size.unit) / 2
  const isBehind = device.face !== face
  if (!seen) {
    const word = html`<text x="${x + Size.width / 2}" y="${middle}">occupied</text>`
    return html`<g class="mounted unknown"><title>Occupied</title><rect ${box(position, height)}/>${word}</g>`
  }
  const color = hexColor(seen.color, '9e9e9e')
  const image = seen.images[isBehind ? 'rear' : 'front']
  const isTall = height >= 2 && !image
  const size = Math.min(12, height * Size.unit * 0.62)
  const facts = [
    seen.name,
    `${seen.role} · ${seen.maker} ${seen.model} (${height}U)`,
    unitsText(position, height) + (isBehind ? `, mounted at the ${device.face}` : ''),
    seen.assetTag ? `Asset tag ${seen.assetTag}` : '',
    seen.serial ? `Serial ${seen.serial}` : '',
    seen.description,
  ]
  const classes = [
    'mounted',
    ...(isBehind ? ['behind'] : []),
    ...(image ? ['pictured'] : []),
    ...(bright?.devices?.has(device.id) ? ['bright'] : []),
  ].join(' ')
  return html`<a class="${classes}" href="${objectHref(visit, modelNamed('dcim.device'), device.id)}"${
    movable?.has(device.id) ? marks(device) : ''
  }><title>${facts.filter(Boolean).join('\n')}</title><rect ${box(position, height)} rx="1.5" fill="#${color}"/>${
    image
      ? html`<image ${box(position, height)} href="${visit.config.basePath}/media/${encodeURI(image)}"
        preserveAspectRatio="none"/>`
      : ''
  }${
    isBehind && !image ? html`<rect fill="url(#rack-behind)" ${box(position, height)}/>` : ''
  }<text x="${x + Size.width / 2}" y="${isTall ? middle - 8 : middle}" font-size="${size}" fill="#${
    image ? 'ffffff' : isBehind ? '000000' : readableOn(color)
  }">${fit(seen.name, Size.width - 10, size)}</text>${
    isTall
      ? html`<text class="model" x="${x + Size.width / 2}" y="${middle + 9}" font-size="10" fill="#${
          isBehind ? '000000' : readableOn(color)
        }">${fit(seen.model, Size.width - 10, 10)}</text>`
      : ''
  }</a>`
}

/** What the script knows a device by that may be moved. */
export function marks({ id, height, isFullDepth, rack, position, face, seen }: RackDevice): Html {
  const etag = etagText(seen?.changed ?? null) ?? ''
  return html` data-device="${id}" data-units="${height}" data-deep="${isFullDepth ? 1 : ''}" data-in="${rack ?? ''}"
    data-at="${position ?? ''}" data-side="${face}" data-title="${seen?.name ?? ''}" data-etag="${etag}"`
}

/** What the drawings of some racks share; once on each page. */
export const patterns = (
  racks: readonly DrawnRack[],
): Html => html`<svg class="unseen" aria-hidden="true" width="0" height="0"><defs>
<pattern id="rack-reserved" width="8" height="8" patternUnits="userSpaceOnUse"
  patternTransform="rotate(45)"><rect class="hatch-back" width="8" height="8"/><rect class="hatch" width="3"
    height="8"/></pattern>
<pattern id="rack-behind" width="6" height="6" patternUnits="userSpaceOnUse"
  patternTransform="rotate(-45)"><rect width="6" height="6" fill="#ffffff" fill-opacity="0.35"/><rect width="2.5"
    height="6" fill="#ffffff" fill-opacity="0.5"/></pattern>
${[...new Map(racks.map((rack) => [gridId(rack), rack])).values()].map(grid)}</defs></svg>`
