import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, generateCookie, getCookie, setCookie } from 'hono/cookie'
import type { CookieOptions } from 'hono/utils/cookie'
import type { Actor } from '../engine/actor.ts'
import { now, momentAt } from '../lib/datetime.ts'
import type { Authenticator } from './auth.ts'
import { digestOfPassword } from './password.ts'
import { type Call, type Env, forbidden } from './request.ts'

const [Session, Csrf] = ['sessionid', 'csrftoken']
/** Seconds: a year, and what browsers keep a cookie for at most. */
const [Year, Longest] = [31_449_600, 34_560_000]

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const stored = (key: string): string => digest(key).toString('hex')

/** Whether browsers are to send cookies over TLS alone. */
export const isSecure = ({ config, base }: Pick<Call, 'config' | 'base'>): boolean =>
  config.sessionCookieSecure || base.startsWith('https:')

const options = (c: Context<Env>): CookieOptions => {
  const call = c.get('call')
  return { path: call.config.basePath || '/', sameSite: 'Lax', secure: isSecure(call) }
}

/**
 * The actor whom a trusted proxy names, or that of a request's session cookie, if it has a live one. Throws `ApiError`
 * 403 for one who may not come in.
 */
export function actorBySession(c: Context<Env>, authenticator: Authenticator): Actor | undefined {
  const named = c.get('remoteUser')
  if (typeof named === 'string') throw forbidden(named)
  if (named !== undefined) return authenticator.actorOf(named, true)
  const key = getCookie(c, Session)
  if (!key) return undefined
  const call = c.get('call')
  const found = authenticator.session(stored(key))
  if (!found || found.expires <= now()) return undefined
  const actor = authenticator.actorOf(found.user_id, true)
  authenticator.sessionUsed(found, call.client)
  return actor
}

/** What is stored of a request's session; empty where it has none. */
export function sessionDigest(c: Context<Env>): string {
  const key = getCookie(c, Session)
  return key ? stored(key) : ''
}

/**
 * Makes a session of a user, who has just logged in, in place of the one that the browser had, and gives its cookie to
 * the answer; `password`: the digest of the one that was right. Throws `ApiError` 403 where it is another one by now.
 */
export async function beginSession(
  c: Context<Env>,
  userId: number,
  { isByProvider = false, password }: { isByProvider?: boolean; password?: string } = {},
): Promise<void> {
  const { store, config, client } = c.get('call')
  const agent = (c.req.header('user-agent') ?? '').slice(0, 300)
  const before = sessionDigest(c)
  const key = randomBytes(32).toString('base64url')
  const until = momentAt(Date.now() + config.loginTimeout * 1000)
  await store.commit.run(() => {
    if (!store.rows.has('users.user', { id: userId, is_active: 1 })) throw forbidden('User inactive') // by now
    if (password !== undefined && digestOfPassword({ store }, userId) !== password)
      throw forbidden('The password was changed meanwhile.')
    store.db.run('delete from users_session where expires < ? or digest = ?', now(), before)
    const at = now()
    store.db.run(
      `insert into users_session (digest, user_id, expires, created, last_used, address, agent, by_provider)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      stored(key),
      userId,
      until,
      at,
      at,
      client,
      agent,
      Number(isByProvider),
    )
    store.db.run('update users_user set last_login = ? where id = ?', at, userId)
  })
  setCookie(c, Session, key, { ...options(c), maxAge: Math.min(config.loginTimeout, Longest), httpOnly: true })
}

/** Ends the session of a request, if it has one; answers whether a provider began it. */
export async function endSession(c: Context<Env>): Promise<boolean> {
  const { store } = c.get('call')
  const key = getCookie(c, Session)
  const isByProvider = key !== undefined && store.rows.has('users.session', { digest: stored(key), by_provider: 1 })
  if (key) await store.commit.run(() => store.db.run('delete from users_session where digest = ?', stored(key)))
  deleteCookie(c, Session, { ...options(c), httpOnly: true })
  return isByProvider
}

/** The CSRF token that a browser keeps, if it has one. */
export function ownToken(c: Context<Env>): string | undefined {
  const own = getCookie(c, Csrf)
  return own && /^[\w-]{16,128}$/.test(own) ? own : undefined
}
export const newToken = (): string => randomBytes(24).toString('base64url')
/** The cookie that gives a browser its token. */
export const tokenCookie = (c: Context<Env>, token: string): string =>
  generateCookie(Csrf, token, { ...options(c), maxAge: Year })

/** The CSRF token of a browser, in the cookie that it keeps; made, and given to the answer, where it has none. */
export function csrfToken(c: Context<Env>): string {
  const token = ownToken(c) ?? newToken()
  setCookie(c, Csrf, token, { ...options(c), maxAge: Year })
  return token
}

/** 403 unless a request that changes something carries the CSRF token of its cookie in a header. */
export function demandCsrf(c: Context<Env>): void {
  if (['GET', 'HEAD', 'OPTIONS'].includes(c.req.method)) return
  const own = getCookie(c, Csrf)
  const given = c.req.header('x-csrftoken')
  if (!own || !given) throw forbidden('CSRF Failed: CSRF token missing.')
  if (!isSame(own, given)) throw forbidden('CSRF Failed: CSRF token incorrect.')
}

/** Compares two texts in constant time. */
export const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
