import type { Row } from '../fields/field.ts'
import { type Action, Refused, type WriteTools } from '../registry/behaviour.ts'

/** Attributes that a rack takes from its type at every save. */
export const FromType = ['form_factor', 'width', 'u_height', 'starting_unit', 'desc_units', 'outer_width', 'outer_height', 'outer_depth', 'outer_unit', 'mounting_depth', 'weight', 'weight_unit', 'max_weight', '_abs_weight', '_abs_max_weight'] as const

interface Mounted { id: number; position: number; face: string; u_height: number; is_full_depth: number; exclude_from_utilization: number }

/** Devices that take up units of a rack. */
export const mountedIn = (tools: Pick<WriteTools, 'all'>, rackId: number): Mounted[] =>
  tools.all<Mounted>(
    `select d.id, d.position, d.face, t.u_height, t.is_full_depth, t.exclude_from_utilization from dcim_device d join dcim_devicetype t on t.id = d.device_type_id
     where d.rack_id = ? and d.position is not null`, rackId)

/** Why a device cannot be mounted at a position of a rack, or nothing. Heights and positions are in rack units, by halves. */
export function misfit(tools: Pick<WriteTools, 'all'>, rack: Row, device: { id: number | null; position: number; face: string; u_height: number; is_full_depth: number }): string | undefined {
  const [low, high] = [device.position, device.position + device.u_height]
  const [bottom, top] = [rack.starting_unit as number, (rack.starting_unit as number) + (rack.u_height as number)]
  if (low < bottom || high > top) return `U${low} does not exist in this rack, or has too little space above it for a device of ${device.u_height}U.`
  for (const other of mountedIn(tools, rack.id as number)) {
    if (other.id === device.id || low >= other.position + other.u_height || high <= other.position) continue
    if (other.face === device.face || other.is_full_depth || device.is_full_depth) return `U${low} is already occupied or has too little space for a device of ${device.u_height}U.`
  }
  return undefined
}

interface Unit { id: number; name: string; face: { value: string; label: string }; device: unknown; occupied: boolean; display: string; description: string | null }

const Faces: Record<string, string> = { front: 'Front', rear: 'Rear' }

/** Half units of one face of a rack, top first unless it counts downwards. */
function unitsOf(rack: Row, mounted: readonly Mounted[], face: string, exclude: number | undefined, nested: (id: number) => { name?: string | null } | null): Unit[] {
  const units: Unit[] = []
  const start = rack.starting_unit as number
  for (let n = start; n < start + (rack.u_height as number); n += 0.5) {
    const here = mounted.filter((d) => d.id !== exclude && d.u_height > 0 && d.position <= n && n < d.position + d.u_height)
    const own = here.find((d) => d.face === face || d.is_full_depth)
    const name = Number.isInteger(n) ? `U${n}` : `U${Math.floor(n)}.5`
    const device = own ? nested(own.id) : null
    units.push({ id: n, name, face: { value: face, label: Faces[face]! }, device, occupied: own !== undefined, display: name, description: (device as { display?: string } | null)?.display ?? null })
  }
  return rack.desc_units === 1 ? units : units.reverse()
}

/** `elevation` of a rack as JSON. */
export const elevation: Action = {
  get: {
    permission: 'view',
    run: ({ tools, id, query, base }) => {
      const face = query.get('face') ?? 'front'
      if (!Faces[face]) throw new Refused(400, { face: [`"${face}" is not a valid choice.`] })
      const rack = tools.row('dcim.rack', id)!
      const mounted = mountedIn(tools, id)
      const shown = new Map(tools.render('dcim.device', mounted.map((d) => d.id), 'nested').map((text) => [(JSON.parse(text) as { id: number }).id, JSON.parse(text) as { name?: string | null }]))
      const exclude = query.get('exclude') ? Number(query.get('exclude')) : undefined
      const sought = query.get('q')?.toLowerCase()
      const all = unitsOf(rack, mounted, face, exclude, (device) => shown.get(device) ?? null).filter((unit) => !sought || String(unit.id).includes(sought) || unit.name.toLowerCase().includes(sought))
      return { status: 200, text: pageOf(all, query, tools.limit(query), `${base}/api/dcim/racks/${id}/elevation/`) }
    },
  },
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
  const results = all.slice(offset, offset + limit).map((unit) => `{"id":${unit.id.toFixed(1)},${JSON.stringify({ ...unit, id: undefined }).slice(1)}`)
  const next = offset + limit < all.length ? JSON.stringify(link(offset + limit)) : 'null'
  const previous = offset > 0 ? JSON.stringify(link(offset - limit)) : 'null'
  return `{"count":${all.length},"next":${next},"previous":${previous},"results":[${results.join(',')}]}`
}
