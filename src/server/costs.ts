import { Lru } from '../lib/lru.ts'

/** Kinds of requests that are remembered. */
const MaxKinds = 2000
/** How much of an earlier time still counts when a request of the same kind took less. */
const Fading = 0.9
/** Milliseconds from which on a read goes to a thread even if it waits until one has started. */
export const Long = 100
/** Milliseconds of a read that others notice: one of its kind is not answered where nothing was kept of it yet. */
const Noticed = 50
/** So many in a row that took less say that those do so wherever they are answered. */
const Enough = 200
/** How many times longer than the next ones the first of a kind takes. */
const First = 4
/** Bytes of a body that says little of how much is asked for: of one object, or the ids of a few. */
const SmallBody = 128
const Numbers = /[\d-]*\d[\d-]*/g

/**
 * How long requests of a kind took lately: the longest time in ms, which fades, of every second of them, that with the
 * last one first.
 */
interface Times {
  last: number
  other: number | undefined
  /** After one that others would notice: how many more are taken to be long. */
  left: number
}

/**
 * How long requests of each kind took lately. One that took longer than the others says nothing: it was the first,
 * found nothing kept, or had the garbage collected. But a read that took long once may do so again in each thread
 * that has kept nothing of it.
 */
export class Costs {
  readonly #times = new Lru<string, Times>(MaxKinds)

  /** Milliseconds that a request of this kind may take; undefined for a kind that is new. */
  of(kind: string): number | undefined {
    const times = this.#times.get(kind)
    if (!times) return undefined
    const usual = times.other === undefined ? times.last / First : Math.min(times.last, times.other)
    return times.left > 0 && isRead(kind) ? Math.max(Long, usual) : usual
  }

  /** Whether more than one of this kind was asked for. */
  isSure(kind: string): boolean {
    return this.#times.get(kind)?.other !== undefined
  }

  note(kind: string, ms: number): void {
    const before = this.#times.get(kind)
    const left = ms >= Noticed ? Enough : Math.max(0, (before?.left ?? 0) - 1)
    this.#times.set(kind, { last: Math.max(ms, (before?.other ?? 0) * Fading), other: before?.last, left })
  }
}

const isRead = (kind: string): boolean => kind.startsWith('GET ') || kind.startsWith('HEAD ')

/**
 * What requests have in common that take about the same time: the method, the path without its numbers, the names of
 * the parameters, the order and the sizes that they ask for, or bring: `bytes` is that of their body.
 */
export function kindOf(method: string, url: string, bytes = 0): string {
  const at = url.indexOf('?')
  const path = at < 0 ? url : url.slice(0, at)
  let kind = `${method} ${path.replace(Numbers, '#')}`
  if (bytes > SmallBody) kind += ` ${Math.ceil(Math.log2(bytes / SmallBody))}`
  if (at < 0) return kind
  for (const part of url.slice(at + 1, at + 2001).split('&')) {
    const end = part.indexOf('=')
    const name = end < 0 ? part : part.slice(0, end)
    kind += `&${name}`
    if (name === 'ordering' || name === 'sort') kind += part.slice(name.length) // by an index, or by sorting all
    // How many digits says how much is asked for.
    if (name === 'limit' || name === 'offset' || name === 'per_page') kind += `=${part.length - end}`
  }
  return kind
}
