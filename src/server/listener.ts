import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { Common } from '../http/request-context.ts'
import type { Env } from '../http/request.ts'
import { complain } from '../lib/log.ts'

/** Answers what comes in by HTTP as the application does. */
export const listenerOf = ({ fetch }: Hono<Env>): ReturnType<typeof getRequestListener> =>
  getRequestListener(fetch, {
    errorHandler: refusal,
    overrideGlobalObjects: true,
    hostname: 'localhost', // where HTTP/1.0 names none: load balancers look at /healthz so
  })

/** The answer to what is no request: with a host or an address that cannot be one. */
function refusal(error: unknown): Response {
  const isTheirs = (error as Error).name === 'RequestError'
  if (!isTheirs) complain(`${(error as Error).stack ?? error}\n`)
  const detail = isTheirs ? 'Bad request.' : 'The server failed to answer this request; its log says why.'
  const headers = { 'content-type': 'application/json', ...Common }
  return new Response(JSON.stringify({ detail }), { status: isTheirs ? 400 : 500, headers })
}
