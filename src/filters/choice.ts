import type { Choices } from '../fields/choice.ts'
import { CharLookups, type Filter, FilterError } from './filter.ts'
import { textFilter } from './string.ts'

/** One of a fixed set; every lookup accepts listed values only. */
export function choiceFilter(
  path: string,
  choices: Choices,
  options?: { single?: boolean; nullable?: boolean; lookups?: readonly string[] },
): Filter {
  const known = new Set(choices.map(([value]) => String(value)))
  return {
    lookups: options?.lookups ?? CharLookups,
    multiple: !options?.single,
    control: { as: 'choice', choices, multiple: !options?.single },
    schema: { type: 'string', enum: [...known] },
    compile: (all, lookup, c) => {
      const values = options?.single ? all.slice(-1) : all
      if (lookup !== 'empty') {
        for (const value of values) {
          if (!known.has(value) && !(value === 'null' && options?.nullable))
            throw new FilterError(`Select a valid choice. ${value} is not one of the available choices.`)
        }
      }
      return textFilter(path, values, lookup, c)
    },
  }
}
