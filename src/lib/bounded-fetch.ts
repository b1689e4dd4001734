import { request as http } from 'node:http'
import { request as https } from 'node:https'

/** An answer of more bytes than are wanted. */
export class AnswerTooLarge extends Error {}

interface Asking {
  method: string
  headers: Record<string, string>
  body?: unknown
  signal?: AbortSignal | undefined
}

/**
 * Asks as `fetch` does, but for so many bytes of an answer and so many milliseconds at most; redirects are answers like
 * any other. Certificates are those that node trusts (`NODE_EXTRA_CA_CERTS` adds to them). Rejects with
 * `AnswerTooLarge`, and when nothing came in time.
 */
export const boundedFetch =
  (most: number, timeout: number) =>
  (address: string, { method, headers, body, signal }: Asking): Promise<Response> => {
    const url = new URL(address)
    const until = AbortSignal.timeout(timeout)
    const signals = signal ? AbortSignal.any([until, signal]) : until
    const text = body === undefined || body === null ? '' : String(body)
    const length = text ? { 'content-length': String(Buffer.byteLength(text)) } : undefined
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? https : http)(
        url,
        { method, headers: { ...headers, ...length }, signal: signals, agent: false },
        (response) => {
          const chunks: Buffer[] = []
          let size = 0
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk)
            size += chunk.length
            if (size > most) response.destroy(new AnswerTooLarge(`more than ${most} bytes`))
          })
          response.on('error', reject)
          response.on('end', () => resolve(responseOf(response.statusCode ?? 0, response.rawHeaders, chunks)))
        },
      )
      request.on('error', reject)
      request.end(text)
    })
  }

function responseOf(status: number, raw: readonly string[], chunks: readonly Buffer[]): Response {
  const headers = new Headers()
  for (let i = 0; i < raw.length; i += 2) headers.append(raw[i]!, raw[i + 1]!)
  const hasBody = status !== 204 && status !== 205 && status !== 304 && status >= 200
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status: status >= 200 ? status : 502, headers })
}
