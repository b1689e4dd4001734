import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type RequestOptions,
  type ServerResponse,
} from 'node:http'

/** Hop-by-hop headers (RFC 9110, section 7.6.1), and what the server has answered itself: these are not forwarded. */
const Hop = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** Milliseconds that the other side may be silent while it works on a request. */
const Silence = 300_000

type Headers = Record<string, string | string[]>

/** Where a request is handed on to. */
export interface Onward {
  /** What `http.request` is told of the place; `https:` as its protocol makes it one over TLS. */
  to: RequestOptions
  /** Headers beside those that came, or instead of them. */
  headers: OutgoingHttpHeaders
  /** May add to the headers of the answer. */
  heard?: (answer: IncomingMessage, headers: Headers) => void
  /** Called where nothing was answered. */
  failed: (error: NodeJS.ErrnoException) => void
}

/** Hands a request on to another server, body and answer as they come, each side as quick as the other takes it. */
export function forward(incoming: IncomingMessage, outgoing: ServerResponse, onward: Onward): void {
  const { to, headers, heard, failed } = onward
  const { method = 'GET', headersDistinct, headers: joined } = incoming
  // What came twice goes on twice, but for the host.
  const came: NodeJS.Dict<string | string[]> = { ...headersDistinct, host: joined.host }
  const send = to.protocol === 'https:' ? process.getBuiltinModule('node:https').request : request
  const isPiece = came['transfer-encoding'] !== undefined // a body of unknown length: it is that there too
  const all = { ...passed(came), ...(isPiece ? { 'transfer-encoding': 'chunked' } : undefined), ...headers }
  let answer: IncomingMessage | undefined
  const there = send({ timeout: Silence, ...to, method, headers: all }, (reply) => {
    answer = reply
    const own = passed(reply.headers)
    heard?.(reply, own)
    if (reply.headers.connection === 'close' && !incoming.complete) outgoing.shouldKeepAlive = false
    outgoing.writeHead(reply.statusCode ?? 502, own)
    reply.pipe(outgoing)
    reply.once('error', () => outgoing.destroy())
  })
  there.once('timeout', () => there.destroy(new Error('no answer')))
  there.once('error', (error: NodeJS.ErrnoException) => {
    if (answer?.complete) return // it was answered before all of the body had gone
    if (outgoing.headersSent) outgoing.destroy()
    else failed(error)
  })
  outgoing.once('close', () => outgoing.writableFinished || there.destroy())
  if (!isPiece && came['content-length'] === undefined) there.end()
  else {
    // Whatever its method: a body that was announced and does not come would be taken out of what is sent next.
    there.flushHeaders() // who waits for a body may refuse it before any of it comes
    incoming.pipe(there)
    incoming.once('close', () => incoming.complete || there.destroy())
  }
}

function passed(headers: NodeJS.Dict<string | string[]>): Headers {
  const kept: Headers = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !Hop.has(name))
      kept[name] = Array.isArray(value) && value.length === 1 ? value[0]! : value
  return kept
}
