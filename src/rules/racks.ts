import type { WriteTools } from '../declare/behaviour.ts'
import type { RowNamed } from '../declare/model.ts'
import { sql } from '../declare/statement.ts'

export interface Mounted {
  id: number
  position: number
  face: string
  u_height: number
  is_full_depth: number
  exclude_from_utilization: number
}

/** Devices that take up units of a rack. */
export const mountedIn = (tools: Pick<WriteTools, 'all'>, rackId: number): Mounted[] => tools.all(MountedIn, rackId)
const MountedIn = sql<Mounted>`
  select d.id, d.position, d.face, t.u_height, t.is_full_depth, t.exclude_from_utilization
  from dcim_device d join dcim_devicetype t on t.id = d.device_type_id
  where d.rack_id = ? and d.position is not null`

/**
 * Why a device cannot be mounted at a position of a rack, or nothing. Heights and positions are in rack units, by
 * halves.
 */
export function unmountable(
  tools: Pick<WriteTools, 'all'>,
  rack: Pick<RowNamed<'dcim.rack'>, 'id' | 'starting_unit' | 'u_height'>,
  device: { id: number | null; position: number; face: string; u_height: number; is_full_depth: number },
): string | undefined {
  const [low, high] = [device.position, device.position + device.u_height]
  const [bottom, top] = [rack.starting_unit, rack.starting_unit + rack.u_height]
  if (low < bottom || high > top)
    return `U${low} does not exist in this rack, or has too little space above it for a device of ${device.u_height}U.`
  for (const other of mountedIn(tools, rack.id)) {
    if (other.id === device.id || low >= other.position + other.u_height || high <= other.position) continue
    if (other.face === device.face || other.is_full_depth || device.is_full_depth)
      return `U${low} is already occupied or has too little space for a device of ${device.u_height}U.`
  }
  return undefined
}
