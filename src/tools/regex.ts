import { RE2JS } from 're2js'
import { Lru } from './lru.ts'

const known = new Lru<string, ((text: string) => boolean) | false>(200)

/** A test for a pattern anywhere in a text, in time linear in the text; undefined for an invalid pattern. */
export function compileRegex(pattern: string, options: { insensitive?: boolean } = {}): ((text: string) => boolean) | undefined {
  const key = `${options.insensitive ? 'i' : ''}/${pattern}`
  const cached = known.get(key)
  if (cached !== undefined) return cached || undefined
  const made = compile(pattern, options.insensitive ?? false)
  known.set(key, made ?? false)
  return made
}

function compile(pattern: string, insensitive: boolean): ((text: string) => boolean) | undefined {
  if (pattern.length > 2000) return undefined
  try {
    const compiled = RE2JS.compile(pattern, insensitive ? RE2JS.CASE_INSENSITIVE : 0)
    return (text) => compiled.matcher(text).find()
  } catch {
    return undefined
  }
}
