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
  const target = sql.model('ipam.ipaddress')
  const a = sql.alias()
  sql.uses(target.table)
  return `json((select ${sql.nested(target, a, PrimaryShape)} from ipam_ipaddress ${a}
    where ${a}.id = iif(prefers_ipv4(), coalesce(${t}.primary_ip4_id, ${t}.primary_ip6_id), coalesce(${t}.primary_ip6_id, ${t}.primary_ip4_id))))`
}
