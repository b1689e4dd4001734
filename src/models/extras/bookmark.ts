import { genericDisplay } from '../../fields/generic.ts'
import { typeIdFilter } from '../../filters/content-type.ts'
import { datetime, generic, ref } from '../../fields/index.ts'
import { dateFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { behaviour, model } from '../../declare/model.ts'

export const bookmark = model(
  'extras.bookmark',
  {
    object: generic('feature:bookmarks', { viewed: true, related: 'bookmarks', listed: true }),
    user: ref('users.user', { onDelete: 'cascade' }),
    created: datetime({ readOnly: true, filter: false }),
  },
  {
    path: 'extras/bookmarks',
    label: 'bookmark',
    plural: 'bookmarks',
    objectName: 'Bookmark',
    graphql: false,
    display: (t) => genericDisplay(t, 'object'),
    brief: ['id', 'url', 'display', 'object_type', 'object_id'],
    order: ['created'],
    unique: [{ fields: ['object_type', 'object_id', 'user'] }],
    changeLogged: false,
    displayUrl: false,
    filters: {
      created: dateFilter('created', 'datetime', { lookups: [], single: true }),
      object_type_id: typeIdFilter('object_type', ['n', 'lte', 'lt', 'gte', 'gt', 'empty']),
      user: relatedFilter('user', 'users.user', { by: 'username' }),
    },
    pages: {
      form: { '': 'object' },
    },
  },
)

behaviour(bookmark, {
  prepare: ({ row, before, tools }) => {
    if (!before) row.created = tools.now
  },
})
