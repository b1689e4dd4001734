import type { MiddlewareHandler } from 'hono'
import type { Config } from '../config.ts'
import { AnsweredElsewhere } from '../lib/answered-elsewhere.ts'
import { log } from '../lib/log.ts'
import type { Store } from '../store/open.ts'
import { risingUuid } from '../lib/uuid.ts'
import { ApiVersion } from '../lib/version.ts'
import type { Authenticator } from './auth.ts'
import { originBy, peerOf } from './origin.ts'
import { Parameters } from './parameters.ts'
import type { Env } from './request.ts'

/** Headers of all answers. */
export const Common = {
  'api-version': ApiVersion,
  vary: 'HX-Request, Accept-Language, Cookie, origin',
  'content-language': 'en',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'SAMEORIGIN',
}

/** With TLS, browsers are told to use it from now on (HSTS). */
const securityOf = ({ tlsCertificate, hstsSeconds }: Config): Record<string, string> =>
  tlsCertificate && hstsSeconds ? { 'strict-transport-security': `max-age=${hstsSeconds}` } : {}

/** Path of an address as it was sent, without its query. */
const pathOf = (url: string): string => {
  const from = url.indexOf('/', 8)
  const to = url.slice(from).search(/[?#]/)
  return to < 0 ? url.slice(from) : url.slice(from, from + to)
}

/** Reads the path that routes are found by: without the base path, and `/api/dcim/sites.json` as `/api/dcim/sites/`. */
export const pathBelow =
  (basePath: string) =>
  (request: Request): string => {
    const whole = pathOf(request.url)
    const isBelow = basePath !== '' && (whole === basePath || whole.startsWith(`${basePath}/`))
    const path = isBelow ? whole.slice(basePath.length) || '/' : whole
    return path.endsWith('.json') && /^\/api\/[\w/-]+\.json$/.test(path) ? path.replace(/\.json$/, '/') : path
  }

/** Gives a request its id, the headers of its answer, and the call that handlers take. */
export function requestContext(store: Store, config: Config, authenticator: Authenticator): MiddlewareHandler<Env> {
  const originOf = originBy(config)
  const common = { ...Common, ...securityOf(config) }
  return (c, next) => {
    const requestId = risingUuid()
    c.set('requestId', requestId)
    c.set('common', { ...common, 'x-request-id': requestId })
    store.db.sync()
    const request = c.req.raw
    if (request.method === 'GET') store.commit.lastRead = performance.now()
    const { incoming, outgoing } = c.env ?? {}
    const { client, base } = originOf(request, peerOf(incoming))
    const query = request.url.indexOf('?')
    c.set('call', {
      store,
      config,
      request,
      incoming,
      outgoing,
      path: c.req.path,
      query: new Parameters(query < 0 ? '' : request.url.slice(query).replace(/#.*$/, '')),
      requestId,
      method: request.method.toUpperCase(),
      actor: authenticator.anonymous,
      base: base + config.basePath,
      client,
    })
    return next()
  }
}

/** Writes a line of the log for every request that was answered. */
export const logging =
  (config: Config): MiddlewareHandler<Env> =>
  async (c, next) => {
    const started = performance.now()
    await next()
    if (c.error instanceof AnsweredElsewhere || c.get('isElsewhere')) return // whoever answers it writes that line
    const { client, actor, store } = c.get('call') // `c.var` would copy all variables
    const line = {
      request_id: c.get('requestId'),
      client,
      user: actor.username,
      method: c.req.method,
      path: pathOf(c.req.url),
      status: c.res.status,
      ms: performance.now() - started,
    }
    log(config, line, () => store.db.slow.since(started))
  }
