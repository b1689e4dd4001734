import type { Context, MiddlewareHandler } from 'hono'
import type { Actor } from '../engine/actor.ts'
import { type Authenticator, noCredentials } from './auth.ts'
import { indented, indentOf, isJson, rendererOf } from './negotiation.ts'
import { type Answer, ApiError, type Call, type Env, type Place } from './request.ts'
import { send } from './send.ts'
import { actorBySession, demandCsrf } from './session.ts'

/** Makes a page of the answer to a call. */
type Presenter = (call: Call, answer: Answer) => Answer

/** Paths that anyone may read when LOGIN_REQUIRED is off. */
const OpenWithoutLogin = /^\/api\/(?:status\/|core\/object-types\/(?:\d+\/)?|extras\/scripts\/(?:\d+\/)?)?$/

/**
 * Finds out whether there is such a place and who asks, and how the answer is to be shown. A browser without
 * credentials is sent to log in; throws `ApiError` 403 for everybody else who does not authenticate.
 */
export const admission =
  (authenticator: Authenticator, browse: Presenter) =>
  (placeOf: Place | ((c: Context<Env>) => Place | undefined)): MiddlewareHandler<Env> =>
  (c, next) => {
    const call = c.get('call')
    const place = typeof placeOf === 'function' ? placeOf(c) : placeOf
    if (place) c.set('place', place)
    const actor = authenticated(c, authenticator, place)
    if (!actor) return Promise.resolve(send(c, toLogin(call)))
    call.actor = actor
    call.renew = () => {
      call.store.db.sync()
      return actorOf(c, authenticator, place)
    }
    const indent = indentOf(call.request)
    if (rendererOf(call) === 'page') c.set('present', (answer) => (isJson(answer) ? browse(call, answer) : answer))
    else if (indent) c.set('present', (answer) => indented(answer, indent))
    return next()
  }

/** Characters of a query to come back with; a longer one is forgotten, as cookies on the way hold no more. */
const LongestQuery = 1500

/** The address of the form to log in with, from which a browser comes back to what it asked for. */
export function loginHref({ config, path, request }: Call): string {
  const [, query = ''] = /^[^?#]*(\?[^#]*)/.exec(request.url) ?? []
  return `${config.basePath}/login/?next=${encodeURIComponent(path + (query.length > LongestQuery ? '' : query))}`
}

/** Leads a browser there. */
export const toLogin = (call: Call): Answer => ({ status: 302, body: null, headers: { location: loginHref(call) } })

/** The actor, or nothing for a browser that has to log in first. */
function authenticated(c: Context<Env>, authenticator: Authenticator, place: Place | undefined): Actor | undefined {
  try {
    return actorOf(c, authenticator, place)
  } catch (error) {
    const { method, request } = c.get('call')
    const isBrowser =
      method === 'GET' &&
      /^text\/html/.test(request.headers.get('accept') ?? '') &&
      !request.headers.get('authorization')
    if (isBrowser && error instanceof ApiError && error.status === 403) return undefined
    throw error
  }
}

function actorOf(c: Context<Env>, authenticator: Authenticator, place: Place | undefined): Actor {
  const call = c.get('call')
  if (place?.isOpen) return call.actor
  const header = call.request.headers.get('authorization')
  if (header) return authenticator.byHeader(header, call.client)
  const session = actorBySession(c, authenticator)
  if (session) {
    demandCsrf(c)
    return session
  }
  const isRead = call.method === 'GET' || call.method === 'HEAD'
  if (isRead && place?.model && call.actor.exempt(place.model.name)) return call.actor
  if (!call.config.loginRequired && isRead && OpenWithoutLogin.test(call.path)) return call.actor
  throw noCredentials()
}
