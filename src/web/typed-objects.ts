import { conditionOf } from '../http/lists.ts'
import { ApiError } from '../http/request.ts'
import { may } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import { filtersOf } from '../engine/filters.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Visit } from './visit.ts'

const isId = (text: string): boolean => /^\d{1,15}$/.test(text)

/** What a text may be of an object where no picker was: its slug first, as no two have the same. */
const attributesOf = (m: AnyModel, text: string): string[] => [
  ...('slug' in m.fields && /^[-\w]+$/.test(text) ? ['slug'] : []),
  typeof m.display === 'string' ? m.display : 'name',
]

/**
 * Ids of the objects that a text names which was typed where no picker was, among those that the user may view: by its
 * id, or by the slug or else the name.
 */
export function idsTyped(visit: Visit, m: AnyModel, text: string, most = 2): readonly number[] {
  if (text === '' || !may(visit.actor, 'view', m)) return []
  if (isId(text)) return visit.store.reader.mayOn(visit.actor, 'view', m, Number(text)) === true ? [Number(text)] : []
  for (const by of attributesOf(m, text)) {
    const ids = filtersOf(m).has(by) ? idsBy(visit, m, by, text, most) : []
    if (ids.length > 0) return ids
  }
  return []
}

function idsBy(visit: Visit, m: AnyModel, by: string, text: string, most: number): readonly number[] {
  try {
    const those = conditionOf(visit, m, new URLSearchParams([[by, text]]))
    return visit.store.reader.page(m, those, undefined, most, 0).ids
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return [] // no text that an object may have
    throw error
  }
}

/** An object that a form names, as a body says it; what names none, or several, is refused by its attributes. */
export function named(visit: Visit, model: string, text: string): unknown {
  if (text === '') return null
  if (isId(text)) return Number(text)
  const m = modelNamed(model)
  const [id, ...others] = idsTyped(visit, m, text)
  return id !== undefined && others.length === 0 ? id : { [attributesOf(m, text)[0]!]: text }
}
