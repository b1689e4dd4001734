import type { AnyModel } from '../declare/model.ts'
import type { Field, Stored } from '../fields/field.ts'
import { compileRegex } from '../lib/regex.ts'
import { q } from '../lib/sql.ts'
import {
  among,
  amongRows,
  anyOf,
  CharLookups,
  type Filter,
  type FilterContext,
  FilterError,
  missing,
  not,
  type TextPlace,
  truthOf,
} from './filter.ts'

/** Characters of a text that is looked for; SQLite takes patterns of up to 50,000 bytes. */
export const MaxTextLength = 10_000

function escaped(value: string): string {
  if (value.length > MaxTextLength) throw new FilterError(`Give no more than ${MaxTextLength} characters.`)
  return value.replace(/[\\%_]/g, (c) => `\\${c}`)
}
const isAscii = (value: string): boolean => /^[\0-\x7f]*$/.test(value)

/** SQL for the case-insensitive forms; SQLite's own LIKE folds ASCII only, so other values go through `fold()`. */
function like(expression: string, pattern: string, bind: FilterContext['bind']): string {
  return isAscii(pattern)
    ? `${expression} like ${bind(pattern)} escape '\\'`
    : `fold(${expression}) like ${bind(pattern.toLowerCase())} escape '\\'`
}

/** Letters past which SQLite's LIKE and GLOB take long in a long text, where what is sought is not at its beginning. */
export const MaxLike = 32

/** Whether a text holds another or ends with it: in lower case (`ic`, `iew`), or as it is (`contains`, `endswith`). */
export function holdsText(
  e: string,
  value: string,
  how: 'ic' | 'iew' | 'contains' | 'endswith',
  bind: FilterContext['bind'],
  short: () => string,
): string {
  if (value.length <= MaxLike) return short()
  if (value.length > MaxTextLength) throw new FilterError(`Give no more than ${MaxTextLength} characters.`)
  return `text_holds(${e}, ${bind(how.startsWith('i') ? value.toLowerCase() : value)}, '${how}')`
}

/** Text conditions by lookup suffix: positive ones, of one value. Shared by string and choice filters. */
export const textConditions: Record<
  string,
  (expression: string, value: string, bind: FilterContext['bind']) => string
> = {
  ic: (e, value, bind) => holdsText(e, value, 'ic', bind, () => like(e, `%${escaped(value)}%`, bind)),
  isw: (e, value, bind) => like(e, `${escaped(value)}%`, bind),
  iew: (e, value, bind) => holdsText(e, value, 'iew', bind, () => like(e, `%${escaped(value)}`, bind)),
  ie: (e, value, bind) => like(e, escaped(value), bind),
  regex: (e, value, bind) => regex(e, value, bind, false),
  iregex: (e, value, bind) => regex(e, value, bind, true),
}

function regex(expression: string, pattern: string, bind: FilterContext['bind'], insensitive: boolean): string {
  if (!compileRegex(pattern, { insensitive })) throw new FilterError('Enter a valid regular expression.')
  return `regex_match(${bind(pattern)}, ${expression}, ${Number(insensitive)})`
}

const isIndexed = ({ model, column }: TextPlace): boolean =>
  model.fields[column]?.columns(column)[column]?.index === true
/** Texts that begin with one that has no letters, so that an index finds them. */
const beginning = (e: string, value: string, bind: FilterContext['bind']): string => {
  const after = value.slice(0, -1) + String.fromCharCode(value.charCodeAt(value.length - 1) + 1)
  return `(${e} >= ${bind(value)} and ${e} < ${bind(after)})`
}

/**
 * Condition of a text lookup on an expression. Where an index knows the few rows that may hold the text, only those are
 * compared; `false` where there are none.
 */
export function textCondition(
  lookup: string,
  e: string,
  place: TextPlace | undefined,
  value: string,
  c: Pick<FilterContext, 'bind' | 'holding' | 'valuesHolding'>,
): string {
  if (place && lookup === 'isw' && isIndexed(place) && /^[\x20-\x40]+$/.test(value)) return beginning(e, value, c.bind)
  const rows = place && c.holding(place, lookup, value)
  if (rows?.length === 0) return 'false'
  const values = place && !rows ? c.valuesHolding(place, lookup, value) : undefined
  if (values) return values.length ? textAmong(e, place, values, c) : 'false'
  const condition = textConditions[lookup]!(e, value, c.bind)
  return rows ? `(${amongRows(`${place!.t}.id`, [rows], c.bind)} and ${condition})` : condition
}

/** The key by which a text is sorted among others of its column, where rows keep one; equal texts have equal keys. */
export function sortKeyOf(model: AnyModel, column: string, text: string): Stored | undefined {
  const field = model.fields[column] as Field | undefined
  return field && `${column}_sort` in field.columns(column) ? field.write?.(text, column)[`${column}_sort`] : undefined
}

/** Values past which exact texts are not looked up one by one. */
const MaxLookedUp = 10
/** Sort keys that are bound at most; they are no texts, so that one list of JSON cannot hold them. */
const MaxKeys = 16

/**
 * Whether an expression is one of some texts, found by an index where the column has one or the search knows few that
 * are.
 */
export function textAmong(
  e: string,
  place: TextPlace | undefined,
  values: readonly string[],
  c: Pick<FilterContext, 'bind' | 'holding'>,
): string {
  const condition = (texts: readonly string[]) => among(e, texts, c.bind)
  if (!place) return condition(values)
  const { model, column, t } = place
  const keys = values.map((value) => sortKeyOf(model, column, value)).filter((key) => key !== undefined)
  if (keys.length && keys.length <= MaxKeys)
    return `(${among(`${t}.${q(`${column}_sort`)}`, keys, c.bind)} and ${condition(values)})`
  if (values.length > MaxLookedUp || isIndexed(place) || model.fields[column]?.options.unique) return condition(values)
  return anyOf(
    values.map((value) => {
      const rows = c.holding(place, 'ie', value)
      if (rows?.length === 0) return 'false'
      return rows ? `(${amongRows(`${t}.id`, [rows], c.bind)} and ${condition([value])})` : condition([value])
    }),
  )
}

/** Values and a lookup to one condition on a text expression at the end of a path. */
export function textFilter(
  path: string,
  values: readonly string[],
  lookup: string,
  c: FilterContext,
  iexact = false,
): string | undefined {
  if (lookup === 'empty') {
    const wanted = truthOf(values.at(-1)!)
    if (wanted === undefined) return undefined
    const filled = c.at(path, (e) => `(${e} is not null and ${e} <> '')`)
    return wanted ? not(filled) : filled
  }
  const negative = lookup.startsWith('n')
  const positive = lookup === 'n' ? '' : negative ? lookup.slice(1) : lookup
  const text = positive || (iexact && lookup === '' ? 'ie' : '')
  const condition = textConditions[text]
  const plain = values.filter((value) => (condition && lookup !== '') || value !== 'null')
  const parts: string[] = []
  if (plain.length)
    parts.push(
      c.at(path, (e, place) =>
        condition
          ? anyOf(plain.map((value) => textCondition(text, e, place, value, c)))
          : textAmong(e, place, plain, c),
      ),
    )
  if (plain.length < values.length) parts.push(missing(path, c))
  return negative ? not(anyOf(parts)) : anyOf(parts)
}

/** A string: exact by itself, all text lookups, `null` for rows without a value. */
export function stringFilter(
  path: string,
  options?: { iexact?: boolean; single?: boolean; lookups?: readonly string[] },
): Filter {
  return {
    lookups: options?.lookups ?? CharLookups,
    multiple: !options?.single,
    schema: { type: 'string' },
    compile: (values, lookup, c) =>
      textFilter(path, options?.single ? values.slice(-1) : values, lookup, c, options?.iexact),
  }
}

const Uuid = /^\s*([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\s*$/i

/** A UUID with or without hyphens as it is stored. Throws `FilterError`. */
export function uuidOf(text: string): string {
  const parts = Uuid.exec(text)
  if (!parts) throw new FilterError('Enter a valid UUID.')
  return parts.slice(1).join('-').toLowerCase()
}

/** A UUID with or without hyphens, the last one given. */
export const uuidFilter = (path: string): Filter => ({
  lookups: [],
  multiple: false,
  schema: { type: 'string', format: 'uuid' },
  compile: (values, _lookup, c) => {
    const id = uuidOf(values.at(-1)!)
    return c.at(path, (e) => `${e} = ${c.bind(id)}`)
  },
})
