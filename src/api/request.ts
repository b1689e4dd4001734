import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'
import type { Store } from '../store/open.ts'
import type { Actor } from '../registry/actor.ts'

/** One API request on its way: what the router, the authentication and the headers found out. */
export interface Call {
  readonly store: Store
  readonly config: Config
  readonly request: Request
  /** The request as node read it, when it came over a socket: its body is taken from here, without web streams. */
  readonly incoming: IncomingMessage | undefined
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly actor: Actor
  readonly requestId: string
  /** Scheme, host and base path of the links in the answer. */
  readonly base: string
  /** Address of the client, behind trusted proxies. */
  readonly client: string
  /** The token's or session's own record of who is calling, for the log. */
  readonly indent: number
}

/** A failure that is an answer: its status and JSON body. */
export class ApiError extends Error {
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string>
  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(typeof body === 'object' && body && 'detail' in body ? String(body.detail) : `status ${status}`)
    this.status = status
    this.body = body
    this.headers = headers
  }
}

export const notFound = (objectName: string): ApiError =>
  new ApiError(404, { detail: `No ${objectName} matches the given query.` })
export const noSuchPage = (): ApiError => new ApiError(404, { detail: 'Not found.' })
export const forbidden = (detail = 'You do not have permission to perform this action.'): ApiError =>
  new ApiError(403, { detail })
export const badMethod = (method: string): ApiError => new ApiError(405, { detail: `Method "${method}" not allowed.` })

/** What a handler answers; headers common to all are added by `app.ts`. */
export interface Answer {
  status: number
  body: Buffer | string | null
  headers?: Record<string, string>
}

/** The answer to OPTIONS where no object is written. */
export const described = (name: string, description = ''): Answer =>
  jsonAnswer(200, {
    name,
    description,
    renders: ['application/json', 'text/html'],
    parses: ['application/json', 'multipart/form-data'],
  })

/** JSON text of a value with the spacing that the client asked for. */
export const jsonAnswer = (status: number, value: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json', ...headers },
})
