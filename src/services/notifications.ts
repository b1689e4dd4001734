import type { RowNamed } from '../declare/model.ts'
import type { Rows } from '../declare/rows.ts'
import { sql } from '../declare/statement.ts'

/** What users are told of. */
interface Notice {
  type: string
  id: number
  label: string
  event: string
  at: string
}

/** The columns that name the object of a notification or a subscription. */
const naming = (type: string, id: number) => ({
  object_type: type as RowNamed<'extras.notification'>['object_type'],
  object_id: id,
})
const Add = sql`
  insert into extras_notification (object_type, object_id, user_id, created, event_type, object_repr)
  select ?, ?, id, ?, ?, ? from users_user where id = ?`

/** Notifies users of an object; each has one notification of it, the latest. */
export function notify(rows: Rows, users: readonly number[], { type, id, label, event, at }: Notice): void {
  for (const user of new Set(users)) {
    rows.drop('extras.notification', { ...naming(type, id), user_id: user })
    rows.run(Add, type, id, at, event, label.slice(0, 200), user)
  }
}

/** Active users of a notification group, its groups' members included. */
export const membersOf = (rows: Rows, group: number): number[] => rows.all(Members, group, group).map((row) => row.id)
const Members = sql<{ id: number }>`
  select id from users_user where is_active and id in (
    select to_id from extras_notificationgroup_users where from_id = +?
    union
    select m.from_id from users_user_groups m
    join extras_notificationgroup_groups g on g.to_id = m.to_id where g.from_id = +?)`

export const subscribersOf = (rows: Rows, type: string, id: number): number[] =>
  rows.rows('extras.subscription', naming(type, id), { only: ['user_id'] }).map((row) => row.user_id)
