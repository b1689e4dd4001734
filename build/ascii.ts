/**
 * A script in ASCII: other letters become escapes, which mean the same in strings, templates, expressions and comments.
 * Throws where they would not: `String.raw` reads what stands there.
 */
export function inAscii(script: string): string {
  const [raw] = /\bString\.raw\s*`(?:[^`\\]|\\.)*?[^\0-\x7f][^`]{0,40}/s.exec(script) ?? []
  if (raw) throw new Error(`String.raw would read an escape where another letter stands: ${raw}`)
  return script.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
