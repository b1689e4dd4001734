import { description, ref, refs, text } from '../../fields/index.ts'
import { relatedBy } from '../../filters/shared.ts'
import { relatedFilter } from '../../filters/related.ts'
import { model } from '../../declare/model.ts'

export const owner = model(
  'users.owner',
  {
    name: text({ unique: true, max: 100 }),
    group: ref('users.ownergroup', { nullable: true, required: true, related: 'members' }),
    description,
    user_groups: refs('users.group', { related: 'owners', filter: false }),
    users: refs('users.user', { related: 'owners', filter: false }),
  },
  {
    path: 'users/owners',
    label: 'owner',
    plural: 'owners',
    objectName: 'Owner',
    graphql: { members: '-user_groups -users', filters: '-group_id' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    features: [
      'bookmarks',
      'cloning',
      'custom_links',
      'custom_validation',
      'event_rules',
      'export_templates',
      'notifications',
    ],
    changeLogged: false,
    search: { text: ['name', 'description'] },
    filters: {
      group: relatedFilter('group', 'users.ownergroup', { by: 'name' }),
      ...relatedBy('user_group', 'users.group', { path: 'user_groups', by: 'name' }),
      ...relatedBy('user', 'users.user', { path: 'users', by: 'username' }),
    },
    pages: {
      beside: 'group',
      columns: 'name group description user_groups users',
      filters: { Group: 'group_id', Membership: 'user_group_id user_id' },
      form: { Owner: 'name group description', Groups: 'user_groups', Users: 'users' },
      bulk: 'group description',
      panels: { Owner: 'name group description', Members: 'user_groups users' },
      tables: [
        ['users.group', 'owner_id'],
        ['users.user', 'owner_id'],
      ],
      narrow: { group_id: 'owner_group' },
    },
  },
)
