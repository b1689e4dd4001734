import { computed } from '../fields/computed.ts'
import type { SqlContext } from '../fields/context.ts'

/** SQL of the id of the L2VPN termination at this interface or VLAN, or null. */
const l2vpnTerminationId = (t: string, sql: SqlContext): string => {
  const a = sql.alias()
  return `(select ${a}.id from ${sql.model('vpn.l2vpntermination').table} ${a}
    where ${a}.assigned_object_type = '${sql.owner.name}' and ${a}.assigned_object_id = ${t}.id limit 1)`
}

/** SQL of the L2VPN termination at this interface or VLAN, or null. */
function l2vpnTerminationOf(t: string, sql: SqlContext): string {
  const target = sql.model('vpn.l2vpntermination')
  const a = sql.alias()
  sql.uses(target.table, { t, column: 'assigned_object_id' })
  return `json((select ${sql.nested(target, a)} from ${target.table} ${a}
    where ${a}.assigned_object_type = '${sql.owner.name}' and ${a}.assigned_object_id = ${t}.id limit 1))`
}

/** The L2VPN termination of an interface or a VLAN, brief. */
export const l2vpnEnd = computed(l2vpnTerminationOf, {
  object: { model: 'vpn.l2vpntermination', id: l2vpnTerminationId },
})
