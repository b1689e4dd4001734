import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Authenticator } from '../api/auth.ts'
import { userByPassword } from '../api/password.ts'
import { type Answer, ApiError, type Call, forbidden } from '../api/request.ts'
import type { Actor } from '../registry/actor.ts'
import { now } from '../tools/datetime.ts'
import { page } from './layout.ts'

const digest = (key: string): string => createHash('sha256').update(key).digest('hex')

/** A cookie of a request. */
export function cookie(call: Call, name: string): string | undefined {
  for (const part of (call.request.headers.get('cookie') ?? '').split(';')) {
    const at = part.indexOf('=')
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}

const set = (call: Call, name: string, value: string, maxAge: number, hidden: boolean): string =>
  `${name}=${value}; Path=${call.config.basePath || '/'}; Max-Age=${maxAge}; SameSite=Lax${hidden ? '; HttpOnly' : ''}${call.config.sessionCookieSecure || call.base.startsWith('https:') ? '; Secure' : ''}`

/** The actor of a request's session cookie, if it has a live one. */
export function actorBySession(call: Call, authenticator: Authenticator): Actor | undefined {
  const key = cookie(call, 'sessionid')
  if (!key) return undefined
  const found = call.store.db.get<{ user_id: number; expires: string }>(
    'select user_id, expires from users_session where digest = ?',
    digest(key),
  )
  return found && found.expires > now() ? authenticator.actorOf(found.user_id, true) : undefined
}

const same = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** 403 unless a request that changes something carries the CSRF token of its cookie. */
export function demandCsrf(call: Call, given = call.request.headers.get('x-csrftoken') ?? undefined): void {
  if (['GET', 'HEAD', 'OPTIONS'].includes(call.method)) return
  const own = cookie(call, 'csrftoken')
  if (!own || !given) throw forbidden('CSRF Failed: CSRF token missing.')
  if (!same(own, given)) throw forbidden('CSRF Failed: CSRF token incorrect.')
}

/** Paths below this server only, so that a login never leads elsewhere. */
const nextOf = (raw: string | null): string => (raw && /^\/(?![/\\])[^\r\n]*$/.test(raw) ? raw : '/api/')

function form(call: Call, problem = ''): Answer {
  const token = cookie(call, 'csrftoken') ?? randomBytes(24).toString('base64url')
  const body = `<h1>Log in</h1>${problem ? `<p class="problem">${problem}</p>` : ''}
<form method="post"><input type="hidden" name="csrfmiddlewaretoken" value="${token}"><input type="hidden" name="next" value="">
<label>Username <input name="username" autocomplete="username" autofocus required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label><button>Log in</button></form>
<script>document.querySelector('[name=next]').value = new URLSearchParams(location.search).get('next') || ''</script>`
  return {
    status: problem ? 403 : 200,
    body: page('Log in', body),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'set-cookie': set(call, 'csrftoken', token, 31_449_600, false),
    },
  }
}

/** `/login/`: the form, and what it sends. */
export async function login(call: Call, read: () => Promise<Buffer>): Promise<Answer> {
  if (call.method === 'GET' || call.method === 'HEAD') return form(call)
  const fields = new URLSearchParams((await read()).toString())
  demandCsrf(call, fields.get('csrfmiddlewaretoken') ?? undefined)
  let user: number | undefined
  try {
    user = await userByPassword(call, fields.get('username') ?? '', fields.get('password') ?? '')
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 429)) throw error
    const shown = form(call, error.message)
    return { ...shown, status: error.status, headers: { ...shown.headers, ...error.headers } }
  }
  if (user === undefined) return form(call, 'The username or password is not right.')
  const key = randomBytes(32).toString('base64url')
  const until = new Date(Date.now() + call.config.loginTimeout * 1000).toISOString().replace(/\.(\d{3})Z$/, '.$1000Z')
  await call.store.commit.run(() => {
    call.store.db.run('delete from users_session where expires < ?', now())
    call.store.db.run('insert into users_session (digest, user_id, expires) values (?, ?, ?)', digest(key), user, until)
    call.store.db.run('update users_user set last_login = ? where id = ?', now(), user)
  })
  return {
    status: 302,
    body: null,
    headers: {
      location: `${call.config.basePath}${nextOf(fields.get('next'))}`,
      'set-cookie': set(call, 'sessionid', key, call.config.loginTimeout, true),
    },
  }
}

/** `/logout/`: ends the session. */
export async function logout(call: Call): Promise<Answer> {
  const key = cookie(call, 'sessionid')
  if (key)
    await call.store.commit.run(() => call.store.db.run('delete from users_session where digest = ?', digest(key)))
  return {
    status: 302,
    body: null,
    headers: { location: `${call.config.basePath}/login/`, 'set-cookie': set(call, 'sessionid', '', 0, true) },
  }
}
