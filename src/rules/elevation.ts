import { pageQuery, pageSchema } from './page-schema.ts'
import type { Row } from '../fields/field.ts'
import { type Action, type ActionRequest, type ActionTools, type Errors, invalid } from '../declare/behaviour.ts'
import { type DrawnDevice, elevationSvg, type Face } from './elevation-svg.ts'
import { devicesInRacks, reservedIn } from './rack-contents.ts'
import { type Mounted, mountedIn } from './racks.ts'

interface Asked {
  face: Face
  render: string
  q: string | undefined
  exclude: number | undefined
  expand: boolean
  images: boolean
  unitWidth: number
  unitHeight: number
  legendWidth: number
  marginWidth: number
  highlight: URLSearchParams
}

const Largest = 10_000
const Truth: Record<string, boolean> = {
  true: true,
  t: true,
  yes: true,
  y: true,
  on: true,
  1: true,
  false: false,
  f: false,
  no: false,
  n: false,
  off: false,
  0: false,
}

/** Query parameters besides those of the page. */
const Parameters = {
  face: { type: 'string', enum: ['front', 'rear'] },
  render: { type: 'string', enum: ['json', 'svg'] },
  q: { type: 'string' },
  exclude: { type: 'integer' },
  expand_devices: { type: 'boolean' },
  include_images: { type: 'boolean' },
  unit_width: { type: 'integer', minimum: 1, maximum: Largest },
  unit_height: { type: 'integer', minimum: 1, maximum: Largest },
  legend_width: { type: 'integer', minimum: 0, maximum: Largest },
  margin_width: { type: 'integer', minimum: 0, maximum: Largest },
  highlight: { type: 'string' },
}

/** The parameters of a request. Throws `Refused` with a text for each that cannot be taken. */
function asked(query: URLSearchParams, config: ActionTools['config']): Asked {
  const errors: Errors = {}
  const given = (name: string) => query.getAll(name).at(-1)?.trim() || undefined
  const among = <T extends string>(name: string, choices: readonly T[]): T => {
    const text = given(name) ?? choices[0]!
    if (!choices.includes(text as T)) errors[name] = [`"${text}" is not a valid choice.`]
    return text as T
  }
  const whole = (name: string, least: number, preset: number): number => {
    const text = given(name) ?? String(preset)
    const n = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined
    if (n === undefined) errors[name] = ['A valid integer is required.']
    else if (n < least || n > Largest)
      errors[name] = [
        `Ensure this value is ${n < least ? `greater than or equal to ${least}` : `less than or equal to ${Largest}`}.`,
      ]
    return n ?? preset
  }
  const yes = (name: string): boolean => {
    const truth = Truth[given(name)?.toLowerCase() ?? 'true']
    if (truth === undefined) errors[name] = ['Must be a valid boolean.']
    return truth ?? true
  }
  const exclude = given('exclude')
  if (exclude && !/^\d{1,15}$/.test(exclude)) errors.exclude = ['A valid integer is required.']
  const result: Asked = {
    face: among('face', ['front', 'rear']),
    render: among('render', ['json', 'svg']),
    q: given('q')?.toLowerCase(),
    exclude: exclude ? Number(exclude) : undefined,
    expand: yes('expand_devices'),
    images: yes('include_images'),
    unitWidth: whole('unit_width', 1, config.rackElevationUnitWidth as number),
    unitHeight: whole('unit_height', 1, config.rackElevationUnitHeight as number),
    legendWidth: whole('legend_width', 0, 30),
    marginWidth: whole('margin_width', 0, 15),
    highlight: new URLSearchParams(
      query
        .getAll('highlight')
        .filter((pair) => pair.includes(':'))
        .map((pair): [string, string] => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
    ),
  }
  if (Object.keys(errors).length) throw invalid(errors)
  return result
}

/** `elevation`: the half units of one face of a rack as JSON, or a drawing of it. */
export const elevation: Action = {
  get: {
    drawings: () => ['face=front&render=svg', 'face=rear&render=svg'],
    permission: 'view',
    schema: pageSchema({
      type: 'object',
      properties: {
        id: { type: 'number' },
        name: { type: 'string' },
        face: {
          type: 'object',
          properties: { value: { type: 'string', enum: ['front', 'rear'] }, label: { type: 'string' } },
        },
        device: { '~nested': 'dcim.device', nullable: true },
        occupied: { type: 'boolean' },
        display: { type: 'string' },
        description: { type: ['string', 'null'] },
      },
    }),
    query: { ...Parameters, ...pageQuery },
    run: (request) => {
      const { tools, id, query, base } = request
      const options = asked(query, tools.config)
      const rack = tools.row('dcim.rack', id)!
      if (options.render === 'svg') return { status: 200, text: draw(request, rack, options), type: 'image/svg+xml' }
      const mounted = mountedIn(tools, id).filter((device) => device.id !== options.exclude && device.u_height > 0)
      const visible = devicesSeen(tools, id)
      const shown = new Map(
        tools
          .render(
            'dcim.device',
            mounted.map((d) => d.id).filter((device) => visible.has(device)),
            'nested',
          )
          .map((text) => {
            const device = JSON.parse(text) as { id: number; display: string }
            return [device.id, device]
          }),
      )
      const all = unitsOf(rack, mounted, options, shown).filter(
        (unit) => !options.q || unit.id.toFixed(1).includes(options.q) || unit.name.toLowerCase().includes(options.q),
      )
      return { status: 200, text: pageOf(all, query, tools.limit(query), `${base}/api/dcim/racks/${id}/elevation/`) }
    },
  },
}

/** Devices in a rack that the acting user may view. */
const devicesSeen = (tools: ActionTools, rackId: number): Set<number> =>
  tools.may('view', 'dcim.device')
    ? new Set(tools.find('dcim.device', new URLSearchParams({ rack_id: String(rackId) })))
    : new Set()

interface Unit {
  id: number
  name: string
  face: { value: string; label: string }
  device: unknown
  occupied: boolean
  display: string
  description: string | null
}

/**
 * Half units of one face, top first unless the rack counts downwards; without `expand` a device is named in its lowest
 * one alone.
 */
function unitsOf(
  rack: Row,
  mounted: readonly Mounted[],
  { face, expand }: Asked,
  shown: Map<number, { display: string }>,
): Unit[] {
  const units: Unit[] = []
  const start = rack.starting_unit as number
  const label = face === 'front' ? 'Front' : 'Rear'
  for (let n = start; n < start + (rack.u_height as number); n += 0.5) {
    const own = mounted.find(
      (d) => (d.face === face || d.is_full_depth) && d.position <= n && n < d.position + d.u_height,
    )
    const name = Number.isInteger(n) ? `U${n}` : `U${Math.floor(n)}.5`
    const device = own && (expand || n === own.position) ? (shown.get(own.id) ?? null) : null
    units.push({
      id: n,
      name,
      face: { value: face, label },
      device,
      occupied: own !== undefined,
      display: name,
      description: device?.display ?? null,
    })
  }
  return rack.desc_units === 1 ? units : units.reverse()
}

/** One page of the units, with decimal ids as the reference prints them (1.0). */
function pageOf(all: readonly Unit[], query: URLSearchParams, limit: number, path: string): string {
  const offset = /^\d{1,9}$/.test(query.get('offset') ?? '') ? Number(query.get('offset')) : 0
  const link = (at: number) => {
    const next = new URLSearchParams(query)
    next.set('limit', String(limit))
    if (at > 0) next.set('offset', String(at))
    else next.delete('offset')
    next.sort()
    return `${path}?${next}`
  }
  const results = all
    .slice(offset, offset + limit)
    .map((unit) => `{"id":${unit.id.toFixed(1)},${JSON.stringify({ ...unit, id: undefined }).slice(1)}`)
  const next = offset + limit < all.length ? JSON.stringify(link(offset + limit)) : 'null'
  const previous = offset > 0 ? JSON.stringify(link(offset - limit)) : 'null'
  return `{"count":${all.length},"next":${next},"previous":${previous},"results":[${results.join(',')}]}`
}

function draw({ tools, id, base }: ActionRequest, rack: Row, options: Asked): string {
  const bright = options.highlight.size ? new Set(tools.find('dcim.device', options.highlight)) : new Set<number>()
  const devices = devicesInRacks(tools, [id])
    .filter(
      (device) =>
        device.position !== null &&
        device.height > 0 &&
        device.id !== options.exclude &&
        (device.face === options.face || device.isFullDepth),
    )
    .map(({ id: own, position, height, face, seen }): DrawnDevice => {
      const picture = seen?.images[face === options.face ? 'front' : 'rear']
      return {
        id: own,
        position: position!,
        height,
        face: face as Face,
        shown: seen && {
          name: seen.name,
          role: seen.role,
          model: seen.model,
          color: seen.color,
          link: `${base}/dcim/devices/${own}/`,
          facts: [
            `Role: ${seen.role}`,
            `Type: ${seen.maker} ${seen.model} (${height}U)`,
            seen.assetTag ? `Asset tag: ${seen.assetTag}` : '',
            seen.serial ? `Serial: ${seen.serial}` : '',
            seen.description,
          ],
          image: options.images && picture ? `${base}/media/${encodeURI(picture)}` : null,
          highlighted: bright.has(own),
        },
      }
    })
  const reservations = reservedIn(tools, [id]).map(({ id: own, units, text }) => ({
    units,
    text,
    link: `${base}/dcim/rack-reservations/${own}/`,
  }))
  return elevationSvg(
    {
      name: rack.facility_id ? `${rack.name} (${rack.facility_id})` : (rack.name as string),
      height: rack.u_height as number,
      startingUnit: rack.starting_unit as number,
      descending: rack.desc_units === 1,
    },
    options.face,
    devices,
    reservations,
    options,
  )
}
