import { FieldError } from '../fields/field.ts'
import type { ImportColumns } from '../declare/behaviour.ts'

type Given = Readonly<Record<string, unknown>>

/** Columns `device`, `virtual_machine` and `name` of an interface that a generic reference `as` is set to. */
export const interfaceColumns = (as: string, name: string): Pick<ImportColumns, 'columns' | 'read'> => ({
  columns: { device: 'dcim.device', virtual_machine: 'virtualization.virtualmachine', [name]: 'text' },
  read: (given, find) => {
    if (given[name] === undefined) return {}
    const { device, virtual_machine: machine } = given
    if ((device === undefined) === (machine === undefined))
      throw new FieldError('the interface must be of a device or of a virtual machine', name)
    const type = device === undefined ? 'virtualization.vminterface' : 'dcim.interface'
    const owner = device === undefined ? { virtual_machine: machine } : { device }
    return { [`${as}_type`]: type, [`${as}_id`]: told(name, () => find(type, { ...owner, name: given[name] })) }
  },
})

/** Says a refusal under a column. */
export function told<T>(column: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof FieldError) throw new FieldError(error.detail, column)
    throw error
  }
}

/** Columns of both ends of a cable: a type, a name, and the device, power panel or site that it is of. */
export const cableColumns: ImportColumns = {
  columns: Object.fromEntries(
    ['a', 'b'].flatMap((side) => [
      [`side_${side}_site`, 'dcim.site'],
      [`side_${side}_device`, 'dcim.device'],
      [`side_${side}_power_panel`, 'dcim.powerpanel'],
      [`side_${side}_type`, 'text'],
      [`side_${side}_name`, 'text'],
    ]),
  ),
  narrows: Object.fromEntries(
    ['a', 'b'].map((side) => [
      `side_${side}_site`,
      [
        [`side_${side}_device`, 'site'],
        [`side_${side}_power_panel`, 'site'],
      ],
    ]),
  ),
  read: (given, find) => ({ ...cableEnd('a', given, find), ...cableEnd('b', given, find) }),
}

function cableEnd(side: string, given: Given, find: Parameters<ImportColumns['read']>[1]): Record<string, unknown> {
  const of = (part: string) => given[`side_${side}_${part}`]
  if (of('name') === undefined && of('type') === undefined) return {}
  const type = of('type')
  if (typeof type !== 'string')
    throw new FieldError('say of which type the end is, as dcim.interface', `side_${side}_type`)
  const owner =
    of('power_panel') === undefined
      ? of('device') === undefined
        ? {}
        : { device: of('device') }
      : { power_panel: of('power_panel') }
  if (!Object.keys(owner).length)
    throw new FieldError('say which device or power panel it is of', `side_${side}_device`)
  const id = told(`side_${side}_name`, () => find(type, { ...owner, name: of('name') ?? null }))
  return { [`${side}_terminations`]: [{ object_type: type, object_id: id }] }
}

/** A VLAN group, within which the names of an interface's VLANs are looked up. */
export const vlanGroupColumn: ImportColumns = {
  columns: { vlan_group: 'ipam.vlangroup' },
  narrows: {
    vlan_group: [
      ['untagged_vlan', 'group'],
      ['tagged_vlans', 'group'],
      ['qinq_svlan', 'group'],
    ],
  },
  read: () => ({}),
}
