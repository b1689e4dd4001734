import type { Context, MiddlewareHandler } from 'hono'
import { free, isTransient } from '../lib/transient-bytes.ts'
import type { Answer, Call, Env } from './request.ts'

/** What a page of ours may load and do: files of this server only, no script or style inside the page. */
export const PagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; object-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
/** Drawings stand in pages of ours; they bring their own styles, and no scripts. */
const DrawingPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'"

/**
 * The policies of an answer that has none of its own: JSON needs none, what a template made must not act as its reader,
 * and pages and files are for nobody else, whatever stands between.
 */
function policyOf(type: string | undefined): Record<string, string> | undefined {
  if (type === undefined || type === 'application/json') return undefined
  return {
    'content-security-policy': type.startsWith('image/svg') ? DrawingPolicy : 'sandbox',
    'cache-control': 'private',
  }
}

/** An answer as a response, in one go: headers that are set on a response afterwards cost half a request. */
export function send(c: Context<Env>, answer: Answer): Response {
  const { status, body, headers: own } = c.get('present')?.(answer) ?? answer
  const allow = c.get('place')?.allow
  const headers: Record<string, string> = {
    ...c.get('common'),
    ...policyOf(own?.['content-type']),
    ...own,
    ...(allow === undefined ? undefined : { allow }),
  }
  if (isTransient(body)) c.env?.outgoing?.once('finish', () => free(body))
  if (c.req.method !== 'HEAD') return new Response(body as string | null, { status, headers })
  if (body !== null) headers['content-length'] = String(Buffer.byteLength(body))
  return new Response(null, { status, headers })
}

/** A handler for a route out of a function of the call. */
export const answering =
  (handle: (call: Call, c: Context<Env>) => Answer | Promise<Answer>) =>
  async (c: Context<Env>): Promise<Response> =>
    send(c, await handle(c.get('call'), c))

/** Gives the headers of all answers to those that are made with the context's own functions: `c.html`, `c.redirect`. */
export const commonHeaders: MiddlewareHandler<Env> = (c, next) => {
  for (const [name, value] of Object.entries(c.get('common'))) c.header(name, value)
  c.header('content-security-policy', PagePolicy)
  c.header('cache-control', 'private')
  return next()
}
