import { lit, q } from '../lib/sql.ts'
import { Comparisons, anyOf, type Filter, FilterError, not } from './filter.ts'
import { textConditions } from './string.ts'

/** Names that clients of the reference know for the lookups of text, by ours. */
const Texts: Readonly<Record<string, string>> = {
  icontains: 'ic',
  istartswith: 'isw',
  iendswith: 'iew',
  iexact: 'ie',
  regex: 'regex',
  iregex: 'iregex',
  ic: 'ic',
  isw: 'isw',
  iew: 'iew',
  ie: 'ie',
}

/**
 * The filter behind `<prefix><key>[__lookup]`: a value of a JSON object's key, given as JSON or as bare text; undefined
 * for other names.
 */
export const attributeFilter =
  (prefix: string, column: string) =>
  (name: string): { filter: Filter; lookup: string } | undefined => {
    const parts = name.startsWith(prefix) ? /^(\w+?)(?:__([a-z]+))?$/.exec(name.slice(prefix.length)) : null
    if (!parts) return undefined
    const [, key, lookup = ''] = parts as unknown as [string, string, string?]
    if (lookup && lookup !== 'n' && !Object.hasOwn(Comparisons, lookup) && !Object.hasOwn(Texts, lookup))
      return undefined
    return { lookup, filter: keyFilter(column, `$."${key}"`) }
  }

const keyFilter = (column: string, path: string): Filter => ({
  lookups: [],
  multiple: true,
  schema: {},
  compile: (values, lookup, c) => {
    const [whole, value] = [`${c.t}.${q(column)}`, `(${c.t}.${q(column)} ->> ${lit(path)})`]
    const one = (raw: string): string => {
      if (Texts[lookup]) return textConditions[Texts[lookup]]!(value, raw, c.bind)
      const given = parsed(raw)
      const isNumber = `json_type(${whole}, ${lit(path)}) in ('integer', 'real')`
      if (Comparisons[lookup]) {
        if (typeof given !== 'number') throw new FilterError('Enter a number.')
        return `(${isNumber} and ${value} ${Comparisons[lookup]} ${c.bind(given)})`
      }
      if (typeof given === 'number') return `(${isNumber} and ${value} = ${c.bind(given)})`
      if (typeof given === 'string')
        return `(json_type(${whole}, ${lit(path)}) = 'text' and ${value} = ${c.bind(given)})`
      return `${whole} -> ${lit(path)} = ${c.bind(JSON.stringify(given))}`
    }
    const condition = anyOf(values.map(one))
    return lookup === 'n' ? not(condition) : condition
  },
})

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return raw
  }
}
