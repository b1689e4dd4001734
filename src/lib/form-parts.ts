/** One field of a form: text, or a file. */
export type FormPart = { name: string; text: string } | { name: string; file: string; bytes: Uint8Array<ArrayBuffer> }

/** The parts of a form in their order; undefined for bytes that do not match their content type. */
export async function partsOf(bytes: Uint8Array, type: string): Promise<FormPart[] | undefined> {
  let data: FormData
  try {
    data = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  } catch {
    return undefined
  }
  return Promise.all(
    [...data].map(async ([name, value]) =>
      typeof value === 'string'
        ? { name, text: value }
        : { name, file: value.name, bytes: new Uint8Array(await value.arrayBuffer()) },
    ),
  )
}
