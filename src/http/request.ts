import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../config.ts'
import type { Store } from '../store/open.ts'
import type { Actor } from '../engine/actor.ts'
import type { AnyModel } from '../declare/model.ts'

/** One request on its way: what its address, its headers and its credentials say. */
export interface Call {
  readonly store: Store
  readonly config: Config
  readonly request: Request
  /** The request as node read it, when it came over a socket: its body is taken from here, without web streams. */
  readonly incoming: IncomingMessage | undefined
  /** What goes back over that socket: closed once the answer is sent or the client is gone. */
  readonly outgoing: ServerResponse | undefined
  readonly method: string
  readonly path: string
  /** Its parameters; `get` answers the last of a name. */
  readonly query: URLSearchParams
  /** Who asks; nobody until the credentials are looked at. */
  actor: Actor
  /**
   * Looks at the credentials once more, after a wait for the client. Throws `ApiError` 403 when they ended meanwhile.
   */
  renew?: () => Actor
  readonly requestId: string
  /** Scheme, host and base path of the links in the answer. */
  readonly base: string
  /** Address of the client, behind trusted proxies. */
  readonly client: string
  /** It comes from a page: people enter fields that the API does not take. */
  readonly isEntered?: boolean
}

/** What a route knows of the place that a request names. */
export interface Place {
  /** The Allow header of its answers. */
  readonly allow?: string
  readonly model?: AnyModel
  /** True: it answers those without credentials too. */
  readonly isOpen?: boolean
}

/** What middleware leaves in the context for those after it. */
export interface Env {
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse }
  Variables: {
    requestId: string
    /** Headers that every answer to this request has. */
    common: Readonly<Record<string, string>>
    call: Call
    place?: Place
    /** Another thread answers it, and writes the line of the log. */
    isElsewhere?: boolean
    /** Id of the user whom a trusted proxy names, or why that one may not come in. */
    remoteUser?: number | string
    /** Makes of a JSON answer what the client asked for: indented, or a page. */
    present?: (answer: Answer) => Answer
  }
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

export const noRoom = (): ApiError =>
  new ApiError(507, {
    detail: 'The disk of the server is nearly full: nothing can be written until there is room again.',
  })

/** What a handler answers; `send` adds the headers that all answers have. */
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

/** A value as JSON. */
export const jsonAnswer = (status: number, value: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json', ...headers },
})
