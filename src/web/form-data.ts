import { formPairs, formParts, readBytes } from '../http/body.ts'
import { ApiError, forbidden } from '../http/request.ts'
import { isSame } from '../http/session.ts'
import type { Visit } from './visit.ts'

/** What a form sent: texts by name, and files. */
export interface FormData {
  /** All texts of a name, in their order. */
  all: (name: string) => string[]
  file: (name: string) => { name: string; bytes: Buffer } | undefined
  names: () => string[]
}

/**
 * Reads the body of a form, url-encoded or with files. Throws `ApiError` for a body that is neither, or too large, and
 * 403 for one that does not carry the token of its browser.
 */
export async function readForm(call: Visit): Promise<FormData> {
  const data = await parsed(call)
  demandOwn(call.token, data.all('csrfmiddlewaretoken')[0] ?? call.request.headers.get('x-csrftoken'))
  return data
}

/** Throws 403 unless a form has the token that its browser keeps. */
export function demandOwn(own: string | undefined, given: string | null | undefined): void {
  if (own === undefined || !isSame(given ?? '', own))
    throw forbidden(
      'This form is not from a page of this server, or too old, or the browser takes no cookies. Open it again.',
    )
}

const read = new WeakMap<Request, Promise<FormData>>()
/** The form of a request, which is read once. */
function parsed(call: Visit): Promise<FormData> {
  const form = read.get(call.request) ?? parse(call)
  read.set(call.request, form)
  return form
}

async function parse(call: Visit): Promise<FormData> {
  const type = call.request.headers.get('content-type') ?? ''
  const bytes = await readBytes(call)
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    const given = formPairs(bytes.toString('utf8'))
    return {
      all: (name) => given.getAll(name).map(asTyped),
      file: () => undefined,
      names: () => [...new Set(given.keys())],
    }
  }
  if (!/^multipart\/form-data/i.test(type)) throw new ApiError(415, { detail: 'This is not the body of a form.' })
  const parts = await formParts(call, bytes, type)
  const files = new Map<string, { name: string; bytes: Buffer }>()
  for (const part of parts)
    if ('file' in part && part.bytes.length)
      files.set(part.name, { name: part.file, bytes: Buffer.from(part.bytes.buffer) })
  return {
    all: (name) => parts.flatMap((part) => ('text' in part && part.name === name ? [asTyped(part.text)] : [])),
    file: (name) => files.get(name),
    names: () => [...new Set(parts.map(({ name }) => name))],
  }
}

/** A text as it was typed: browsers end the lines of forms with two characters. */
export const asTyped = (text: string): string => text.replaceAll('\r\n', '\n')
