import type { Row } from '../fields/field.ts'
import { invalid, type WriteEvent, type WriteTools } from '../declare/behaviour.ts'
import { isBroadcast, isNetworkAddress, parseAddress } from '../lib/ip.ts'
import { sql } from '../declare/statement.ts'

/** Roles that several interfaces may share an address under. */
const Shared = new Set(['anycast', 'vip', 'vrrp', 'hsrp', 'glbp', 'carp'])
const Owners = [
  ['dcim.device', ['primary_ip4_id', 'primary_ip6_id', 'oob_ip_id']],
  ['virtualization.virtualmachine', ['primary_ip4_id', 'primary_ip6_id']],
] as const

/** Populated ranges of a VRF from before an address to after it. */
const PopulatedAround = sql<{ a: string; b: string }>`
  select start_address as a, end_address as b from ipam_iprange
  where mark_populated = 1 and start_address_host <= ? and end_address_host >= ? and +vrf_id is ?`

/** Other rows of the same host in a VRF; sought by the host, which fewer rows share. */
const Twins = sql<{ role: string | null }>`
  select role from ipam_ipaddress where address_host = ? and +vrf_id is ? and id <> ?`

/** Rules of one IP address. */
export function checkAddress({ row, before, errors, tools }: WriteEvent<Row>): void {
  const address = parseAddress(row.address as string)!
  if (!before || before.address !== row.address || before.vrf_id !== row.vrf_id || before.role !== row.role)
    checkUniqueHost(row, errors, tools)
  if (row.assigned_object_id !== null && isReserved(address))
    errors.__all__ = [`${row.address} is a network or broadcast address, which cannot be assigned to an interface.`]
  if (row.status === 'slaac' && address.family !== 6)
    errors.status = ['Only IPv6 addresses can be assigned SLAAC status.']
  if (!before) {
    const host = row.address_host as Buffer
    const range = tools.get(PopulatedAround, host, host, row.vrf_id as number | null)
    if (range) errors.address ??= [`Cannot create ${row.address} inside the populated range ${range.a} to ${range.b}.`]
  }
  if (
    before?.assigned_object_id &&
    (before.assigned_object_type !== row.assigned_object_type || before.assigned_object_id !== row.assigned_object_id)
  )
    checkReassigned(row, before, errors, tools)
}

function isReserved(a: ReturnType<typeof parseAddress> & object): boolean {
  if (a.length >= (a.family === 4 ? 31 : 127)) return false
  return isNetworkAddress(a) || isBroadcast(a)
}

function checkUniqueHost(row: Row, errors: Record<string, unknown>, tools: WriteTools): void {
  const isUnique =
    row.vrf_id === null
      ? tools.config.enforceGlobalUnique
      : tools.row('ipam.vrf', row.vrf_id as number)?.enforce_unique === 1
  if (!isUnique) return
  const twins = tools.all(Twins, row.address_host as Buffer, row.vrf_id as number | null, row.id ?? 0)
  const isShared = Shared.has(String(row.role)) && twins.every((twin) => Shared.has(String(twin.role)))
  if (twins.length && !isShared)
    errors.address = [
      `Duplicate IP address found in ${row.vrf_id === null ? 'global table' : 'its VRF'}: ${row.address}`,
    ]
}

/** A primary or out-of-band address stays with its device or virtual machine. */
function checkReassigned(row: Row, before: Row, errors: Record<string, unknown>, tools: WriteTools): void {
  const [from, to] = [ownerOf(tools, before), ownerOf(tools, row)]
  if (from && to?.model === from.model && to.id === from.id) return
  for (const [model, columns] of Owners) {
    const elsewhere = to?.model === model ? { id: { not: to.id } } : {} // a merge brings its new owner with it
    if (columns.some((column) => tools.has(model, { [column]: row.id as number, ...elsewhere })))
      errors.__all__ ??= [`Cannot reassign ${before.address} while it is designated as a primary or out-of-band IP.`]
  }
}

/** Device or virtual machine of the interface that an address is assigned to. */
function ownerOf(tools: Pick<WriteTools, 'row' | 'model'>, address: Row): { model: string; id: number } | undefined {
  const assigned =
    address.assigned_object_id === null
      ? undefined
      : tools.row(tools.model(address.assigned_object_type as string), address.assigned_object_id as number)
  if (assigned?.device_id != null) return { model: 'dcim.device', id: assigned.device_id as number }
  return assigned?.virtual_machine_id == null
    ? undefined
    : { model: 'virtualization.virtualmachine', id: assigned.virtual_machine_id as number }
}

/** What an address is to its device or virtual machine: primary of its family, out-of-band. */
export interface Standing {
  primary: boolean
  oob: boolean
}

/** What a stored address is to the device or machine of its interface. */
export function standingOf(tools: Pick<WriteTools, 'row' | 'model'>, id: number): Standing {
  const row = tools.row('ipam.ipaddress', id) as Row | undefined
  const owner = row && ownerOf(tools, row)
  const of = owner && tools.row(tools.model(owner.model), owner.id)
  return { primary: of?.[`${primaryOf(row!)}_id`] === id, oob: of !== undefined && of.oob_ip_id === id }
}

const primaryOf = (row: Row): string => `primary_ip${(row.address_host as Buffer)[0]}`

/**
 * Makes an address the primary or out-of-band one of the device or machine of its interface, or no more so, by the
 * rules and permissions of a change to that. Throws `Refused` under `primary_for_parent` and `oob_for_parent`.
 */
export function setStanding(tools: WriteTools, id: number, wanted: Standing): void {
  const row = tools.row('ipam.ipaddress', id) as unknown as Row
  const now = standingOf(tools, id)
  const owner = ownerOf(tools, row)
  const changes: Row = {}
  for (const [name, key, member] of [
    ['primary', 'primary_for_parent', primaryOf(row)],
    ['oob', 'oob_for_parent', 'oob_ip'],
  ] as const) {
    if (wanted[name] === now[name]) continue
    if (!owner) throw invalid({ [key]: ['Choose the interface of a device or virtual machine that has the address.'] })
    if (name === 'oob' && owner.model !== 'dcim.device')
      throw invalid({ [key]: ['Virtual machines have no out-of-band address.'] })
    if (!tools.mayOn('change', owner.model, owner.id))
      throw invalid({ [key]: [`You may not change ${tools.display(owner.model, owner.id)}.`] })
    changes[member] = wanted[name] ? id : null
  }
  if (!owner || Object.keys(changes).length === 0) return
  tools.update(owner.model, owner.id, changes)
  if (!tools.mayOn('change', owner.model, owner.id))
    throw invalid({ primary_for_parent: [`You may not change ${tools.display(owner.model, owner.id)} so.`] })
}

/**
 * Takes an address away from the devices and machines that call it primary or out-of-band, each with its change record.
 */
export function releaseAddress(tools: WriteTools, id: number): void {
  for (const [model, columns] of Owners)
    for (const column of columns)
      for (const owner of tools.rows(model, { [column]: id }, { only: ['id'] }))
        tools.patch(model, owner.id, { [column]: null })
}

/** Rules of primary_ip4 and primary_ip6: family, and whose interface, of the model given, holds them. */
export function checkPrimary(
  { row, before, errors, tools }: WriteEvent<Row>,
  fields: readonly string[],
  model: string,
  interfaces: (id: number) => boolean,
): void {
  for (const field of fields) {
    const id = row[`${field}_id`]
    if (id === null || id === undefined || before?.[`${field}_id`] === id) continue
    const address = tools.row('ipam.ipaddress', id as number)!
    const family = (address.address_host as Buffer)[0]
    if ((field === 'primary_ip4' && family !== 4) || (field === 'primary_ip6' && family !== 6))
      errors[field] = [`${address.address} is not an IPv${field.at(-1)} address.`]
    else if (!isOwn(tools, address, model, interfaces))
      errors[field] = ['The specified IP address is not assigned to this object.']
  }
}

function isOwn(tools: WriteTools, address: Row, model: string, interfaces: (id: number) => boolean): boolean {
  const holds = (a: Row | undefined): boolean =>
    a?.assigned_object_id != null && a.assigned_object_type === model && interfaces(a.assigned_object_id as number)
  return (
    holds(address) ||
    (address.nat_inside_id !== null && holds(tools.row('ipam.ipaddress', address.nat_inside_id as number)))
  )
}
