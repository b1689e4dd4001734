import type { Context } from 'hono'
import { html } from 'hono/html'
import { readBytes } from '../http/body.ts'
import { userByPassword } from '../http/password.ts'
import { ApiError, type Env } from '../http/request.ts'
import { beginSession, csrfToken, demandCsrf, endSession } from '../http/session.ts'
import { plainPage } from './frame.ts'
import { visitOf } from './visit.ts'

/** The form to log in with, which leads to a path below this server; `problem`: what was wrong before. */
export function loginForm(c: Context<Env>, next: string, problem = '', status: 200 | 403 | 429 = 200) {
  const visit = visitOf(c, csrfToken(c))
  const body = html`${problem ? html`<p class="message bad" role="alert">${problem}</p>` : ''}
<form method="post" class="login"><input type="hidden" name="csrfmiddlewaretoken" value="${visit.token}"><input type="hidden" name="next" value="${next}">
<label>Username <input name="username" autocomplete="username" autofocus required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label><button class="primary">Log in</button></form>`
  return c.html(String(plainPage(visit, { title: 'Log in', body }).body), status)
}

/** Logs in with what the form sends, and leads on to where the browser wanted to go. */
export async function login(c: Context<Env>): Promise<Response> {
  const { call } = c.var
  const form = new URLSearchParams((await readBytes(call)).toString())
  demandCsrf(c, form)
  const next = ownPath(form.get('next'))
  let user: number | undefined
  try {
    user = await userByPassword(call, form.get('username') ?? '', form.get('password') ?? '')
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 429)) throw error
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
    return loginForm(c, next, error.message, 429)
  }
  if (user === undefined) return loginForm(c, next, 'The username or password is not right.', 403)
  await beginSession(c, user)
  return c.redirect(`${call.config.basePath}${next}`)
}

/** Ends the session. */
export async function logout(c: Context<Env>): Promise<Response> {
  demandCsrf(c, new URLSearchParams((await readBytes(c.var.call)).toString()))
  await endSession(c)
  return c.redirect(`${c.var.call.config.basePath}/login/`)
}

const Here = 'http://here.invalid'

/** Path and query below this server that a text names as a browser would read it; `/` for anything that leads elsewhere. */
export function ownPath(given: string | null | undefined): string {
  if (!given?.startsWith('/') || !URL.canParse(given, Here)) return '/'
  const { origin, pathname, search } = new URL(given, Here)
  return origin === Here ? `${pathname.replace(/^\/+/, '/')}${search}` : '/'
}
