import type { AnyModel } from '../../declare/model.ts'
import type { Json } from './source.ts'

const idOf = (value: unknown): unknown => (typeof value === 'object' && value !== null ? (value as Json).id : undefined)

/** A reference by type and id in the place of the first of some single references that is set. */
const generic =
  (as: string, from: Readonly<Record<string, string>>) =>
  (json: Json): Json => {
    for (const [name, type] of Object.entries(from))
      if (idOf(json[name]) !== undefined) return { [`${as}_type`]: type, [`${as}_id`]: idOf(json[name]) }
    return {}
  }

/**
 * Members as they are now, from those of versions 4.0 to 4.5: by model, the member whose absence tells, and what stands
 * in its place.
 */
const Renamed: Readonly<Record<string, readonly [now: string, from: (json: Json) => Json]>> = {
  'circuits.circuitgroupassignment': ['member_type', generic('member', { circuit: 'circuits.circuit' })],
  'circuits.circuittermination': [
    'termination_type',
    generic('termination', { site: 'dcim.site', provider_network: 'circuits.providernetwork' }),
  ],
  'dcim.frontport': ['rear_ports', mapping],
  'dcim.frontporttemplate': ['rear_ports', mapping],
  'dcim.rack': ['form_factor', (json) => ({ form_factor: json.type })],
  'ipam.prefix': ['scope_type', generic('scope', { site: 'dcim.site' })],
  'ipam.service': [
    'parent_object_type',
    generic('parent_object', { device: 'dcim.device', virtual_machine: 'virtualization.virtualmachine' }),
  ],
  'ipam.vlangroup': [
    'vid_ranges',
    ({ min_vid: low = 1, max_vid: high = 4094 }) => ({
      vid_ranges: [[low, high]],
      total_vlan_ids: Number(high) - Number(low) + 1,
    }),
  ],
  'tenancy.contact': ['groups', (json) => ({ groups: json.group ? [json.group] : [] })],
  'virtualization.cluster': ['scope_type', generic('scope', { site: 'dcim.site' })],
}

/** One rear port behind a front port, as it was before 4.5. */
function mapping({ rear_port, rear_port_position = 1 }: Json): Json {
  return rear_port ? { rear_ports: [{ position: 1, rear_port: idOf(rear_port), rear_port_position }] } : {}
}

/** An object as version 4.6 shows it. */
export function modern(m: AnyModel, json: Json): Json {
  const [now, from] = Renamed[m.name] ?? []
  return now === undefined || now in json ? json : { ...json, ...from!(json) }
}

/** The MAC address of an interface of a version (before 4.2) that had no MAC addresses as objects. */
export const bareMac = (m: AnyModel, json: Json): string | undefined =>
  ['dcim.interface', 'virtualization.vminterface'].includes(m.name) &&
  !('primary_mac_address' in json) &&
  typeof json.mac_address === 'string'
    ? json.mac_address
    : undefined
