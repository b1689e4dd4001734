import type { Connection } from '../store/database.ts'

/** What users are told of. */
export interface Notice {
  type: string
  id: number
  label: string
  event: string
  at: string
}

/** Notifies users of an object; each has one notification of it, the latest. */
export function notify(db: Connection, users: readonly number[], { type, id, label, event, at }: Notice): void {
  for (const user of new Set(users)) {
    db.run('delete from extras_notification where object_type = ? and object_id = ? and user_id = ?', type, id, user)
    db.run(
      'insert into extras_notification (object_type, object_id, user_id, created, event_type, object_repr) select ?, ?, id, ?, ?, ? from users_user where id = ?',
      type,
      id,
      at,
      event,
      label.slice(0, 200),
      user,
    )
  }
}

/** Active users of a notification group, its groups' members included. */
export const membersOf = (db: Connection, group: number): number[] =>
  db
    .all<{ id: number }>(
      `select id from users_user where is_active and id in (
       select to_id from extras_notificationgroup_users where from_id = +:group
       union select m.from_id from users_user_groups m join extras_notificationgroup_groups g on g.to_id = m.to_id where g.from_id = +:group)`,
      { group },
    )
    .map((row) => row.id)

export const subscribersOf = (db: Connection, type: string, id: number): number[] =>
  db
    .all<{ user_id: number }>(
      'select user_id from extras_subscription where object_type = +? and object_id = +?',
      type,
      id,
    )
    .map((row) => row.user_id)
