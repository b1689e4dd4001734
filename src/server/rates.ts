import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Common } from '../http/request-context.ts'
import { clientBy } from '../http/origin.ts'
import type { Config } from '../config.ts'
import { logWarning } from '../lib/log.ts'
import { neighbourhoodOf } from './connections.ts'

/** When so many addresses, or tokens, have asked, those that did not ask since as many had before are forgotten. */
const Generation = 10_000
/** Characters of a token beyond which it is none. */
const LongestToken = 200
/** Milliseconds between two lines of the log about refused requests. */
const Pause = 60_000

/** A bucket of each key: it holds the requests of a minute, which come back evenly. */
export class Buckets {
  readonly #size: number
  readonly #clock: () => number
  #young = new Map<string, { left: number; at: number }>()
  #old = this.#young

  /** `perMinute`: requests; `clock` answers milliseconds. */
  constructor(perMinute: number, clock: () => number = () => performance.now()) {
    this.#size = perMinute
    this.#clock = clock
  }

  /** Takes a request out of a key's bucket. Answers 0, or the whole seconds until there is one again. */
  take(key: string): number {
    const now = this.#clock()
    const bucket = this.#of(key, now)
    const left = Math.min(this.#size, bucket.left + ((now - bucket.at) * this.#size) / 60_000)
    bucket.at = now
    bucket.left = left < 1 ? left : left - 1
    return left < 1 ? Math.max(1, Math.ceil(((1 - left) * 60) / this.#size)) : 0
  }

  /** How many keys are remembered. */
  get count(): number {
    return this.#young.size + (this.#old === this.#young ? 0 : this.#old.size)
  }

  /** Nothing is deleted one by one: a map whose first entries went is slow to say which is the first. */
  #of(key: string, now: number): { left: number; at: number } {
    const known = this.#young.get(key)
    if (known) return known
    const bucket = this.#old.get(key) ?? { left: this.#size, at: now }
    if (this.#young.size >= Generation) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, bucket)
    return bucket
  }
}

/** What costs nothing, or watches the server. */
const Free = /^\/(?:assets\/|healthz$|readyz$|metrics$)/

/**
 * Answers 429 to more requests a minute than an address or a token may send; where there are no bounds, it is the
 * listener itself.
 */
export function rated(config: Config, listener: RequestListener): RequestListener {
  const { basePath, maxRequestsPerAddress: perAddress, maxRequestsPerToken: perToken } = config
  if (perAddress === 0 && perToken === 0) return listener
  const addresses = perAddress > 0 ? new Buckets(perAddress) : undefined
  const tokens = perToken > 0 ? new Buckets(perToken) : undefined
  const clientOf = clientBy(config)
  let refused = 0
  let told = -Pause
  const refuse = (incoming: IncomingMessage, outgoing: ServerResponse, seconds: number, of: 'address' | 'token') => {
    refused++
    if (performance.now() - told >= Pause) {
      logWarning(config, `too many requests of one ${of}`, { client: clientOf(incoming) ?? '', refused })
      told = performance.now()
      refused = 0
    }
    tooMany(incoming, outgoing, seconds)
  }
  return (incoming, outgoing) => {
    const { url = '/', headers } = incoming
    if (Free.test(url.startsWith(basePath) ? url.slice(basePath.length) : url)) return listener(incoming, outgoing)
    const client = addresses && clientOf(incoming)
    const waits = client === undefined ? 0 : addresses!.take(neighbourhoodOf(client))
    if (waits > 0) return refuse(incoming, outgoing, waits, 'address')
    const token = tokens && tokenIn(headers.authorization)
    const wait = token === undefined ? 0 : tokens!.take(token)
    if (wait > 0) return refuse(incoming, outgoing, wait, 'token')
    listener(incoming, outgoing)
  }
}

/** The token itself, however the keyword before it is written. */
function tokenIn(header: string | undefined): string | undefined {
  const token = header?.trim().split(/\s+/, 3)[1]
  return token !== undefined && token.length <= LongestToken ? token : undefined
}

function tooMany(incoming: IncomingMessage, outgoing: ServerResponse, seconds: number): void {
  const detail = `Too many requests. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
  const isPage = /^text\/html/.test(incoming.headers.accept ?? '')
  const type = isPage ? 'text/plain; charset=utf-8' : 'application/json'
  outgoing.writeHead(429, { ...Common, 'content-type': type, 'retry-after': String(seconds) })
  outgoing.end(isPage ? detail : JSON.stringify({ detail }))
}
