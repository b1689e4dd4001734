import { type Agent, type IncomingMessage, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { demandAllowed, lookupPast } from './denied-networks.ts'

/** A request to another server. */
interface Asking {
  url: URL
  method: string
  headers: Record<string, string>
  body?: Buffer
  /** Networks that must not be called. */
  denied: readonly string[]
  agent?: Agent
}

/**
 * Sends a request, and again where so many redirects at most lead; credentials stay with the first server. Answers the
 * response, whose body is not read, and where it came from. Rejects for what must not be called.
 */
export async function askOutside(asking: Asking, redirects: number): Promise<{ url: URL; response: IncomingMessage }> {
  const { url, method, headers, body, denied, agent } = asking
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`${url.protocol} is neither http: nor https:`)
  demandAllowed(url, denied)
  const send = url.protocol === 'http:' ? plain : secure
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = method === 'GET' ? {} : { 'content-length': String(body?.length ?? 0) }
    send(url, { method, headers: { ...headers, ...length }, lookup: lookupPast(denied), agent }, resolve)
      .on('error', reject)
      .end(body)
  })
  const { statusCode = 0, headers: received } = response
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode) && (method === 'GET' || statusCode >= 307)
  if (!isRedirect || !received.location || redirects === 0) return { url, response }
  response.destroy()
  const next = new URL(received.location, url)
  const kept = Object.entries(headers).filter(([name]) => next.origin === url.origin || !/^authorization$/i.test(name))
  return askOutside({ ...asking, url: next, headers: Object.fromEntries(kept) }, redirects - 1)
}
