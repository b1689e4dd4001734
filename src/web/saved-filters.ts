import { conditionOf } from '../http/lists.ts'
import { withSavedFilters } from '../http/saved-filters.ts'
import { may } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { listHref } from './links.ts'
import type { Visit } from './visit.ts'

/** So many saved filters of a model are offered. */
const MaxOffered = 100

/** Ids and names of the saved filters of a model that the user may use, in their order. */
export function savedFilters(call: Visit, m: AnyModel): (readonly [number, string])[] {
  const saved = modelNamed('extras.savedfilter')
  if (!may(call.actor, 'view', saved)) return []
  const usable = new URLSearchParams({ object_type: m.name, usable: 'true' })
  const { ids } = call.store.reader.page(saved, conditionOf(call, saved, usable), undefined, MaxOffered, 0)
  return call.store.reader.rows(saved, ids, { members: ['id', 'name'] }, '').map((bytes) => {
    const { id, name } = JSON.parse(bytes.toString()) as { id: number; name: string }
    return [id, name] as const
  })
}

/**
 * The form of a new saved filter that has the values in force, with those of other saved filters; undefined for whoever
 * may not add one.
 */
export function saveHref(call: Visit, m: AnyModel, used: readonly (readonly [string, string])[]): string | undefined {
  const saved = modelNamed('extras.savedfilter')
  const isOwn = ([name]: readonly [string, string]) => name !== 'filter_id'
  if (!call.actor.writes || !may(call.actor, 'add', saved) || !used.some(isOwn)) return undefined
  const query = new URLSearchParams(used.map(([name, value]): [string, string] => [name, value]))
  const parameters: Record<string, string[]> = {}
  for (const [name, value] of [...withSavedFilters({ ...call, query }, m)].filter(isOwn))
    if (!parameters[name]?.includes(value)) parameters[name] = [...(parameters[name] ?? []), value]
  const preset = new URLSearchParams({ object_types: m.name, parameters: JSON.stringify(parameters) })
  return `${listHref(call, saved)}add/?${preset}`
}
