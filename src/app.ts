import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import type { Actor } from './registry/actor.ts'
import { Authenticator, noCredentials } from './api/auth.ts'
import { limited } from './api/body.ts'
import { media } from './api/media.ts'
import { clientOf, originOf } from './api/origin.ts'
import { type Answer, ApiError, type Call, jsonAnswer } from './api/request.ts'
import { methodsAt, modelAt, modelOfPage, route } from './api/router.ts'
import type { Config } from './config.ts'
import { browse } from './web/browse.ts'
import { actorBySession, demandCsrf, login, logout } from './web/session.ts'
import { RegexTooSlow } from './tools/regex.ts'
import { Refused } from './registry/behaviour.ts'
import type { Store } from './store/open.ts'
import { ApiVersion } from './version.ts'
import { log } from './log.ts'

const Common = {
  'api-version': ApiVersion,
  vary: 'HX-Request, Accept-Language, Cookie, origin',
  'content-language': 'en',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'SAMEORIGIN',
}

/** Paths below /api/ that need no credentials. */
const Open = new Set(['/api/users/tokens/provision/', '/api/schema/', '/api/schema/swagger-ui/', '/api/schema/redoc/'])
/** Paths that anyone may read when LOGIN_REQUIRED is off. */
const OpenWithoutLogin = /^\/api\/(?:status\/|core\/object-types\/(?:\d+\/)?|extras\/scripts\/(?:\d+\/)?)?$/

/** The whole service: one middleware-free road from a request to its answer. */
export function createApp(store: Store, config: Config): Hono {
  const app = new Hono()
  const authenticator = new Authenticator(store, config)
  app.all('*', async (c) => {
    const started = performance.now()
    store.db.sync()
    const request = c.req.raw
    const requestId = randomUUID()
    const url = new URL(request.url)
    const path = withoutSuffix(
      config.basePath && url.pathname.startsWith(config.basePath)
        ? url.pathname.slice(config.basePath.length)
        : url.pathname,
    )
    const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming
    const peer = (incoming?.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
    let username = ''
    const answer = await answerTo(async () => {
      const call: Call = {
        store,
        config,
        request,
        incoming,
        path,
        query: url.searchParams,
        requestId,
        method: request.method.toUpperCase(),
        actor: authenticator.anonymous,
        base: originOf(request, url, peer, config) + config.basePath,
        client: clientOf(request, peer, config),
        indent: indentOf(request),
      }
      const file = /^\/api\/schema\/(?:swagger-ui|redoc)\/([\w.-]+)$/.exec(path)
      if (file) return (await import('./api/schema.ts')).swaggerFile(file[1]!)
      if (path === '/') return { status: 302, body: null, headers: { location: `${config.basePath}/api/` } }
      if (path === '/login/') return login(call, () => limited(call))
      if (path === '/logout/') return logout(call)
      if (path.startsWith('/media/')) {
        const actor = call.request.headers.get('authorization')
          ? actorFor(authenticator, call)
          : actorBySession(call, authenticator)
        return actor
          ? media({ ...call, actor })
          : {
              status: 302,
              body: null,
              headers: { location: `${config.basePath}/login/?next=${encodeURIComponent(path)}` },
            }
      }
      if (!path.startsWith('/api/')) return redirectOr404(call, path)
      if (!path.endsWith('/')) return redirectOr404(call, path)
      const actor = whoever(authenticator, call)
      if (!actor)
        return {
          status: 302,
          body: null,
          headers: { location: `${config.basePath}/login/?next=${encodeURIComponent(path)}` },
        }
      username = actor.username
      const render = rendererOf(call)
      const own = { ...call, actor }
      if (render === 'json') return indented(await route(own), call.indent)
      const answer = await answerTo(() => route(own))
      return isJson(answer) ? browse(own, answer) : answer
    })
    log(config, {
      request_id: requestId,
      user: username,
      method: request.method,
      path: url.pathname,
      status: answer.status,
      ms: performance.now() - started,
    })
    const headers: Record<string, string> = {
      ...Common,
      'x-request-id': requestId,
      ...answer.headers,
      ...allowHeader(path),
    }
    if (request.method === 'HEAD' && answer.body !== null)
      headers['content-length'] = String(Buffer.byteLength(answer.body))
    return new Response(request.method === 'HEAD' ? null : (answer.body as string | null), {
      status: answer.status,
      headers,
    })
  })
  return app
}

/** `/api/dcim/sites.json` is `/api/dcim/sites/`, whatever the Accept header says of pages (GLOBAL 1). */
const withoutSuffix = (path: string): string =>
  /^\/api\/[\w/-]+\.json$/.test(path) ? path.replace(/\.json$/, '/') : path

/** The actor, or nothing for a browser that has to log in first. */
function whoever(authenticator: Authenticator, call: Call): Actor | undefined {
  const isBrowser =
    call.method === 'GET' &&
    /^text\/html/.test(call.request.headers.get('accept') ?? '') &&
    !call.request.headers.get('authorization')
  try {
    return actorFor(authenticator, call)
  } catch (error) {
    if (isBrowser && error instanceof ApiError && error.status === 403) return undefined
    throw error
  }
}

function actorFor(authenticator: Authenticator, call: Call) {
  const header = call.request.headers.get('authorization')
  if (Open.has(call.path)) return call.actor
  if (header) return authenticator.byHeader(header, call.client)
  const session = actorBySession(call, authenticator)
  if (session) {
    demandCsrf(call)
    return session
  }
  const isRead = call.method === 'GET' || call.method === 'HEAD'
  const m = modelAt(call.path.split('/').slice(2, 4).join('/'))
  if (isRead && m && call.actor.exempt(m.name)) return call.actor
  if (!call.config.loginRequired && isRead && OpenWithoutLogin.test(call.path)) return call.actor
  throw noCredentials()
}

/** A missing slash is a redirect for reads (SPEC 4.1.3), and so is a display_url; anything else has no page here. */
function redirectOr404(call: Call, path: string): Answer {
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(call.method)
  if (isRead && path.startsWith('/api') && !path.endsWith('/')) {
    const query = call.query.size ? `?${call.query}` : ''
    return { status: 302, body: null, headers: { location: `${call.config.basePath}${path}/${query}` } }
  }
  const [, place, id] = /^\/([\w-]+\/[\w-]+)\/(\d+\/)?$/.exec(path) ?? []
  const m = isRead && place && modelOfPage(place)
  if (m && !m.internal)
    return { status: 302, body: null, headers: { location: `${call.config.basePath}/api/${m.path}/${id ?? ''}` } } // display_url: the API's own page
  throw new ApiError(404, { detail: 'Not found.' })
}

/** Runs a handler; every failure becomes its answer in this one place. */
async function answerTo(handle: () => Promise<Answer>): Promise<Answer> {
  try {
    return await handle()
  } catch (error) {
    if (error instanceof ApiError) return jsonAnswer(error.status, error.body, error.headers)
    if (error instanceof RegexTooSlow) return jsonAnswer(400, { detail: error.message })
    if (error instanceof Refused) return jsonAnswer(error.status, error.body)
    process.stderr.write(`${(error as Error).stack ?? error}\n`)
    if ((error as { code?: string }).code === 'SQLITE_CONSTRAINT_UNIQUE')
      return jsonAnswer(409, {
        detail: 'This change would make two other objects the same in what must tell them apart.',
      })
    return jsonAnswer(500, {
      error: 'internal error',
      detail: 'The server failed to answer this request; its log says why.',
    })
  }
}

const isJson = (answer: Answer): boolean => answer.headers?.['content-type'] === 'application/json'

/** JSON or a page, as `?format=` or the Accept header asks; 406 when it is neither (GLOBAL 3). */
function rendererOf(call: Call): 'json' | 'page' {
  if (call.path.startsWith('/api/schema/')) return 'json'
  const format = new URL(call.request.url).pathname.endsWith('.json') ? 'json' : call.query.get('format')
  if (format === 'json' || (format === 'api' && call.method !== 'GET')) return 'json'
  if (format === 'api') return 'page'
  if (format && !(format === 'txt' && /\/render(?:-config)?\/$/.test(call.path)))
    throw new ApiError(404, { detail: 'Not found.' })
  const accept = call.request.headers.get('accept')
  if (!accept) return 'json'
  const version = /version=([\d.]+)/.exec(accept)?.[1]
  if (version && version !== ApiVersion) throw new ApiError(406, { detail: 'Invalid version in "Accept" header.' })
  const types = accept.split(',').map((part) => part.split(';')[0]!.trim().toLowerCase())
  const page = call.method === 'GET' ? 'page' : 'json'
  for (const [type, renderer] of [
    ['application/json', 'json'],
    ['text/html', page],
    ['application/*', 'json'],
    ['text/*', page],
    ['*/*', 'json'],
  ] as const)
    if (types.includes(type)) return renderer
  if (isAnswered(call, accept)) return 'json'
  throw new ApiError(406, { detail: 'Could not satisfy the request Accept header.' })
}

/** Whether an answer of this path may be of a type that is neither JSON nor a page. */
const isAnswered = (call: Call, accept: string): boolean =>
  (accept.includes('text/plain') && /\/render(?:-config)?\/$/.test(call.path)) ||
  (accept.includes('image/svg+xml') && call.query.get('render') === 'svg') ||
  call.query.has('export')

const indentOf = (request: Request): number =>
  Math.min(Number(/indent=(\d{1,2})/.exec(request.headers.get('accept') ?? '')?.[1] ?? 0), 32)

const indented = (answer: Answer, indent: number): Answer =>
  indent && answer.body && answer.headers?.['content-type'] === 'application/json'
    ? { ...answer, body: JSON.stringify(JSON.parse(answer.body.toString()), null, indent) }
    : answer

/** The Allow header of a path below /api/. */
function allowHeader(path: string): Record<string, string> {
  const methods = path.startsWith('/api/') ? methodsAt(path.slice('/api/'.length)) : undefined
  return methods ? { allow: [...methods, 'OPTIONS'].join(', ') } : {}
}
