import { FieldError } from '../fields/field.ts'
import type { ResolveContext } from '../fields/context.ts'
import { Refused } from '../declare/behaviour.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from './write.ts'

/** Tags to add and to take away besides a replaced set. */
export interface TagChanges {
  add: readonly number[]
  remove: readonly number[]
}

/** Whether objects of a model have tags; those that a config context names say whom it is for. */
export const isTagged = (m: AnyModel): boolean => m.features?.includes('tags') === true

/** Reads `add_tags` and `remove_tags` and refuses them together with `tags`, and a tag in both. */
export function tagChanges(
  m: AnyModel,
  body: unknown,
  given: Record<string, unknown>,
  context: ResolveContext,
  creating: boolean,
): TagChanges {
  const { add_tags: add, remove_tags: remove } = (isTagged(m) ? body : {}) as {
    add_tags?: unknown
    remove_tags?: unknown
  }
  if (add === undefined && remove === undefined) return { add: [], remove: [] }
  const errors: Record<string, unknown> = {}
  const ids = (key: string, list: unknown): number[] => {
    if (list === undefined) return []
    if (!Array.isArray(list)) {
      errors[key] = { non_field_errors: ['Expected a list of items.'] }
      return []
    }
    try {
      return list.map((tag) => context.related('extras.tag', tag, { unrestricted: true }))
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      errors[key] = error.detail
      return []
    }
  }
  const changes = { add: ids('add_tags', add), remove: ids('remove_tags', remove) }
  if ((given.tags as unknown[] | undefined)?.length)
    errors.tags ??= ['Cannot be combined with add_tags or remove_tags.']
  if (creating && remove !== undefined) errors.remove_tags ??= ['Tags can be removed from existing objects only.']
  if (changes.add.some((id) => changes.remove.includes(id)))
    errors.remove_tags ??= ['A tag cannot be both added and removed.']
  if (Object.keys(errors).length) throw new Refused(400, errors)
  return changes
}

/** Makes the object's tags exactly these. */
export function replaceTags(w: Writing, m: AnyModel, id: number, tags: readonly number[]): void {
  const wanted = new Set(tags)
  const present = new Set(
    w.db
      .all<{ tag_id: number }>(
        'select tag_id from extras_taggeditem where object_type = ? and object_id = +?',
        m.name,
        id,
      )
      .map((row) => row.tag_id),
  )
  changeTags(w, m, id, {
    add: [...wanted].filter((tag) => !present.has(tag)),
    remove: [...present].filter((tag) => !wanted.has(tag)),
  })
}

/** Adds and removes tags. A tag that is restricted to other types is refused. */
export function changeTags(w: Writing, m: AnyModel, id: number, changes: TagChanges): void {
  for (const tag of changes.add) {
    const { name, object_types } = w.tools.row('extras.tag', tag)!
    const types = JSON.parse(object_types) as string[]
    if (types.length && !types.includes(m.name))
      throw new Refused(400, { detail: `The tag ${name} cannot be assigned to ${m.label} objects.` })
    w.db.run(
      'insert or ignore into extras_taggeditem (object_type, object_id, tag_id) values (?, ?, ?)',
      m.name,
      id,
      tag,
    )
  }
  for (const tag of changes.remove)
    w.db.run('delete from extras_taggeditem where object_type = ? and object_id = ? and tag_id = ?', m.name, id, tag)
}
