import { request as http, type RequestOptions } from 'node:http'
import { request as https } from 'node:https'
import { demandAllowed, lookupPast } from './denied-networks.ts'

interface Sending {
  url: string
  method: string
  headers: Record<string, string>
  body: Buffer
  /** Milliseconds for the whole exchange. */
  timeout: number
  /** False: any certificate is taken. */
  verify: boolean
  /** Certificates to trust instead of the usual ones. */
  ca?: Buffer | undefined
  /** Networks that must not be called, whatever the URL's name resolves to. */
  denied: readonly string[]
}

/** How many bytes of an answer are read. */
const MaxAnswer = 4096

/**
 * Sends one request; redirects are answers like any other. Rejects when none comes in time, and with `DeniedAddress`.
 */
export async function send({
  url,
  method,
  headers,
  body,
  timeout,
  verify,
  ca,
  denied,
}: Sending): Promise<{ status: number; text: string }> {
  const target = new URL(url)
  if (target.protocol !== 'http:' && target.protocol !== 'https:')
    throw new Error(`${target.protocol} is neither http: nor https:`)
  demandAllowed(target, denied)
  const signal = AbortSignal.timeout(timeout)
  const options: RequestOptions = {
    method,
    headers: { ...headers, 'content-length': String(body.length) },
    signal,
    lookup: lookupPast(denied),
  }
  return new Promise((resolve, reject) => {
    const fail = (error: Error) =>
      reject(signal.aborted ? new Error(`no answer within ${timeout / 1000} seconds`) : error)
    const request =
      target.protocol === 'http:'
        ? http(target, options)
        : https(target, { ...options, rejectUnauthorized: verify, ...(ca ? { ca } : {}) })
    request.on('error', fail)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      const done = () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).subarray(0, MaxAnswer).toString('utf8'),
        })
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size <= MaxAnswer) return
        done()
        response.destroy()
      })
      response.on('end', done)
      response.on('error', fail)
    })
    request.end(body)
  })
}
