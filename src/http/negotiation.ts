import { parseExact, stringifyExact } from '../lib/exact-json.ts'
import { ApiVersion } from '../lib/version.ts'
import { type Answer, ApiError, type Call } from './request.ts'

/** JSON or a page, as `?format=` or the Accept header asks; 406 when it is neither. */
export function rendererOf(call: Call): 'json' | 'page' {
  if (call.path.startsWith('/api/schema/')) return 'json'
  const format = /\.json(?:[?#]|$)/.test(call.request.url) && isSuffixed(call) ? 'json' : call.query.get('format')
  if (format === 'json' || (format === 'api' && call.method !== 'GET')) return 'json'
  if (format === 'api') return 'page'
  if (format && !(format === 'txt' && /\/render(?:-config)?\/$/.test(call.path)))
    throw new ApiError(404, { detail: 'Not found.' })
  const accept = call.request.headers.get('accept')
  if (!accept || accept === 'application/json' || accept === '*/*') return 'json'
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

/** Whether the path was sent with `.json` at its end. */
const isSuffixed = (call: Call): boolean => new URL(call.request.url).pathname.endsWith('.json')

/** Whether an answer of this path may be of a type that is neither JSON nor a page. */
const isAnswered = (call: Call, accept: string): boolean =>
  (accept.includes('text/plain') && /\/render(?:-config)?\/$/.test(call.path)) ||
  (accept.includes('image/svg+xml') && call.query.get('render') === 'svg') ||
  (accept.includes('text/event-stream') && call.path.endsWith('/stream/')) ||
  call.query.has('export')

/** Spaces that the Accept header asks JSON to be indented by, at most 32; 0 for none. */
export const indentOf = (request: Request): number =>
  Math.min(Number(/indent=(\d{1,2})/.exec(request.headers.get('accept') ?? '')?.[1] ?? 0), 32)

export const isJson = (answer: Answer): boolean => answer.headers?.['content-type'] === 'application/json'

/** JSON with more spaces, other answers as they are. */
export const indented = (answer: Answer, indent: number): Answer =>
  answer.body && isJson(answer)
    ? { ...answer, body: stringifyExact(parseExact(answer.body.toString()), indent) }
    : answer
