import { Refused, type WriteTools } from '../declare/behaviour.ts'
import { sql } from '../declare/statement.ts'

const Spanning = sql<{ n: number }>`
  select count(*) as n from dcim_interface i
  join dcim_interface lag on lag.id = i.lag_id
  join dcim_device d on d.id = i.device_id
  where lag.device_id <> i.device_id and d.virtual_chassis_id = ?`

/**
 * The members of a virtual chassis that goes are devices by themselves again. Throws `Refused` where a link aggregation
 * spans them.
 */
export function disband(tools: WriteTools, id: number): void {
  const spanning = tools.get(Spanning, id)!.n
  if (spanning)
    throw new Refused(409, {
      detail: `Unable to delete object. ${spanning} interfaces of its members belong to a LAG of another member.`,
    })
  for (const member of tools.rows('dcim.device', { virtual_chassis_id: id }, { only: ['id'] })) {
    tools.patch('dcim.device', member.id, { virtual_chassis_id: null, vc_position: null, vc_priority: null })
  }
}
