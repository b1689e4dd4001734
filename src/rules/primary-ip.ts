import type { SqlContext } from '../fields/field.ts'

export const PrimaryShape = [
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
export function primaryIp(t: string, sql: SqlContext): string {
  const [four, six] = [`${t}.primary_ip4_id`, `${t}.primary_ip6_id`]
  const id = `iif(prefers_ipv4(), coalesce(${four}, ${six}), coalesce(${six}, ${four}))`
  return sql.object(sql.model('ipam.ipaddress'), t, id, PrimaryShape)
}
