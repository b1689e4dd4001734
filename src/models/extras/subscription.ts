import { genericDisplay } from '../../fields/generic.ts'
import { datetime, generic, ref } from '../../fields/index.ts'
import { behaviour, model } from '../../declare/model.ts'
import { now } from '../../lib/datetime.ts'

export const subscription = model(
  'extras.subscription',
  {
    object: generic('feature:notifications', { viewed: true, related: 'subscriptions', filter: false, listed: true }),
    user: ref('users.user', { onDelete: 'cascade', related: 'subscriptions', filter: false }),
    created: datetime({ readOnly: true, filter: false }),
  },
  {
    path: 'extras/subscriptions',
    label: 'subscription',
    plural: 'subscriptions',
    objectName: 'Subscription',
    graphql: {
      members: 'changelog=core.objectchange.changed_object:whole user:UserType -id -created',
      filters: 'object_type_id:ID',
    },
    display: (t) => genericDisplay(t, 'object'),
    brief: ['id', 'url', 'display', 'object_type', 'object_id', 'user'],
    order: ['-created', 'user'],
    unique: [{ fields: ['object_type', 'object_id', 'user'] }],
    changeLogged: false,
    displayUrl: false,
    filters: { id: null },
    pages: {
      form: { '': 'object' },
    },
  },
)

behaviour(subscription, {
  prepare: ({ row, before }) => {
    if (!before) row.created = now() // later than that of the one before in the same request
  },
})
