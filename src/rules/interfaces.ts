import { computed } from '../fields/computed.ts'
import type { SqlContext } from '../fields/context.ts'
import type { Row } from '../fields/field.ts'
import type { Errors, WriteEvent } from '../declare/behaviour.ts'

/** Kinds of interface that have no connector. */
export const Virtual = new Set(['virtual', 'lag', 'bridge'])
/** Kinds of interface that radiate. */
export const isWireless = (type: string): boolean =>
  /^(ieee802\.11|ieee802\.15)/.test(type) || ['other-wireless', 'gsm', 'cdma', 'lte', '4g', '5g'].includes(type)

export interface RadioAndPower {
  type: string
  poe_mode: string | null
  poe_type: string | null
  rf_role: string | null
}

/** Which settings a type of interface may have; for templates and interfaces alike. */
export function checkRadioAndPower(row: RadioAndPower, errors: Errors): void {
  if (Virtual.has(row.type) && row.poe_mode) errors.poe_mode = ['Virtual interfaces cannot have a PoE mode.']
  if (Virtual.has(row.type) && row.poe_type) errors.poe_type = ['Virtual interfaces cannot have a PoE type.']
  if (row.poe_type && !row.poe_mode) errors.poe_type ??= ['Must specify PoE mode when designating a PoE type.']
  if (row.rf_role && !isWireless(row.type)) errors.rf_role ??= ['May be set only on wireless interfaces.']
}

/** SQL of the primary MAC's text. */
export const primaryMac = (t: string, sql: SqlContext): string => {
  sql.uses('dcim_macaddress')
  return `(select mac_address from dcim_macaddress m where m.id = ${t}.primary_mac_address_id)`
}
/** The number of rows of a table that are assigned to this interface. */
const countAssigned = (table: string, as: string) =>
  computed(
    (t, sql) => {
      sql.uses(table, { t, column: `${as}_id` })
      return `(select count(*) from ${table} a where a.${as}_type = '${sql.owner.name}' and a.${as}_id = ${t}.id)`
    },
    { schema: { type: 'integer' }, type: 'integer' },
  )
/** What is counted at an interface, of a device or of a virtual machine. */
export const assignedCounts = {
  count_ipaddresses: countAssigned('ipam_ipaddress', 'assigned_object'),
  count_fhrp_groups: countAssigned('ipam_fhrpgroupassignment', 'interface'),
}

/** Rules of VLANs and MAC addresses on an interface. `model`: its own; `siteId`: of its device or machine. */
export function checkVlans(
  { row, before, given, errors, tools }: WriteEvent<Row>,
  model: string,
  siteId: number | null,
): void {
  const tagged = given.tagged_vlans as number[] | undefined
  if (row.qinq_svlan_id !== null && row.mode !== 'q-in-q')
    errors.qinq_svlan = ['Only Q-in-Q interfaces may specify a service VLAN.']
  const strange = (id: number | null) => {
    const site = id === null ? null : tools.row('ipam.vlan', id)?.site_id
    return site !== null && site !== undefined && site !== siteId
  }
  if (given.untagged_vlan && strange(row.untagged_vlan_id as number | null))
    errors.untagged_vlan ??= ['The untagged VLAN must belong to the same site as the parent, or be global.']
  if (tagged?.some(strange))
    errors.tagged_vlans ??= ['The tagged VLANs must belong to the same site as the parent, or be global.']
  for (const name of ['parent', 'bridge', 'lag'])
    if (row.id && row[`${name}_id`] === row.id) errors[name] = [`An interface cannot be its own ${name}.`]
  const mac =
    row.primary_mac_address_id !== null && row.primary_mac_address_id !== before?.primary_mac_address_id
      ? tools.row('dcim.macaddress', row.primary_mac_address_id as number)
      : undefined
  if (mac?.assigned_object_id != null && (mac.assigned_object_id !== row.id || mac.assigned_object_type !== model))
    errors.primary_mac_address = ['This MAC address is assigned to another object.']
}

/** Rules of a device interface's VLANs by its mode; the reference leaves those of virtual machines alone. */
export function checkMode({ row, given, errors }: WriteEvent<Row>): void {
  if (row.untagged_vlan_id !== null && !row.mode && given.untagged_vlan)
    errors.untagged_vlan = ['Interface mode must be set before an untagged VLAN.']
  if (
    (given.tagged_vlans as number[] | undefined)?.length &&
    (!row.mode || row.mode === 'access' || row.mode === 'tagged-all')
  )
    errors.tagged_vlans = ['Interface mode does not support tagged VLANs.']
}

/** After an interface is stored: the primary MAC of a new one becomes its own. */
export function takePrimaryMac(
  model: 'dcim.interface' | 'virtualization.vminterface',
  { row, before, tools }: WriteEvent<Row>,
): void {
  const mac = row.primary_mac_address_id as number | null
  if (!before && mac !== null && tools.row('dcim.macaddress', mac)?.assigned_object_id === null) {
    tools.patch('dcim.macaddress', mac, { assigned_object_type: model, assigned_object_id: row.id as number })
  }
}
