import { alreadySent } from '../http/already-sent.ts'
import { type Context, Hono } from 'hono'
import { isBusy } from '../store/database.ts'
import type { Actor } from '../engine/actor.ts'
import { demandRead, isAnsweredThen, type LookingBack } from '../http/moment.ts'
import type { Authenticator } from '../http/auth.ts'
import { type Answer, ApiError, type Call, type Env } from '../http/request.ts'
import { send } from '../http/send.ts'
import { actorBySession } from '../http/session.ts'
import { BadRequest } from './refusal.ts'
import { queryOfAddress, queryOfBody } from './request.ts'

const text = (status: number, sentence: string, type = 'text/plain', headers: Record<string, string> = {}): Answer => ({
  status,
  body: sentence,
  headers: { 'content-type': `${type}; charset=utf-8`, ...headers },
})

/** `/graphql/`: queries by GET and POST, and the page with an editor for browsers. */
export function graphqlRoutes(
  authenticator: Authenticator,
  page: (call: Call, c: Context<Env>) => Answer,
  past?: LookingBack,
): Hono<Env> {
  const routes = new Hono<Env>()
  routes.all('/graphql', (c) => {
    const { config, query } = c.get('call')
    return send(c, {
      status: 301,
      body: null,
      headers: { location: `${config.basePath}/graphql/${query.size ? `?${query}` : ''}` },
    })
  })
  routes.all('/graphql/', async (c) => {
    const answer = await answered(c, authenticator, page, past)
    return answer === 'then' ? alreadySent() : send(c, answer)
  })
  return routes
}

async function answered(
  c: Context<Env>,
  authenticator: Authenticator,
  page: (call: Call, c: Context<Env>) => Answer,
  past: LookingBack | undefined,
): Promise<Answer | 'then'> {
  const call = c.get('call')
  if (!call.config.graphqlEnabled) return text(404, 'GraphQL is switched off (GRAPHQL_ENABLED).')
  try {
    const actor = actorOf(c, authenticator)
    if (!actor) return strangerAnswer(call)
    call.actor = actor
    call.renew = () => {
      call.store.db.sync()
      return actorOf(c, authenticator) ?? authenticator.anonymous
    }
    demandRead(call)
    if (isAnsweredThen(c, past)) return 'then'
    return await answer(call, c, page)
  } catch (error) {
    if (error instanceof BadRequest) return text(400, error.message)
    if (error instanceof ApiError && error.status === 403) return text(403, error.message, 'text/html')
    if (error instanceof ApiError) return text(error.status, sentenceOf(error), 'text/plain', error.headers)
    if (isBusy(error))
      return text(503, 'The database is locked by another process. Try again.', 'text/plain', { 'retry-after': '2' })
    throw error
  }
}

/** What is wrong, in one text: of a parameter, what is said of it. */
const sentenceOf = ({ body, message }: ApiError): string =>
  typeof body === 'object' && body && !('detail' in body) ? Object.values(body).flat().join(' ') : message

async function answer(call: Call, c: Context<Env>, page: (call: Call, c: Context<Env>) => Answer): Promise<Answer> {
  if (call.method !== 'GET' && call.method !== 'POST')
    return text(405, 'GraphQL takes GET and POST.', 'text/plain', { allow: 'GET, POST' })
  const query = call.method === 'GET' ? queryOfAddress(call) : await queryOfBody(call)
  if (!query) return takesPages(call) ? page(call, c) : text(400, 'No GraphQL query found in the request')
  const { run } = await import('./run.ts') // with all of GraphQL: a server that is never asked does not load it
  const body = await run(query, call, call.method === 'GET')
  return { status: 200, body, headers: { 'content-type': 'application/json' } }
}

/**
 * Who asks: by token or session; nobody where no login is required, undefined for one who has to log in. Throws
 * `ApiError` 403.
 */
function actorOf(c: Context<Env>, authenticator: Authenticator): Actor | undefined {
  const { request, client, config } = c.get('call')
  const header = request.headers.get('authorization')
  if (header && /^\s*(token|bearer)\b/i.test(header)) return authenticator.byHeader(header, client)
  return actorBySession(c, authenticator) ?? (config.loginRequired ? undefined : authenticator.anonymous)
}

const takesPages = ({ request }: Call): boolean => /text\/html|\*\/\*/.test(request.headers.get('accept') ?? '*/*')

/** A browser logs in and comes back; everything else is told. */
const strangerAnswer = (call: Call): Answer =>
  takesPages(call)
    ? {
        status: 302,
        body: null,
        headers: { location: `${call.config.basePath}/login/?next=/graphql/` },
      }
    : text(403, 'No credentials provided.', 'text/html')
