import { parseJson } from '../lib/json.ts'
import type { Call } from '../http/request.ts'
import { readBytes } from '../http/body.ts'
import { BadRequest } from './refusal.ts'

/** A query as a request has it. */
export interface Query {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string | undefined
}

/** Levels within each other of the JSON that carries variables. */
const MaxNesting = 200
const NotJson = 'Unable to parse request body as JSON'

/** The query of a GET; undefined where it has none. Throws `BadRequest`. */
export function queryOfAddress({ query: given }: Pick<Call, 'query'>): Query | undefined {
  const query = given.get('query')
  if (!query) return undefined
  const variables = given.get('variables')
  return asked({
    query,
    ...(variables ? { variables: parsed(variables) } : {}),
    operationName: given.get('operationName') ?? undefined,
  })
}

/** The query of a POST. Throws `BadRequest`, and `ApiError` for a body that is too large or too slow. */
export async function queryOfBody(call: Call): Promise<Query> {
  const [type] = (call.request.headers.get('content-type') ?? '').split(';')
  if (type!.trim().toLowerCase() !== 'application/json') throw new BadRequest('Unsupported content type')
  const bytes = await readBytes(call)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new BadRequest(NotJson)
  }
  return asked(parsed(text))
}

function parsed(text: string): unknown {
  const made = parseJson(text, { maxDepth: MaxNesting })
  if ('error' in made) throw new BadRequest(NotJson)
  return made.value
}

function asked(body: unknown): Query {
  if (Array.isArray(body)) throw new BadRequest('Batching is not enabled')
  if (typeof body !== 'object' || body === null) throw new BadRequest('The body must be a JSON object.')
  const { query, variables, operationName } = body as Record<string, unknown>
  if (query === undefined || query === null || query === '')
    throw new BadRequest('No GraphQL query found in the request')
  if (typeof query !== 'string') throw new BadRequest('`query` must be a text.')
  if (variables !== undefined && variables !== null && (typeof variables !== 'object' || Array.isArray(variables)))
    throw new BadRequest('`variables` must be an object.')
  const isNamed = operationName !== undefined && operationName !== null && operationName !== ''
  return {
    query,
    variables: (variables as Record<string, unknown> | null | undefined) ?? {},
    operationName: isNamed ? String(operationName) : undefined,
  }
}
