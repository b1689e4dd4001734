import { boolean, computed, datetime, email, refs, text } from '../../fields/index.ts'
import { booleanFilter } from '../../filters/boolean.ts'
import { relatedBy } from '../../filters/shared.ts'
import { relatedFilter } from '../../filters/related.ts'
import { hashInWrite, weaknessOf } from '../../rules/passwords.ts'
import {
  addedLinks,
  demandGroupsHeld,
  demandNoLessThan,
  demandNotSuperuser,
  demandPermissionsHeld,
} from '../../rules/delegation.ts'
import { behaviour, model } from '../../declare/model.ts'
import { sql } from '../../declare/statement.ts'

export const user = model(
  'users.user',
  {
    username: text({
      unique: true,
      max: 150,
      pattern: { regex: /^[\p{L}\p{N}_.@+-]+$/u, message: 'Enter a valid value.' },
    }),
    password: text({ max: 128, filter: false, writeOnly: true, secret: true, covered: true }),
    first_name: text({ blank: true, max: 150 }),
    last_name: text({ blank: true, max: 150 }),
    email: email({ blank: true, label: 'Email address', max: 254 }),
    is_active: boolean({ help: 'Others cannot log in, and their tokens are refused.', label: 'Active', default: true }),
    date_joined: datetime({ nullable: true }),
    last_login: datetime({ nullable: true }),
    groups: refs('users.group', { related: 'users', filter: false }),
    permissions: refs('users.objectpermission', { related: 'users', filter: false }),
    is_superuser: boolean({ hidden: true, default: false }),
  },
  {
    path: 'users/users',
    label: 'user',
    plural: 'users',
    objectName: 'User',
    graphql: {
      members: `
        display=username date_joined:DateTime! -last_login -permissions -changes -notification_groups -notifications
        -subscriptions -owners
      `,
      filters: 'is_superuser',
    },
    display: (t) =>
      `case
        when ${t}.first_name <> '' or ${t}.last_name <> ''
          then ${t}.username || ' (' || trim(${t}.first_name || ' ' || ${t}.last_name) || ')'
        else ${t}.username end`,
    brief: ['id', 'url', 'display', 'username'],
    order: ['username'],
    changeLogged: false,
    search: { text: ['email', 'last_name', 'username', 'first_name'] },
    filters: {
      is_superuser: booleanFilter('is_superuser'),
      ...relatedBy('group', 'users.group', { path: 'groups', by: 'name' }),
      ...relatedBy('owner', 'users.owner', { path: 'owners', by: 'name' }),
      permission_id: relatedFilter('permissions', 'users.objectpermission'),
      notification_group_id: relatedFilter('notification_groups', 'extras.notificationgroup'),
    },
    pages: {
      named: 'username',
      labels: { date_joined: 'Account created' },
      columns: 'username first_name last_name email groups is_active superuser last_login',
      extra: { superuser: computed((t) => `json(iif(${t}.is_superuser, 'true', 'false'))`) },
      filters: { Group: 'group_id', Status: 'is_active is_superuser' },
      form: {
        User: 'username password first_name last_name email',
        Status: 'is_active',
        Groups: 'groups',
        Permissions: 'permissions',
      },
      bulk: 'first_name last_name is_active',
      panels: {
        User: 'username first_name last_name email date_joined last_login is_active superuser',
        Membership: 'groups permissions',
      },
      tabs: { access: true, 'sign-in': true },
      tables: [
        ['users.group', 'user_id', 'Assigned groups'],
        ['users.objectpermission', 'user_id', 'Assigned permissions'],
        ['users.owner', 'user_id', 'Owner membership'],
        ['core.objectchange', 'user_id', 'Recent activity', 'if any'],
      ],
    },
  },
)

/** Users whose name is the same but for capitals. */
const Alike = sql<{ username: string }>`
  select username from users_user where fold(username) = fold(?) and id <> ?`

behaviour(user, {
  saved: ({ row, before, tools }) => {
    // Whoever knew the old password is logged out.
    if (before && row.password !== before.password) tools.drop('users.session', { user_id: row.id })
  },
  prepare: ({ row, before, tools }) => {
    row.date_joined ??= tools.now
    row.email = row.email.replace(/@.*$/, (domain) => domain.toLowerCase())
    if (!before && !tools.user.superuser) row.is_superuser = 0
  },
  deleting: ({ row, tools }) => demandNotSuperuser(tools, row.id),
  validate: ({ row, before, given, errors, tools }) => {
    if (before) demandNotSuperuser(tools, before.id)
    demandPermissionsHeld(tools, addedLinks(tools, 'users.user', 'permissions', before?.id, given.permissions))
    demandGroupsHeld(tools, addedLinks(tools, 'users.user', 'groups', before?.id, given.groups))
    // By a name a proxy or a provider lets one in, as by a password.
    if (before && (given.password !== undefined || row.username !== before.username)) demandNoLessThan(tools, before.id)
    if (typeof given.password === 'string') {
      const weakness = weaknessOf(given.password)
      if (weakness) errors.non_field_errors = [weakness]
      else row.password = hashInWrite(given.password, row.username)
    }
    const alike = row.username === before?.username ? [] : tools.all(Alike, row.username, row.id ?? 0)
    // The same name is found out by the field itself.
    if (alike.length && !alike.some(({ username }) => username === row.username))
      errors.__all__ = ['A user with this username already exists.']
  },
})
