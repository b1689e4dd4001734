import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { Common } from '../http/request-context.ts'
import { forward, type Onward } from './forward.ts'

/** POST requests that only read. */
const Query = /^\/graphql\/(?:\?|$)|^\/api\/query\/(?:\?|$)|^\/api\/[^?]*\/render(?:-config)?\/(?:\?|$)/
/** Paths that a follower always answers itself. */
const Own = /^\/(?:healthz|readyz|metrics|assets|media)\b/
/** Cookie of a client that wrote: what it reads must include all up to this time of the source's clock (ms). */
const Wrote = 'cabinet_wrote'
/** Lifetime of that cookie in seconds. */
const Remembered = 120

/** Whether a request changes nothing. */
function isRead(method: string, url: string, basePath: string): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return true
  return method === 'POST' && Query.test(url.startsWith(basePath) ? url.slice(basePath.length) : url)
}

/** How a server that must not write handles requests. */
interface Gate {
  basePath: string
  /** Headers of every answer of its own. */
  headers: () => Record<string, string>
  /** Why it does not write. */
  reason: () => string
  /** Where writes go; undefined: nowhere. */
  source: URL | undefined
  /** Milliseconds since 1970 up to which it shows everything. */
  asOf: () => number
}

/**
 * Answers reads and forwards writes to the source. A client that wrote also reads from the source until its write has
 * arrived here (read your own writes).
 */
export const gated =
  (gate: Gate, listener: RequestListener): RequestListener =>
  (incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming
    const here = () => {
      for (const [name, value] of Object.entries(gate.headers())) outgoing.setHeader(name, value)
      listener(incoming, outgoing)
    }
    if (isRead(method, url, gate.basePath)) {
      const below = url.startsWith(gate.basePath) ? url.slice(gate.basePath.length) : url
      const isAhead = gate.source !== undefined && wroteAt(incoming.headers) > gate.asOf() && !Own.test(below)
      if (!isAhead || method === 'POST') return here()
      return toSource(gate.source!, incoming, outgoing, here)
    }
    if (!gate.source) return refuse(incoming, outgoing, gate, gate.reason())
    return toSource(gate.source, incoming, outgoing, (error) =>
      refuse(
        incoming,
        outgoing,
        gate,
        `${gate.reason()} That server cannot be reached now (${error.code ?? error.message}).`,
      ),
    )
  }

function wroteAt({ cookie }: IncomingHttpHeaders): number {
  if (!cookie?.includes(Wrote)) return 0
  return Number(/(?:^|;\s*)cabinet_wrote=(\d{1,15})(?:;|$)/.exec(cookie)?.[1] ?? 0)
}

/** Hands a request to the source; `failed` is called where that did not answer. */
function toSource(source: URL, incoming: IncomingMessage, outgoing: ServerResponse, failed: Onward['failed']): void {
  const { method = 'GET', url = '/' } = incoming
  const { protocol, port } = source
  const hostname = source.hostname.replace(/^\[|\]$/g, '') // an IPv6 address
  const isRead = method === 'GET' || method === 'HEAD'
  forward(incoming, outgoing, {
    to: { protocol, hostname, port, path: source.pathname.replace(/\/$/, '') + url },
    headers: headersFor(source, incoming),
    heard: (answer, headers) => {
      if (isRead || (answer.statusCode ?? 500) >= 400) return
      const until = (Date.parse(answer.headers.date ?? '') || Date.now()) + 1000 // that header counts whole seconds
      headers['set-cookie'] = [
        ...(answer.headers['set-cookie'] ?? []),
        `${Wrote}=${until}; Path=/; Max-Age=${Remembered}; HttpOnly; SameSite=Lax`,
      ]
    },
    failed,
  })
}

/** What the source is told of who asks, and under which address. */
function headersFor(source: URL, { headers, socket }: IncomingMessage): Record<string, string> {
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  return {
    host: source.host,
    'x-forwarded-host': String(headers['x-forwarded-host'] ?? headers.host ?? source.host),
    'x-forwarded-proto': String(headers['x-forwarded-proto'] ?? ((socket as TLSSocket).encrypted ? 'https' : 'http')),
    'x-forwarded-for': headers['x-forwarded-for'] ? `${String(headers['x-forwarded-for'])}, ${peer}` : peer,
  }
}

function refuse({ headers }: IncomingMessage, outgoing: ServerResponse, gate: Gate, detail: string): void {
  const isPage = headers.accept?.includes('text/html') === true
  outgoing.writeHead(503, {
    ...Common,
    ...gate.headers(),
    'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json',
    'retry-after': '30',
    connection: 'close',
  })
  outgoing.end(isPage ? pageOf(detail) : JSON.stringify({ detail }))
}

const pageOf = (detail: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Read only</title><h1>Read only</h1><p>${detail
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')}</p></html>`
