import { HTTPException } from 'hono/http-exception'
import { AnsweredElsewhere } from '../lib/answered-elsewhere.ts'
import { complain } from '../lib/log.ts'
import { Refused } from '../declare/behaviour.ts'
import { isDuplicate, SameOthers } from '../store/unique.ts'
import { Locked } from '../store/commit.ts'
import { isBrokenReference } from '../store/broken-references.ts'
import { isBusy } from '../store/database.ts'
import { isNoRoom } from '../store/disk.ts'
import { NotSynced } from '../store/log-sync.ts'
import { RegexTooSlow } from '../lib/regex.ts'
import { type Answer, ApiError, jsonAnswer, noRoom } from './request.ts'

/** Of forms that a browser sends from a page of another address: the one refusal that comes without words. */
const OtherOrigin =
  'Refused: the form is of a page at another address than this server has. ' +
  'Where a proxy or a follower stands before it, name that in trusted_proxies.'

/** The answer to a request that failed. Unexpected errors are logged, and answered in general words only. */
export function failure(error: Error): Answer {
  if (error instanceof ApiError) return jsonAnswer(error.status, error.body, error.headers)
  if (error instanceof Refused) {
    if (error.cause) complain(`${error.message}\n${(error.cause as Error).stack}\n`) // no rule foresaw it
    return jsonAnswer(error.status, error.body)
  }
  if (error instanceof RegexTooSlow) return jsonAnswer(400, { detail: error.message })
  if (error instanceof HTTPException) return jsonAnswer(error.status, { detail: error.message || OtherOrigin })
  if (error instanceof Locked || isBusy(error))
    return jsonAnswer(503, { detail: 'The database is locked by another process. Try again.' }, { 'retry-after': '2' })
  if (error instanceof NotSynced) return jsonAnswer(503, { detail: error.message })
  if (isNoRoom(error)) return failure(noRoom())
  if (!(error instanceof AnsweredElsewhere)) complain(`${error.stack ?? error}\n`)
  if (isDuplicate(error)) return jsonAnswer(409, { detail: SameOthers })
  if (isBrokenReference(error))
    return jsonAnswer(409, { detail: 'This change would refer to something that is not there any more.' })
  return jsonAnswer(500, {
    error: 'internal error',
    detail: 'The server failed to answer this request; its log says why.',
  })
}
