import { Common } from '../http/request-context.ts'
import { complain } from '../lib/log.ts'

/** The answer to what is no request: without a host, or with an address that cannot be one. */
export function refusal(error: unknown): Response {
  const isTheirs = (error as Error).name === 'RequestError'
  if (!isTheirs) complain(`${(error as Error).stack ?? error}\n`)
  const detail = isTheirs ? 'Bad request.' : 'The server failed to answer this request; its log says why.'
  const headers = { 'content-type': 'application/json', ...Common }
  return new Response(JSON.stringify({ detail }), { status: isTheirs ? 400 : 500, headers })
}
