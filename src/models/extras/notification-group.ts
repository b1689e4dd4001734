import { datetime, refs, text } from '../../fields/index.ts'
import { model } from '../../declare/model.ts'

export const notificationGroup = model(
  'extras.notificationgroup',
  {
    name: text({ unique: true, max: 100, filter: false }),
    description: text({ blank: true, max: 200, filter: false }),
    groups: refs('users.group', { related: 'notification_groups', filter: false }),
    users: refs('users.user', { related: 'notification_groups', filter: false }),
    created: datetime({ hidden: true, nullable: true }),
    last_updated: datetime({ hidden: true, nullable: true }),
  },
  {
    path: 'extras/notification-groups',
    label: 'notification group',
    plural: 'notification groups',
    objectName: 'NotificationGroup',
    graphql: { members: '-id -name -description', filters: 'created last_updated' },
    display: 'name',
    leading: ['id', 'url', 'display'],
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    filters: { id: null },
    features: ['change_logging', 'custom_validation', 'event_rules'],
    pages: {
      columns: 'name description groups users',
      form: { '': 'name description groups users' },
      bulk: 'description',
      panels: { 'Notification group': 'name description', Members: 'groups users' },
    },
  },
)
