export { keepPreferences, preferencesOf } from '../http/preferences.ts'

/** One preference by its path (`pagination.per_page`); undefined where it was never set. */
export function preference(of: Record<string, unknown>, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
      of,
    )
}
