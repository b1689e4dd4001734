import { EventEmitter } from 'node:events'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { Use } from '../http/auth.ts'
import { free, isTransient } from '../lib/transient-bytes.ts'
import { writeTimeOf } from '../http/write-time.ts'
import { threadTime } from '../lib/thread-time.ts'
import type { Change } from '../store/changes.ts'
import type { Counts } from './meters.ts'

/** A request as it is handed to a thread. Its body, if it has one, follows in pieces as the thread asks for them. */
export interface ThreadRequest {
  id: number
  method: string
  url: string
  /** Names and values in turn, as they were sent. */
  headers: string[]
  /** Address of the other end of the connection. */
  peer: string | undefined
  encrypted: boolean
  hasBody: boolean
  /** The whole body, where it is there already. */
  body?: Uint8Array | undefined
}

/** What the server says to a thread of the application. */
export type ToThread =
  | { request: ThreadRequest }
  | { id: number; piece: Uint8Array }
  | { id: number; ended: 'whole' | 'broken' }
  /** What was committed since, by others than the thread; `commit`: its number, see `CommitNumber`. */
  | { changes: readonly Change[]; commit?: number | undefined }
  /** The database is another file now. */
  | { reopen: string }
  /** The turn to write is the thread's. */
  | { turn: true }
  /** What is said of the answer to a request that it asked the first one to answer. */
  | { answered: AnswerPart }
  /** It is to tell what it counted. */
  | { count: true }
  /** It is to end once its connections are gone. */
  | { retire: true }
  | { stop: true }

/** What is said of the answer to a request, by the number that it was given. */
export type AnswerPart =
  /** `took`: milliseconds of the thread's own time. */
  | { id: number; status: number; headers: OutgoingHttpHeaders; body: Uint8Array | null; isPart: boolean; took: number }
  | { id: number; piece: Uint8Array | null }

/** What a thread of the application says to the server. */
export type FromThread =
  | { ready: true }
  | AnswerPart
  /** The next piece of the body is wanted. */
  | { id: number; wants: true }
  /** It cannot be answered by a thread that only reads. */
  | { id: number; elsewhere: true }
  /** The first thread is to answer this, with the whole body if it has one. */
  | { asks: ThreadRequest }
  | { used: Use }
  /** It is to write: the turn is asked for, and given back when the transaction is over. */
  | { turn: 'wanted' | 'over' }
  /** What it counted since it last told. */
  | { counted: Counts }

/** Headers by lower-case name as node gives them: those sent twice are joined, of some the first one counts. */
function headersOf(raw: readonly string[]): IncomingMessage['headers'] {
  const headers: Record<string, string> = {}
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase()
    const before = headers[name]
    if (before === undefined) headers[name] = raw[i + 1]!
    else if (!Single.has(name)) headers[name] = `${before}${name === 'cookie' ? '; ' : ', '}${raw[i + 1]}`
  }
  return headers
}
const Single = new Set([
  ...'age authorization content-length content-type etag expires from host if-modified-since'.split(' '),
  ...'if-unmodified-since last-modified location max-forwards proxy-authorization referer retry-after'.split(' '),
  ...'server user-agent'.split(' '),
])

/** A request as the listener in a thread takes it; `want` asks for the next piece of its body. */
export function incomingOf(request: ThreadRequest, want = (): void => {}): IncomingMessage & Readable {
  const comes = request.hasBody && !request.body
  const body = new Readable({ read: comes ? want : () => {}, highWaterMark: 1 })
  if (request.body)
    body.push(Buffer.from(request.body.buffer as ArrayBuffer, request.body.byteOffset, request.body.length))
  if (!comes) body.push(null)
  return Object.assign(body, {
    method: request.method,
    url: request.url,
    rawHeaders: request.headers,
    headers: headersOf(request.headers),
    socket: { remoteAddress: request.peer, encrypted: request.encrypted },
    complete: false,
  }) as unknown as IncomingMessage & Readable
}

/** Bodies of requests, which come in pieces. */
export class RequestBodies {
  readonly #open = new Map<number, ReturnType<typeof incomingOf>>()

  add(id: number, body: ReturnType<typeof incomingOf>): void {
    this.#open.set(id, body)
  }

  take(message: Extract<ToThread, { piece: unknown } | { ended: unknown }>): void {
    const body = this.#open.get(message.id)
    if ('piece' in message) return void body?.push(Buffer.from(message.piece.buffer))
    if (message.ended === 'whole') body?.push(null)
    else body?.destroy()
    this.#open.delete(message.id)
  }
}

type Say = (message: AnswerPart, transfer?: ArrayBuffer[]) => void

/** The answer to a request of another thread, as the listener writes it. */
export class ThreadAnswer extends EventEmitter {
  readonly #id: number
  readonly #say: Say
  #status = 200
  #headers: OutgoingHttpHeaders = {}
  #isDropped = false
  headersSent = false
  closed = false
  writable = true
  writableFinished = false
  destroyed = false

  readonly #began = threadTime()

  constructor(id: number, say: Say) {
    super()
    this.#id = id
    this.#say = say
  }

  /** Nothing of it is sent: another will answer. */
  drop(): void {
    this.#isDropped = true
  }

  writeHead(status: number, headers: OutgoingHttpHeaders = {}): this {
    this.#status = status
    this.#headers = headers
    return this
  }

  hasHeader(): boolean {
    return false
  }

  flushHeaders(): void {
    if (!this.headersSent) this.#send(null, true)
  }

  write(piece: Uint8Array | string): boolean {
    this.flushHeaders()
    const bytes = owned(piece)
    if (!this.#isDropped) this.#say({ id: this.#id, piece: bytes }, [bytes.buffer as ArrayBuffer])
    return true
  }

  end(body?: Uint8Array | string): this {
    if (this.headersSent) {
      if (body !== undefined) this.write(body)
      if (!this.#isDropped) this.#say({ id: this.#id, piece: null })
    } else this.#send(body === undefined ? null : owned(body), false)
    this.writableFinished = true
    this.emit('prefinish')
    this.emit('finish')
    return this.destroy()
  }

  destroy(): this {
    if (!this.closed && !this.writableFinished && this.headersSent && !this.#isDropped)
      this.#say({ id: this.#id, piece: null })
    this.closed = true
    this.writable = false
    this.destroyed = true
    this.emit('close')
    return this
  }

  #send(body: Uint8Array | null, isPart: boolean): void {
    this.headersSent = true
    if (this.#isDropped) return
    const took = writeTimeOf(this) ?? threadTime() - this.#began
    const message = { id: this.#id, status: this.#status, headers: this.#headers, body, isPart, took }
    this.#say(message, body ? [body.buffer as ArrayBuffer] : [])
  }
}

/**
 * Bytes in memory of their own, which can be given away: those of an answer may be kept, or share theirs with others.
 */
function owned(piece: Uint8Array | string): Uint8Array {
  if (isTransient(piece)) return piece
  return typeof piece === 'string' ? new TextEncoder().encode(piece) : new Uint8Array(piece)
}

/** A request of a connection, ready to be handed over. */
export function threadRequest(
  id: number,
  incoming: IncomingMessage,
  hasBody: boolean,
  body?: Uint8Array,
): ThreadRequest {
  const { method = 'GET', url = '/', rawHeaders, socket } = incoming
  return {
    id,
    method,
    url,
    headers: rawHeaders,
    peer: socket.remoteAddress,
    encrypted: (socket as TLSSocket).encrypted === true,
    hasBody,
    body,
  }
}

/** Writes what a thread says of an answer to its connection; true when that was the end of it. */
export function answer(outgoing: ServerResponse, said: Extract<FromThread, { id: number }>): boolean {
  if ('status' in said) {
    if (outgoing.headersSent || outgoing.destroyed) return !said.isPart
    outgoing.writeHead(said.status, said.headers)
    if (said.isPart) outgoing.flushHeaders()
    else outgoing.end(said.body ?? undefined)
    if (said.body) outgoing.once('finish', () => free(said.body as Uint8Array<ArrayBuffer>))
    return !said.isPart
  }
  if (!('piece' in said)) return false
  if (said.piece) outgoing.write(said.piece)
  else outgoing.end()
  return said.piece === null
}
