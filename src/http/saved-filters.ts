import type { AnyModel } from '../declare/model.ts'
import type { Call } from './request.ts'
import { textOfJson } from '../lib/json.ts'

/**
 * The query with the parameters of the saved filters it names (`?filter=slug`, `?filter_id=`); its own come first, and
 * both count.
 */
export function withSavedFilters(call: Call, m: AnyModel): URLSearchParams {
  const named = [
    ...call.query.getAll('filter').map((value) => ['slug', value] as const),
    ...call.query.getAll('filter_id').map((value) => ['id', value] as const),
  ]
  if (named.length === 0 || m.fields.filter) return call.query
  const query = new URLSearchParams(call.query)
  for (const [by, value] of named) {
    const saved = call.store.db.get<{ parameters: string; object_types: string }>(
      `select parameters, object_types from extras_savedfilter
        where ${by} = ? and enabled = 1 and (shared = 1 or user_id = ?)`,
      by === 'id' ? Number(value) : value,
      call.actor.userId,
    )
    if (!saved || !(JSON.parse(saved.object_types) as string[]).includes(m.name)) continue
    for (const [name, values] of Object.entries(JSON.parse(saved.parameters) as Record<string, unknown>)) {
      for (const each of Array.isArray(values) ? values : [values]) query.append(name, textOfJson(each))
    }
  }
  return query
}
