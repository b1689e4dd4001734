import type { Visit } from './visit.ts'

/** The own preferences of whoever asks, as `users/config` has them. */
export function preferencesOf(call: Visit): Record<string, unknown> {
  if (call.actor.userId === null) return {}
  const row = call.store.db.get<{ data: string }>(
    'select data from users_userconfig where user_id = +?',
    call.actor.userId,
  )
  return row ? (JSON.parse(row.data) as Record<string, unknown>) : {}
}

/** One preference by its path (`pagination.per_page`); undefined where it was never set. */
export function preference(of: Record<string, unknown>, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
      of,
    )
}
