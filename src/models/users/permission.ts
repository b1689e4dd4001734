import { boolean, computed, contentTypes, description, json, listOf, refs, text } from '../../fields/index.ts'
import { contentTypeFilter, typeIdFilter } from '../../filters/content-type.ts'
import { conditionFilter } from '../../filters/boolean.ts'
import { relatedBy } from '../../filters/shared.ts'
import { addedLinks, demandHeld } from '../../rules/delegation.ts'
import { behaviour, model } from '../../declare/model.ts'

const can = (action: string) => ({
  [`can_${action}`]: conditionFilter((t) => `exists (select 1 from json_each(${t}.actions) where value = '${action}')`),
})

/** Whether an action is among those given, as a column of lists. */
const includes = (action: string) =>
  computed(
    (t) => `json(iif(exists (select 1 from json_each(${t}.actions) where value = '${action}'), 'true', 'false'))`,
    { label: `Can ${action}` },
  )

export const permission = model(
  'users.objectpermission',
  {
    name: text({ max: 100 }),
    description,
    enabled: boolean({ default: true }),
    object_types: contentTypes('all', { filter: false }),
    actions: listOf(
      (value) =>
        typeof value === 'string' && value !== '' && value.length <= 30 ? { value } : { error: 'Not a valid action.' },
      { items: { type: 'string', maxLength: 30 }, min: 1, filter: false },
    ),
    constraints: json({
      help: 'A JSON object of lookups that objects have to meet, or a list of which one is enough; none: all objects.',
      nullable: true,
    }),
    groups: refs('users.group', {
      shape: ['id', 'url', 'display_url', 'display', 'name'],
      via: 'users.group.permissions',
      filter: false,
    }),
    users: refs('users.user', {
      shape: ['id', 'url', 'display_url', 'display', 'username'],
      via: 'users.user.permissions',
      filter: false,
    }),
  },
  {
    path: 'users/permissions',
    label: 'permission',
    plural: 'permissions',
    objectName: 'ObjectPermission',
    graphql: false,
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description', 'enabled', 'object_types', 'actions'],
    key: ['name'],
    order: ['name'],
    features: ['cloning'],
    changeLogged: false,
    search: { text: ['name', 'description'] },
    filters: {
      object_types: typeIdFilter('object_types'),
      object_type_id: typeIdFilter('object_types'),
      object_type: contentTypeFilter('object_types', { char: true }),
      ...can('view'),
      ...can('add'),
      ...can('change'),
      ...can('delete'),
      ...relatedBy('user', 'users.user', { path: 'users', by: 'username' }),
      ...relatedBy('group', 'users.group', { path: 'groups', by: 'name' }),
    },
    pages: {
      help: {
        actions: 'What may be done, as view, add, change, delete.',
        constraints:
          'JSON. What objects must be like, as {"site__slug": "berlin"}; of a list, one must hold. ' +
          '$user stands for the user. Empty: all objects.',
      },
      columns: 'name enabled object_types can_view can_add can_change can_delete description',
      extra: {
        can_view: includes('view'),
        can_add: includes('add'),
        can_change: includes('change'),
        can_delete: includes('delete'),
      },
      filters: { Permission: 'enabled group_id user_id', Actions: 'can_view can_add can_change can_delete' },
      form: {
        Permission: 'name description enabled',
        Objects: 'object_types',
        Actions: 'actions',
        Assignment: 'groups users',
        Constraints: 'constraints',
      },
      bulk: 'enabled description',
      panels: {
        'Object permission': 'name description enabled',
        Objects: 'object_types actions',
        Holders: 'groups users',
        Constraints: 'constraints',
      },
      tabs: { try: true },
      tables: [
        ['users.user', 'permission_id', 'Assigned users'],
        ['users.group', 'permission_id', 'Assigned groups'],
      ],
    },
  },
)

/** What a permission gives, and the name by which users whom a proxy names get one. */
const Content = ['name', 'object_types', 'actions', 'constraints', 'enabled'] as const

behaviour(permission, {
  validate: ({ row, before, given, errors, tools }) => {
    const isChanged = !before || Content.some((name) => row[name] !== before[name])
    const receivers = [
      ...addedLinks(tools, 'users.objectpermission', 'users', before?.id, given.users),
      ...addedLinks(tools, 'users.objectpermission', 'groups', before?.id, given.groups),
    ]
    if (isChanged || receivers.length) demandHeld(tools, row)
    if (row.constraints === null) return
    const constraints: unknown = JSON.parse(row.constraints)
    for (const type of JSON.parse(row.object_types) as string[]) {
      const excess = tools.excessOf(constraints, type)
      if (excess) errors.constraints = [`These constraints cannot be applied to ${type}: ${excess}.`]
    }
  },
})
