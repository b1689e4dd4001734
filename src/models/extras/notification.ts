import { EventTypeChoices } from '../../choices/extras.ts'
import { choice, datetime, generic, ref, text } from '../../fields/index.ts'
import { behaviour, model } from '../../declare/model.ts'
import { now } from '../../lib/datetime.ts'

export const notification = model(
  'extras.notification',
  {
    object: generic('feature:notifications', { viewed: true, filter: false, onDelete: 'keep', listed: true }),
    user: ref('users.user', { onDelete: 'cascade', related: 'notifications', filter: false }),
    created: datetime({ readOnly: true, filter: false }),
    read: datetime({ nullable: true, filter: false }),
    event_type: choice(EventTypeChoices, { raw: true, filter: false, required: true, label: 'Event' }),
    object_repr: text({ hidden: true, blank: true }),
  },
  {
    path: 'extras/notifications',
    label: 'notification',
    plural: 'notifications',
    objectName: 'Notification',
    graphql: {
      members: `
        changelog=core.objectchange.changed_object:whole user:UserType -id -created -read -event_type
      `,
      filters: 'object_type_id:ID object_repr event_type:StrFilterLookup',
    },
    display: 'object_repr',
    brief: ['id', 'url', 'display', 'object_type', 'object_id', 'user', 'read', 'event_type'],
    order: ['-created'],
    unique: [{ fields: ['object_type', 'object_id', 'user'] }],
    changeLogged: false,
    past: false,
    displayUrl: false,
    filters: { id: null },
  },
)

behaviour(notification, {
  prepare: ({ row, before, tools }) => {
    if (!before) row.created = now() // later than that of the one before in the same request
    if (row.object_type && row.object_id)
      row.object_repr = tools.display(row.object_type, row.object_id).slice(0, 200) || (before?.object_repr ?? '')
  },
})
