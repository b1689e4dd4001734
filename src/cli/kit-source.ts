import { createWriteStream, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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
/** The source cannot be reached. */
export class Unreachable extends Error {}

/** So often is a download taken up again where it broke off. */
const MaxTries = 5

/** The server that a kit is of. */
export class KitSource {
  readonly url: string
  readonly #token: string

  constructor(url: string, token: string) {
    this.url = url.replace(/\/+$/, '')
    this.#token = token
  }

  async #fetch(
    method: string,
    path: string,
    body?: object | Buffer,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const isBytes = Buffer.isBuffer(body)
    const scheme = this.#token.startsWith('nbt_') ? 'Bearer' : 'Token'
    try {
      return await fetch(path.startsWith('http') ? path : `${this.url}${path}`, {
        method,
        headers: {
          authorization: /^(?:Token|Bearer) /.test(this.#token) ? this.#token : `${scheme} ${this.#token}`,
          ...(body === undefined ? {} : { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
      })
    } catch (error) {
      const { cause, message } = error as Error & { cause?: Error }
      throw new Unreachable(`${this.url} cannot be reached: ${cause?.message || message}`)
    }
  }

  async #answer(response: Response): Promise<Response> {
    if (response.ok) return response
    const text = await response.text()
    let body: Record<string, unknown> = {}
    try {
      body = JSON.parse(text) as Record<string, unknown>
    } catch {
      // no answer of Cabinet: its status says what there is to say
    }
    const said =
      typeof body.detail === 'string'
        ? body.detail
        : Object.entries(body)
            .map(([name, what]) => `${name}: ${[what].flat().join(' ')}`)
            .join('; ')
    throw new SourceError(response.status, `${this.url} says: ${said || `status ${response.status}`}`, body)
  }

  async json(method: string, path: string, body?: object | Buffer): Promise<Record<string, unknown>> {
    const response = await this.#answer(await this.#fetch(method, path, body))
    const text = await response.text()
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  }

  async bytes(method: string, path: string, body: object): Promise<Buffer> {
    const response = await this.#answer(await this.#fetch(method, path, body))
    return Buffer.from(await response.arrayBuffer())
  }

  /** Throws where the source runs another version: the older of both is to be upgraded. */
  async demandSameVersion(): Promise<void> {
    const there = String((await this.json('GET', '/api/status/'))['netbox-version'])
    if (there !== Version)
      throw new Error(
        `${this.url} runs Cabinet ${there}, and this is ${Version}: upgrade the older one, then both are the same`,
      )
  }

  /** Fetches a file of so many bytes, going on where the connection broke. */
  async download(path: string, file: string, bytes: number, progress: Progress): Promise<void> {
    for (let tries = 1; ; tries++) {
      const have = statSync(file, { throwIfNoEntry: false })?.size ?? 0
      if (have >= bytes) return
      try {
        const response = await this.#answer(
          await this.#fetch('GET', path, undefined, have > 0 ? { range: `bytes=${have}-` } : {}),
        )
        let done = have
        const body = Readable.fromWeb(response.body as never)
        body.on('data', (chunk: Buffer) => {
          done += chunk.length
          progress.at(done, bytes)
        })
        await pipeline(body, createWriteStream(file, { flags: response.status === 206 ? 'a' : 'w', mode: 0o600 }))
      } catch (error) {
        if (error instanceof SourceError || tries >= MaxTries) throw error
      }
    }
  }
}

/** The source of a command: its address, and the token of --token or the environment. */
export function sourceOf(input: Input, url: string): KitSource {
  const token = input.text('token') ?? process.env.CABINET_SOURCE_TOKEN
  if (!token) throw new UsageError('no token: give it with --token or in CABINET_SOURCE_TOKEN')
  return new KitSource(url, token)
}
