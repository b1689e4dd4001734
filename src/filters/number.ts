import { parseDate, parseDateTime, storedMoment } from '../lib/datetime.ts'
import {
  Comparisons,
  among,
  anyOf,
  type Filter,
  type FilterContext,
  FilterError,
  NumberLookups,
  not,
  truthOf,
} from './filter.ts'

/** Ordered values: equality, ranges, emptiness. `read` throws `FilterError` for a value of another form. */
function ordered(
  path: string,
  read: (raw: string) => string | number,
  schema: object,
  options?: { lookups?: readonly string[]; single?: boolean; comparison?: string; expression?: (e: string) => string },
): Filter {
  const at = (c: FilterContext, leaf: (e: string) => string) =>
    c.at(path, (e) => leaf(options?.expression ? options.expression(e) : e))
  return {
    lookups: options?.lookups ?? NumberLookups,
    multiple: !options?.single,
    control: {
      as: 'line',
      type: 'format' in schema ? (schema.format === 'date' ? 'date' : 'datetime-local') : 'number',
      step: 'any',
    },
    schema,
    compile: (all, lookup, c) => {
      const values = options?.single ? all.slice(-1) : all
      if (lookup === 'empty') {
        const wanted = truthOf(values.at(-1)!)
        return wanted === undefined ? undefined : at(c, (e) => `${e} is ${wanted ? '' : 'not '}null`)
      }
      const parsed = values.map(read)
      const comparison = Comparisons[lookup] ?? (lookup === '' ? options?.comparison : undefined)
      const condition = at(c, (e) =>
        comparison ? anyOf(parsed.map((x) => `${e} ${comparison} ${c.bind(x)}`)) : among(e, parsed, c.bind),
      )
      return lookup === 'n' ? not(condition) : condition
    },
  }
}

const whole = (raw: string): number => {
  if (!/^\s*-?\d+(\.0*)?\s*$/.test(raw)) throw new FilterError('Enter a whole number.')
  return Number(raw)
}
const number = (raw: string): number => {
  if (raw.trim() === '' || !Number.isFinite(Number(raw))) throw new FilterError('Enter a number.')
  return Number(raw)
}

/** A whole or decimal number. */
export const numberFilter = (
  path: string,
  options?: { decimal?: boolean; lookups?: readonly string[]; single?: boolean; expression?: (e: string) => string },
): Filter =>
  ordered(path, options?.decimal ? number : whole, { type: options?.decimal ? 'number' : 'integer' }, options)

/** A day or a moment; a moment given as a day is its midnight. */
export const dateFilter = (
  path: string,
  kind: 'date' | 'datetime',
  options?: { lookups?: readonly string[]; single?: boolean; comparison?: string },
): Filter =>
  ordered(
    path,
    (raw) => {
      const parsed = kind === 'date' ? parseDate(raw) : parseDateTime(raw)
      if (parsed === undefined)
        throw new FilterError(kind === 'date' ? 'Enter a valid date.' : 'Enter a valid date/time.')
      return kind === 'date' ? parsed : storedMoment(parsed)
    },
    { type: 'string', format: kind === 'date' ? 'date' : 'date-time' },
    options,
  )
