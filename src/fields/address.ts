import * as v from 'valibot'
import { macFilter } from '../filters/mac.ts'
import { type Address, formatAddress, networkOf, packHost, parseAddress, rangeOf } from '../lib/ip.ts'
import { parseMac, parseWwn } from '../lib/mac.ts'
import type { Control } from './control.ts'
import { required } from './graph.ts'
import {
  type Common,
  type Field,
  isRequired,
  type Member,
  type Nullable,
  type Omittable,
  type Row,
  type Shape,
} from './field.ts'
import { facts, type OptionFacts } from './facts.ts'
import type { SqlContext } from './context.ts'
import { q } from '../lib/sql.ts'
import { choiceJson } from './choice.ts'
import { stringInput, text, type TextOptions } from './text.ts'
import { isNone, none, plainTexts } from './texts.ts'

export const Families = [
  [4, 'IPv4'],
  [6, 'IPv6'],
] as const

interface AddressOptions extends Common {
  /** A network: no host bits, and its first and last address are packed beside it. */
  network?: boolean
}

/**
 * An address or network with its length ("10.0.0.1/24"), shown as text and kept packed beside it: `<name>_host` (one
 * byte of family, then the bytes: memcmp order is address order), `<name>_mask`, and for networks `<name>_last`.
 */
export function address<const O extends AddressOptions = {}>(
  options?: O,
): Field<{ cols: { '': string; _host: Buffer; _mask: number; _last: Buffer }; in: string; optional: Omittable<O> }> {
  const o: AddressOptions = options ?? {}
  const self = {
    kind: 'address',
    ...plainTexts(o),
    fromShown: (shown: unknown) => (shown === null || shown === undefined ? undefined : parseAddress(String(shown))),
    options: o,
    required: isRequired(o),
    readOnly: false,
    columns: (name: string) => ({
      [name]: { type: 'text' as const, null: o.nullable ?? false, index: true },
      [`${name}_host`]: { type: 'blob' as const, null: o.nullable ?? false, index: true },
      [`${name}_mask`]: { type: 'integer' as const, null: o.nullable ?? false },
      ...(o.network ? { [`${name}_last`]: { type: 'blob' as const, null: o.nullable ?? false, index: true } } : {}),
    }),
    input: () => {
      const one = v.pipe(
        stringInput,
        v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
          const parsed = parseAddress(value)
          if (parsed && parsed.length !== 0) return parsed
          addIssue({
            message: parsed
              ? 'Cannot use a mask of /0 here.'
              : 'Enter a valid IPv4 or IPv6 address (with an optional mask).',
          })
          return NEVER
        }),
        v.check(
          (x: Address) => !o.network || formatAddress(networkOf(x)) === formatAddress(x),
          ({ input }) =>
            `${formatAddress(input as Address)} is not a valid prefix. ` +
            `Did you mean ${formatAddress(networkOf(input as Address))}?`,
        ),
      )
      return o.nullable ? v.nullable(one) : one
    },
    write: (value: unknown, name: string): Row => {
      const a = value as Address
      return {
        [name]: formatAddress(a),
        [`${name}_host`]: packHost(a.family, a.bytes),
        [`${name}_mask`]: a.length,
        ...(o.network ? { [`${name}_last`]: rangeOf(a).last } : {}),
      }
    },
    derived: (row: Row, name: string): Row => {
      const parsed = typeof row[name] === 'string' ? parseAddress(row[name]) : undefined
      return parsed ? self.write(parsed, name) : {}
    },
    output: (t: string, name: string) => [[name, `${t}.${q(name)}`] as const],
    compare: (t: string, name: string) => `${t}.${q(name)}`,
    parse: (raw: unknown) => {
      const parsed = typeof raw === 'string' ? parseAddress(raw) : undefined
      return parsed ? formatAddress(parsed) : typeof raw === 'string' ? raw : undefined
    },
    flat: (t: string, name: string) =>
      Object.keys(self.columns(name)).map((column) => [column, `${t}.${q(column)}`] as const),
    graphql: { type: `String${required(o.nullable)}`, input: 'StrFilterLookup' },
    control: (): Control => ({ as: 'line', type: 'text' }),
    describe: (name: string): Record<string, OptionFacts> => facts('string', name, self),
    schema: (name: string) => ({ [name]: { read: { type: 'string' }, write: { type: 'string' } } }),
  }
  return self
}

/**
 * The family (4 or 6) of an address field beside it, as a read-only choice; as a plain number where a nested object
 * asks for its value.
 */
export function familyOf(of: string): Field<{ cols: {}; in: never; optional: true }> {
  const number = { type: 'integer', enum: [4, 6] }
  const self = {
    kind: 'family',
    options: { readOnly: true },
    required: false,
    readOnly: true,
    columns: () => ({}),
    output: (t: string, name: string, sql: SqlContext) => {
      const family = `unicode(substr(${t}.${q(`${of}_host`)}, 1, 1))`
      return [[name, sql.forced ? family : choiceJson(Families, family)] as const]
    },
    flat: (t: string, name: string) => [[name, `unicode(substr(${t}.${q(`${of}_host`)}, 1, 1))`] as const],
    graphql: {
      type: 'IPAddressFamilyType!',
      sql: (t: string) => `unicode(substr(${t}.${q(`${of}_host`)}, 1, 1))`,
      input: 'IPAddressFamilyEnum',
    },
    describe: (name: string, shape?: Shape): Record<string, OptionFacts> =>
      facts(shape ? 'integer' : 'field', name, self),
    schema: (name: string, shape?: Shape): Record<string, Member> => ({
      [name]: {
        read: shape
          ? number
          : {
              type: 'object',
              properties: { value: number, label: { type: 'string', enum: ['IPv4', 'IPv6'] } },
            },
      },
    }),
  }
  return self
}

/** A MAC address, upper-case and colon-separated. */
export function mac<const O extends Common = {}>(
  options?: O,
): Field<{ cols: { '': Nullable<O, string> }; in: Nullable<O, string>; optional: Omittable<O> }> {
  const base = hardware(parseMac, 'Invalid MAC address format.', options)
  return { ...base, describe: (name) => facts('field', name, base) }
}
/** A world wide name: eight bytes, upper-case and colon-separated. */
export function wwn<const O extends Common = {}>(
  options?: O,
): Field<{ cols: { '': Nullable<O, string> }; in: Nullable<O, string>; optional: Omittable<O> }> {
  return hardware(parseWwn, 'Invalid WWN format.', options)
}

function hardware<O extends Common>(
  parse: (text: string) => string | undefined,
  message: string,
  options: O | undefined,
): Field<{ cols: { '': Nullable<O, string> }; in: Nullable<O, string>; optional: Omittable<O> }> {
  const o: TextOptions = { index: true, ...options }
  const base = text(o)
  const one = v.pipe(
    stringInput,
    v.check((x) => (x === '' && Boolean(o.blank)) || parse(x) !== undefined, message),
    v.transform((x) => (x === '' ? null : parse(x)!)),
  )
  return {
    ...base,
    kind: 'hardware-address',
    fromShown: (shown: unknown) => (isNone(shown) ? none(o) : (parse(String(shown)) ?? String(shown))),
    input: () => (o.nullable ? v.nullable(one) : one),
    parse: (raw: unknown) => (raw === null ? null : (parse(String(raw)) ?? String(raw))),
    filters: (name: string) => ({ [name]: macFilter(name, parse) }),
  } as never
}
