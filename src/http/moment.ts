import type { IncomingMessage, ServerResponse } from 'node:http'
import { alreadySent } from './already-sent.ts'
import type { Context, MiddlewareHandler } from 'hono'
import { type Moment, momentOf, NoSuchMoment } from '../history/past.ts'
import type { admission } from './admission.ts'
import { ApiError, type Call, type Env } from './request.ts'

/** Answers requests out of earlier states of the database. */
export interface LookingBack {
  /** Throws `ApiError` where there is no room for one more state. */
  answer: (incoming: IncomingMessage, outgoing: ServerResponse, moment: Moment) => void
}

/** The header that says which moment an answer shows. */
const ShownAt = 'shown-at'

/** The moment that a request asks for, as it is written; undefined for now. */
export const momentAsked = ({ query }: Pick<Call, 'query'>): string | undefined => query.get('at') ?? undefined

/** Answers what asks for another moment (`?at=`), once it is known who asks; the past is read only. */
export const lookingBack =
  (admit: ReturnType<typeof admission>, past: LookingBack): MiddlewareHandler<Env> =>
  (c, next) => {
    const call = c.get('call')
    if (momentAsked(call) === undefined) return next()
    demandRead(call)
    if (call.method === 'OPTIONS') return next()
    return admit({})(c, async () => {
      if (isAnsweredThen(c, past)) c.res = await alreadySent()
      else await next()
    })
  }

/** 400 for a write to another moment. */
export function demandRead(call: Call): void {
  if (momentAsked(call) !== undefined && !['GET', 'HEAD', 'OPTIONS'].includes(call.method))
    throw new ApiError(400, { at: ['The past can be seen, not changed.'] })
}

/** 400 for a look at another moment of what is of today alone. */
export function demandToday(call: Call): void {
  if (momentAsked(call) !== undefined) throw new ApiError(400, { at: ['This is of today alone: leave at out.'] })
}

/**
 * Whether a request of somebody who is known asks for another moment, and is answered by who shows that; `past`:
 * undefined where an earlier state is shown already. Throws `ApiError` for moments that cannot be shown.
 */
export function isAnsweredThen(c: Context<Env>, past: LookingBack | undefined): boolean {
  const call = c.get('call')
  const at = momentAsked(call)
  const { incoming, outgoing } = call
  if (at === undefined || !past || !incoming || !outgoing) return false
  const moment = momentAt(call.store.db, at)
  if (moment.isNow) {
    c.set('common', { ...c.get('common'), [ShownAt]: moment.time })
    return false
  }
  outgoing.setHeader(ShownAt, moment.time)
  past.answer(incoming, outgoing, moment)
  c.set('isElsewhere', true)
  return true
}

function momentAt(...given: Parameters<typeof momentOf>): Moment {
  try {
    return momentOf(...given)
  } catch (error) {
    if (error instanceof NoSuchMoment) throw new ApiError(400, { at: [error.message] })
    throw error
  }
}
