import { filled, gapsIn, placeOf } from '../fields/generic.ts'
import { parseExact, stringifyExact } from '../lib/exact-json.ts'
import { models } from '../engine/catalog.ts'
import type { Store } from '../store/open.ts'
import { Missing, type Shape } from './plan.ts'

/** A value that is null though the schema says it never is. */
interface Lack {
  readonly message: string
  readonly path: readonly (string | number)[]
}

/** The text of a JSON value with the displays of generic objects in their places. */
export function withDisplays(json: string, { reader }: Pick<Store, 'reader'>): string {
  const split = gapsIn(json)
  if (!split) return json
  const textOf = ({ place, id }: (typeof split.gaps)[number]): string => {
    const m = models[placeOf(place).type]
    return m ? JSON.stringify(reader.display(m, id)).slice(1, -1) : ''
  }
  return filled(split.pieces, split.gaps.map(textOf))
}

/**
 * What an object is with its lacks: each makes the nearest object around it null that may be. `json` is undefined where
 * none may. Past the first that reaches the top nothing is looked at.
 */
export function completed(
  json: string,
  shape: Shape,
  path: readonly (string | number)[],
): { json: string | undefined; lacks: Lack[] } {
  if (!json.includes(Missing)) return { json, lacks: [] }
  const lacks: Lack[] = []
  const value = complete(parseExact(json), shape, path, lacks)
  return { json: value === Missing ? undefined : stringifyExact(value), lacks }
}

/** The value, or `Missing` where it must not be null and is. */
function complete(
  value: unknown,
  shape: Shape | undefined,
  path: readonly (string | number)[],
  lacks: Lack[],
): unknown {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      const made = complete(item, shape, [...path, i], lacks)
      if (made === Missing) return Missing
      value[i] = made
    }
    return value
  }
  if (typeof value !== 'object' || value === null || !shape) return value
  const object = value as Record<string, unknown>
  for (const [key, inner] of Object.entries(object)) {
    const member = shape.get(key)
    const at = [...path, key]
    if (inner === Missing)
      lacks.push({ message: `Cannot return null for non-nullable field ${member?.field}.`, path: at })
    const made = inner === Missing ? Missing : complete(inner, member?.below, at, lacks)
    if (made === Missing && !member?.isNullable) return Missing
    object[key] = made === Missing ? null : made
  }
  return object
}
