import { TunnelTerminationRoleChoices } from '../../choices/vpn.ts'
import { choice, generic, primary, ref } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { model } from '../../registry/model.ts'

export const tunnelTermination = model('vpn.tunneltermination', {
  tunnel: ref('vpn.tunnel', { onDelete: 'cascade', related: 'terminations' }),
  role: choice(TunnelTerminationRoleChoices, { required: true, default: 'peer' }),
  termination: generic('feature:all', { related: 'tunnel_terminations' }),
  outside_ip: ref('ipam.ipaddress', { nullable: true, related: 'tunnel_terminations' }),
  ...primary,
}, {
  path: 'vpn/tunnel-terminations', label: 'tunnel termination', plural: 'tunnel terminations', objectName: 'TunnelTermination',
  display: (t) => `${t}.id`,
  brief: ['id', 'url', 'display'],
  order: ['tunnel', 'role'],
  unique: [{ fields: ['termination_type', 'termination_id'] }],
  features: ['change_logging', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'tags'],
  search: { text: [] },
  filters: {
    ...changelogFilters,
    tunnel: relatedFilter('tunnel', 'vpn.tunnel', { by: 'name' }),
    interface: relatedFilter('interface', 'dcim.interface', { by: 'name' }),
    interface_id: relatedFilter('interface', 'dcim.interface'),
    vminterface: relatedFilter('vminterface', 'virtualization.vminterface', { by: 'name' }),
    vminterface_id: relatedFilter('vminterface', 'virtualization.vminterface'),
  },
})
