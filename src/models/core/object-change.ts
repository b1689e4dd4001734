import { ObjectChangeActionChoices } from '../../choices/core.ts'
import { computed } from '../../fields/computed.ts'
import { deferredObject } from '../../fields/generic.ts'
import { choice, datetime, generic, json, ref, text } from '../../fields/index.ts'
import { contentTypeFilter, typeIdFilter } from '../../filters/content-type.ts'
import { dateFilter, numberFilter } from '../../filters/number.ts'
import { uuidFilter } from '../../filters/string.ts'
import { relatedFilter } from '../../filters/related.ts'
import { type AnyModel, appLabel, model } from '../../declare/model.ts'

/** SQL of the name that people have for an object type: `DCIM | site`. */
const kindOf = (models: readonly AnyModel[], type: string): string =>
  `case ${type} ${models.map((m) => `when '${m.name}' then '${appLabel(m.app)} | ${m.label}'`).join(' ')}
    else ${type} end`

/** What leads to the object as it was before the request; null for a change that made it. */
const before = computed(
  (t) => `case when ${t}.action <> 'create' then json_object('type', ${t}.changed_object_type,
    'id', ${t}.changed_object_id, 'request', ${t}.request_id, 'change', ${t}.id) end`,
  { look: 'earlier' },
)

/** What the object was called then, and where it is still there. */
const named = computed(
  (t) => `json_object('display', ${t}.object_repr,
    'object', ${deferredObject(`${t}.changed_object_type`, `${t}.changed_object_id`)})`,
)

export const objectChange = model(
  'core.objectchange',
  {
    time: datetime({ readOnly: true, filter: false, index: true }),
    user: ref('users.user', { readOnly: true, onDelete: 'set null', related: 'changes' }),
    user_name: text({ readOnly: true }),
    request_id: text({ readOnly: true, filter: false, index: true }),
    action: choice(ObjectChangeActionChoices, { readOnly: true, single: true }),
    changed_object: generic('feature:all', { readOnly: true, onDelete: 'keep' }),
    object_repr: text({ readOnly: true }),
    message: text({ readOnly: true, filter: false }),
    prechange_data: json({ nullable: true, readOnly: true, empty: {} }),
    postchange_data: json({ nullable: true, readOnly: true, empty: {} }),
    related_object: generic('feature:all', { hidden: true, nullable: true, onDelete: 'keep' }),
  },
  {
    path: 'core/object-changes',
    alias: 'extras/object-changes',
    label: 'object change',
    plural: 'object changes',
    objectName: 'ObjectChange',
    graphql: {
      root: false,
      members: `
        user:DjangoModelType request_id:UUID! changed_object_type:DjangoModelType!
        changed_object_id:Int! related_object_type:DjangoModelType related_object_id
      `,
    },
    display: (t, { models }) =>
      `${kindOf(models, `${t}.changed_object_type`)} || ' ' || ${t}.object_repr || ' '
        || ${t}.action || 'd by ' || ${t}.user_name`,
    displayUrl: 'core/changelog',
    brief: [
      'id',
      'url',
      'display_url',
      'display',
      'time',
      'user',
      'user_name',
      'request_id',
      'action',
      'changed_object_type',
      'changed_object_id',
      'changed_object',
      'object_repr',
      'message',
      'prechange_data',
      'postchange_data',
    ],
    order: ['-time'],
    // After a load, millions of new objects lie above the last deletion. The third holds what is searched and sorted
    // by: ten million records are looked through without their data.
    indexes: [
      ['changed_object_type', 'time'],
      ['action', 'time'],
      ['time', 'id', 'message', 'user_name', 'object_repr'],
    ],
    large: ['changed_object_type', 'action', 'user_id'],
    methods: ['GET'],
    changeLogged: false,
    past: false,
    search: { text: ['message', 'user_name', 'object_repr'] },
    filters: {
      time_after: dateFilter('time', 'datetime', { lookups: [], comparison: '>=' }),
      time_before: dateFilter('time', 'datetime', { lookups: [], comparison: '<=' }),
      request_id: uuidFilter('request_id'),
      related_object_type: contentTypeFilter('related_object_type'),
      related_object_id: numberFilter('related_object_id'),
      user: relatedFilter('user', 'users.user', { by: 'username' }),
      changed_object_type_id: typeIdFilter('changed_object_type'),
    },
    pages: {
      extra: { before, object: named },
      labels: {
        before: 'Then',
        user_name: 'User',
        user: 'User account',
        changed_object_type: 'Object type',
        object: 'Object',
        changed_object: 'Object today',
        object_repr: 'Name then',
        request_id: 'Request ID',
      },
      columns: 'time user_name action changed_object_type object message before',
      filters: { Time: 'time_before time_after', Attributes: 'action user_id changed_object_type_id' },
      panels: { Change: 'time user_name action changed_object_type changed_object object_repr message request_id' },
    },
  },
)
