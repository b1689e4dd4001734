import { among, anyOf, type Filter } from './filter.ts'
import { methodFilter } from './method.ts'
import { textAmong } from './string.ts'

/**
 * Rows with one of the values at the end of any of the paths; unknown values find nothing. `integer`: other values are
 * ignored.
 */
const anyAt = (paths: readonly string[], options?: { integer?: boolean }): Filter =>
  methodFilter(
    (values, c) => {
      const given = options?.integer ? values.filter((value) => /^\s*\d{1,15}\s*$/.test(value)).map(Number) : values
      if (given.length === 0) return 'false'
      return anyOf(
        paths.map((path) =>
          c.at(path, (e, place) => (options?.integer ? among(e, given, c.bind) : textAmong(e, place, values, c))),
        ),
      )
    },
    { type: options?.integer ? 'integer' : 'string' },
  )

/** `<name>` by an attribute and `<name>_id`, at the end of any of the paths. */
export const anyAtBoth = (name: string, paths: readonly string[], by: string): Record<string, Filter> => ({
  [name]: anyAt(paths.map((path) => `${path}.${by}`)),
  [`${name}_id`]: anyAt(
    paths.map((path) => `${path}.id`),
    { integer: true },
  ),
})
