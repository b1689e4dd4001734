import { compileRegex } from './regex.ts'

/** A test for a shell pattern over a whole text: `*` anything, `?` one character, `[abc]` and `[!abc]` sets. */
export function compileGlob(pattern: string): (text: string) => boolean {
  const source = pattern.replace(
    /\[(!?)(\]?[^\]]*)\]|[*?]|[^*?[]+|\[/g,
    (part, not: string | undefined, set: string | undefined) => {
      if (part === '*') return '(?s:.*)'
      if (part === '?') return '(?s:.)'
      if (set !== undefined) return `[${not ? '^' : ''}${set.replace(/[\\\]^[&]/g, '\\$&')}]`
      return part.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
    },
  )
  return compileRegex(`^(?:${source})$`) ?? (() => false)
}

/** A test whether one of some patterns names a path, or the last part of it. */
export function skipping(patterns: readonly string[]): (path: string) => boolean {
  const rules = patterns.map(compileGlob)
  return (path) => rules.some((matches) => matches(path) || matches(path.slice(path.lastIndexOf('/') + 1)))
}
