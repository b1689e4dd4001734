import type { Connection } from '../store/database.ts'

/** So many of a user's last changes are looked at. */
const MaxChanges = 200

/** What a user changed last, as `dcim.site:3`, the latest first, with its place in that order. */
export function recentObjects(db: Connection, userId: number | null): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  if (userId === null) return places
  const sql = `select changed_object_type as type, changed_object_id as object from core_objectchange
    where user_id = +? order by id desc limit ${MaxChanges}`
  for (const { type, object } of db.all<{ type: string; object: number }>(sql, userId)) {
    const key = `${type}:${object}`
    if (!places.has(key)) places.set(key, places.size)
  }
  return places
}
