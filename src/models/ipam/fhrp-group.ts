import { firstAddress, relatedIpFilter } from '../../rules/fhrp.ts'
import { labelSql } from '../../fields/choice.ts'
import { FHRPGroupAuthTypeChoices, FHRPGroupProtocolChoices } from '../../choices/ipam.ts'
import { choice, comments, countOf, description, integer, owned, primary, reverseOf, text } from '../../fields/index.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const fhrpGroup = model(
  'ipam.fhrpgroup',
  {
    name: text({ blank: true, max: 100 }),
    protocol: choice(FHRPGroupProtocolChoices, { raw: true }),
    group_id: integer({ label: 'Group ID', min: 0, max: 32767 }),
    auth_type: choice(FHRPGroupAuthTypeChoices, {
      nullable: true,
      blank: true,
      label: 'Authentication type',
      raw: true,
    }),
    auth_key: text({
      covered: true,
      help: 'Who may view the object sees it in plain text.',
      blank: true,
      label: 'Authentication key',
      max: 255,
    }),
    description,
    ...owned,
    comments,
    ...primary,
    ip_addresses: reverseOf('ipam.ipaddress', 'assigned_object'),
  },
  {
    path: 'ipam/fhrp-groups',
    label: 'FHRP group',
    plural: 'FHRP groups',
    objectName: 'FHRPGroup',
    graphql: { members: 'fhrpgroupassignment_set=ipam.fhrpgroupassignment.group' },
    display: (t, sql) =>
      `case when ${t}.name <> '' then ${t}.name || ' '
        else '' end || ${labelSql(FHRPGroupProtocolChoices, `${t}.protocol`)} || ': ' || ${t}.group_id
        || coalesce(' (' || ${firstAddress(t, sql)} || ')', '')`,
    leading: ['id', 'name', 'url'],
    brief: ['id', 'url', 'display', 'protocol', 'group_id', 'description'],
    key: ['group_id', 'protocol', 'name'],
    order: ['protocol', 'group_id'],
    features: primaryFeatures(),
    search: { text: ['name', 'description', 'group_id'] },
    filters: {
      related_ip: relatedIpFilter,
      ...primaryFilters,
    },
    pages: {
      when: { auth_key: 'auth_type=*' },
      columns: 'group_id protocol name auth_type description ip_addresses member_count',
      extra: { member_count: countOf('ipam.fhrpgroupassignment', 'group', { label: 'Members' }) },
      filters: { Attributes: 'name protocol group_id', Authentication: 'auth_type auth_key' },
      form: { 'FHRP group': 'protocol group_id name description tags', Authentication: 'auth_type auth_key' },
      bulk: 'protocol group_id name description auth_type auth_key',
      panels: { 'FHRP group': 'protocol group_id name description member_count', Authentication: 'auth_type auth_key' },
      tables: [
        ['ipam.ipaddress', 'fhrpgroup_id', 'Virtual IP addresses'],
        ['ipam.fhrpgroupassignment', 'group_id', 'Members'],
      ],
      weights: { name: 100, group_id: 2000, description: 500, comments: 5000 },
    },
  },
)
