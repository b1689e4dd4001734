import { isObject } from '../lib/json.ts'
import type { Stored } from '../fields/field.ts'
import { lit, q } from '../lib/sql.ts'
import { among, anyOf, FilterError, not } from '../filters/filter.ts'
import { holdsText, MaxTextLength, textConditions } from '../filters/string.ts'
import { type Address, packHost, parseAddress, rangeOf } from '../lib/ip.ts'
import { type Step, stepOf } from './catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { along, type PathContext, segmentsOf } from './paths.ts'

export interface LookupContext extends PathContext {
  bind: (value: Stored) => string
}

/** An attribute that the model does not have, or a value that the lookup cannot take. */
export class UnknownAttribute extends Error {}
/** A comparison past the bounds. */
export class TooMuch extends UnknownAttribute {}

/** Bounds of one comparison: relations that its path may follow, and values that a list may have. */
const MaxRelations = 10
const MaxValues = 10_000
/** Comparisons that one constraint or one reference may make in all. */
export const MaxTerms = 200

type Compare = (
  expression: string,
  value: unknown,
  parse: (raw: unknown) => Stored,
  bind: LookupContext['bind'],
) => string

const text =
  (form: string): Compare =>
  (e, value, _parse, bind) => {
    try {
      return textConditions[form]!(e, boundedText(String(value)), bind)
    } catch (error) {
      if (error instanceof FilterError) throw new UnknownAttribute(error.message)
      throw error
    }
  }
const sensitive =
  (how: 'contains' | 'startswith' | 'endswith', pattern: (bound: string) => string): Compare =>
  (e, value, _parse, bind) => {
    const sought = boundedText(String(value))
    const glob = () => `${e} glob ${pattern(bind(sought.replace(/[[*?]/g, '[$&]')))}`
    return how === 'startswith' ? glob() : holdsText(e, sought, how, bind, glob)
  }
const boundedText = (value: string): string => {
  if (value.length > MaxTextLength) throw new TooMuch(`a text has at most ${MaxTextLength} characters`)
  return value
}
const compared =
  (operator: string): Compare =>
  (e, value, parse, bind) =>
    `${e} ${operator} ${bind(parse(value))}`

const network = (value: unknown): Address => {
  const parsed = typeof value === 'string' ? parseAddress(value) : undefined
  if (!parsed) throw new UnknownAttribute(`${value} is not an address`)
  return parsed
}

/** Lookups that constraints and attribute objects may use after a double underscore. */
const Lookups: Record<string, Compare> = {
  exact: (e, value, parse, bind) => (value === null ? `${e} is null` : `${e} = ${bind(parse(value))}`),
  iexact: (e, value, parse, bind) => (value === null ? `${e} is null` : text('ie')(e, value, parse, bind)),
  contains: sensitive('contains', (bound) => `'*' || ${bound} || '*'`),
  startswith: sensitive('startswith', (bound) => `${bound} || '*'`),
  endswith: sensitive('endswith', (bound) => `'*' || ${bound}`),
  icontains: text('ic'),
  istartswith: text('isw'),
  iendswith: text('iew'),
  regex: text('regex'),
  iregex: text('iregex'),
  gt: compared('>'),
  gte: compared('>='),
  lt: compared('<'),
  lte: compared('<='),
  in: (e, value, parse, bind) => {
    if (!Array.isArray(value)) throw new UnknownAttribute('in needs a list')
    if (value.length > MaxValues) throw new TooMuch(`a list has at most ${MaxValues} values`)
    return value.length ? among(e, value.map(parse), bind) : 'false'
  },
  range: (e, value, parse, bind) => {
    if (!Array.isArray(value) || value.length !== 2) throw new UnknownAttribute('range needs two values')
    return `${e} between ${bind(parse(value[0]))} and ${bind(parse(value[1]))}`
  },
  isnull: (e, value) => `${e} is ${value ? '' : 'not '}null`,
}

/** Lookups of address fields, over the packed columns beside the text. */
const AddressLookups: Record<
  string,
  (column: (suffix: string) => string, value: unknown, bind: LookupContext['bind']) => string
> = {
  net_contains: (c, value, bind) => around(c, network(value), bind, '<'),
  net_contains_or_equals: (c, value, bind) => around(c, network(value), bind, '<='),
  net_host: (c, value, bind) => `${c('_host')} = ${bind(packed(network(value)))}`,
  net_contained: (c, value, bind) => inside(c, network(value), bind, '>'),
  net_contained_or_equal: (c, value, bind) => inside(c, network(value), bind, '>='),
  net_host_contained: (c, value, bind) => inside(c, network(value), bind),
  net_mask_length: (c, value, bind) => `${c('_mask')} = ${bind(Number(value))}`,
  net_mask_length__gte: (c, value, bind) => `${c('_mask')} >= ${bind(Number(value))}`,
  net_mask_length__lte: (c, value, bind) => `${c('_mask')} <= ${bind(Number(value))}`,
  family: (c, value, bind) => `unicode(substr(${c('_host')}, 1, 1)) = ${bind(Number(value))}`,
}
const packed = (a: Address): Buffer => packHost(a.family, a.bytes)
const inside = (c: (suffix: string) => string, a: Address, bind: LookupContext['bind'], mask?: string): string => {
  const { first, last } = rangeOf(a)
  const among = `${c('_host')} between ${bind(first)} and ${bind(last)}`
  return mask ? `(${among} and ${c('_mask')} ${mask} ${bind(a.length)})` : `(${among})`
}

const around = (c: (suffix: string) => string, a: Address, bind: LookupContext['bind'], mask: string): string => {
  const { first, last } = rangeOf(a)
  const [begins, ends] = [`${c('_host')} <= ${bind(first)}`, `${c('_last')} >= ${bind(last)}`]
  return `(${begins} and ${ends} and ${c('_mask')} ${mask} ${bind(a.length)})`
}

/** What the segments after a column mean: a key of its JSON, a part of it, and the comparison. */
function reading(
  key: string,
  step: Step | undefined,
  lookup: string,
): { of: (e: string) => string; lookup: string; whole: boolean } {
  const field = step?.way === 'column' ? step.field : undefined
  const segments = lookup.split('__')
  if (field?.keyed) {
    const compare = segments.length > 1 && Object.hasOwn(Lookups, segments.at(-1)!) ? segments.pop()! : 'exact'
    if (Object.hasOwn(Lookups, segments[0]!)) return { of: (e) => e, lookup, whole: false }
    if (segments.some((segment) => !/^\w+$/.test(segment))) throw new UnknownAttribute(`no attribute ${key}`)
    return {
      of: (e) => `(${e} ->> ${lit(`$${segments.map((segment) => `."${segment}"`).join('')}`)})`,
      lookup: compare,
      whole: false,
    }
  }
  const part = field?.parts && Object.hasOwn(field.parts, segments[0]!) ? field.parts[segments[0]!] : undefined
  return part
    ? { of: part, lookup: segments.slice(1).join('__') || 'exact', whole: false }
    : { of: (e) => e, lookup, whole: true }
}

const isCompound = (value: unknown): boolean => typeof value === 'object' && value !== null
const isNested = (value: unknown): boolean => (Array.isArray(value) ? value.some(isCompound) : isCompound(value))

/** SQL of `a__b__lookup = value` on row alias `t`. Throws `UnknownAttribute`. */
export function attribute(m: AnyModel, t: string, key: string, value: unknown, c: LookupContext): string {
  if (isNested(value)) throw new UnknownAttribute('a value must be a scalar, or a list of scalars')
  const segments = segmentsOf(key)
  const { path, lookup: asked, step } = split(m, segments)
  const { of, lookup, whole } = reading(key, step, asked)
  const at = (leaf: (e: string, step: Step | undefined, row: string) => string) =>
    along(m, t, path, (e, end, row = t) => leaf(of(e), whole ? end : undefined, row), c)
  if (Object.hasOwn(AddressLookups, lookup)) {
    const name = path.at(-1)
    const columns = step?.way === 'column' ? step.field.columns(step.name) : {}
    if (!(`${name}_host` in columns) || (lookup.startsWith('net_contains') && !(`${name}_last` in columns)))
      throw new UnknownAttribute(`no attribute ${key}`)
    return at((_e, _step, row) => AddressLookups[lookup]!((suffix) => `${row}.${q(`${name}${suffix}`)}`, value, c.bind))
  }
  const compare = Object.hasOwn(Lookups, lookup) ? Lookups[lookup] : undefined
  if (!compare) throw new UnknownAttribute(`no attribute ${key}`)
  if ((value === null && (lookup === 'exact' || lookup === 'iexact')) || (lookup === 'isnull' && value === true))
    return not(at((e) => `${e} is not null`))
  return at((e, end) => compare(e, value, (raw) => parseWith(end, raw), c.bind))
}

function parseWith(step: Step | undefined, raw: unknown): Stored {
  if (typeof raw === 'object' && raw !== null) throw new UnknownAttribute('a value must be a scalar')
  if (step?.way === 'column' && step.field.parse) {
    const parsed = step.field.parse(raw)
    return parsed === undefined ? null : typeof parsed === 'boolean' ? Number(parsed) : parsed
  }
  if (step && step.way !== 'column') {
    if (!/^\d{1,15}$/.test(String(raw))) throw new UnknownAttribute(`${raw} is not an id`)
    return Number(raw)
  }
  return typeof raw === 'boolean' ? Number(raw) : (raw as Stored)
}

/** The longest run of relations and a field, and what is left as the lookup. */
function split(m: AnyModel, segments: readonly string[]): { path: string[]; lookup: string; step: Step | undefined } {
  const path: string[] = []
  let last: Step | undefined
  let at: AnyModel | undefined = m
  for (const segment of segments) {
    const isId: boolean = segment === 'id' || segment === 'pk'
    const step: Step | undefined = at ? stepOf(at, segment) : undefined
    const joined: string = segment.endsWith('_id') ? segment.slice(0, -3) : ''
    const byId: Step | undefined = at && joined && !step ? stepOf(at, joined) : undefined
    if (!at || (!step && !isId && byId?.way !== 'to')) break
    path.push(step || isId ? segment : joined)
    if (path.length > MaxRelations) throw new TooMuch(`a path follows at most ${MaxRelations} relations`)
    const taken: Step | undefined = isId ? undefined : (step ?? byId)
    last = taken
    at = !taken || taken.way === 'column' ? undefined : taken.model
  }
  if (path.length === 0) throw new UnknownAttribute(`no attribute ${segments.join('__')}`)
  return { path, lookup: segments.slice(path.length).join('__') || 'exact', step: last }
}

/**
 * SQL of a permission's constraints (an object, or a list of alternatives) on row alias `t`; `$user` stands for the
 * user's id.
 */
export function constraint(
  m: AnyModel,
  t: string,
  constraints: unknown,
  userId: number | null,
  c: LookupContext,
): string {
  const alternatives = Array.isArray(constraints) ? constraints : [constraints]
  if (alternatives.length === 0) return 'true'
  const terms = alternatives.reduce((sum: number, one) => sum + Math.max(1, Object.keys(one ?? {}).length), 0)
  if (terms > MaxTerms) throw new TooMuch(`constraints make at most ${MaxTerms} comparisons`)
  return anyOf(
    alternatives.map((one) => {
      if (!isObject(one)) throw new UnknownAttribute('a constraint must be an object')
      const named = (value: unknown): unknown => (value === '$user' ? userId : value)
      const parts = Object.entries(one).map(([key, value]) =>
        attribute(m, t, key, Array.isArray(value) ? value.map(named) : named(value), c),
      )
      return parts.length ? `(${parts.join(' and ')})` : 'true'
    }),
  )
}
