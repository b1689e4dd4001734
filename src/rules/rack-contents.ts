import type { ActionTools } from '../declare/behaviour.ts'
import { sql } from '../declare/statement.ts'
import type { Face } from './elevation-svg.ts'

/** What may be asked to draw racks: statements, and what the acting user sees. */
export type Seeing = Pick<ActionTools, 'all' | 'find' | 'render'>

/** A device that stands in a rack, or could. Position and height are in rack units, by halves. */
export interface RackDevice {
  id: number
  rack: number | null
  position: number | null
  face: Face | ''
  height: number
  isFullDepth: boolean
  /** Null: the user may not view it, only that something is there. */
  seen: DeviceFacts | null
}
interface DeviceFacts {
  name: string
  role: string
  color: string
  maker: string
  model: string
  serial: string
  assetTag: string | null
  description: string
  /** Paths of pictures below the uploads. */
  images: Readonly<Record<Face, string | null>>
  /** When it was last changed, as it is stored. */
  changed: string | null
}

interface Found {
  id: number
  rack_id: number | null
  position: number | null
  face: Face | null
  u_height: number
  is_full_depth: number
  name: string | null
  serial: string
  asset_tag: string | null
  description: string
  last_updated: string | null
  model: string
  maker: string
  role: string
  color: string
  front_image: string | null
  rear_image: string | null
}
const columns = `d.id, d.rack_id, d.position, d.face, t.u_height, t.is_full_depth, d.name, d.serial, d.asset_tag,
  d.description, d.last_updated, t.model, m.name as maker, r.name as role, r.color, t.front_image, t.rear_image`
/** The devices come first, whatever SQLite thinks of them: there are few roles, but many devices of each. */
const joins = `dcim_device d
  cross join dcim_devicetype t on t.id = d.device_type_id
  cross join dcim_manufacturer m on m.id = t.manufacturer_id
  cross join dcim_devicerole r on r.id = d.role_id`
const InRacks = sql<Found>`select ${columns} from ${joins} where d.rack_id in (select value from json_each(?))`
const ById = sql<Found>`select ${columns} from ${joins} where d.id in (select value from json_each(?))`

const queryOf = (rackIds: readonly number[]) =>
  new URLSearchParams(rackIds.map((id): [string, string] => ['rack_id', String(id)]))

/** The devices assigned to some racks, those at no unit too. */
export function devicesInRacks(tools: Seeing, rackIds: readonly number[]): RackDevice[] {
  if (rackIds.length === 0) return []
  const query = queryOf(rackIds)
  const visible = new Set(tools.find('dcim.device', query))
  return shownAs(tools, tools.all(InRacks, JSON.stringify(rackIds)), visible)
}

/** Devices that the user may view, by their ids and in that order. */
export function devicesById(tools: Seeing, ids: readonly number[]): RackDevice[] {
  const found = shownAs(tools, tools.all(ById, JSON.stringify(ids)), new Set(ids))
  const at = new Map(ids.map((id, i) => [id, i]))
  return found.sort((a, b) => at.get(a.id)! - at.get(b.id)!)
}

function shownAs(tools: Seeing, found: readonly Found[], visible: ReadonlySet<number>): RackDevice[] {
  const nameless = found.filter(({ id, name }) => !name && visible.has(id)).map(({ id }) => id)
  const names = new Map(
    tools.render('dcim.device', nameless, 'nested').map((text) => {
      const device = JSON.parse(text) as { id: number; display: string }
      return [device.id, device.display]
    }),
  )
  return found.map((row) => ({
    id: row.id,
    rack: row.rack_id,
    position: row.position,
    face: row.face ?? '',
    height: row.u_height,
    isFullDepth: row.is_full_depth === 1,
    seen: visible.has(row.id)
      ? {
          name: row.name || names.get(row.id) || String(row.id),
          role: row.role,
          color: row.color,
          maker: row.maker,
          model: row.model,
          serial: row.serial,
          assetTag: row.asset_tag,
          description: row.description,
          images: { front: row.front_image, rear: row.rear_image },
          changed: row.last_updated,
        }
      : null,
  }))
}

/** Units of a rack that are set aside, and what for. */
export interface Reserved {
  id: number
  rack: number
  units: readonly number[]
  text: string
}
const ReservedIn = sql<{ id: number; rack_id: number; units: string; description: string }>`
  select id, rack_id, units, description from dcim_rackreservation
  where rack_id in (select value from json_each(?)) order by id`

/** Reservations in some racks that the user may view. */
export function reservedIn(tools: Seeing, rackIds: readonly number[]): Reserved[] {
  if (rackIds.length === 0) return []
  const query = queryOf(rackIds)
  const visible = new Set(tools.find('dcim.rackreservation', query))
  return tools
    .all(ReservedIn, JSON.stringify(rackIds))
    .filter(({ id }) => visible.has(id))
    .map(({ id, rack_id, units, description }) => ({
      id,
      rack: rack_id,
      units: JSON.parse(units) as number[],
      text: description,
    }))
}
