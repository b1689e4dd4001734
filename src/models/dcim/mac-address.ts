import { isPrimaryMac, parentOfAssigned } from '../../rules/assigned-objects.ts'
import { assignedFilters } from '../../rules/devices.ts'
import { comments, description, generic, mac, owned, primary } from '../../fields/index.ts'
import { conditionFilter, hasFilter } from '../../filters/boolean.ts'
import { primaryFilters, relatedBy } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'
import { interfaceColumns } from '../../rules/import-columns.ts'

const assigned = interfaceColumns('assigned_object', 'interface')

export const macAddress = model(
  'dcim.macaddress',
  {
    mac_address: mac({ label: 'MAC address' }),
    assigned_object: generic(['dcim.interface', 'virtualization.vminterface'], {
      nullable: true,
      related: 'mac_addresses',
    }),
    description,
    ...owned,
    comments,
    ...primary,
  },
  {
    path: 'dcim/mac-addresses',
    label: 'MAC address',
    plural: 'MAC addresses',
    objectName: 'MACAddress',
    graphql: { members: 'assigned_object:MACAddressAssignmentType', filters: 'assigned:Boolean primary:Boolean' },
    display: 'mac_address',
    brief: ['id', 'url', 'display', 'mac_address', 'description'],
    key: ['mac_address'],
    order: ['mac_address'],
    large: [],
    features: primaryFeatures(),
    search: { text: ['mac_address', 'description'] },
    filters: {
      ...assignedFilters('assigned_object'),
      primary: conditionFilter((t, c) => {
        c.uses('dcim_interface')
        c.uses('virtualization_vminterface')
        return `${t}.id in (select primary_mac_address_id from dcim_interface where primary_mac_address_id is not null
          union select primary_mac_address_id from virtualization_vminterface
          where primary_mac_address_id is not null)`
      }),
      ...primaryFilters,
      ...relatedBy('interface', 'dcim.interface', { by: 'name' }),
      ...relatedBy('vminterface', 'virtualization.vminterface', { by: 'name' }),
      assigned: hasFilter('assigned_object_id'),
    },
    pages: {
      labels: { assigned_object: 'Assigned to' },
      extra: { is_primary: isPrimaryMac, assigned_object_parent: parentOfAssigned('assigned_object', 'Parent') },
      columns: 'mac_address is_primary assigned_object_parent assigned_object description',
      filters: { Attributes: 'mac_address', Assignments: 'device_id virtual_machine_id assigned primary' },
      form: { '': 'mac_address description tags', Assignment: 'assigned_object' },
      bulk: 'description',
      panels: { 'MAC address': 'mac_address description assigned_object_parent assigned_object is_primary' },
      weights: { mac_address: 100, description: 500, comments: 5000 },
    },
  },
)

behaviour(macAddress, {
  validate: ({ row, before, errors, tools }) => {
    if (
      !before ||
      before.assigned_object_id === null ||
      (before.assigned_object_type === row.assigned_object_type && before.assigned_object_id === row.assigned_object_id)
    )
      return
    const owner = before.assigned_object_type === 'dcim.interface' ? 'dcim.interface' : 'virtualization.vminterface'
    if (tools.has(owner, { id: before.assigned_object_id, primary_mac_address_id: row.id })) {
      errors.__all__ = ['Cannot reassign a MAC address while it is the primary MAC of its interface.']
    }
  },
})

behaviour(macAddress, {
  importColumns: {
    ...assigned,
    columns: { ...assigned.columns, is_primary: 'boolean' },
    written: (id, given, tools) => {
      const row = tools.row('dcim.macaddress', id)!
      if (given.is_primary === true && row.assigned_object_type !== null)
        tools.update(row.assigned_object_type as string, row.assigned_object_id as number, { primary_mac_address: id })
    },
  },
})
