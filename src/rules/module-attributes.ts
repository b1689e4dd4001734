import { parseExact, spreadExact, stringifyExact } from '../lib/exact-json.ts'
import { json } from '../fields/index.ts'
import type { WriteEvent } from '../declare/behaviour.ts'
import { sortKeysByLength } from '../lib/json.ts'
import { schemaRefusal } from './schemas.ts'

const stored = json({ nullable: true, object: true })
/** What a module type's profile asks to know of it: an object, which change records know as `attribute_data`. */
export const moduleAttributes = {
  ...stored,
  snapshot: (row: Parameters<NonNullable<typeof stored.snapshot>>[0], name: string) => ({
    attribute_data: stored.snapshot!(row, name)[name],
  }),
}

const parsed = (text: unknown): unknown => (typeof text === 'string' ? parseExact(text) : null)

/**
 * Attributes given are merged into those there, none given empty them, and those of a form are all; they satisfy the
 * schema of the profile, and there are none without one.
 */
export function checkAttributes({
  row,
  before,
  given,
  errors,
  tools,
  isEntered,
}: WriteEvent<{ profile_id: number | null; attributes: string | null }>): void {
  const schema = row.profile_id === null ? null : tools.row('dcim.moduletypeprofile', row.profile_id)?.schema
  if (typeof schema !== 'string' || schema === 'null') {
    row.attributes = null
    return
  }
  const [was, is] = [parsed(before?.attributes), given.attributes]
  if (was && is && Object.keys(is).length && !isEntered)
    row.attributes = stringifyExact(sortKeysByLength(spreadExact(was, is)))
  const refusal = schemaRefusal(schema, parsed(row.attributes))
  if (refusal) errors.__all__ ??= [`The attributes do not satisfy the schema of the profile: ${refusal}`]
}
