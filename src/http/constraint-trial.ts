import { binder, comparableBy } from '../engine/actor.ts'
import { constraint, UnknownAttribute } from '../engine/lookups.ts'
import type { AnyModel } from '../declare/model.ts'
import { conditionOf } from './lists.ts'
import type { Call } from './request.ts'

/** What constraints allow of a model's objects: how many of all, and the first of them; or why they allow nothing. */
type Trial = { count: number; all: number; ids: readonly number[] } | { problem: string }

/**
 * Tries constraints out on the objects of a model that the caller may view, for a user who stands for `$user`. What the
 * caller may not see of other objects is not compared, so that nothing can be guessed by trying.
 */
export function tryConstraints(
  call: Call,
  m: AnyModel,
  constraints: unknown,
  userId: number | null,
  sample = 5,
): Trial {
  const visible = conditionOf(call, m, new URLSearchParams())
  const all = call.store.reader.page(m, visible, undefined, 0, 0).count ?? 0
  const c = binder('try')
  try {
    const isAll = constraints === null || (Array.isArray(constraints) && constraints.length === 0)
    const where = isAll
      ? 'true'
      : constraint(m, 't', constraints, userId, { ...c, crossing: comparableBy(call.actor, c) })
    const { ids, count } = call.store.reader.page(
      m,
      {
        where: [...visible.where, where],
        values: { ...visible.values, ...c.values },
        uses: [...visible.uses, ...c.tables],
      },
      undefined,
      sample,
      0,
    )
    return { count: count ?? 0, all, ids }
  } catch (error) {
    if (error instanceof UnknownAttribute) return { problem: error.message }
    throw error
  }
}
