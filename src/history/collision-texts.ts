import type { Row } from '../fields/field.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Collision } from './collisions.ts'
import type { Conflict } from './coming.ts'
import { keyOfConflict } from './disputes.ts'
import type { Names } from './names.ts'

export const ChangeFirst = 'nothing can be done: change it here first'

/** A collision as a conflict that nothing more is known of. `row`: of the object where it is not here. */
export function conflictOf(names: Names, collision: Collision, m: AnyModel, row?: Row): Conflict {
  const { kind, object_id, field, detail } = collision
  return {
    key: keyOfConflict(m, object_id, field),
    kind: kind === 'deleted' ? 'deleted here' : kind,
    object_type: m.name,
    object_id,
    object: names.of(m, object_id, row),
    field,
    parted: null,
    ours: null,
    theirs: null,
    detail,
    if_ours: kind === 'referenced' ? 'it stays, with what belongs to it' : 'what comes from there gives way',
    if_theirs: kind === 'referenced' ? 'it goes, and what refers to it is changed' : 'what is here gives way',
  }
}

/** The same of one that no decision helped with. */
export const unsettled = (names: Names, collision: Collision): Conflict => ({
  ...conflictOf(names, collision, modelNamed(collision.object_type)),
  if_ours: ChangeFirst,
  if_theirs: ChangeFirst,
})
