import type { SqlContext } from '../fields/context.ts'
import type { WriteTools } from '../declare/behaviour.ts'
import { methodFilter } from '../filters/method.ts'
import { among, type Filter, type FilterContext } from '../filters/filter.ts'
import { textAmong } from '../filters/string.ts'

/** The device in whose bay a device is installed, with the bay, as a device shows it; null for others. */
export function parentDevice(t: string, sql: SqlContext): string {
  const [bay, device] = [sql.model('dcim.devicebay'), sql.model('dcim.device')]
  const [b, d] = [sql.alias(), sql.alias()]
  sql.uses(bay.table, { t, column: 'installed_device_id' })
  sql.uses(device.table)
  const parent = sql.nested(device, d, ['id', 'url', 'display_url', 'display', 'name'])
  const within = sql.nested(bay, b, [
    'id',
    'url',
    'display_url',
    'display',
    { device: ['id', 'url', 'display_url', 'display', 'name'] },
    'name',
  ])
  return `json((select json_insert(${parent}, '$.device_bay', ${within}) from ${bay.table} ${b}
    join ${device.table} ${d} on ${d}.id = ${b}.device_id where ${b}.installed_device_id = ${t}.id))`
}

/**
 * Ids of the interfaces that stand for a device: its own and, for the master of a virtual chassis, the members'
 * (management ones left out).
 */
const interfacesOfDevices = (devices: string): string =>
  `select i.id from dcim_interface i where i.device_id in (${devices})
   or (i.mgmt_only = 0 and i.device_id in (select d.id from dcim_device d
     join dcim_virtualchassis v on v.id = d.virtual_chassis_id where v.master_id in (${devices})))`

const chosen = (model: string, by: 'name' | 'id', values: readonly string[], c: FilterContext): string => {
  const m = c.related(model)
  c.uses(m.table)
  if (by === 'name')
    return `select p.id from ${m.table} p where ${textAmong('p.name', { model: m, column: 'name', t: 'p' }, values, c)}`
  const ids = values.filter((v) => /^\d{1,15}$/.test(v)).map(Number)
  return ids.length ? `select id from ${m.table} where ${among('id', ids, c.bind)}` : 'select null'
}

/**
 * `device`, `device_id`, `virtual_machine`, `virtual_machine_id` of rows assigned to interfaces through a generic
 * reference.
 */
export function assignedFilters(as: string): Record<string, Filter> {
  const on = (type: string, ids: string, c: FilterContext) =>
    `(${c.t}.${as}_type = '${type}' and ${c.t}.${as}_id in (${ids}))`
  const device = (by: 'name' | 'id'): Filter =>
    methodFilter((values, c) => {
      c.uses('dcim_interface')
      c.uses('dcim_virtualchassis')
      return on('dcim.interface', interfacesOfDevices(chosen('dcim.device', by, values, c)), c)
    })
  const machine = (by: 'name' | 'id'): Filter =>
    methodFilter((values, c) => {
      c.uses('virtualization_vminterface')
      return on(
        'virtualization.vminterface',
        `select id from virtualization_vminterface
          where virtual_machine_id in (${chosen('virtualization.virtualmachine', by, values, c)})`,
        c,
      )
    })
  return {
    device: device('name'),
    device_id: device('id'),
    virtual_machine: machine('name'),
    virtual_machine_id: machine('id'),
  }
}

/** Whether an interface counts as a device's own: on it, or a non-management one of its virtual chassis. */
export function deviceHolds(
  tools: Pick<WriteTools, 'row'>,
  device: { id?: number; virtual_chassis_id: number | null },
  interfaceId: number,
): boolean {
  const its = tools.row('dcim.interface', interfaceId)
  if (!its || its.device_id === device.id) return its !== undefined
  if (its.mgmt_only || device.virtual_chassis_id === null) return false
  return tools.row('dcim.device', its.device_id)?.virtual_chassis_id === device.virtual_chassis_id
}

const members = (by: 'name' | 'id', onlyMaster: boolean): Filter =>
  methodFilter((values, c) => {
    c.uses('dcim_virtualchassis')
    const devices = chosen('dcim.device', by, values, c)
    const chassis = onlyMaster
      ? `select v.id from dcim_virtualchassis v where v.master_id in (${chosen('dcim.device', by, values, c)})`
      : `select d.virtual_chassis_id from dcim_device d
        where d.virtual_chassis_id is not null and d.id in (${chosen('dcim.device', by, values, c)})`
    return `(${c.t}.device_id in (${devices}) or (${c.t}.mgmt_only = 0 and ${c.t}.device_id in (select id
      from dcim_device where virtual_chassis_id in (${chassis}))))`
  })

/** Interfaces of a device together with those of its virtual chassis. */
export const memberFilters: Record<string, Filter> = {
  virtual_chassis_member_or_master: members('name', true),
  virtual_chassis_member_or_master_id: members('id', true),
  virtual_chassis_member: members('name', false),
  virtual_chassis_member_id: members('id', false),
}
