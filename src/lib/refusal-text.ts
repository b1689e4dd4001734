/** Members under which a refusal says what is wrong with the whole. */
const OfTheWhole = new Set(['__all__', 'detail', 'non_field_errors'])

/**
 * The texts of a refusal in one line, with the members that they belong to; with what was refused, members of a list
 * are
 * named by their values.
 */
export function refusalText(body: unknown, given?: unknown): string {
  if (Array.isArray(body)) return body.map((each) => refusalText(each)).join(' ')
  if (typeof body !== 'object' || body === null) return String(body)
  return Object.entries(body)
    .map(([key, value]) => {
      const part: unknown = (given as Record<string, unknown> | undefined)?.[key]
      const name = Array.isArray(given) && typeof part === 'string' ? part : key
      return OfTheWhole.has(key) ? refusalText(value) : `${name}: ${refusalText(value, part)}`
    })
    .join('; ')
}
