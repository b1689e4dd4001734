import { appendFileSync, closeSync, openSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { refusalText } from '../lib/refusal-text.ts'
import { Version } from '../lib/version.ts'
import { type Input, UsageError } from './command.ts'
import type { Progress } from './progress.ts'

/** What the source answered that is no success: its status, its text for people, and its JSON. */
export class SourceError extends Error {
  readonly status: number
  readonly body: Record<string, unknown>
  constructor(status: number, text: string, body: Record<string, unknown>) {
    super(text)
    this.status = status
    this.body = body
  }
}
/** The source cannot be reached, or what it answered did not arrive whole: nobody knows what came there. */
export class Unreachable extends Error {}

/** So often is something tried again that does no harm twice, and that broke off without any progress. */
const MaxTries = 5
/** Milliseconds before the first time; each next time twice as many. */
const FirstPause = 100

/** Whether a request may be sent again though the source may have had it. */
const isHarmless = (method: string, path: string): boolean => method === 'GET' || /\/(?:pull|push)\//.test(path)
/** What a source has of one kit. */
const OfKit = /\/api\/core\/kits\/\d+\/(?:pull|push)\//
const NoKit =
  'it knows no such kit: that was deleted there, or the server was restored from a backup of before the clone. ' +
  'What was made here is in this kit alone: cabinet export writes it to files'
const Kinds = /^application\/(?:json|octet-stream)\b/
/** What no other try would change. */
const Final = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])
const causeOf = (error: unknown) => (error as { cause?: Error & { code?: string } }).cause

interface Sent {
  body?: object | Buffer
  headers?: Record<string, string>
  progress?: Progress
}

/** A server that commands ask: the one that a kit is of, for most. */
export class KitSource {
  readonly url: string
  readonly #token: string
  readonly #ending = new AbortController()

  constructor(url: string, token: string) {
    this.url = url.replace(/\/+$/, '')
    this.#token = token
  }

  /** Breaks off what is under way: it throws `Unreachable`. */
  breakOff(): void {
    this.#ending.abort(new Error('interrupted'))
  }

  async #fetch(
    method: string,
    path: string,
    { body, headers = {}, progress }: Sent,
    isLast = false,
  ): Promise<Response> {
    const isBytes = Buffer.isBuffer(body)
    const scheme = this.#token.startsWith('nbt_') ? 'Bearer' : 'Token'
    const bytes = body === undefined ? undefined : isBytes ? body : Buffer.from(JSON.stringify(body))
    let response: Response
    try {
      response = await fetch(path.startsWith('http') ? path : `${this.url}${path}`, {
        method,
        headers: {
          authorization: /^(?:Token|Bearer) /.test(this.#token) ? this.#token : `${scheme} ${this.#token}`,
          ...(bytes === undefined
            ? {}
            : {
                'content-type': isBytes ? 'application/octet-stream' : 'application/json',
                'content-length': String(bytes.length),
              }),
          ...headers,
        },
        ...(isLast ? {} : { signal: this.#ending.signal }),
        ...(bytes === undefined ? {} : { body: piecesOf(bytes, progress), duplex: 'half' }),
      } as RequestInit)
    } catch (error) {
      throw this.#unreachable(error)
    }
    if (response.headers.has('api-version') || Kinds.test(response.headers.get('content-type') ?? '')) return response
    await response.body?.cancel()
    throw new Unreachable(`${this.url} cannot be reached: something on the way answers with status ${response.status}`)
  }

  #unreachable(error: unknown): Unreachable {
    if (error instanceof Unreachable) return error
    const cause = causeOf(error)
    const { message } = error as Error
    const reason = cause?.message || (message === 'terminated' ? 'the connection broke off' : message)
    return new Unreachable(`${this.url} cannot be reached: ${reason}`, { cause })
  }

  /** All that was answered. */
  async #bytes(response: Response, progress?: Progress): Promise<Buffer> {
    const total = Number(response.headers.get('content-length') ?? 0)
    const chunks: Uint8Array[] = []
    let done = 0
    try {
      for await (const chunk of response.body ?? []) {
        chunks.push(chunk)
        done += chunk.length
        progress?.at(done, total)
      }
    } catch (error) {
      throw this.#unreachable(error)
    }
    return Buffer.concat(chunks)
  }

  async #demandSuccess(response: Response): Promise<Response> {
    if (response.ok) return response
    const body = this.#parsed(await this.#bytes(response))
    if (response.status === 404 && OfKit.test(response.url))
      throw new SourceError(response.status, `${this.url} says: ${NoKit}`, body)
    const said = typeof body.detail === 'string' ? body.detail : refusalText(body)
    throw new SourceError(response.status, `${this.url} says: ${said || `status ${response.status}`}`, body)
  }

  #parsed(bytes: Buffer): Record<string, unknown> {
    if (bytes.length === 0) return {}
    try {
      return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>
    } catch {
      throw new Unreachable(`${this.url} cannot be reached: what it answers does not arrive whole`)
    }
  }

  /** What `work` answers, tried again where the connection broke; `hasCome`: whether anything came since then. */
  async #trying<T>(work: () => Promise<T>, hasCome = () => false): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        const isFinal = !(error instanceof Unreachable) || Final.has((error.cause as { code?: string })?.code ?? '')
        if (isFinal || this.#ending.signal.aborted) throw error
        if (hasCome()) tries = 0
        else if (tries >= MaxTries) throw error
        await wait(FirstPause * 2 ** tries, undefined, { signal: this.#ending.signal }).catch(() => undefined)
      }
    }
  }

  /** `isLast`: sent also after `breakOff`. */
  async json(
    method: string,
    path: string,
    body?: object | Buffer,
    progress?: Progress,
    isLast = false,
  ): Promise<Record<string, unknown>> {
    const once = async () => {
      const response = await this.#demandSuccess(await this.#fetch(method, path, { body, progress }, isLast))
      return this.#parsed(await this.#bytes(response))
    }
    return isHarmless(method, path) ? this.#trying(once) : once()
  }

  /** What a request answers that does no harm twice. */
  async bytes(method: string, path: string, body: object, progress?: Progress): Promise<Buffer> {
    return (await this.answer(method, path, body, progress)).bytes
  }

  /** The same with its headers. */
  answer(
    method: string,
    path: string,
    body: object,
    progress?: Progress,
  ): Promise<{ bytes: Buffer; headers: Headers }> {
    return this.#trying(async () => {
      const response = await this.#demandSuccess(await this.#fetch(method, path, { body }))
      return { bytes: await this.#bytes(response, progress), headers: response.headers }
    })
  }

  /** Throws where the source runs another version: the older of both is to be upgraded. */
  async demandSameVersion(): Promise<void> {
    const there = String((await this.json('GET', '/api/status/'))['netbox-version'])
    if (there !== Version)
      throw new Error(
        `${this.url} runs Cabinet ${there}, and this is ${Version}: upgrade the older one, then both are the same`,
      )
  }

  /** Fetches a file of so many bytes, going on where the connection broke, however often it does while some come. */
  async download(path: string, file: string, bytes: number, progress: Progress): Promise<void> {
    let before = 0
    const size = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0
    const once = async () => {
      before = size()
      if (before >= bytes) return
      const headers = before > 0 ? { range: `bytes=${before}-` } : undefined
      const response = await this.#demandSuccess(await this.#fetch('GET', path, { headers }))
      const isRest = response.status === 206
      let done = isRest ? before : 0
      const there = openSync(file, isRest ? 'a' : 'w', 0o600)
      try {
        // Each piece is written at once: those that wait to be read are lost when the connection breaks.
        for await (const chunk of response.body ?? []) {
          appendFileSync(there, chunk)
          done += chunk.length
          progress.at(done, bytes)
        }
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // What the network has no part in is told as it is: the disk is full, for one.
        throw code && /^E[A-Z]+$/.test(code) && code !== 'ECONNRESET' ? error : this.#unreachable(error)
      } finally {
        closeSync(there)
      }
      if (size() < bytes) throw new Unreachable(`${this.url} cannot be reached: the connection broke off`)
    }
    await this.#trying(once, () => size() > before)
  }
}

/** Some bytes as a stream that says how much of it went. */
const piecesOf = (bytes: Buffer, progress?: Progress): ReadableStream<Uint8Array> => {
  let done = 0
  return new ReadableStream(
    {
      pull(controller) {
        const piece = bytes.subarray(done, done + Piece)
        done += piece.length
        progress?.at(done, bytes.length)
        if (piece.length > 0) controller.enqueue(new Uint8Array(piece))
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
const Piece = 65_536

/** The server that a command asks: its address, and the token of --token or the environment. */
export function sourceOf(input: Input, url: string): KitSource {
  if (!/^https?:\/\/[^/]/.test(url))
    throw new UsageError(`${url} is not the address of a server: it begins with http:// or https://`)
  if (input.flag('insecure')) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  const token = input.text('token') ?? process.env.CABINET_SOURCE_TOKEN
  if (!token) throw new UsageError('no token: give it with --token or in CABINET_SOURCE_TOKEN')
  return new KitSource(url, token)
}
