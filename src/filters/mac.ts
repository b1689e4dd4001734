import { among, CharLookupsNoEmpty, type Filter, not } from './filter.ts'
import { textFilter } from './string.ts'

/** A hardware address in any of its spellings; a value that is none finds nothing. Partial lookups compare text. */
export function macFilter(path: string, parse: (text: string) => string | undefined): Filter {
  return {
    lookups: CharLookupsNoEmpty,
    multiple: true,
    schema: { type: 'string' },
    compile: (values, lookup, c) => {
      if (lookup !== '' && lookup !== 'n') return textFilter(path, values, lookup, c)
      const known = values.map(parse).filter((x) => x !== undefined)
      const condition = known.length ? c.at(path, (e) => among(e, known, c.bind)) : 'false'
      return lookup === 'n' ? not(condition) : condition
    },
  }
}
