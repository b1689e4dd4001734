import type { SqlContext } from '../fields/context.ts'
import { FilterError, type Filter } from '../filters/filter.ts'

/** SQL of the first virtual address of an FHRP group, or null. */
export function firstAddress(t: string, sql: SqlContext): string {
  sql.uses('ipam_ipaddress', { t, column: 'assigned_object_id' })
  const a = sql.alias()
  return `(select ${a}.address from ipam_ipaddress ${a}
    where ${a}.assigned_object_type = 'ipam.fhrpgroup' and ${a}.assigned_object_id = ${t}.id
    order by ${a}.address_host, ${a}.address_mask, ${a}.id limit 1)`
}

/** Groups with an address in the network of a given IP address and in its VRF. */
export const relatedIpFilter: Filter = {
  lookups: [],
  multiple: true,
  schema: { type: 'integer' },
  compile: (values, _lookup, c) => {
    c.uses('ipam_ipaddress')
    const ids = values.map((value) => {
      if (!/^\s*\d{1,15}\s*$/.test(value) || c.idsOf('ipam.ipaddress', 'id', value).length === 0)
        throw new FilterError(`Select a valid choice. ${value} is not one of the available choices.`)
      return c.bind(Number(value))
    })
    return `${c.t}.id in (select v.assigned_object_id from ipam_ipaddress g
      join ipam_ipaddress v on v.assigned_object_type = 'ipam.fhrpgroup' and v.vrf_id is g.vrf_id
      and v.address_host
        between network_first(g.address_host, g.address_mask) and network_last(g.address_host, g.address_mask)
        where g.id in (${ids.join(', ')}))`
  },
}
