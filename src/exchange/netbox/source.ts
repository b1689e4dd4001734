import { parseExact } from '../../lib/exact-json.ts'
import { IdMask } from '../../engine/search.ts'
import { setTimeout as pause } from 'node:timers/promises'

/** A source that cannot be read; the message says why. */
export class SourceError extends Error {}
/** No answer, or only failures of the moment, however often it was asked. */
export class Unanswered extends SourceError {}

export type Json = Record<string, unknown>
interface Page {
  count: number
  results: Json[]
}
interface SourceOptions {
  url: string
  token: string /** Milliseconds before the first of the retries, each of which waits twice as long. */
  retryPause?: number
}

interface Answer {
  status: number
  bytes: Buffer
}

const Attempts = 6
const Timeout = 120_000
/** Bytes of an answer that are taken: a page of any list has fewer, and so has an image. */
const MaxBytes = 256 * 1024 * 1024
/** Milliseconds that a source may ask us to wait. */
const MaxWait = 120_000

const isOk = (answer: Answer | undefined): boolean => Math.floor((answer?.status ?? 0) / 100) === 2

const isId = (id: unknown): boolean => Number.isSafeInteger(id) && (id as number) > 0 && (id as number) <= IdMask

/** A running NetBox, read over its REST API. */
export class Source {
  /** Where it is, without a slash at the end. */
  readonly base: string
  readonly #authorization: string
  readonly #retryPause: number
  /** The token is one of the source's: what it may not view is a matter of permissions. */
  #isKnown = false

  constructor({ url, token, retryPause = 500 }: SourceOptions) {
    this.base = url.replace(/\/+$/, '').replace(/\/api$/, '')
    this.#authorization = token.includes(' ') ? token : `${token.startsWith('nbt_') ? 'Bearer' : 'Token'} ${token}`
    this.#retryPause = retryPause
  }

  /** The version, as `4.6.0`. Throws `SourceError` when this is no NetBox that can be read. */
  async version(): Promise<string> {
    const status = await this.#json('/api/status/')
    this.#isKnown = true
    const version = String((status as Json | undefined)?.['netbox-version'] ?? '')
    if (!/^4\./.test(version))
      throw new SourceError(`${this.base} is not a NetBox of version 4${version ? `, but ${version}` : ''}`)
    return version
  }

  /** One page of a list in the order of ids; undefined when the source has no such list. */
  async page(path: string, offset: number, limit: number): Promise<Page | undefined> {
    const found = await this.#json(`/api/${path}/?limit=${limit}&offset=${offset}&ordering=id&exclude=config_context`)
    if (found === undefined) return undefined
    if (typeof found !== 'object' || found === null || !Array.isArray((found as Page).results))
      throw new SourceError(`${this.base}/api/${path}/ answers no list`)
    const isBad = (found as Page).results.some((each) => !isId((each as Json | null)?.id))
    if (isBad) throw new SourceError(`${this.base}/api/${path}/ answers an object without an id that can be kept`)
    return found as Page
  }

  /**
   * Number of objects in a list; undefined when the source has no such list, `forbidden` when the token may not view
   * it.
   */
  async count(path: string): Promise<number | 'forbidden' | undefined> {
    const response = await this.#fetch(`${this.base}/api/${path}/?limit=1&brief=true`, true)
    if (response.status === 403 && this.#isKnown) return 'forbidden'
    return ((await this.#read(`/api/${path}/`, response)) as Page | undefined)?.count
  }

  /** The largest id in a list, 0 for an empty one. */
  async largestId(path: string): Promise<number> {
    const page = (await this.#json(`/api/${path}/?limit=1&brief=true&ordering=-id`)) as Page | undefined
    return Number(page?.results[0]?.id ?? 0)
  }

  /**
   * An uploaded file, by the link that an object shows: from the source, or from where its files are kept. Our token
   * goes to the source alone.
   */
  async file(link: string): Promise<Buffer> {
    const path = /\/media\/.*$/.exec(link)?.[0]
    let response = path === undefined ? undefined : await this.#fetch(this.base + path, true)
    if (!isOk(response) && /^https?:/.test(link) && !link.startsWith(`${this.base}/`))
      response = await this.#fetch(link, false)
    if (!response || !isOk(response)) throw new SourceError(`${link}: ${response?.status ?? 'not a link'}`)
    return response.bytes
  }

  async #json(path: string): Promise<unknown> {
    return this.#read(path, await this.#fetch(this.base + path, true))
  }

  #read(path: string, response: Answer): unknown {
    if (response.status === 404) return undefined
    if (response.status === 401 || response.status === 403)
      throw new SourceError(`${this.base}${path.split('?')[0]} may not be read with this token (${response.status})`)
    if (!isOk(response)) throw new SourceError(`${this.base}${path} answers ${response.status}`)
    try {
      return parseExact(new TextDecoder().decode(response.bytes))
    } catch {
      throw new SourceError(`${this.base}${path} answers no JSON`)
    }
  }

  /**
   * Asks until there is a whole answer that is not a failure of the moment. Throws `Unanswered` once the tries are used
   * up.
   */
  async #fetch(url: string, own: boolean): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      let [why, wait] = ['', this.#retryPause * 2 ** (attempt - 1)]
      try {
        const response = await fetch(url, {
          headers: { accept: 'application/json, */*;q=0.5', ...(own ? { authorization: this.#authorization } : {}) },
          signal: AbortSignal.timeout(Timeout),
        })
        const { status } = response
        if (status < 500 && status !== 429) return { status, bytes: await wholeOf(response) }
        await response.body?.cancel()
        why = `answers ${status}`
        wait = Math.max(wait, Math.min(MaxWait, 1000 * (Number(response.headers.get('retry-after')) || 0)))
      } catch (error) {
        if (error instanceof SourceError) throw new SourceError(`${url.split('?')[0]}: ${error.message}`)
        const { message, cause } = error as Error
        why = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code || message : message
      }
      if (attempt === Attempts) throw new Unanswered(`${url.split('?')[0]}: ${why}`)
      await pause(wait)
    }
  }
}

/** The body of an answer; what breaks off is an error. */
async function wholeOf(response: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > MaxBytes) throw new SourceError(`its answer has more than ${MaxBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
