import type { Connection } from '../store/database.ts'

/** What users put on objects for themselves alone. */
export type Mark = 'extras.bookmark' | 'extras.subscription'

/** The mark of a user on an object, if there is one: its id. */
export const markOf = (
  db: Connection,
  mark: Mark,
  object: { type: string; id: number },
  userId: number | null,
): number | undefined =>
  db.get<{ id: number }>(
    `select id from "${mark.replace('.', '_')}" where object_type = ? and object_id = ? and user_id = +?`,
    object.type,
    object.id,
    userId,
  )?.id
