import { parseExact, stringifyExact } from '../lib/exact-json.ts'
import { type Common, FieldError } from './field.ts'
import type { Text, TextContext } from './context.ts'

/** Objects named by their ids, as choosers of pages do; `toText` gives ids. */
export const byIds: TextContext = {
  refer: (_model, named) => (typeof named === 'string' && /^\d{1,15}$/.test(named) ? Number(named) : named),
  name: (_model, shown) => idOf(shown) ?? null,
}

/** The id of a shown object, which may be the bare id. */
export const idOf = (shown: unknown): number | undefined => {
  const id = typeof shown === 'object' && shown !== null ? (shown as { id?: unknown }).id : shown
  return typeof id === 'number' ? id : undefined
}

/** What names an object, as one text. */
export const wordOf = (named: unknown): string =>
  typeof named === 'object' && named !== null ? JSON.stringify(named) : String(named ?? '')

/** One text of what a form may have sent several of: the last one counts. */
export const lastOf = (text: Text): string => (typeof text === 'string' ? text : (text.at(-1) ?? ''))

/** What a body says where a text is empty: null where there may be none, else an empty text, which the field judges. */
const emptied = (o: Common): null | '' => (o.nullable ? null : '')

/** True where another server shows no value. */
export const isNone = (shown: unknown): shown is null | undefined => shown === null || shown === undefined
/** What is stored where it shows none: nothing where that may be, else the default. */
export const none = (o: Common): null | undefined => (o.nullable ? null : undefined)

/** A value that is one word or text, in a body as in a cell. */
export const plainTexts = (o: Common) => ({
  fromText: (text: Text): unknown => lastOf(text) || emptied(o),
  toText: (shown: unknown): string => (shown === null || shown === undefined ? '' : String(shown)),
})

/** A value that a word of JSON says, as a number; a text that `read` does not know stays, for the field to judge. */
export const scalarTexts = (o: Common, read: (word: string) => unknown) => ({
  ...plainTexts(o),
  fromText: (text: Text): unknown => {
    const word = lastOf(text).trim()
    return word === '' ? emptied(o) : (read(word) ?? word)
  },
})
/** A decimal number; `Number` alone would take `0x1F` too, which the API refuses. */
export const numberOf = (word: string): number | undefined =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(word) && Number.isFinite(Number(word)) ? Number(word) : undefined

/**
 * Any JSON value. Refuses a text that is none. Among other data a text is itself, where it is not that of JSON: one
 * that is gets quotes.
 */
export const jsonTexts = {
  fromText: (text: Text): unknown => (lastOf(text).trim() === '' ? null : parseJson(lastOf(text))),
  toText: (shown: unknown): string => (shown === null || shown === undefined ? '' : stringifyExact(shown)),
  fromWord: (word: string): unknown => (isJson(word) ? parseExact(word) : word),
  toWord: (shown: unknown): unknown =>
    typeof shown === 'string' && (shown === '' || isJson(shown)) ? JSON.stringify(shown) : (shown ?? null),
}
const isJson = (text: string): boolean => {
  try {
    parseExact(text)
    return true
  } catch {
    return false
  }
}

/**
 * A list: its items with commas between, or JSON; or each as a text of its own. `item` reads one, `word` writes one.
 */
export const listTexts = (
  item: (text: unknown, context: TextContext) => unknown = (text) => text,
  word: (shown: unknown, context: TextContext) => unknown = (shown) => shown,
) => ({
  isList: true as const,
  fromText: (text: Text, context: TextContext): unknown => itemsOf(text).map((each) => item(each, context)),
  toText: (shown: unknown, context: TextContext): string =>
    joined(((shown ?? []) as unknown[]).map((each) => word(each, context))),
})

/** Several objects of a model. */
export const objectTexts = (model: string) => ({
  ...listTexts(
    (named, context) => context.refer(model, named),
    (shown, context) => context.name(model, shown),
  ),
  namesObjects: true as const,
})

function itemsOf(text: Text): readonly unknown[] {
  if (typeof text !== 'string') return text.filter((each) => each !== '')
  if (!text.trim().startsWith('['))
    return text
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean)
  const list = parseJson(text)
  if (!Array.isArray(list)) throw new FieldError('This is not a list.')
  return list
}

/** Items with commas between, as JSON where that would not say it. */
const joined = (items: readonly unknown[]): string =>
  items.every((each) => typeof each === 'number' || (typeof each === 'string' && each !== '' && !/[,[\]]/.test(each)))
    ? items.join(',')
    : JSON.stringify(items)

function parseJson(text: string): unknown {
  try {
    return parseExact(text)
  } catch (error) {
    throw new FieldError(`This is not JSON: ${(error as Error).message}`)
  }
}
