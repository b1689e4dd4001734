import { parentOfAssigned } from '../../rules/assigned-objects.ts'
import { displayOf } from '../../fields/display.ts'
import { genericDisplay } from '../../fields/generic.ts'
import { assignedFilters } from '../../rules/devices.ts'
import { generic, integer, ref, stamps } from '../../fields/index.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'

export const fhrpGroupAssignment = model(
  'ipam.fhrpgroupassignment',
  {
    group: ref('ipam.fhrpgroup', { onDelete: 'cascade' }),
    interface: generic('feature:kept', {
      related: 'fhrp_group_assignments',
      offered: ['dcim.interface', 'virtualization.vminterface'],
    }),
    priority: integer({ min: 0, max: 255 }),
    ...stamps,
  },
  {
    path: 'ipam/fhrp-group-assignments',
    label: 'FHRP group assignment',
    plural: 'FHRP group assignments',
    objectName: 'FHRPGroupAssignment',
    graphql: {
      members: 'interface=dcim.interface|virtualization.vminterface:FHRPGroupInterfaceType! -changelog',
      filters: `
        interface_id:StrFilterLookup device_id:[String!] device:[String!] virtual_machine_id:[String!]
        virtual_machine:[String!]
      `,
    },
    display: (t, sql) =>
      `${genericDisplay(t, 'interface')} || ': ' || ${displayOf(sql, 'ipam.fhrpgroup', `${t}.group_id`)}
        || ' (' || ${t}.priority || ')'`,
    brief: ['id', 'url', 'display', 'group', 'interface_type', 'interface_id', 'priority'],
    order: ['-priority', 'id'],
    unique: [{ fields: ['interface_type', 'interface_id', 'group'] }],
    features: ['change_logging', 'custom_validation', 'event_rules'],
    displayUrl: false,
    filters: {
      ...assignedFilters('interface'),
      ...changelogFilters,
    },
    pages: {
      extra: { parent: parentOfAssigned('interface', 'Parent') },
      columns: 'parent interface group priority',
      form: { '': 'group interface priority' },
    },
  },
)
