import type { SqlContext } from '../fields/context.ts'
import { computed, ref } from '../fields/index.ts'

const PrimaryShape = [
  'id',
  'url',
  'display',
  'family',
  'address',
  'nat_inside',
  'nat_outside',
  'dns_name',
  'description',
] as const

/** The primary address of a device or virtual machine: IPv6 before IPv4, unless PREFER_IPV4 is set. */
function primaryIp(t: string, sql: SqlContext): string {
  const [four, six] = [`${t}.primary_ip4_id`, `${t}.primary_ip6_id`]
  const id = `iif(prefers_ipv4(), coalesce(${four}, ${six}), coalesce(${six}, ${four}))`
  return sql.object(sql.model('ipam.ipaddress'), t, id, PrimaryShape)
}

/** Reference to an address that at most one object of a model has as this. */
export const soleAddress = (more: { filter?: false } = {}) =>
  ref('ipam.ipaddress', { onDelete: 'set null', related: false, unique: true, shape: PrimaryShape, ...more })

/** The primary addresses of a device, virtual device context or virtual machine. */
export const primaryAddresses = {
  primary_ip: computed(primaryIp, { object: { model: 'ipam.ipaddress', shape: PrimaryShape } }),
  primary_ip4: soleAddress({ filter: false }),
  primary_ip6: soleAddress({ filter: false }),
}
