import { isObject } from './json.ts'
import { LineCounter, parse, parseAllDocuments } from 'yaml'

/** What a file of the device library says. */
export type Definition = Record<string, unknown>

/** One of several definitions: the line of the text where it begins, and what it says or why it cannot be read. */
export interface Found {
  line: number
  definition?: Definition
  error?: string
}

/**
 * Reads a definition: scalars as the texts they are written as (a part number may be 0012 or 1E4), which fields read by
 * themselves. Throws.
 */
export function definitionOf(text: string): Definition {
  return said(parse(text, { schema: 'failsafe', logLevel: 'error' }), () => parse(text, { logLevel: 'error' }))
}

/** Reads the definitions of a text: several documents, or a list. */
export function definitionsIn(text: string): Found[] {
  const counter = new LineCounter()
  const read = (schema: 'failsafe' | 'core', lines?: LineCounter) =>
    parseAllDocuments(text, { schema, logLevel: 'error', ...(lines ? { lineCounter: lines } : {}) })
  const documents = read('failsafe', counter)
  const typed = () => read('core')
  const found = [...documents].flatMap((document, i): Found[] => {
    const at = (offset: number) => counter.linePos(offset).line
    const line = at(document.contents?.range?.[0] ?? document.range[0])
    const [bad] = document.errors
    if (bad) return [{ line: at(bad.pos[0]), error: bad.message.split('\n')[0]! }]
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    if (value === null || value === '') return []
    const list = Array.isArray(value) ? value : [value]
    return list.map((each, n) => {
      const own = (document.contents as { items?: { range?: number[] }[] } | null)?.items?.[n]?.range?.[0]
      const where = Array.isArray(value) && own !== undefined ? at(own) : line
      const whole = () => [typed()[i]?.toJS({ maxAliasCount: 100 })].flat()[n]
      try {
        return { line: where, definition: said(each, whole) }
      } catch (error) {
        return { line: where, error: (error as Error).message }
      }
    })
  })
  return found
}

function said(value: unknown, typed: () => unknown): Definition {
  if (!isObject(value)) throw new Error('is not a YAML mapping')
  const given = withoutNulls(value) as Definition
  return 'attributes' in given ? { ...given, attributes: (typed() as Definition).attributes } : given
}

/** Leaves out members of which nothing is said. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null && !['', '~', 'null', 'Null', 'NULL'].includes(each as string))
      .map(([key, each]) => [key, withoutNulls(each)]),
  )
}
