import { generic, primary, ref } from '../../fields/index.ts'
import { typeIdFilter } from '../../filters/content-type.ts'
import { numberFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const l2vpnTermination = model('vpn.l2vpntermination', {
  l2vpn: ref('vpn.l2vpn', { onDelete: 'cascade', related: 'terminations' }),
  assigned_object: generic('feature:all', { related: 'l2vpn_terminations' }),
  ...primary,
}, {
  path: 'vpn/l2vpn-terminations', label: 'L2VPN termination', plural: 'L2VPN terminations', objectName: 'L2VPNTermination',
  display: (t) => `${t}.id`,
  brief: ['id', 'url', 'display', 'l2vpn'],
  order: ['l2vpn'],
  unique: [{ fields: ['assigned_object_type', 'assigned_object_id'] }],
  features: ['bookmarks', 'change_logging', 'cloning', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'export_templates', 'journaling', 'notifications', 'tags'],
  search: { text: ['l2vpn.name'] },
  filters: {
    ...changelogFilters,
    l2vpn: relatedFilter('l2vpn', 'vpn.l2vpn', { by: 'slug' }),
    device: relatedFilter('interface.device', 'dcim.device', { by: 'name' }),
    device_id: relatedFilter('interface.device', 'dcim.device'),
    virtual_machine: relatedFilter('vminterface.virtual_machine', 'virtualization.virtualmachine', { by: 'name' }),
    virtual_machine_id: relatedFilter('vminterface.virtual_machine', 'virtualization.virtualmachine'),
    interface: relatedFilter('interface', 'dcim.interface', { by: 'name' }),
    interface_id: relatedFilter('interface', 'dcim.interface'),
    vminterface: relatedFilter('vminterface', 'virtualization.vminterface', { by: 'name' }),
    vminterface_id: relatedFilter('vminterface', 'virtualization.vminterface'),
    vlan: relatedFilter('vlan', 'ipam.vlan', { by: 'name' }),
    vlan_vid: numberFilter('vlan.vid', { decimal: true, single: true }),
    vlan_id: relatedFilter('vlan', 'ipam.vlan'),
    assigned_object_type_id: typeIdFilter('assigned_object_type'),
  },
})
