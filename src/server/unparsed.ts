import { type RequestListener, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { badMethod } from '../http/request.ts'
import { Common } from '../http/request-context.ts'
import { endAnswered, isAnswered } from './in-turn.ts'

/**
 * What Node says of what it cannot read as a request: `reason` in the words of its parser, `rawPacket` what came, and
 * `bytesParsed` how much of that it had read.
 */
export interface Unparsed extends NodeJS.ErrnoException {
  reason?: string
  rawPacket?: Buffer
  bytesParsed?: number
}

/** Status and words by the code of the error. */
const Refusals: Record<string, [status: number, detail: string]> = {
  HPE_INVALID_URL: [400, 'The address of the request has a character that must be percent-encoded.'],
  HPE_HEADER_OVERFLOW: [431, 'The address and the headers of the request are too long.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The extensions of a chunk of the body are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in time.'],
}

const isOfParser = ({ code }: Unparsed): boolean => code?.startsWith('HPE_') === true

/** The first line of a request that is one but for its method, which Node's parser does not know. */
const OtherMethod = /^([!#$%&'*+.^_`|~\w-]{1,40}) \/\S* HTTP\/1\.[01]\r?\n/

const otherMethodOf = ({ code, rawPacket }: Unparsed): string | undefined =>
  code === 'HPE_INVALID_METHOD' ? OtherMethod.exec(rawPacket?.toString('latin1') ?? '')?.[1] : undefined

const refusalOf = (error: Unparsed): [status: number, detail: string] | undefined => {
  const { code = '', reason = code } = error
  const method = otherMethodOf(error)
  if (method !== undefined) return [405, badMethod(method).message]
  return Refusals[code] ?? (isOfParser(error) ? [400, `This is no request: ${reason}.`] : undefined)
}

/**
 * Has clients be told why what they sent is no request (Node alone says the status), and ends their connections; but
 * for those that `take` takes. What they asked before is answered first, and then nothing more is said.
 */
export function refuseUnparsed(server: Server, take?: (socket: Socket, error: Unparsed) => boolean): void {
  const ending = new WeakSet<Socket>()
  server.on('clientError', (error: Unparsed, socket: Socket) => {
    if (ending.has(socket) && isOfParser(error)) return // what follows junk is junk to the parser
    const isUsed = isAnswered(socket)
    if (!isUsed && take?.(socket, error)) return
    if (isUsed && isOfParser(error) && socket.writable) {
      ending.add(socket)
      endAnswered(socket)
      return
    }
    const refusal = refusalOf(error)
    // Without one it is the connection that failed, as where TLS found no beginning.
    if (!refusal || !socket.writable || isUsed) {
      socket.destroy()
      return
    }
    const [status, detail] = refusal
    const [headers, body] = lastAnswer(detail)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
  })
}

/** Headers and body of a refusal with which the connection ends. */
function lastAnswer(detail: string): [headers: Record<string, string | number>, body: string] {
  const body = JSON.stringify({ detail })
  const length = Buffer.byteLength(body)
  return [{ ...Common, 'content-type': 'application/json', 'content-length': length, connection: 'close' }, body]
}

/**
 * Refuses requests that do not say whom they are for, as HTTP/1.1 has it. Node does so by itself, but without a body:
 * it is told not to, by `requireHostHeader`.
 */
export const needingHost =
  (listener: RequestListener): RequestListener =>
  (incoming, outgoing) => {
    if (incoming.headers.host !== undefined || incoming.httpVersion !== '1.1') return listener(incoming, outgoing)
    const [headers, body] = lastAnswer('The request has no header Host.')
    outgoing.writeHead(400, headers).end(body)
  }
