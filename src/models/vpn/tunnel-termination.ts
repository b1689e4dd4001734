import { parentOfAssigned } from '../../rules/assigned-objects.ts'
import { displayOf } from '../../fields/display.ts'
import { TunnelTerminationRoleChoices } from '../../choices/vpn.ts'
import { choice, generic, primary, ref } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, relatedBy } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { interfaceColumns } from '../../rules/import-columns.ts'

export const tunnelTermination = model(
  'vpn.tunneltermination',
  {
    tunnel: ref('vpn.tunnel', { onDelete: 'cascade', related: 'terminations' }),
    role: choice(TunnelTerminationRoleChoices, { required: true, default: 'peer' }),
    termination: generic('feature:kept', {
      related: 'tunnel_terminations',
      looseId: true,
      offered: ['dcim.interface', 'virtualization.vminterface'],
    }),
    outside_ip: ref('ipam.ipaddress', { nullable: true, related: 'tunnel_terminations' }),
    ...primary,
  },
  {
    path: 'vpn/tunnel-terminations',
    label: 'tunnel termination',
    plural: 'tunnel terminations',
    objectName: 'TunnelTermination',
    graphql: {
      members: 'termination_type termination_id',
      filters: 'termination_type:TunnelTerminationTypeEnumBaseFilterLookup termination_type_id:ID',
    },
    display: (t, sql) => `${displayOf(sql, 'vpn.tunnel', `${t}.tunnel_id`)} || ': Termination ' || ${t}.id`,
    relatedObject: 'tunnel',
    brief: ['id', 'url', 'display'],
    order: ['tunnel', 'role'],
    unique: [{ fields: ['termination_type', 'termination_id'] }],
    features: ['change_logging', 'custom_fields', 'custom_links', 'custom_validation', 'event_rules', 'tags'],
    search: { text: [] },
    filters: {
      ...changelogFilters,
      tunnel: relatedFilter('tunnel', 'vpn.tunnel', { by: 'name' }),
      ...relatedBy('interface', 'dcim.interface', { by: 'name' }),
      ...relatedBy('vminterface', 'virtualization.vminterface', { by: 'name' }),
    },
    pages: {
      extra: { termination_parent: parentOfAssigned('termination', 'Host') },
      columns: 'tunnel role termination_parent termination outside_ip',
      filters: { Termination: 'tunnel_id role' },
      form: { 'Tunnel termination': 'tunnel role termination outside_ip tags' },
      bulk: 'role',
      offers: {
        outside_ip: 'device_id=$termination:dcim.device&virtual_machine_id=$termination:virtualization.virtualmachine',
      },
      panels: { 'Tunnel termination': 'tunnel role termination_parent termination outside_ip' },
      tables: [['vpn.tunneltermination', 'tunnel_id=$tunnel&id__n', 'Peer terminations']],
    },
  },
)

behaviour(tunnelTermination, {
  validate: ({ row, before, errors, tools }) => {
    if (row.termination_id === null) return // there is no object yet, that could be taken
    if (before && before.termination_type === row.termination_type && before.termination_id === row.termination_id)
      return
    const taken = tools.has('vpn.tunneltermination', {
      termination_type: row.termination_type,
      termination_id: row.termination_id,
      id: { not: row.id ?? 0 },
    })
    if (taken) errors.termination = ['This object is already attached to a tunnel.']
  },
})

behaviour(tunnelTermination, {
  importColumns: interfaceColumns('termination', 'termination'),
})
