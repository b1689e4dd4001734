import { countOf, description, text } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

export const ownerGroup = model(
  'users.ownergroup',
  {
    name: text({ unique: true, max: 100 }),
    description,
    member_count: countOf('users.owner', 'group'),
  },
  {
    path: 'users/owner-groups',
    label: 'owner group',
    plural: 'owner groups',
    objectName: 'OwnerGroup',
    graphql: { members: '-members' },
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
    pages: {
      labels: { member_count: 'Members' },
      columns: 'name member_count description',
      form: { 'Owner group': 'name description' },
      bulk: 'description',
      panels: { 'Owner group': 'name description' },
      tables: [['users.owner', 'group_id', 'Members']],
    },
  },
)
