import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { type Moment, momentOf, NoSuchMoment } from '../history/past.ts'
import type { admission } from './admission.ts'
import { alreadySent } from './already-sent.ts'
import { ApiError, type Env } from './request.ts'

/** Answers requests out of earlier states of the database. */
export interface LookingBack {
  /** Throws `ApiError` where there is no room for one more state. */
  answer: (incoming: IncomingMessage, outgoing: ServerResponse, moment: Moment) => void
}

/** The header that says which moment an answer shows. */
const ShownAt = 'shown-at'

/** Answers what asks for another moment (`?at=`), once it is known who asks; the past is read only. */
export const lookingBack =
  (admit: ReturnType<typeof admission>, past: LookingBack): MiddlewareHandler<Env> =>
  (c, next) => {
    const call = c.get('call')
    const at = call.query.get('at')
    if (at === null) return next()
    if (call.method !== 'GET' && call.method !== 'HEAD' && call.method !== 'OPTIONS')
      throw new ApiError(400, { at: ['The past can be seen, not changed.'] })
    const { incoming, outgoing } = call
    if (call.method === 'OPTIONS' || !incoming || !outgoing) return next()
    return admit({})(c, async () => {
      const moment = momentAt(call.store.db, at)
      if (moment.isNow) {
        c.set('common', { ...c.get('common'), [ShownAt]: moment.time })
        await next()
        return
      }
      outgoing.setHeader(ShownAt, moment.time)
      past.answer(incoming, outgoing, moment)
      c.res = await alreadySent()
    })
  }

function momentAt(...given: Parameters<typeof momentOf>): Moment {
  try {
    return momentOf(...given)
  } catch (error) {
    if (error instanceof NoSuchMoment) throw new ApiError(400, { at: [error.message] })
    throw error
  }
}
