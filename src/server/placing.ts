import type { IncomingMessage } from 'node:http'
import { Long } from './costs.ts'

/**
 * Paths that the first thread always answers: they need no database, wait for a thread or process anyway, or depend on
 * its state (login throttling, sessions, the past).
 */
const First = new RegExp(
  [
    String.raw`^/(?:api/query|extras/reports|assets|media|healthz|readyz|metrics|login|logout|oauth)\b`,
    String.raw`^/user/(?:password|second-factor)\b`,
    '^/api/users/tokens/provision/',
    String.raw`^/api/core/kits/\d+/clone/`,
    '/stream/',
  ].join('|'),
)

/** A query that asks for another moment, in whatever way it is written. */
const OtherMoment = /[?&](?:a|%61)(?:t|%74)(?:[=&#]|$)/i
/** A path that may be another one than it seems, as its parts go back, or stay where they are. */
const Roundabout = /^[^?]*(?:\/\.|%2e|\\)/i

/** Custom fields: to make, rename or delete one changes the rows of whole tables, another change hardly takes time. */
const Rewriting = /^\/(?:api\/)?extras\/custom-fields\//

/** Bytes of a body that is read before it is handed to another thread, in one piece. */
export const ShortBody = 16_384
/** Writes of single objects and short lists of them. */
const Endpoint = /^\/api\/(?!core\/)/

/** Whether a request is a write that a thread hands to the first one whole, as a message. */
export function isShortWrite({ method = 'GET', headers }: IncomingMessage, path: string): boolean {
  if (method === 'GET' || method === 'HEAD' || !Endpoint.test(path) || isForFirst(path)) return false
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false
  return Number(headers['content-length'] ?? 0) <= ShortBody
}

/** Whether a write may take long though one like it took little. */
export const mayRewrite = (path: string): boolean => Rewriting.test(path)

/** Whether a path, without the base path, is one of these. */
export const isForFirst = (path: string): boolean => First.test(path) || OtherMoment.test(path) || Roundabout.test(path)

/**
 * Requests that are expected to take fewer milliseconds are answered by the first thread: handing one over costs part
 * of a millisecond, and each thread fills caches of its own.
 */
const Quick = 2
/** Milliseconds of work below which a request is never handed over. */
const Worth = 1
/** Milliseconds of work from which on a request is handed over to a thread that has nothing to do. */
const Noticed = 5
/** Milliseconds of work from which on it is whatever else goes on: others would wait for it. */
export const Slow = 10
/**
 * Milliseconds that a write takes by itself from which on it is handed over, and the same where the thread for that is
 * up: its body and its answer take as long again.
 */
const [LongWrite, NoticedWrite] = [25, 10]

/** Files of whole lists: the first one would hold everybody up while its rows are found. */
const Whole = /\/export\/\?(?:[^#]*&)?_as=/

/** Lists that are searched, sorted or long: of a large table all may be read. */
const Searching = /[?&](?:(?:q|ordering|sort|cf_\w+|\w+__(?:n?(?:ic|isw|iew|ie)|i?regex))=|limit=(?:0(?:&|$)|\d{4}))/
/** Rows that are looked at in less time than others would notice, and those that are only passed over. */
const [Many, Far] = [50_000, 150_000]
const Offset = /[?&]offset=(\d+)/
const [Page, PageSize] = [/[?&]page=(\d+)/, /[?&]per_page=(\d+)/]
/** Rows of a page that says nothing of them, about. */
const Rows = 50

/** How many rows a list passes over before those that it shows. */
function passedOver(path: string): number {
  const number = (pattern: RegExp): number | undefined => {
    const digits = pattern.exec(path)?.[1]
    return digits === undefined ? undefined : Number(digits)
  }
  return number(Offset) ?? (number(Page) ?? 0) * (number(PageSize) ?? Rows)
}

/**
 * Milliseconds that a request may take of which nothing is known but its path, and how many rows there are at such a
 * path; undefined where that says nothing.
 */
export function guessOf(path: string, rowsAt: (path: string) => number): number | undefined {
  if (Whole.test(path)) return Long
  const isFar = passedOver(path) > Far
  if (!isFar && !Searching.test(path)) return undefined
  return rowsAt(path) > (isFar ? Far : Many) ? Long : undefined
}

interface Threads {
  /** One is ready or at work. */
  isUp: boolean
  /** One would begin at once. */
  isFree: boolean
}

interface Load {
  /** The first thread works most of the time, and others have a core to work on. */
  isRelieved: boolean
  /** The first thread can do hardly more, and others have a core to work on. */
  isFull: boolean
}

/** Where a read is answered; `next`: here, while a thread starts for those that follow. */
export type Placing = 'here' | 'thread' | 'next'

/** Says where a read is answered that may take so many milliseconds; undefined where nobody knows. */
export function placingOf(cost: number | undefined, threads: Threads, load: Load): Placing {
  if (cost === undefined) return threads.isUp ? 'thread' : 'here'
  if (!isBetterThere(cost, threads, load)) return 'here'
  return threads.isUp || cost >= Long ? 'thread' : 'next'
}

function isBetterThere(cost: number, threads: Threads, load: Load): boolean {
  if (cost >= Slow || (cost >= Noticed && threads.isFree)) return true
  if (cost >= Quick) return load.isRelieved
  return cost >= Worth && load.isFull && (threads.isFree || !threads.isUp)
}

/**
 * Whether a write is handed over. `cost`: the milliseconds that it takes by itself, undefined where nobody knows;
 * `isGuess`: little is known of that, and its body is large; `isUp`: the thread for it is there.
 */
export function isLongWrite(cost: number | undefined, isGuess: boolean, isUp: boolean): boolean {
  return isGuess || (cost !== undefined && cost > (isUp ? NoticedWrite : LongWrite))
}
