import { Refused } from '../declare/behaviour.ts'
import { ApiError } from '../http/request.ts'

/**
 * Throws on what nobody can set right in a form: all but a refusal, and one of the server's own or of these statuses.
 */
export function demandRefusal(error: unknown, ...others: readonly number[]): asserts error is ApiError | Refused {
  const isRefusal = error instanceof ApiError || error instanceof Refused
  if (!isRefusal || error.status >= 500 || others.includes(error.status)) throw error
}
