import { computed } from '../fields/computed.ts'
import type { SqlContext } from '../fields/context.ts'
import { q } from '../lib/sql.ts'

/** References by which interfaces of a kind are parts of something. */
const Wholes = {
  'dcim.interface': ['device', 'dcim.device'],
  'virtualization.vminterface': ['virtual_machine', 'virtualization.virtualmachine'],
  'ipam.vlan': ['site', 'dcim.site'],
} as const

/** What has the object of a generic reference: the device or virtual machine of an interface, the site of a VLAN. */
export const parentOfAssigned = (as: string, label: string) =>
  computed(
    (t, sql) => {
      const arms = Object.entries(Wholes).map(([type, [by, whole]]) => {
        const [part, target] = [sql.model(type), sql.model(whole)]
        const [p, w] = [sql.alias(), sql.alias()]
        for (const { table } of [part, target]) sql.uses(table)
        return `when '${type}' then (select ${sql.nested(target, w)} from ${q(part.table)} ${p}
          join ${q(target.table)} ${w} on ${w}.id = ${p}.${by}_id where ${p}.id = ${t}.${as}_id)`
      })
      return `json(case ${t}.${as}_type ${arms.join(' ')} end)`
    },
    { label },
  )

/** Whether one of some references leads to the object: those of a table's columns. */
function isReferred(t: string, sql: SqlContext, from: Readonly<Record<string, readonly string[]>>): string {
  const found = Object.entries(from).flatMap(([name, columns]) => {
    const { table } = sql.model(name)
    sql.uses(table)
    return columns.map((column) => `exists (select 1 from ${q(table)} where ${column} = ${t}.id)`)
  })
  return `json(iif(${found.join(' or ')}, 'true', 'false'))`
}

/** Whether a MAC address is the primary one of an interface. */
export const isPrimaryMac = computed(
  (t, sql) =>
    isReferred(t, sql, {
      'dcim.interface': ['primary_mac_address_id'],
      'virtualization.vminterface': ['primary_mac_address_id'],
    }),
  { label: 'Primary' },
)

const Primary = ['primary_ip4_id', 'primary_ip6_id']
/** Whether an IP address is the primary one of a device or virtual machine. */
export const isPrimaryAddress = computed(
  (t, sql) => isReferred(t, sql, { 'dcim.device': Primary, 'virtualization.virtualmachine': Primary }),
  { label: 'Primary IP' },
)
/** Whether an IP address is the one by which a device is reached out of band. */
export const isOutOfBandAddress = computed((t, sql) => isReferred(t, sql, { 'dcim.device': ['oob_ip_id'] }), {
  label: 'OOB IP',
})
