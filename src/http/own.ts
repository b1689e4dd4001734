import { modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Condition, Page } from '../store/selections.ts'
import { conditionOf } from './lists.ts'
import type { Call } from './request.ts'

/** Jobs that deliver to a webhook, or try it: those of the rules that act through it, and its own. */
export function deliveriesOf(call: Call, webhook: number, limit: number): Page {
  const { where, values, uses } = conditionOf(call, modelNamed('core.job'), new URLSearchParams())
  const rules = `select id from extras_eventrule where action_object_type = 'extras.webhook' and action_object_id = :webhook`
  return call.store.reader.page(
    modelNamed('core.job'),
    {
      where: [
        ...where,
        `(t.object_type = 'extras.webhook' and t.object_id = :webhook
          or t.object_type = 'extras.eventrule' and t.object_id in (${rules}))`,
      ],
      values: { ...values, webhook },
      uses: [...uses, 'extras_eventrule'],
    },
    undefined,
    limit,
    0,
  )
}

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
