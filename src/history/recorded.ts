import type { Writing } from '../store/write.ts'

/** One change record of a write. */
export interface Undone {
  action: string
  changed_object_type: string
  changed_object_id: number
  object_repr: string
  /** What each field was before it, and is after it. */
  fields: Record<string, readonly [before: unknown, after: unknown]>
}
/** What was recorded after a change record, by its id. */
export function recorded(w: Writing, last: number): Undone[] {
  const rows = w.db.all<Record<string, string | null> & { changed_object_id: number }>(
    `select action, changed_object_type, changed_object_id, object_repr, prechange_data, postchange_data
      from core_objectchange where id > ? order by id`,
    last,
  )
  return rows.map((row) => {
    const [before, after] = [row.prechange_data, row.postchange_data].map(
      (text) => (text ? JSON.parse(text) : {}) as Record<string, unknown>,
    ) as [Record<string, unknown>, Record<string, unknown>]
    const fields: Undone['fields'] = {}
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      if (JSON.stringify(before[name]) !== JSON.stringify(after[name]))
        fields[name] = [before[name] ?? null, after[name] ?? null]
    return {
      action: row.action!,
      changed_object_type: row.changed_object_type!,
      changed_object_id: row.changed_object_id,
      object_repr: row.object_repr!,
      fields,
    }
  })
}
