import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http'
import type { TLSSocket } from 'node:tls'
import { Common } from '../http/request-context.ts'

/** POST requests that only read. */
const Query = /^\/graphql\/(?:\?|$)|^\/api\/query\/(?:\?|$)|^\/api\/[^?]*\/render(?:-config)?\/(?:\?|$)/
/** Paths that a follower always answers itself. */
const Own = /^\/(?:healthz|readyz|metrics|assets|media)\b/
/** Hop-by-hop headers (RFC 9110, section 7.6.1), which are not forwarded. */
const Hop = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'])
/** Cookie of a client that wrote: what it reads must include all up to this time of the source's clock (ms). */
const Wrote = 'cabinet_wrote'
/** Lifetime of that cookie in seconds. */
const Remembered = 120
/** Milliseconds that the source may be silent while it works on a request. */
const Silence = 300_000

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
      return forward(gate.source!, incoming, outgoing, here)
    }
    if (!gate.source) return refuse(incoming, outgoing, gate, gate.reason())
    return forward(gate.source, incoming, outgoing, (error) =>
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

/** Proxies a request to another server; `failed` is called where that server took nothing of it. */
function forward(
  source: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  failed: (error: NodeJS.ErrnoException) => void,
): void {
  const send = source.protocol === 'https:' ? process.getBuiltinModule('node:https').request : request
  const isRead = incoming.method === 'GET' || incoming.method === 'HEAD'
  const path = source.pathname.replace(/\/$/, '') + (incoming.url ?? '/')
  const there = send(
    source,
    { method: incoming.method!, path, headers: headersFor(source, incoming), timeout: Silence },
    (answer) => {
      const headers: Record<string, string | string[]> = {}
      for (const [name, value] of Object.entries(answer.headers))
        if (value !== undefined && !Hop.has(name)) headers[name] = value
      if (!isRead && (answer.statusCode ?? 500) < 400) {
        const until = (Date.parse(answer.headers.date ?? '') || Date.now()) + 1000 // that header counts whole seconds
        headers['set-cookie'] = [
          ...(answer.headers['set-cookie'] ?? []),
          `${Wrote}=${until}; Path=/; Max-Age=${Remembered}; HttpOnly; SameSite=Lax`,
        ]
      }
      outgoing.writeHead(answer.statusCode ?? 502, headers)
      answer.pipe(outgoing)
      answer.once('error', () => outgoing.destroy())
    },
  )
  there.once('timeout', () => there.destroy(new Error('no answer')))
  there.once('error', (error: NodeJS.ErrnoException) => {
    if (outgoing.headersSent) outgoing.destroy()
    else failed(error)
  })
  outgoing.once('close', () => outgoing.writableFinished || there.destroy())
  if (isRead) there.end()
  else incoming.pipe(there)
}

function headersFor(source: URL, { headers, socket }: IncomingMessage): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined && !Hop.has(name)) passed[name] = value
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  return {
    ...passed,
    host: source.host,
    'x-forwarded-host': headers['x-forwarded-host'] ?? headers.host ?? source.host,
    'x-forwarded-proto': headers['x-forwarded-proto'] ?? ((socket as TLSSocket).encrypted ? 'https' : 'http'),
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
