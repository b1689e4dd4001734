import type { AnyModel } from '../declare/model.ts'
import type { Page } from '../store/kept-pages.ts'
import type { Condition } from '../store/selections.ts'
import { conditionOf } from './lists.ts'
import type { Call } from './request.ts'

/** Ids of the objects of a model with a `user` that are the caller's own, in order, and how many there are. */
export function ownPage(call: Call, m: AnyModel, limit: number | undefined, offset = 0, isUnread = false): Page {
  const { where, values, uses } = conditionOf(call, m, new URLSearchParams())
  const own: Condition = {
    where: [...where, 't.user_id = :own', ...(isUnread ? ['t.read is null'] : [])],
    values: { ...values, own: call.actor.userId },
    uses,
  }
  return call.store.reader.page(m, own, undefined, limit, offset)
}
