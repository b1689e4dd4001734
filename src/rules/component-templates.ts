import type { Row } from '../fields/field.ts'
import type { WriteEvent } from '../declare/behaviour.ts'
import { checkRadioAndPower, type RadioAndPower } from './interfaces.ts'

interface Template {
  device_type_id: number | null
  module_type_id?: number | null
}
type Event = WriteEvent<Template>

/** Rules of every component template. */
export function checkTemplate(event: Event): void {
  const { row, before, errors } = event
  if (before && before.device_type_id !== row.device_type_id && before.device_type_id !== null)
    errors.device_type = ['Component templates cannot be moved to a different device type.']
  if (!('module_type_id' in row)) return
  if (before && before.module_type_id !== row.module_type_id && before.module_type_id !== null)
    errors.module_type = ['Component templates cannot be moved to a different module type.']
  if (row.device_type_id !== null && row.module_type_id !== null)
    errors.__all__ ??= ['A component template cannot be associated with both a device type and a module type.']
  if (row.device_type_id === null && row.module_type_id === null)
    errors.__all__ ??= ['A component template must be associated with either a device type or a module type.']
}

/** Whether a template that another names belongs to the same device or module type. */
function isSibling(event: Event, other: Row | undefined): boolean {
  const { row } = event
  return (
    other !== undefined &&
    (row.device_type_id !== null
      ? other.device_type_id === row.device_type_id
      : other.module_type_id === row.module_type_id)
  )
}

export function checkOutletTemplate(event: WriteEvent<Template & { power_port_id: number | null }>): void {
  checkTemplate(event as Event)
  const { row, errors, tools } = event
  if (row.power_port_id !== null && !isSibling(event as Event, tools.row('dcim.powerporttemplate', row.power_port_id)))
    errors.__all__ ??= ['The parent power port must belong to the same device or module type.']
}

export function checkBayTemplate(event: WriteEvent<Template>): void {
  checkTemplate(event)
  if (event.tools.row('dcim.devicetype', event.row.device_type_id!)?.subdevice_role !== 'parent')
    event.errors.__all__ ??= ['The device type must have the subdevice role "parent" to take device bays.']
}

export function checkInterfaceTemplate(
  event: WriteEvent<Template & RadioAndPower & { id: number; bridge_id: number | null }>,
): void {
  checkTemplate(event as unknown as Event)
  const { row, errors, tools } = event
  checkRadioAndPower(row, errors)
  if (row.bridge_id === null) return
  if (row.bridge_id === row.id) errors.bridge = ['An interface cannot be bridged to itself.']
  else if (!isSibling(event as unknown as Event, tools.row('dcim.interfacetemplate', row.bridge_id)))
    errors.bridge = ['The bridge interface must belong to the same device or module type.']
}
