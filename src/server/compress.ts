import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { constants, gzip, zstdCompress } from 'node:zlib'

/** Bytes of a body from which on compressing it saves a client time. */
const Worthwhile = 4096
const Texts = /^(?:text\/|image\/svg|application\/(?:[\w.-]+\+)?(?:json|yaml|xml))/
const Loopback = /^(?:::ffff:)?127\.|^::1$/

/** Whether a client is on this machine, where compressing costs more than it saves. */
const isNear = ({ socket }: IncomingMessage): boolean => Loopback.test(socket.remoteAddress ?? '127.')

type Coding = 'zstd' | 'gzip'
const level = { zstd: { [constants.ZSTD_c_compressionLevel]: 1 }, gzip: 1 }
const packed = (coding: Coding, body: Buffer, done: (error: Error | null, bytes: Buffer) => void): void =>
  coding === 'zstd' ? zstdCompress(body, { params: level.zstd }, done) : gzip(body, { level: level.gzip }, done)

/** The best coding that a client takes, by its Accept-Encoding. */
export function codingOf(accepted: string | undefined): Coding | undefined {
  if (!accepted) return undefined
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((each) => each.trim())
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1'
    weights.set(name!, Number(weight) || 0)
  }
  const any = weights.get('*') ?? 0
  const weightOf = (name: Coding) => weights.get(name) ?? (name === 'gzip' ? any : 0)
  const [zstd, zipped] = [weightOf('zstd'), weightOf('gzip')]
  return zstd > 0 && zstd >= zipped ? 'zstd' : zipped > 0 ? 'gzip' : undefined
}

/**
 * Compresses large whole answers for clients elsewhere, in a thread of node's own. Not those to requests with cookies:
 * who can make a browser ask could learn from their length what they hold (BREACH).
 */
export const compressing =
  (listener: RequestListener, isLocal: (incoming: IncomingMessage) => boolean = isNear): RequestListener =>
  (incoming, outgoing) => {
    if (!isLocal(incoming) && !incoming.headers.cookie) hold(incoming, outgoing)
    listener(incoming, outgoing)
  }

/** Holds the head of an answer back until it is known whether all of its body comes with it. */
function hold(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { writeHead, write, end, flushHeaders } = outgoing
  let head: [number, OutgoingHttpHeaders] | undefined
  const release = (): void => {
    Object.assign(outgoing, { writeHead, write, end, flushHeaders })
    if (head) outgoing.writeHead(...head)
  }
  const own = {
    writeHead: (status: number, headers: OutgoingHttpHeaders = {}) => {
      head = [status, headers]
      return outgoing
    },
    write: (...given: Parameters<typeof write>) => {
      release()
      return outgoing.write(...given)
    },
    flushHeaders: () => {
      release()
      outgoing.flushHeaders()
    },
    end: (body?: unknown) => {
      const headers = head && varying(head)
      if (!headers) {
        release()
        return outgoing.end(body)
      }
      const bytes =
        typeof body === 'string'
          ? Buffer.from(body)
          : body instanceof Uint8Array
            ? Buffer.from(body.buffer, body.byteOffset, body.length)
            : undefined
      const coding = codingOf(incoming.headers['accept-encoding'] as string | undefined)
      head = [head![0], headers]
      if (incoming.method === 'HEAD') {
        // A GET is answered with another length.
        if (coding && Number(headers['content-length'] ?? 0) >= Worthwhile) delete headers['content-length']
        release()
        return outgoing.end()
      }
      if (!coding || !bytes || bytes.length < Worthwhile) {
        release()
        return outgoing.end(body)
      }
      packed(coding, bytes, (error, small) => {
        if (outgoing.destroyed) return
        if (!error) head![1] = { ...headers, 'content-encoding': coding, 'content-length': small.length }
        release()
        outgoing.end(error ? bytes : small)
      })
      return outgoing
    },
  }
  Object.assign(outgoing, own)
}

/** Headers of an answer that depends on Accept-Encoding, by lower-case name; nothing where it does not. */
function varying([status, given]: [number, OutgoingHttpHeaders]): OutgoingHttpHeaders | undefined {
  if (status < 200 || status === 204 || status === 304) return undefined
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
  if (!Texts.test(String(headers['content-type'] ?? '')) || headers['content-encoding']) return undefined
  headers.vary = headers.vary ? `${String(headers.vary)}, Accept-Encoding` : 'Accept-Encoding'
  return headers
}
