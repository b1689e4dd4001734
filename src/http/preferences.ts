import { isObject, excessOfJson, sortKeysByLength } from '../lib/json.ts'
import { ApiError, type Call } from './request.ts'
import { transact } from './resource.ts'

/** What one user may keep. */
const PreferenceBounds = { bytes: 65_536, depth: 16 }

/** The own preferences of whoever asks, as `users/config` has them; none for who is not logged in. */
export function preferencesOf(call: Call): Record<string, unknown> {
  if (call.actor.userId === null) return {}
  const sql = 'select data from users_userconfig where user_id = +?'
  return JSON.parse(call.store.db.get<{ data: string }>(sql, call.actor.userId)?.data ?? '{}') as Record<
    string,
    unknown
  >
}

/**
 * Puts some members into the own preferences, objects into objects; answers all of them. Throws `ApiError` for too
 * much.
 */
export const keepPreferences = (call: Call, changes: Record<string, unknown>): Promise<Record<string, unknown>> =>
  transact(call, () => {
    const data = sortKeysByLength(merge(preferencesOf(call), changes)) as Record<string, unknown>
    const excess = excessOfJson(data, PreferenceBounds)
    if (excess) throw new ApiError(400, { non_field_errors: [excess] })
    call.store.db.run(
      `insert into users_userconfig (user_id, data) values (?, ?)
        on conflict (user_id) do update set data = excluded.data`,
      call.actor.userId,
      JSON.stringify(data),
    )
    return data
  })

function merge(into: Record<string, unknown>, from: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...into }
  for (const [key, value] of Object.entries(from))
    merged[key] = isObject(merged[key]) && isObject(value) ? merge(merged[key], value) : value
  return merged
}
