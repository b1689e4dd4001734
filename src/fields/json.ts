import { parseExact, stringifyExact } from '../lib/exact-json.ts'
import * as v from 'valibot'
import { sortKeysByLength } from '../lib/json.ts'
import type { Control } from './control.ts'
import { type Graph, required } from './graph.ts'
import { type Common, type Field, FieldError, isRequired, type Row, type Stored } from './field.ts'
import { facts, type OptionFacts } from './facts.ts'
import type { ResolveContext, Text, TextContext } from './context.ts'
import { q } from '../lib/sql.ts'
import { typeParts } from './generic.ts'
import type { Choices } from './choice.ts'
import { integerInput } from './number.ts'
import { pythonType } from './refs.ts'
import type { Filter } from '../filters/filter.ts'
import { arrayFilter } from '../filters/array.ts'
import { jsonTexts, listTexts, plainTexts } from './texts.ts'

interface JsonOptions extends Common {
  default?: object | null
  /** Only objects are taken. */
  object?: boolean
  /** OPTIONS tells of an object of plain values. */
  map?: boolean
  /** Shown in the place of null. */
  empty?: object
  check?: (value: unknown) => string | undefined
}

/** SQL of a stored JSON text as JSON. */
const asJson = (c: string, empty: object | null = null) => `json(coalesce(${c}, '${JSON.stringify(empty)}'))`

/** Any JSON value. Keys come back by length, then bytewise. */
export function json(options?: JsonOptions): Field<{ cols: { '': string | null }; in: unknown; optional: true }> {
  const o = options ?? {}
  const self = {
    kind: 'json',
    keyed: true,
    ...jsonTexts,
    judgesNull: true,
    options: o,
    required: isRequired(o),
    readOnly: o.readOnly ?? false,
    columns: (name: string) => ({
      [name]: {
        type: 'text' as const,
        null: o.nullable ?? false,
        ...(o.nullable ? {} : { default: JSON.stringify(o.default ?? {}) }),
      },
    }),
    input: () => {
      const one = v.pipe(
        v.unknown(),
        v.check((x) => x !== null || Boolean(o.nullable), 'This field may not be null.'),
        v.check(
          (x) => !o.object || x === null || (typeof x === 'object' && !Array.isArray(x)),
          'JSON data must be in object form.',
        ),
        v.rawCheck(({ dataset, addIssue }) => {
          const refused = dataset.typed && dataset.value !== null ? o.check?.(dataset.value) : undefined
          if (refused) addIssue({ message: refused })
        }),
      )
      return one
    },
    write: (value: unknown, name: string, digits?: string) => ({
      [name]: value === null || value === undefined ? null : (digits ?? stringifyExact(sortKeysByLength(value))),
    }),
    output: (t: string, name: string) => [[name, asJson(`${t}.${q(name)}`, o.empty)] as const],
    snapshot: (row: Row, name: string) => ({ [name]: parsed(row[name]) }),
    judged: parsed,
    graphql: {
      type: `JSON${required(o.nullable)}`,
      sql: (t: string, name: string) => asJson(`${t}.${q(name)}`),
      input: 'JSONFilter',
    },
    control: (): Control => ({ as: 'area', code: true, json: true }),
    look: 'code' as const,
    describe: (name: string): Record<string, OptionFacts> =>
      o.map
        ? facts('nested object', name, self, { child: { type: 'field', required: true, read_only: false } })
        : facts('field', name, self),
    schema: (name: string) => ({ [name]: { read: { nullable: true }, write: { nullable: true } } }),
  }
  return self
}
const parsed = (value: Stored | undefined): unknown => (typeof value === 'string' ? parseExact(value) : null)

interface ListOptions extends Common {
  default?: readonly unknown[]
  filterFor?: (name: string) => Record<string, Filter>
  /** JSON schema of an item, where it is not any text; OPTIONS tells its type and limits. */
  items?: ItemSchema
  /** What OPTIONS says of the list and its items, where it does not follow from `items`. */
  described?: { type: string; child: OptionFacts }
  /** Items are values of this set. */
  choices?: Choices
  /** What a word of a text says of one item, where that is not the word: `1-99` is a pair. */
  fromWord?: (word: string) => unknown
  /** An item as such a word, for forms; undefined where no word says it. */
  toWord?: (item: never) => string | undefined
  /** What GraphQL shows of it, where that is not the list. */
  graphql?: Graph
  /** Forms ask for one item a line. */
  lines?: boolean
  min?: number
  max?: number
  /** How many items there may be. */
  most?: number
  unique?: never
  sorted?: boolean
}

/** Numbers that a range of a list stands for at most. */
const MaxRange = 4096

/**
 * Texts of a list: of whole numbers, "1, 5-7" is a list of numbers; an empty text is null where there may be no list.
 */
function textsOfList(o: ListOptions) {
  const texts = listTexts((item) => (typeof item === 'string' ? (o.fromWord?.(item) ?? item) : item))
  return {
    ...texts,
    fromText: (text: Text, context: TextContext): unknown => {
      if (o.nullable && text.length === 0) return null
      const items = texts.fromText(text, context) as unknown[]
      return o.items?.type === 'integer' ? items.flatMap(numbersOf) : items
    },
    toText: (shown: unknown, context: TextContext): string =>
      shown !== null && (shown as unknown[])?.length === 0 && o.nullable ? '[]' : texts.toText(shown, context),
  }
}

/** Items as words, with runs of numbers as `1-4`; undefined for one that no word says. */
const wordsOf = (o: ListOptions, items: readonly unknown[]): (string | undefined)[] =>
  o.items?.type === 'integer'
    ? runsOf(items as number[])
    : items.map((item) => (o.toWord ? o.toWord(item as never) : typeof item === 'string' ? item : undefined))

/** Items as people type them: words; JSON where no words say it. */
function typedList(o: ListOptions, items: readonly unknown[]): string {
  const words = wordsOf(o, items)
  const mark = o.lines ? '\n' : ', '
  const isPlain = words.every((word) => word !== undefined && word !== '' && !(o.lines ? /\n/ : /[,\n]/).test(word))
  return isPlain && !words[0]?.startsWith('[') ? words.join(mark) : JSON.stringify(items)
}

function runsOf(numbers: readonly number[]): string[] {
  const runs: [number, number][] = []
  for (const each of numbers) {
    const last = runs.at(-1)
    if (last && each === last[1] + 1) last[1] = each
    else runs.push([each, each])
  }
  return runs.flatMap(([from, to]) => (to - from < 2 ? [...new Set([from, to])].map(String) : [`${from}-${to}`]))
}

/** JSON schema of an item of a list, as far as OPTIONS can tell it too. */
interface ItemSchema {
  type: 'string' | 'integer' | 'array' | 'object'
  minimum?: number
  maximum?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: object
}

const GraphItems = { string: 'String', integer: 'Int', array: '[String!]', object: 'JSON' } as const
const ItemTypes = { string: 'string', integer: 'integer', array: 'list', object: 'field' } as const

/** What OPTIONS says of the items of a list. */
const itemFacts = (o: ListOptions): OptionFacts => ({
  type: o.choices ? 'choice' : o.items ? ItemTypes[o.items.type] : 'field',
  required: true,
  read_only: false,
  ...(o.items?.maxLength === undefined ? {} : { max_length: o.items.maxLength }),
  ...(o.items?.minimum === undefined ? {} : { min_value: o.items.minimum }),
  ...(o.items?.maximum === undefined ? {} : { max_value: o.items.maximum }),
  ...(o.items?.type === 'array' ? { child: { type: 'field', required: true, read_only: false } } : {}),
  ...(o.choices ? { choices: o.choices.map(([value, display_name]) => ({ value, display_name })) } : {}),
})

function numbersOf(item: unknown): unknown[] {
  const [, first, last] = /^(-?\d{1,15})(?:-(\d{1,15}))?$/.exec(String(item)) ?? []
  if (first === undefined) return [item]
  const count = last === undefined ? 1 : Number(last) - Number(first) + 1
  return count < 1 || count > MaxRange ? [item] : Array.from({ length: count }, (_, i) => Number(first) + i)
}

/** Past this many wrong items the rest of a list is not looked at. */
const MaxRefused = 100

/** A list whose items are checked one by one; stored as JSON text. `item` answers the stored item or a refusal. */
export function listOf(
  item: (value: unknown) => { value: unknown } | { error: string },
  options?: ListOptions,
): Field<{ cols: { '': string | null }; in: readonly unknown[]; optional: true }> {
  const o = options ?? {}
  const items = {
    ...(o.items ?? { type: 'string' }),
    ...(o.choices ? { enum: o.choices.map(([value]) => value) } : {}),
  }
  const type = { type: o.nullable ? ['array', 'null'] : 'array', items }
  const self = {
    kind: 'list',
    ...textsOfList(o),
    inWords: o.choices
      ? (items: readonly unknown[]) => items.map((item) => o.choices!.find(([value]) => value === item)?.[1] ?? item)
      : (items: readonly unknown[]) => wordsOf(o, items).map((word, i) => word ?? items[i]),
    options: o,
    required: isRequired(o),
    readOnly: o.readOnly ?? false,
    columns: (name: string) => ({
      [name]: {
        type: 'text' as const,
        null: o.nullable ?? false,
        ...(o.nullable ? {} : { default: JSON.stringify(o.default ?? []) }),
      },
    }),
    input: () => v.unknown(),
    resolve: (value: unknown) => {
      if (value === null && o.nullable) return null
      if (!Array.isArray(value)) throw new FieldError(`Expected a list of items but got type "${pythonType(value)}".`)
      if (value.length < (o.min ?? 0)) throw new FieldError('This list may not be empty.')
      if (value.length > (o.most ?? Infinity))
        throw new FieldError(`Ensure this list has no more than ${o.most} items.`)
      const errors: Record<string, string[]> = {}
      let refused = 0
      const items: unknown[] = []
      for (const [i, x] of value.entries()) {
        const checked = item(x)
        if ('value' in checked) items.push(checked.value)
        else {
          errors[i] = [checked.error]
          if (++refused >= MaxRefused) break
        }
      }
      if (refused) throw new FieldError(errors)
      return o.sorted ? items.sort((a, b) => Number(a) - Number(b)) : items
    },
    write: (value: unknown, name: string) => ({ [name]: value === null ? null : JSON.stringify(value) }),
    output: (t: string, name: string) => [[name, asJson(`${t}.${q(name)}`)] as const],
    snapshot: (row: Row, name: string) => ({ [name]: parsed(row[name]) }),
    judged: parsed,
    graphql: o.graphql ?? {
      type: `[${GraphItems[o.items?.type ?? 'string']}!]${required(o.nullable)}`,
      sql: (t: string, name: string) => asJson(`${t}.${q(name)}`),
      input: o.items?.type === 'integer' ? 'IntegerArrayLookup' : 'StringArrayLookup',
    },
    filters: (name: string) => o.filterFor?.(name) ?? { [name]: arrayFilter(name) },
    control: (): Control =>
      o.choices
        ? { as: 'choice', choices: o.choices, multiple: true }
        : { as: 'list', lines: o.lines, number: o.items?.type === 'integer' },
    typed: (shown: unknown) => typedList(o, shown as readonly unknown[]),
    describe: (name: string): Record<string, OptionFacts> =>
      facts(o.described?.type ?? 'list', name, self, { child: o.described?.child ?? itemFacts(o) }),
    schema: (name: string) => ({ [name]: { read: type, write: type } }),
  }
  return self
}

/** A list of whole numbers, each from `least` to `most`. */
export function integers(least: number, most: number, options?: ListOptions) {
  const one = v.pipe(
    integerInput,
    v.minValue(least, `Ensure this value is greater than or equal to ${least}.`),
    v.maxValue(most, `Ensure this value is less than or equal to ${most}.`),
  )
  return listOf(
    (value) => {
      const checked = v.safeParse(one, value)
      return checked.success ? { value: checked.output } : { error: checked.issues[0].message }
    },
    { items: { type: 'integer', minimum: least, maximum: most }, ...options },
  )
}

/** A list of "app.model" names. `allowed`: a feature that the types must have, or `all`. */
export function contentTypes(
  allowed: string,
  options?: ListOptions,
): Field<{ cols: { '': string }; in: readonly string[]; optional: true }> {
  const base = listOf(
    (x) =>
      typeof x === 'string'
        ? { value: x }
        : { error: `Invalid value. Specify a content type as '<app_label>.<model_name>'.` },
    options,
  )
  return {
    ...base,
    kind: 'content-types',
    isSet: true,
    fromShown: (shown: unknown) =>
      shown === null || shown === undefined ? undefined : [...(shown as string[])].sort(),
    resolve: (value: unknown, context: ResolveContext, name: string) => {
      const items = base.resolve!(value, context, name) as string[]
      // What was imported may name kinds of objects that are only elsewhere: whoever writes them back changes nothing.
      const held = JSON.parse(String(context.before?.[name] ?? '[]')) as string[]
      for (const item of items) {
        if (held.includes(item)) continue
        if (!/^\w+\.\w+$/.test(item))
          throw new FieldError(`Invalid value. Specify a content type as '<app_label>.<model_name>'.`)
        if (!context.typesWith(allowed).has(item)) throw new FieldError(`Object does not exist: ${item}`)
      }
      const known = context.typesWith('all') // in the order of their ids
      return [...known, ...held.filter((item) => !known.has(item))].filter((item) => items.includes(item))
    },
    graphql: { type: '[ContentTypeType!]!' },
    control: (): Control => ({ as: 'types', feature: allowed, multiple: true }),
    look: 'types' as const,
    describe: (name: string) => facts('field', name, base),
  } as never
}

/** One "app.model" name; `listed`: OPTIONS names the types among the choices. */
export function contentType(
  allowed: string,
  options?: Common & { listed?: boolean },
): Field<{ cols: { '': string | null }; in: string | null; optional: true }> {
  const o = options ?? {}
  const type = { type: o.nullable ? ['string', 'null'] : 'string' }
  const self = {
    kind: 'content-type',
    ...plainTexts(o),
    parts: typeParts,
    options: o,
    required: isRequired(o),
    readOnly: o.readOnly ?? false,
    columns: (name: string) => ({ [name]: { type: 'text' as const, null: o.nullable ?? false } }),
    input: () => {
      const one = v.pipe(
        v.string(`Invalid value. Specify a content type as '<app_label>.<model_name>'.`),
        v.regex(/^\w+\.\w+$/, `Invalid value. Specify a content type as '<app_label>.<model_name>'.`),
      )
      return o.nullable ? v.nullable(one) : one
    },
    resolve: (value: unknown, context: ResolveContext) => {
      if (value !== null && !context.typesWith(allowed.replace('feature:', '')).has(value as string))
        throw new FieldError(`Object does not exist: ${value}`)
      return value
    },
    write: (value: unknown, name: string) => ({ [name]: value as string | null }),
    output: (t: string, name: string) => [[name, `${t}.${q(name)}`] as const],
    compare: (t: string, name: string) => `${t}.${q(name)}`,
    parse: (raw: unknown) => raw as string,
    graphql: { type: 'ContentTypeType', input: 'ContentTypeFilter' },
    control: (): Control => ({ as: 'types', feature: allowed.replace('feature:', '') }),
    look: 'types' as const,
    describe: (name: string): Record<string, OptionFacts> =>
      facts('field', name, self, o.listed ? { choices: { '~types': allowed } } : {}),
    schema: (name: string) => ({ [name]: { read: type, write: type } }),
  }
  return self
}
