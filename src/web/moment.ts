import { html } from 'hono/html'
import { shownTime } from '../history/past.ts'
import { momentAsked } from '../http/moment.ts'
import { type Answer, ApiError, type Call } from '../http/request.ts'
import type { ShownMoment, Visit } from './visit.ts'

/** The moment that a page shows, where it is not now. */
export function momentShown(call: Call): ShownMoment | undefined {
  const text = momentAsked(call)
  if (text === undefined) return undefined
  try {
    return { text, time: shownTime(call.store.db, text) }
  } catch {
    return { text, time: '' } // refused, by a page that says why
  }
}

/** The address of this page at another moment, or now. */
export function hereAt(visit: Visit, at: string | null): string {
  const query = new URLSearchParams(visit.query)
  if (at !== null) query.set('at', at)
  return `${visit.config.basePath}${visit.path}${query.size ? `?${query}` : ''}`
}

/** Whether an address of this server has a past: files and what is of the reader alone have none. */
export function isKept({ config: { basePath } }: Call, href: string): boolean {
  if (!href.startsWith(`${basePath}/`)) return false
  return !/^\/(?:(?:assets|media|user|login|logout|core\/system)\/|\/)/.test(href.slice(basePath.length))
}

/** What pages are for that change something. */
const Changing = /\/(?:add|edit|delete|import|undo|columns|rename|components|connect|disconnect|next-free)\/$/

/** Refuses pages of another moment by which one would change it. */
export function demandSeen({ at, path }: Visit): void {
  if (at && Changing.test(path)) throw new ApiError(400, { at: ['The past can be seen, not changed.'] })
}

const Tag = /<[a-z][^>]*>/g
const Address = / (href|src|data|hx-get|data-source|data-choices)="((?:\/|\?)[^"]*)"/g

/** An address, as it stands in HTML, at a moment. */
function withMoment(address: string, at: string): string {
  const [path, fragment] = address.split('#', 2) as [string, string?]
  const dated = `${path}${path.includes('?') ? '&amp;' : '?'}at=${encodeURIComponent(at)}`
  return fragment === undefined ? dated : `${dated}#${fragment}`
}

/** Has links, drawings and searches of a page lead to the moment that it shows. */
function keepMoment(visit: Visit, page: string): string {
  const { at } = visit
  if (!at) return page
  const hidden = String(html`<input type="hidden" name="at" value="${at.text}">`)
  return page.replace(Tag, (tag) => {
    if (tag.startsWith('<link') || tag.includes(' data-now')) return tag
    const kept = tag.replace(Address, (whole, name: string, address: string) =>
      address[0] === '?' || isKept(visit, address) ? ` ${name}="${withMoment(address, at.text)}"` : whole,
    )
    return tag.startsWith('<form') && !/ method="?post/i.test(tag) ? kept + hidden : kept
  })
}

/** The same of a whole answer. */
export function atMoment(visit: Visit, answer: Answer): Answer {
  if (!visit.at) return answer
  const headers = answer.headers ?? {}
  const to = headers.location
  if (to && isKept(visit, to))
    return { ...answer, headers: { ...headers, location: withMoment(to, visit.at.text).replaceAll('&amp;', '&') } }
  const isPage = headers['content-type']?.startsWith('text/html') ?? false
  return isPage && answer.body ? { ...answer, body: keepMoment(visit, answer.body.toString()) } : answer
}
