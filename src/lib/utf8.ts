/** Bytes that are no text in UTF-8; the message is for people. */
export class NotText extends Error {
  override readonly message = 'This is not text in UTF-8.'
}

/** The text in UTF-8 that bytes are, without the mark that may begin it. Throws `NotText`: nothing is replaced. */
export function textOfUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new NotText()
  }
}
