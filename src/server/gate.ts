import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http'
import type { TLSSocket } from 'node:tls'
import { Common } from '../http/request-context.ts'

/** What reads although it is sent like a write. */
const Query = /^\/graphql\/(?:\?|$)|^\/api\/query\/(?:\?|$)|^\/api\/[^?]*\/render(?:-config)?\/(?:\?|$)/
/** Answered by this server whoever writes. */
const Own = /^\/(?:healthz|readyz|metrics|assets|media)\b/
/** Headers that are of one connection alone. */
const Hop = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'])
/** The cookie of who wrote lately: the time of the source, in ms, until which what is shown must reach. */
const Wrote = 'cabinet_wrote'
/** Seconds for which that is remembered. */
const Remembered = 120
/** Milliseconds that the source may be silent while it works on a request. */
const Silence = 300_000

/** Whether a request changes nothing. */
function isRead(method: string, url: string, basePath: string): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return true
  return method === 'POST' && Query.test(url.startsWith(basePath) ? url.slice(basePath.length) : url)
}

/** What a server does that must not write. */
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
 * Lets reads pass, and hands writes to the source. Who wrote reads from the source too, until what they wrote is here:
 * so a page shows what its form has just changed.
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

/**
 * Hands a request to another server as it is, and its answer back; `failed` is called where that took nothing of it.
 */
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
