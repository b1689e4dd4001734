import type { RequestListener } from 'node:http'
import { modelAt } from '../http/places.ts'

/** Upper bounds of the buckets of times, in seconds. */
export const Bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const

/**
 * How many times were noted, their sum in seconds, and how many of them lay in each bucket; the last one is past all
 * bounds.
 */
export class Times {
  count = 0
  sum = 0
  readonly buckets = new Uint32Array(Bounds.length + 1)

  /** Adds what others counted. */
  add({ count, sum, buckets }: Pick<Times, 'count' | 'sum' | 'buckets'>): void {
    this.count += count
    this.sum += sum
    for (const [i, each] of buckets.entries()) this.buckets[i]! += each
  }

  note(seconds: number): void {
    this.count++
    this.sum += seconds
    let at = 0
    while (at < Bounds.length && seconds > Bounds[at]!) at++
    this.buckets[at]!++
  }
}

/** What requests of one sort have in common. `endpoint` is that of a model (`dcim/devices`), or empty. */
interface Sort {
  kind: string
  endpoint: string
  method: string
  /** `2xx` to `5xx`; `gone` where the client left before its answer was sent. */
  status: string
}

type Requests = Map<string, Sort & { count: number }>
type Timed = Map<string, { kind: string; method: string; times: Pick<Times, 'count' | 'sum' | 'buckets'> }>
/** What a thread counted, to be sent to another. */
export interface Counts {
  requests: Requests
  times: Timed
  open: number
}

const Methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const Kinds: readonly (readonly [has: RegExp, kind: string])[] = [
  [/^\/api\//, 'api'],
  [/^\/graphql\b/, 'graphql'],
  [/^\/(?:assets|media)\//, 'file'],
  [/^\/(?:healthz|readyz|metrics)$/, 'watch'],
]

/**
 * The kind of what a path names: list, object or action of an endpoint, or stream, page, file, graphql, watch or api.
 * Names nobody knows make none.
 */
function placeOf(path: string): { kind: string; endpoint: string } {
  if (path.endsWith('/stream/')) return { kind: 'stream', endpoint: '' } // open as long as its client likes
  if (path.startsWith('/api/')) {
    const [app, name, id, action] = path.slice(5).split('/', 4)
    const endpoint = `${app}/${name}`
    if (modelAt(endpoint)) return { kind: !id ? 'list' : !action && /^\d+$/.test(id) ? 'object' : 'action', endpoint }
  }
  return { kind: Kinds.find(([has]) => has.test(path))?.[1] ?? 'page', endpoint: '' }
}

/** What a server counts while it works; it is made into text when that is asked for. */
export class Meters {
  /** Requests by their sort. */
  readonly requests: Requests = new Map()
  /** Times of requests by kind and method. */
  readonly times = new Map<string, { kind: string; method: string; times: Times }>()
  /** Transactions of the first thread, and those of the one that takes long writes. */
  readonly commits = { first: new Times(), long: new Times() }
  /** Pieces of work that the transactions of the first thread held. */
  writes = 0
  /** Requests that are being answered. */
  open = 0
  readonly #basePath: string

  constructor(basePath: string) {
    this.#basePath = basePath
  }

  /** What was counted so far; it is counted anew from now on. */
  take(): Counts {
    const taken = { requests: new Map(this.requests), times: new Map(this.times), open: this.open }
    this.requests.clear()
    this.times.clear()
    return taken
  }

  /** Adds what another thread counted. */
  add({ requests, times }: Counts): void {
    for (const [key, sort] of requests) {
      const known = this.requests.get(key)
      if (known) known.count += sort.count
      else this.requests.set(key, { ...sort })
    }
    for (const [key, { times: more, ...sort }] of times) this.#timesOf(key, sort).add(more)
  }

  #timesOf(key: string, sort: { kind: string; method: string }): Times {
    const known = this.times.get(key)
    if (known) return known.times
    const times = new Times()
    this.times.set(key, { ...sort, times })
    return times
  }

  note(method: string, url: string, status: string, seconds: number): void {
    const below = url.startsWith(this.#basePath) ? url.slice(this.#basePath.length) : url
    const end = below.indexOf('?')
    const place = placeOf(end < 0 ? below : below.slice(0, end))
    const named = Methods.has(method) ? method : 'other'
    const timesKey = `${place.kind} ${named}`
    const key = `${timesKey} ${place.endpoint} ${status}`
    const known = this.requests.get(key)
    if (known) known.count++
    else this.requests.set(key, { ...place, method: named, status, count: 1 })
    this.#timesOf(timesKey, { kind: place.kind, method: named }).note(seconds)
  }
}

/**
 * Counts what a listener answers, and in what time: from the head of the request until its answer is handed to the
 * system.
 */
export const metered =
  (meters: Meters, listener: RequestListener): RequestListener =>
  (incoming, outgoing) => {
    const began = performance.now()
    meters.open++
    let ended = 0
    outgoing.once('finish', () => (ended = performance.now()))
    outgoing.once('close', () => {
      meters.open--
      const status = ended ? `${Math.floor(outgoing.statusCode / 100)}xx` : 'gone'
      meters.note(incoming.method ?? '', incoming.url ?? '/', status, ((ended || performance.now()) - began) / 1000)
    })
    listener(incoming, outgoing)
  }
