import { datetime, generic, ref, text } from '../../fields/index.ts'
import { model } from '../../registry/model.ts'

export const notification = model('extras.notification', {
  object: generic('feature:bookmarks'),
  user: ref('users.user', { onDelete: 'cascade', related: 'notifications', filter: false }),
  created: datetime({ readOnly: true, filter: false }),
  read: datetime({ nullable: true, filter: false }),
  event_type: text({ filter: false }),
  object_repr: text({ hidden: true, blank: true }),
}, {
  path: 'extras/notifications', label: 'notification', plural: 'notifications', objectName: 'Notification',
  display: 'object_repr',
  brief: ['id', 'url', 'display', 'object_type', 'object_id', 'user', 'read', 'event_type'],
  order: ['-created'],
  unique: [{ fields: ['object_type', 'object_id', 'user'] }],
  changeLogged: false,
  displayUrl: false,
})
