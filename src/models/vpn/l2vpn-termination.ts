import { parentOfAssigned } from '../../rules/assigned-objects.ts'
import { displayOf } from '../../fields/display.ts'
import { genericDisplay } from '../../fields/generic.ts'
import { generic, primary, ref } from '../../fields/index.ts'
import { typeIdFilter } from '../../filters/content-type.ts'
import { anyAtBoth } from '../../filters/any-at.ts'
import { numberFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters, relatedBy } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'
import { interfaceColumns } from '../../rules/import-columns.ts'

const assigned = interfaceColumns('assigned_object', 'interface')

/** Where the kinds of object are that an L2VPN ends at. */
const Sites = ['vlan.site', 'interface.device.site', 'vminterface.virtual_machine.site']

export const l2vpnTermination = model(
  'vpn.l2vpntermination',
  {
    l2vpn: ref('vpn.l2vpn', { onDelete: 'cascade', related: 'terminations' }),
    assigned_object: generic('feature:kept', {
      related: 'l2vpn_terminations',
      offered: ['dcim.interface', 'ipam.vlan', 'virtualization.vminterface'],
    }),
    ...primary,
  },
  {
    path: 'vpn/l2vpn-terminations',
    label: 'L2VPN termination',
    plural: 'L2VPN terminations',
    objectName: 'L2VPNTermination',
    graphql: {
      members: 'assigned_object=dcim.interface|ipam.vlan|virtualization.vminterface:L2VPNAssignmentType!',
      filters: 'assigned_object_id:IntegerLookup',
    },
    display: (t, sql) =>
      `${genericDisplay(t, 'assigned_object')} || ' <> ' || ${displayOf(sql, 'vpn.l2vpn', `${t}.l2vpn_id`)}`,
    brief: ['id', 'url', 'display', 'l2vpn'],
    order: ['l2vpn'],
    unique: [
      {
        fields: ['assigned_object_type', 'assigned_object_id'],
        message: 'The assigned object is already terminated on an L2VPN.',
      },
    ],
    features: primaryFeatures(),
    search: { text: ['l2vpn.name'] },
    filters: {
      ...changelogFilters,
      ...anyAtBoth('site', Sites, 'slug'),
      ...anyAtBoth(
        'region',
        Sites.map((site) => `${site}.region`),
        'slug',
      ),
      l2vpn: relatedFilter('l2vpn', 'vpn.l2vpn', { by: 'slug' }),
      ...relatedBy('device', 'dcim.device', { path: 'interface.device', by: 'name' }),
      ...relatedBy('virtual_machine', 'virtualization.virtualmachine', {
        path: 'vminterface.virtual_machine',
        by: 'name',
      }),
      ...relatedBy('interface', 'dcim.interface', { by: 'name' }),
      ...relatedBy('vminterface', 'virtualization.vminterface', { by: 'name' }),
      vlan: relatedFilter('vlan', 'ipam.vlan', { by: 'name' }),
      vlan_vid: numberFilter('vlan.vid', { decimal: true, single: true }),
      vlan_id: relatedFilter('vlan', 'ipam.vlan'),
      assigned_object_type_id: typeIdFilter('assigned_object_type'),
    },
    pages: {
      extra: { assigned_object_parent: parentOfAssigned('assigned_object', 'Parent') },
      columns: 'l2vpn assigned_object_type assigned_object_parent assigned_object',
      filters: {
        Attributes: 'l2vpn_id',
        'Assigned object': 'assigned_object_type_id region_id site_id device_id virtual_machine_id vlan_id',
      },
      form: { '': 'l2vpn assigned_object tags' },
      panels: { 'L2VPN termination': 'l2vpn assigned_object_parent assigned_object' },
    },
  },
)

/** Kinds of L2VPN that join two ends and no more. */
const PointToPoint = new Set(['vpws', 'epl', 'ep-lan', 'ep-tree'])

behaviour(l2vpnTermination, {
  validate: ({ row, errors, tools }) => {
    const vpn = tools.row('vpn.l2vpn', row.l2vpn_id)!
    const others = tools.count('vpn.l2vpntermination', { l2vpn_id: row.l2vpn_id, id: { not: row.id ?? 0 } })
    if (PointToPoint.has(String(vpn.type)) && others >= 2)
      errors.__all__ = [
        `A ${String(vpn.type).toUpperCase()} L2VPN cannot have more than two terminations; ` +
          `${others} are there already.`,
      ]
  },
})

behaviour(l2vpnTermination, {
  importColumns: {
    columns: { ...assigned.columns, vlan: 'ipam.vlan' },
    read: (given, find, body) =>
      given.vlan === undefined
        ? assigned.read(given, find, body)
        : { assigned_object_type: 'ipam.vlan', assigned_object_id: given.vlan },
  },
})
