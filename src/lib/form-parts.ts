import { MIMEType } from 'node:util'

/** One field of a form: text, or a file. */
export type FormPart = { name: string; text: string } | { name: string; file: string; bytes: Uint8Array<ArrayBuffer> }

/** Fields that a form may have: pages send one for each object that is chosen, and the members of some fields. */
const MaxParts = 10_000
/** Bytes of what stands before the content of a part. */
const MaxHead = 16_384

const TooMany = `there are more than ${MaxParts.toLocaleString('en')} fields`
const Broken = 'the body does not match its content type'

/**
 * The parts of a form in their order, or what is wrong with it. They are counted first: to read one takes hundreds of
 * bytes and some microseconds, however small it is.
 */
export async function partsOf(bytes: Uint8Array, given: string): Promise<FormPart[] | string> {
  const boundary = boundaryOf(given)
  if (boundary === undefined) return Broken
  const fault = faultOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), `--${boundary}`)
  if (fault !== undefined) return fault
  const type = new MIMEType('multipart/form-data')
  type.params.set('boundary', boundary) // none but the one that was counted
  let data: FormData
  try {
    data = await new Response(new Uint8Array(bytes), { headers: { 'content-type': String(type) } }).formData()
  } catch {
    return Broken
  }
  return Promise.all(
    [...data].map(async ([name, value]) =>
      typeof value === 'string'
        ? { name, text: value }
        : { name, file: value.name, bytes: new Uint8Array(await value.arrayBuffer()) },
    ),
  )
}

function boundaryOf(type: string): string | undefined {
  try {
    return new MIMEType(type).params.get('boundary') ?? undefined
  } catch {
    return undefined
  }
}

function faultOf(bytes: Buffer, delimiter: string): string | undefined {
  let count = 0
  for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, at)) {
    at += delimiter.length
    if (bytes.toString('latin1', at, at + 2) === '--') continue // the end
    if (++count > MaxParts) return TooMany
    if (!bytes.subarray(at, at + MaxHead).includes('\r\n\r\n'))
      return `a part of it has no content, or more than ${MaxHead.toLocaleString('en')} bytes before it`
  }
  return undefined
}

/**
 * The names and values of a url-encoded text, or what is wrong with it: time to read them grows with the square of how
 * many there are.
 */
export function pairsIn(text: string): URLSearchParams | string {
  let count = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) if (++count > MaxParts) return TooMany
  return new URLSearchParams(text)
}
