import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Config } from '../config.ts'
import { type Call, type Env, noSuchPage } from '../http/request.ts'
import { beginSession, isSecure } from '../http/session.ts'
import { now, momentAt } from '../lib/datetime.ts'
import { logWarning } from '../lib/log.ts'
import { seal, unseal } from '../lib/sealed.ts'
import { type Going, Provider, ProviderError, rulesOf, saidBy } from '../services/oidc.ts'
import { signOn, SignOnRefused } from '../services/sign-on.ts'
import { loginForm, ownPath } from './login.ts'

/** The cookie of a browser that is on its way, and the seconds that it may take. */
const Cookie = 'signon'
const Lasts = 600
const Purpose = 'sign-on'
/** Characters of an address to come back to; a longer one is forgotten. */
const LongestNext = 2000

const providers = new WeakMap<Config, Provider>()
function providerOf({ config }: Call): Provider {
  if (!config.oidcIssuer) throw noSuchPage()
  const provider = providers.get(config) ?? new Provider(config)
  providers.set(config, provider)
  return provider
}

const cookieOptions = (call: Call) =>
  ({
    path: `${call.config.basePath}/oauth/`,
    httpOnly: true,
    sameSite: 'Lax', // the provider leads back here, from another site
    secure: isSecure(call),
  }) as const

/** `/oauth/login/oidc/`: leads a browser to the provider. */
export async function beginSignOn(c: Context<Env>): Promise<Response> {
  const { call } = c.var
  const provider = providerOf(call)
  const wanted = ownPath(c.req.query('next'))
  const next = wanted.length > LongestNext ? '/' : wanted
  try {
    const { address, going } = await provider.begin(`${call.base}/oauth/complete/oidc/`)
    const kept = JSON.stringify({ ...going, next, until: Date.now() + Lasts * 1000 })
    setCookie(c, Cookie, seal(call.config.peppers, Purpose, '', kept), { ...cookieOptions(call), maxAge: Lasts })
    return c.redirect(address)
  } catch (error) {
    return failed(c, next, error)
  }
}

/** `/oauth/complete/oidc/`: a browser comes back from the provider, and is logged in. */
export async function completeSignOn(c: Context<Env>): Promise<Response> {
  const { call } = c.var
  const provider = providerOf(call)
  const kept = keptIn(call, getCookie(c, Cookie))
  deleteCookie(c, Cookie, cookieOptions(call))
  const next = kept?.next ?? '/'
  try {
    if (!kept || call.query.get('state') !== kept.state)
      throw new ProviderError(
        'This sign-on began in another browser, or too long ago. Begin again.',
        'no state, or another one',
      )
    if (call.store.rows.has('users.spent', { digest: digestOf(kept) })) throw usedAlready()
    const claims = await provider.finish(call.query, kept)
    if (!(await spend(call, kept))) throw usedAlready()
    const user = await signOn(call.store, saidBy(call.config, claims), rulesOf(call.config, claims))
    await beginSession(c, user, { isByProvider: true })
    return c.redirect(`${call.config.basePath}${next}`)
  } catch (error) {
    return failed(c, next, error)
  }
}

/** `/oauth/logout/oidc/`: leads who has logged out here to where one logs out of the provider. */
export async function leaveProvider(c: Context<Env>): Promise<Response> {
  const { call } = c.var
  const provider = providerOf(call)
  try {
    return c.redirect((await provider.leave(`${call.base}/login/`)) ?? `${call.config.basePath}/login/`)
  } catch (error) {
    return failed(c, '/', error)
  }
}

type Kept = Going & { next: string; until: number }

function keptIn({ config }: Call, cookie: string | undefined): Kept | undefined {
  const text = cookie && unseal(config.peppers, Purpose, '', cookie)
  if (!text) return undefined
  const kept = JSON.parse(text) as Kept
  return kept.until > Date.now() ? kept : undefined
}

const usedAlready = () =>
  new ProviderError('This sign-on was used already. Begin again.', 'a state that was used before')

const digestOf = ({ state }: Kept): string => createHash('sha256').update(`state ${state}`).digest('hex')

/**
 * Whether a sign-on succeeds for the first time: in the database, whatever thread it comes back to. Strangers write
 * nothing there.
 */
const spend = ({ store }: Call, kept: Kept): Promise<boolean> =>
  store.commit.run(() => {
    const digest = digestOf(kept)
    if (store.rows.has('users.spent', { digest })) return false
    store.rows.drop('users.spent', { expires: { to: now() } })
    store.db.run('insert into users_spent (digest, expires) values (?, ?)', digest, momentAt(kept.until))
    return true
  })

function failed(c: Context<Env>, next: string, error: unknown): Response | Promise<Response> {
  if (!(error instanceof ProviderError || error instanceof SignOnRefused)) throw error
  const { config, client, requestId } = c.var.call
  const reason = error instanceof ProviderError ? error.reason : error.message
  logWarning(config, 'a sign-on failed', { client, reason, request_id: requestId })
  return loginForm(c, next, error.message, error instanceof SignOnRefused ? 403 : 400)
}
