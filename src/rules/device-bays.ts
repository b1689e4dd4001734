import type { WriteTools } from '../declare/behaviour.ts'
import { refreshComponents } from './places.ts'

/** Takes the devices in the bays of a device to where it is, and theirs. */
export function moveInstalled(
  tools: WriteTools,
  parent: { id: number; site_id: number; location_id: number | null; rack_id: number | null },
): void {
  const place = { site_id: parent.site_id, location_id: parent.location_id, rack_id: parent.rack_id }
  const bays = tools.rows('dcim.devicebay', { device_id: parent.id, installed_device_id: { not: null } })
  if (bays.length === 0) return
  for (const child of tools.rows('dcim.device', { id: { in: bays.map((bay) => bay.installed_device_id!) } })) {
    if (child.site_id === place.site_id && child.location_id === place.location_id && child.rack_id === place.rack_id)
      continue
    tools.patch('dcim.device', child.id, place)
    refreshComponents(tools, 'device', child.id)
    moveInstalled(tools, { id: child.id, ...place })
  }
}
