import { countOf, description, refs, text } from '../../fields/index.ts'
import { relatedBy } from '../../filters/shared.ts'
import { relatedFilter } from '../../filters/related.ts'
import { addedLinks, demandGroupsHeld, demandPermissionsHeld } from '../../rules/delegation.ts'
import { behaviour, model } from '../../declare/model.ts'

export const group = model(
  'users.group',
  {
    name: text({ unique: true, max: 150 }),
    description,
    permissions: refs('users.objectpermission', { related: 'groups', filter: false }),
    user_count: countOf('users.user', 'groups'),
  },
  {
    path: 'users/groups',
    label: 'group',
    plural: 'groups',
    objectName: 'Group',
    graphql: { members: '-description -permissions -notification_groups -owners -users' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    changeLogged: false,
    search: { text: ['name', 'description'] },
    filters: {
      user_id: relatedFilter('users', 'users.user'),
      ...relatedBy('owner', 'users.owner', { path: 'owners', by: 'name' }),
      permission_id: relatedFilter('permissions', 'users.objectpermission'),
      notification_group_id: relatedFilter('notification_groups', 'extras.notificationgroup'),
    },
    pages: {
      columns: 'name user_count description',
      form: { Group: 'name description', Permissions: 'permissions' },
      bulk: 'description',
      panels: { Group: 'name description', Permissions: 'permissions' },
      tables: [
        ['users.user', 'group_id'],
        ['users.objectpermission', 'group_id', 'Assigned permissions'],
        ['users.owner', 'user_group_id', 'Owner membership'],
      ],
    },
  },
)

behaviour(group, {
  validate: ({ row, before, given, tools }) => {
    if (before && row.name !== before.name) demandGroupsHeld(tools, [before.id]) // by it, who signs on becomes a member
    demandPermissionsHeld(tools, addedLinks(tools, 'users.group', 'permissions', before?.id, given.permissions))
  },
})
