import { among, anyOf, type Filter, FilterError, not } from './filter.ts'

/** Comparisons of a list with a value, which is a list of one: by the first items, then by length. */
const comparisons: Readonly<Record<string, (first: string, length: string, value: string) => string>> = {
  lt: (first, _length, value) => `${first} < ${value}`,
  gte: (first, _length, value) => `${first} >= ${value}`,
  lte: (first, length, value) => `(${first} < ${value} or (${first} = ${value} and ${length} = 1))`,
  gt: (first, length, value) => `(${first} > ${value} or (${first} = ${value} and ${length} > 1))`,
}

/** A JSON list column: rows whose list holds a value. `integer`: a whole number, the last one given. */
export function arrayFilter(path: string, options?: { integer?: boolean; lookups?: readonly string[] }): Filter {
  const isNumber = options?.integer ?? false
  return {
    lookups: options?.lookups ?? [],
    multiple: !isNumber,
    schema: { type: isNumber ? 'integer' : 'string' },
    compile: (given, lookup, c) => {
      const values = isNumber ? given.slice(-1) : given
      if (isNumber && values.some((value) => !/^-?\d{1,15}$/.test(value)))
        throw new FilterError('Enter a whole number.')
      const comparison = comparisons[lookup]
      const sought = isNumber ? values.map(Number) : values
      const condition = c.at(path, (e) =>
        comparison
          ? anyOf(sought.map((value) => comparison(`${e} ->> 0`, `json_array_length(${e})`, c.bind(value))))
          : `exists (select 1 from json_each(${e}) where ${among('value', sought, c.bind)})`,
      )
      return lookup === 'n' ? not(condition) : condition
    },
  }
}
