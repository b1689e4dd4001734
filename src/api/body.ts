import { isUtf8 } from 'node:buffer'
import { Upload } from '../tools/upload.ts'
import { parseJson } from '../tools/json.ts'
import { ApiError, type Call } from './request.ts'

/** Reads a request's body: JSON, or the fields and files of a form. An empty JSON body is `{}`. */
export async function readRequestBody(call: Call): Promise<unknown> {
  const given = call.request.headers.get('content-type') ?? ''
  const type = given.toLowerCase()
  const bytes = await limited(call)
  if (bytes.length === 0 && (type === '' || type.startsWith('application/json'))) return {}
  if (type.startsWith('application/json')) return bounded(parse(bytes), call.config.maxBulkItems)
  if (type.startsWith('multipart/form-data')) return form(bytes, given)
  throw new ApiError(415, { detail: `Unsupported media type "${given}" in request.` })
}

export async function limited(call: Call): Promise<Buffer> {
  const isForm = call.request.headers.get('content-type')?.toLowerCase().startsWith('multipart/') ?? false
  const limit = isForm ? call.config.maxUploadBytes : call.config.maxBodyBytes
  const tooLarge = () => new ApiError(413, { detail: `The request body is larger than ${limit} bytes.` })
  if (Number(call.request.headers.get('content-length') ?? 0) > limit) throw tooLarge()
  if (call.method === 'GET' || call.method === 'HEAD') return Buffer.alloc(0)
  if (!call.incoming) return Buffer.from(await call.request.arrayBuffer())
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of call.incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new ApiError(400, { detail: 'JSON parse error - the body is not UTF-8.' })
  const parsed = parseJson(new TextDecoder('utf-8').decode(bytes))
  if ('error' in parsed) throw new ApiError(400, { detail: `JSON parse error - ${parsed.error}` })
  return parsed.value
}

/** Everything in a list is one transaction, which other requests wait for. */
function bounded(body: unknown, limit: number): unknown {
  if (Array.isArray(body) && body.length > limit)
    throw new ApiError(400, { non_field_errors: [`Ensure this list has no more than ${limit} items.`] })
  return body
}

async function form(bytes: Buffer, type: string): Promise<unknown> {
  let data: FormData
  try {
    data = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  } catch {
    throw new ApiError(400, { detail: 'Multipart form parse error - the body does not match its content type.' })
  }
  const fields: Record<string, unknown> = {}
  for (const name of new Set(data.keys())) {
    const values = await Promise.all(
      data
        .getAll(name)
        .map(async (value) =>
          value instanceof File ? new Upload(value.name, Buffer.from(await value.arrayBuffer())) : value,
        ),
    )
    fields[name] = values.length > 1 ? values : values[0]
  }
  return fields
}
