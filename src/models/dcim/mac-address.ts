import { comments, description, generic, mac, owned, primary } from '../../fields/index.ts'
import { hasFilter } from '../../filters/boolean.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, ownerFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const macAddress = model('dcim.macaddress', {
  mac_address: mac({ label: 'MAC address' }),
  assigned_object: generic(['dcim.interface', 'virtualization.vminterface'], { nullable: true, related: 'mac_addresses' }),
  description,
  ...owned,
  comments,
  ...primary,
}, {
  path: 'dcim/mac-addresses', label: 'MAC address', plural: 'MAC addresses', objectName: 'MACAddress',
  display: 'mac_address',
  brief: ['id', 'url', 'display', 'mac_address', 'description'],
  order: ['mac_address'],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['mac_address', 'description'] },
  filters: {
    ...changelogFilters,
    ...ownerFilters,
    interface: relatedFilter('interface', 'dcim.interface', { by: 'name' }),
    interface_id: relatedFilter('interface', 'dcim.interface'),
    vminterface: relatedFilter('vminterface', 'virtualization.vminterface', { by: 'name' }),
    vminterface_id: relatedFilter('vminterface', 'virtualization.vminterface'),
    assigned: hasFilter('assigned_object_id'),
  },
})
