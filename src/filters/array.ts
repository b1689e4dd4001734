import { anyOf, type Filter, FilterError, not } from './filter.ts'

/** A JSON list column: rows whose list holds a value. */
export function arrayFilter(path: string, options?: { integer?: boolean; lookups?: readonly string[] }): Filter {
  return {
    lookups: options?.lookups ?? [],
    multiple: true,
    schema: { type: options?.integer ? 'integer' : 'string' },
    compile: (values, lookup, c) => {
      if (options?.integer && values.some((value) => !/^-?\d+$/.test(value)))
        throw new FilterError('Enter a whole number.')
      const condition = c.at(path, (e) =>
        anyOf(
          values.map(
            (value) =>
              `exists (select 1 from json_each(${e}) where value = ${c.bind(options?.integer ? Number(value) : value)})`,
          ),
        ),
      )
      return lookup === 'n' ? not(condition) : condition
    },
  }
}
