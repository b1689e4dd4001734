import { GraphQLError, GraphQLScalarType } from 'graphql'
import { parseDate, parseDateTime, storedMoment } from '../lib/datetime.ts'

const taken =
  (name: string, parse: (text: string) => string | undefined) =>
  (given: unknown): string => {
    const value = typeof given === 'string' ? parse(given) : undefined
    if (value === undefined)
      throw new GraphQLError(`Value cannot represent a ${name}: ${JSON.stringify(given)?.slice(0, 100)}.`)
    return value
  }

/** A moment as it is stored; without a zone it is UTC, and a day alone is its midnight. */
function momentOf(text: string): string | undefined {
  const whole = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text.replace(' ', 'T')
  const parsed = parseDateTime(whole) ?? parseDateTime(`${whole}Z`)
  return parsed === undefined ? undefined : storedMoment(parsed)
}

/** A time of day with microseconds, as it stands within a stored moment. */
function timeOf(text: string): string | undefined {
  const [, clock, fraction = ''] = /^(\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,6}))?Z?$/.exec(text) ?? []
  if (!clock || !/^([01]\d|2[0-3])(:[0-5]\d){1,2}$/.test(clock)) return undefined
  return `${clock.length === 5 ? `${clock}:00` : clock}.${fraction.padEnd(6, '0')}`
}

const Json = 'https://ecma-international.org/wp-content/uploads/ECMA-404_2nd_edition_december_2017.pdf'

/** The scalars that are not GraphQL's own. What a big integer says is judged where it is compared. */
export const scalars = (): GraphQLScalarType[] => [
  new GraphQLScalarType({ name: 'BigInt' }),
  new GraphQLScalarType({ name: 'Date', coerceInputValue: taken('Date', parseDate) }),
  new GraphQLScalarType({ name: 'DateTime', coerceInputValue: taken('DateTime', momentOf) }),
  new GraphQLScalarType({ name: 'Decimal' }),
  new GraphQLScalarType({ name: 'JSON', specifiedByURL: Json }),
  new GraphQLScalarType({ name: 'Time', coerceInputValue: taken('Time', timeOf) }),
  new GraphQLScalarType({ name: 'UUID' }),
]
