import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { NotDone } from '../lib/thread-pool.ts'
import { partsInThread } from '../lib/form-thread.ts'
import { type FormPart, pairsIn, partsOf } from '../lib/form-parts.ts'
import { Upload } from '../lib/upload.ts'
import { parseJson } from '../lib/json.ts'
import { addTo } from '../lib/lists.ts'
import type { AnyModel } from '../declare/model.ts'
import { saidOf } from './form-body.ts'
import { keepBody, noteObjects } from './long-writes.ts'
import { ApiError, type Call } from './request.ts'

/** Bytes of a body, and seconds that it may take, of those who have not said who they are: names and passwords. */
const Anonymous = { bytes: 16_384, seconds: 10 }

/**
 * Reads a request's body: JSON, or the fields and files of a form, which say what those of the model take. An empty
 * JSON body is `{}`.
 */
export async function readRequestBody(call: Call, m?: AnyModel): Promise<unknown> {
  const given = call.request.headers.get('content-type') ?? ''
  const type = given.toLowerCase()
  const bytes = await readBytes(call)
  if (bytes.length === 0 && (type === '' || type.startsWith('application/json'))) return {}
  if (type.startsWith('application/json')) return bounded(parse(bytes), call)
  if (type.startsWith('multipart/form-data')) return form(call, bytes, given, m)
  throw new ApiError(415, { detail: `Unsupported media type "${given}" in request.` })
}

/**
 * The bytes of a body, which may be as large as uploads where it `isFile`. Throws `ApiError` for one that is too large,
 * too slow or compressed, and for credentials that ended meanwhile.
 */
export async function readBytes(call: Call, isFile = false): Promise<Buffer> {
  const { config, request, incoming } = call
  const isForm = request.headers.get('content-type')?.toLowerCase().startsWith('multipart/') ?? false
  const most = call.actor.userId === null ? Anonymous : { bytes: Infinity, seconds: Infinity }
  const limit = Math.min(isForm || isFile ? config.maxUploadBytes : config.maxBodyBytes, most.bytes)
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  if (call.method === 'GET' || call.method === 'HEAD') return Buffer.alloc(0)
  const coding = request.headers.get('content-encoding') ?? ''
  if (Compressed.test(coding)) throw compressed(coding)
  if (!incoming) return Buffer.from(await request.arrayBuffer())
  const bytes = await received(incoming, limit, Math.min(config.bodyTimeout, most.seconds), bytesHeld(call))
  if (call.renew) call.actor = call.renew()
  if (call.outgoing) keepBody(call.outgoing, bytes)
  return bytes
}

const closing = { connection: 'close' }
/** Codings that bodies are not taken in; of others that some clients name, as `utf-8`, nothing follows. */
const Compressed = /\b(gzip|deflate|compress|br|zstd)\b/i
/** As RFC 7694 has it: what would be taken is said. */
const compressed = (coding: string) =>
  new ApiError(
    415,
    { detail: `Unsupported content encoding "${coding}" in request.` },
    { ...closing, 'accept-encoding': 'identity' },
  )
const tooLarge = (limit: number) =>
  new ApiError(413, { detail: `The request body is larger than ${limit} bytes.` }, closing)
const tooSlow = () => new ApiError(408, { detail: 'The request body took too long to arrive.' }, closing)
const brokenOff = () => new ApiError(400, { detail: 'The request body ended early.' }, closing)
const tooMuch = () =>
  new ApiError(
    503,
    { detail: 'The server is working on as many bytes as it may hold; try again soon.' },
    { ...closing, 'retry-after': '2' },
  )

let inFlight = 0
/** Bytes from which on a body is put where all of it will stand. */
const Large = 262_144

/** Takes room for bytes of a call's body until its answer is sent; answers false when there is none. */
function bytesHeld({ config, outgoing }: Call): (bytes: number) => boolean {
  let held = 0
  return (bytes) => {
    if (!outgoing || outgoing.closed || inFlight + bytes > config.maxBytesInFlight) return false
    if (held === 0)
      outgoing.once('close', () => {
        inFlight -= held
      })
    held += bytes
    inFlight += bytes
    return true
  }
}

function received(
  incoming: IncomingMessage,
  limit: number,
  seconds: number,
  hold: (bytes: number) => boolean,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let whole: Buffer = Buffer.alloc(0) // one, since a body in pieces of a byte would take hundreds of bytes for each
    let size = 0
    const told = Number(incoming.headers['content-length'] ?? 0)
    const stop = (error?: ApiError) => {
      clearTimeout(timer)
      incoming.off('data', take).off('end', finish).off('close', breakOff).off('error', breakOff)
      if (!error) return resolve(whole.subarray(0, size))
      incoming.on('error', () => undefined).pause()
      reject(error)
    }
    const take = (chunk: Buffer) => {
      if (size + chunk.length > limit) return stop(tooLarge(limit))
      if (!hold(chunk.length)) return stop(tooMuch())
      if (size === 0) whole = chunk
      else {
        if (size + chunk.length > whole.length) {
          // What was told of the length is believed once a good part of it is there.
          const wanted = size > Large && told <= limit ? told : 2 * whole.length
          const larger = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(wanted, size + chunk.length)))
          whole.copy(larger, 0, 0, size)
          whole = larger
        }
        chunk.copy(whole, size)
      }
      size += chunk.length
    }
    const finish = () => stop()
    const breakOff = () => stop(brokenOff())
    const timer = setTimeout(() => stop(tooSlow()), seconds * 1000)
    if (incoming.readableEnded) return finish()
    if (incoming.destroyed) return breakOff()
    incoming.on('data', take).on('end', finish).on('close', breakOff).on('error', breakOff)
  })
}

function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new ApiError(400, { detail: 'JSON parse error - the body is not UTF-8.' })
  const parsed = parseJson(new TextDecoder('utf-8').decode(bytes))
  if ('error' in parsed) throw new ApiError(400, { detail: `JSON parse error - ${parsed.error}` })
  return parsed.value
}

/** Everything in a list is one transaction, which other requests wait for. */
function bounded(body: unknown, { config, method, outgoing }: Call): unknown {
  if (!Array.isArray(body)) return body
  const limit = config.maxBulkItems
  if (body.length > limit)
    throw new ApiError(400, { non_field_errors: [`Ensure this list has no more than ${limit} items.`] })
  if (outgoing) noteObjects(outgoing, method, body.length)
  return body
}

/** Forms of more bytes than this are read in a thread. */
const LargeForm = 262_144

/** The parts of a form with files. Throws `ApiError` for too many, and bytes that do not match their content type. */
export async function formParts(call: Call, bytes: Buffer, type: string): Promise<FormPart[]> {
  const parts = await (bytes.length > LargeForm
    ? partsInThread(bytes, type, String(call.actor.userId)).catch(notNow)
    : partsOf(bytes, type))
  if (typeof parts === 'string') throw new ApiError(400, { detail: `Multipart form parse error - ${parts}.` })
  return parts
}

/** The names and values of a url-encoded text. Throws `ApiError` for too many. */
export function formPairs(text: string): URLSearchParams {
  const pairs = pairsIn(text)
  if (typeof pairs === 'string') throw new ApiError(400, { detail: `Form parse error - ${pairs}.` })
  return pairs
}

async function form(call: Call, bytes: Buffer, type: string, m: AnyModel | undefined): Promise<unknown> {
  const parts = await formParts(call, bytes, type)
  const said = new Map<string, (string | Upload)[]>()
  for (const part of parts) {
    const value = 'text' in part ? part.text : new Upload(part.file, Buffer.from(part.bytes.buffer))
    addTo(said, part.name, value)
  }
  if (m) return saidOf(m, said)
  return Object.fromEntries([...said].map(([name, values]) => [name, values.length > 1 ? values : values[0]]))
}

function notNow(error: unknown): never {
  if (!(error instanceof NotDone)) throw error
  throw new ApiError(503, { detail: `The form cannot be read now: ${error.message}.` }, { 'retry-after': '5' })
}
