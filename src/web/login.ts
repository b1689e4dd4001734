import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { readBytes } from '../http/body.ts'
import { digestOfPassword, isUserCode, userByPassword } from '../http/password.ts'
import { ApiError, type Call, type Env } from '../http/request.ts'
import { beginSession, csrfToken, endSession, isSecure, ownToken } from '../http/session.ts'
import { now } from '../lib/datetime.ts'
import { logWarning } from '../lib/log.ts'
import { seal, unseal } from '../lib/sealed.ts'
import { loginKeyDigest } from '../services/accounts.ts'
import { secondFactorOf } from '../services/second-factor.ts'
import type { Html } from './cells.ts'
import { demandOwn } from './form-data.ts'
import { csrf, leadTo, messageOver, plainPage } from './frame.ts'
import { type Visit, visitOf } from './visit.ts'

/** Where local_login is off. */
const NoPasswords = 'Nobody logs in with a password here.'

/**
 * The form to log in with, and the button of the provider, which lead to a path below this server; `problem`: what was
 * wrong before; `name`: who was typed then.
 */
export function loginForm(c: Context<Env>, next: string, problem = '', status: 200 | 400 | 403 | 429 = 200, name = '') {
  const visit = visitOf(c, csrfToken(c))
  const { basePath, localLogin, oidcIssuer, oidcName } = visit.config
  const form = html`<form method="post" action="${basePath}/login/" class="login">${csrf(visit)}<input
  type="hidden" name="next" value="${next}">
<label>Username <input name="username" autocomplete="username" value="${name}" autofocus required></label>
<label>Password <input name="password" type="password" autocomplete="current-password"
  required></label><button class="primary">Log in</button></form>`
  const query = next === '/' ? '' : `?next=${encodeURIComponent(next)}`
  const way = html`<p class="login"><a class="button${localLogin ? '' : ' primary'}"
    href="${basePath}/oauth/login/oidc/${query}">Log in with ${oidcName}</a></p>`
  const body = html`${problem ? html`<p class="message bad" role="alert">${problem}</p>` : ''}${said(c, visit)}
${localLogin ? form : ''}${oidcIssuer ? way : ''}${
  localLogin || oidcIssuer ? '' : html`<p>A proxy in front of this server says who logs in; it named nobody.</p>`
}`
  return c.html(String(plainPage(visit, { title: 'Log in', isLogin: true, body }).body), status)
}

/** What the page before says, once. */
function said(c: Context<Env>, { message }: Visit): Html | '' {
  if (!message) return ''
  c.header('set-cookie', messageOver(c.var.call), { append: true })
  return html`<p class="message ${message.tone}" role="status">${message.text}${
    message.link ? html` <a href="${message.link[0]}">${message.link[1]}</a>` : ''
  }</p>`
}

/** The form that a page of this browser sent. Throws `ApiError` 403 for others. */
async function ownForm(c: Context<Env>): Promise<URLSearchParams> {
  const form = new URLSearchParams((await readBytes(c.var.call)).toString())
  demandOwn(ownToken(c), c.req.header('x-csrftoken') ?? form.get('csrfmiddlewaretoken'))
  return form
}

/** Logs in with what the form sends, and leads on to where the browser wanted to go. */
export async function login(c: Context<Env>): Promise<Response> {
  const { call } = c.var
  const form = await ownForm(c)
  const next = ownPath(form.get('next'))
  if (!call.config.localLogin) return loginForm(c, next, NoPasswords, 403)
  const name = form.get('username') ?? ''
  let user: number | undefined
  try {
    user = await userByPassword(call, name, form.get('password') ?? '')
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 429)) throw error
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
    return loginForm(c, next, error.message, 429, name)
  }
  if (user === undefined) return loginForm(c, next, 'The username or password is not right.', 403, name)
  if (secondFactorOf(call.store, user)) return askCode(c, user, next)
  await beginSession(c, user, { password: digestOfPassword(call, user) })
  return c.redirect(`${call.config.basePath}${next}`)
}

/** The cookie of a browser whose password was right, and the seconds that its code may take. */
const [Halfway, HalfwayLasts] = ['login', 300]
const Purpose = 'login without its code'
const halfwayOptions = (call: Call) =>
  ({
    path: `${call.config.basePath}/login/`,
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure(call),
  }) as const

/** Remembers in the browser, sealed, that the password was right, and leads to where the code is asked for. */
function askCode(c: Context<Env>, user: number, next: string): Response {
  const { call } = c.var
  const kept = JSON.stringify({
    user,
    next: next.length > 2000 ? '/' : next,
    password: digestOfPassword(call, user),
    until: Date.now() + HalfwayLasts * 1000,
  })
  setCookie(c, Halfway, seal(call.config.peppers, Purpose, '', kept), { ...halfwayOptions(call), maxAge: HalfwayLasts })
  return c.redirect(`${call.config.basePath}/login/code/`)
}

/** Whose password was right in this browser, a moment ago. */
function halfway(c: Context<Env>): { user: number; next: string; password: string } | undefined {
  const { call } = c.var
  const text = unseal(call.config.peppers, Purpose, '', getCookie(c, Halfway) ?? '')
  if (text === undefined) return undefined
  const kept = JSON.parse(text) as { user: number; next: string; password: string; until: number }
  const isGood = kept.until > Date.now() && kept.password === digestOfPassword(call, kept.user)
  return isGood && call.store.rows.has('users.user', { id: kept.user, is_active: 1 }) ? kept : undefined
}

/** `/login/code/`: the form for the one-time code. */
export function codeForm(c: Context<Env>, problem = '', status: 200 | 403 | 429 = 200) {
  const visit = visitOf(c, csrfToken(c))
  if (!halfway(c)) return loginForm(c, '/', problem || 'Log in again: the code took too long.', 403)
  const body = html`${problem ? html`<p class="message bad" role="alert">${problem}</p>` : ''}
<form method="post" action="${visit.config.basePath}/login/code/"
  class="login"><input type="hidden" name="csrfmiddlewaretoken" value="${visit.token}">
<label>One-time code <input name="code" autocomplete="one-time-code" autofocus required maxlength="20"
  autocapitalize="none" spellcheck="false" aria-describedby="h-code"></label>
<p class="help" id="h-code">Six digits of the program on your phone, or one of your recovery codes.</p>
<button class="primary">Go on</button></form>`
  return c.html(String(plainPage(visit, { title: 'One more step', body }).body), status)
}

/** `POST /login/code/`: logs in whose password was right before, and whose code is now. */
export async function loginByCode(c: Context<Env>): Promise<Response> {
  const { call } = c.var
  const form = await ownForm(c)
  const kept = halfway(c)
  if (!kept || !call.config.localLogin) return loginForm(c, '/', 'Log in again: the code took too long.', 403)
  try {
    if (!(await isUserCode(call, kept.user, form.get('code') ?? ''))) return codeForm(c, NoCode, 403)
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 429)) throw error
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
    return codeForm(c, error.message, 429)
  }
  deleteCookie(c, Halfway, halfwayOptions(call))
  await beginSession(c, kept.user, { password: kept.password })
  return c.redirect(`${call.config.basePath}${kept.next}`)
}

const NoCode = 'This code is not right, or was used already.'

/**
 * `/login/once/`: asks before a key of the command line is used up, since some programs look at addresses before people
 * do.
 */
export function loginOnceForm(c: Context<Env>) {
  const visit = visitOf(c, csrfToken(c))
  const key = visit.query.get('key') ?? ''
  const user = visit.store.rows.row('users.user', heldBy(visit, key) ?? 0)
  const body = user
    ? html`<form method="post" class="login">${csrf(visit)}<input type="hidden" name="key" value="${key}"><button
      class="primary">Log in as ${user.username}</button></form>`
    : html`<p class="message bad" role="alert">${NoKey}</p>`
  return c.html(String(plainPage(visit, { title: 'Log in', body }).body), user ? 200 : 403)
}

/** `POST /login/once/`: logs in whom a key of the command line is for, and uses it up. */
export async function loginOnce(c: Context<Env>): Promise<Response> {
  const { call } = c.var
  const form = await ownForm(c)
  const key = form.get('key') ?? ''
  const user = await call.store.commit.run(() => {
    const held = heldBy(call, key)
    call.store.rows.drop('users.session', { digest: loginKeyDigest(key) })
    return held
  })
  if (user === undefined) return loginForm(c, '/', NoKey, 403)
  logWarning(call.config, 'a key of cabinet user login was used', { client: call.client, user })
  await beginSession(c, user)
  return c.redirect(`${call.config.basePath}/`)
}

const NoKey = 'This key was used already, or is too old. The command gives another one.'

/** The active user whom a key of the command line logs in. */
function heldBy({ store }: Call, key: string): number | undefined {
  const found = store.rows.first('users.session', { digest: loginKeyDigest(key), expires: { from: now() } })
  return found && store.rows.has('users.user', { id: found.user_id, is_active: 1 }) ? found.user_id : undefined
}

/** Ends the session; who came by a provider is shown the way to log out there too. */
export async function logout(c: Context<Env>): Promise<Response> {
  const { call } = c.var
  await ownForm(c)
  const { basePath, oidcIssuer, oidcName } = call.config
  const isByProvider = await endSession(c)
  if (!isByProvider || !oidcIssuer) return c.redirect(`${basePath}/login/`)
  const way = [`${basePath}/oauth/logout/oidc/`, `Log out of ${oidcName} too`] as const
  const { headers } = leadTo(visitOf(c, ''), `${basePath}/login/`, 'You are logged out here.', 'good', way)
  c.header('set-cookie', headers!['set-cookie']!, { append: true })
  return c.redirect(`${basePath}/login/`)
}

const Here = 'http://here.invalid'

/**
 * Path and query below this server that a text names as a browser would read it; `/` for anything that leads elsewhere.
 */
export function ownPath(given: string | null | undefined): string {
  if (!given?.startsWith('/') || !URL.canParse(given, Here)) return '/'
  const { origin, pathname, search } = new URL(given, Here)
  return origin === Here ? `${pathname.replace(/^\/+/, '/')}${search}` : '/'
}
