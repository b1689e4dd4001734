import { allModels, fieldsOf, modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Difference } from './merge.ts'
import type { Settled } from './settle.ts'

/** Why a change cannot be taken back as it is, with what is wanted, what it was left as, and what it is now. */
export interface Collision {
  kind: Difference['kind'] | 'taken' | 'missing' | 'referenced' | 'refused'
  object_type: string
  object_id: number
  object: string
  field: string | null
  wanted: unknown
  left: unknown
  now: unknown
  detail: string
}

/** What to do where it collides: `force` and `leaveOut` name fields, objects (`dcim.site:5`), models, or one of them of another (`dcim.site:5.name`). */
export interface Wishes {
  force: readonly string[]
  leaveOut: readonly string[]
}

/** Nothing was done, because of these. */
export class Collided extends Error {
  readonly collisions: readonly Collision[]
  constructor(collisions: readonly Collision[]) {
    super(`${collisions.length} changes collide`)
    this.collisions = collisions
  }
}

export interface Op extends Settled {
  /** Columns of a link that is no object: those that make it the same as another. */
  key?: readonly string[]
}

/** So many collisions are told of where there are more. */
export const MostShown = 200

export const names = (m: AnyModel, id: number, field: string | null): string[] => [
  m.name,
  `${m.name}:${id}`,
  ...(field === null ? [] : [field, `${m.name}.${field}`, `${m.name}:${id}.${field}`]),
]

/** Tables that link objects of any model to others (tags), with the columns of the object. */
export const shared = (): ReadonlyMap<string, { type: string; from: string; to: string }> => {
  sharedTables ??= new Map(
    allModels.flatMap((m) => fieldsOf(m).flatMap(([, { sharedLinks: s }]) => (s ? [[s.table, s] as const] : []))),
  )
  return sharedTables
}
let sharedTables: ReadonlyMap<string, { type: string; from: string; to: string }> | undefined

/** The model and field whose links a table holds. */
function ownerOf(table: string): { m: AnyModel; target: string } {
  const m = allModels.find(
    (each) => table.startsWith(`${each.table}_`) && each.fields[table.slice(each.table.length + 1)]?.links,
  )!
  return { m, target: m.fields[table.slice(m.table.length + 1)].links.model as string }
}

/** Whether both objects of a link are there. */
export function hasEnds(op: Op, isThere: (m: AnyModel, id: number) => boolean): boolean {
  const row = op.after!
  const sharing = shared().get(op.m.table)
  if (!sharing) {
    const { m, target } = ownerOf(op.m.table)
    return isThere(m, row.from_id as number) && isThere(modelNamed(target), row.to_id as number)
  }
  const to = fieldsOf(modelNamed(op.m.table.replace('_', '.'))).find(([name]) => `${name}_id` === sharing.to)!
  return (
    isThere(modelNamed(row[sharing.type] as string), row[sharing.from] as number) &&
    isThere(modelNamed(to[1].target!.model), row[sharing.to] as number)
  )
}

/** Objects whose links change. */
export const linked = (ops: readonly Op[]): { m: AnyModel; id: number }[] =>
  ops.flatMap((op) => {
    if (!op.key) return []
    const row = (op.after ?? op.before)!
    const sharing = shared().get(op.m.table)
    return sharing
      ? [{ m: modelNamed(row[sharing.type] as string), id: row[sharing.from] as number }]
      : [{ m: ownerOf(op.m.table).m, id: row.from_id as number }]
  })
