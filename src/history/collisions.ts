import type { Row } from '../fields/field.ts'
import { allModels, fieldsOf, modelNamed } from '../engine/catalog.ts'
import { Refused } from '../declare/behaviour.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Writing } from '../store/write.ts'
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

/**
 * What to do where it collides: `force` and `leaveOut` name fields, objects (`dcim.site:5`), models, or one of them of
 * another (`dcim.site:5.name`).
 */
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
  /**
   * The earlier state that the row is put to, and the first step since that is taken back; undefined for states that
   * never were.
   */
  was?: { row: Row; step: number }
}

/** So many collisions are told of where there are more. */
const MostShown = 200

const names = (m: AnyModel, id: number, field: string | null): string[] => [
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

/** Gathers what collides, by what is wished and what the actor may do. */
export class Judge {
  readonly #w: Writing
  readonly #force: ReadonlySet<string>
  readonly #leaveOut: ReadonlySet<string>
  readonly #collisions: Collision[] = []
  readonly #knowsAll: boolean

  /** `knowsAll`: the actor may know what it is about, also what they may not view: their kit holds it. */
  constructor(w: Writing, wishes: Wishes, { knowsAll = false } = {}) {
    this.#w = w
    this.#knowsAll = knowsAll
    this.#force = new Set(wishes.force)
    this.#leaveOut = new Set(wishes.leaveOut)
  }

  isForced(m: AnyModel, id: number, field: string | null): boolean {
    return names(m, id, field).some((name) => this.#force.has(name))
  }

  isLeftOut(m: AnyModel, id: number, field: string | null = null): boolean {
    return names(m, id, field).some((name) => this.#leaveOut.has(name))
  }

  /** Whether more collisions would not be shown. */
  get isFull(): boolean {
    return this.#collisions.length >= MostShown
  }

  /** Notes a collision, unless it is a change that is left out. Throws `Refused` where the actor may not know. */
  collide(
    m: AnyModel,
    id: number,
    more: Partial<Collision> & Pick<Collision, 'kind' | 'detail'>,
    row?: Row | null,
  ): void {
    if (more.kind === 'changed' && this.isLeftOut(m, id, more.field ?? null)) return
    const isThere = this.#w.row(m, id) !== undefined
    if (isThere && !m.internal) this.demandOn('change', m, id)
    const object = isThere ? this.#w.display(m, id) : String(row?.name ?? row?.display ?? `${m.label} ${id}`)
    if (!isThere && !m.internal && !this.#w.tools.may('add', m.name))
      throw notAllowed(this.#knowsAll && `add ${m.plural}`)
    this.#collisions.push({
      object_type: m.name,
      object_id: id,
      object,
      field: null,
      wanted: null,
      left: null,
      now: null,
      ...more,
    })
  }

  /** Throws `Collided` if anything collided. */
  stop(): void {
    if (this.#collisions.length) throw new Collided(this.#collisions)
  }

  /** Whether the actor may do this to a row as it is now. */
  isAllowed(action: string, m: AnyModel, id: number): boolean {
    const { tools, actor } = this.#w
    return actor.superuser || tools.mayOn(action, m.name, id)
  }

  /** Throws `Refused` unless the actor may do this to a row as it is now. */
  demandOn(action: string, m: AnyModel, id: number): void {
    const { tools } = this.#w
    if (this.isAllowed(action, m, id)) return
    const mayKnow = this.#knowsAll || tools.mayOn('view', m.name, id)
    throw notAllowed(mayKnow && `${action} ${m.label} ${this.#w.display(m, id)}`)
  }
}

/** What an actor is told who may not do something: which permission it takes, unless they must not know. */
const notAllowed = (what: string | false): Refused =>
  new Refused(403, {
    detail: `You do not have permission to perform this action.${what ? ` It takes the permission to ${what}.` : ''}`,
  })
