import type { Row } from '../fields/field.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Since } from './changes.ts'
import { isLink } from './coming.ts'
import { customOf } from './custom-values.ts'
import { keysDiffer, membersOf } from './merge.ts'

const Field = 'extras.customfield'

/** Models that a custom field has; none where it is not there. */
export const typesOf = (field: Row | null): string[] => membersOf(field?.object_types)

/**
 * Whether a row is another than it was because of what was done to custom fields, although its values read the same: it
 * has no value of a field whose default others get, or what it has a value of is another field of that name.
 */
export function isOtherByFields(changes: Iterable<Since>): (m: AnyModel, was: Row, is: Row) => boolean {
  const fields = [...changes].filter(({ place }) => place.m.name === Field && !isLink(place))
  const [given, passed] = [presetsGiven(fields), namesPassedOn(fields)]
  return (m, was, is) => {
    if (!m.fields.custom_fields) return false
    const [presets, names] = [given.get(m.name), passed.get(m.name)]
    if (presets && keysDiffer(was, is, presets)) return true
    return names !== undefined && [was, is].some((row) => Object.keys(customOf(row)).some((name) => names.has(name)))
  }
}

/** Custom fields with a default that were given to models, by model. */
function presetsGiven(fields: readonly Since[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const { before, now } of fields) {
    if (!now || now.default === null) continue
    const had = typesOf(before)
    for (const type of typesOf(now))
      if (!had.includes(type)) found.set(type, (found.get(type) ?? new Set()).add(now.name as string))
  }
  return found
}

/** Names that another custom field of a model has than before, by model. */
function namesPassedOn(fields: readonly Since[]): ReadonlyMap<string, ReadonlySet<string>> {
  const [found, owners] = [new Map<string, Set<string>>(), new Map<string, number>()]
  for (const { id, before } of fields) for (const type of typesOf(before)) owners.set(`${type} ${before!.name}`, id)
  for (const { id, now } of fields)
    for (const type of typesOf(now)) {
      const owner = owners.get(`${type} ${now!.name}`)
      if (owner === undefined || owner === id) continue
      found.set(type, (found.get(type) ?? new Set()).add(now!.name as string))
    }
  return found
}
