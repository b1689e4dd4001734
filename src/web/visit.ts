import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Call, Env } from '../http/request.ts'

/** A moment as it was asked for, and as it is, in UTC; '' where it cannot be shown. */
export interface ShownMoment {
  text: string
  time: string
}

/** One request for a page: the call, and what the browser keeps for us. */
export interface Visit extends Call {
  /** The moment that pages show; undefined for now. Who looks back writes nothing, and the query says nothing of it. */
  readonly at: ShownMoment | undefined
  /** The token that forms carry. */
  readonly token: string
  /** The colours that the user chose here, where they did. */
  readonly theme: 'light' | 'dark' | undefined
  /** What the page before says. */
  readonly message: { text: string; tone: 'good' | 'bad'; link?: readonly [href: string, label: string] } | undefined
}

/** The visit of a request whose actor is known, with a token of the browser's or a new one. */
export function visitOf(c: Context<Env>, token: string, at?: ShownMoment): Visit {
  const theme = getCookie(c, 'theme')
  const { call } = c.var
  return {
    ...call,
    query: withBack(at ? withoutMoment(call.query) : call.query, call.base, c.req.header('referer')),
    ...(at ? { actor: { ...call.actor, writes: false } } : {}),
    at,
    isEntered: true,
    token,
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    message: messageIn(getCookie(c, 'message')),
  }
}

const withoutMoment = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => name !== 'at'))

/** What stands for the page that a link is on, as `_back` of many links that come back to it. */
export const Here = '.'

/** A query whose `_back` names the page that the link was on, where it says no more than `Here`. */
function withBack(query: URLSearchParams, base: string, referer: string | undefined): URLSearchParams {
  if (query.get('_back') !== Here) return query
  const made = new URLSearchParams(query)
  const from = referer !== undefined && URL.canParse(referer) ? new URL(referer) : undefined
  if (from?.origin === new URL(base).origin) made.set('_back', from.pathname + from.search)
  else made.delete('_back')
  return made
}

function messageIn(kept: string | undefined): Visit['message'] {
  try {
    const [tone, text, href, label] = JSON.parse(kept ?? '[]') as unknown[]
    const isOwn = typeof href === 'string' && /^\/(?![/\\])/.test(href) && typeof label === 'string'
    return typeof text === 'string'
      ? { text, tone: tone === 'bad' ? 'bad' : 'good', ...(isOwn ? { link: [href, label] as const } : {}) }
      : undefined
  } catch {
    return undefined // not one of ours
  }
}
