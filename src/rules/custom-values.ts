import { type Field, FieldError } from '../fields/field.ts'
import type { ResolveContext, Text, TextContext } from '../fields/context.ts'
import {
  idOf,
  jsonTexts,
  lastOf,
  listTexts,
  numberOf,
  objectTexts,
  plainTexts,
  scalarTexts,
  wordOf,
} from '../fields/texts.ts'
import { Refused } from '../declare/behaviour.ts'
import { parseDate, parseDateTime, storedMoment } from '../lib/datetime.ts'
import { sortKeysByLength, textOfJson } from '../lib/json.ts'
import { schemaRefusal } from './schemas.ts'
import { compileRegex } from '../lib/regex.ts'
import type { Definition } from '../store/custom-fields.ts'

/** `digits`: what the body says of a number, where JavaScript reads it otherwise. */
type Check = (value: unknown, d: Definition, context: ResolveContext, digits?: string) => unknown

const refuse = (d: Definition, text: string): never => {
  throw new Refused(400, { __all__: [`Invalid value for custom field '${d.name}': ${text}`] })
}

const aText: Check = (value, d) => {
  if (typeof value !== 'string') return refuse(d, 'Value must be a string.')
  if (d.validation_regex && !compileRegex(`^(?:${d.validation_regex})`, {})?.(value))
    return refuse(d, `Value must match regex '${d.validation_regex}'`)
  return value
}
const bounded = (number: number, d: Definition): void => {
  if (d.validation_minimum !== null && number < d.validation_minimum)
    refuse(d, `Value must be at least ${d.validation_minimum}`)
  if (d.validation_maximum !== null && number > d.validation_maximum)
    refuse(d, `Value must not exceed ${d.validation_maximum}`)
}
const related = (value: unknown, d: Definition, context: ResolveContext): number => {
  try {
    return context.related(d.related_object_type!, value)
  } catch (error) {
    if (error instanceof FieldError) throw new Refused(400, { custom_fields: error.detail })
    throw error
  }
}
const listed = (value: unknown, d: Definition): void => {
  if (typeof value !== 'string' || !d.choices?.has(value))
    refuse(d, `Invalid choice (${textOfJson(value)}) for choice set.`)
}

/** What each custom field type takes, and what is stored of it. */
const checks: Record<string, Check> = {
  text: aText,
  longtext: aText,
  url: aText,
  integer: (value, d, _context, digits) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || digits?.includes('.'))
      return refuse(d, 'Value must be an integer.')
    bounded(value, d)
    return value
  },
  decimal: (value, d) => {
    const number = typeof value === 'string' ? numberOf(value.trim()) : value
    if (typeof number !== 'number' || !Number.isFinite(number)) return refuse(d, 'Value must be a decimal.')
    bounded(number, d)
    return value
  },
  boolean: (value, d) =>
    value === true || value === false || value === 1 || value === 0 ? value : refuse(d, 'Value must be true or false.'),
  date: (value, d) =>
    (typeof value === 'string' ? parseDate(value) : undefined) ??
    refuse(d, 'Date values must be in ISO 8601 format (YYYY-MM-DD).'),
  datetime: (value, d) => {
    if (typeof value !== 'string' || parseDateTime(value) === undefined)
      return refuse(d, 'Date and time values must be in ISO 8601 format (YYYY-MM-DD HH:MM:SS).')
    return /^\d{4}-\d\d?-\d\d?$/.test(value.trim())
      ? storedMoment(parseDateTime(value)!).slice(0, 19)
      : value.trim().replace(' ', 'T')
  },
  json: (value, d) => {
    const refusal = d.validation_schema === null ? undefined : schemaRefusal(d.validation_schema, value)
    return refusal === undefined ? sortKeysByLength(value) : refuse(d, `Value does not satisfy the schema: ${refusal}`)
  },
  select: (value, d) => {
    listed(value, d)
    return value
  },
  multiselect: (value, d) => {
    if (!Array.isArray(value)) return refuse(d, 'Value must be a list.')
    for (const item of value) listed(item, d)
    return value
  },
  object: (value, d, context) => related(value, d, context),
  multiobject: (value, d, context) =>
    Array.isArray(value) ? value.map((item) => related(item, d, context)) : refuse(d, 'Value must be a list.'),
}

/**
 * Checks one value against its definition; answers what is stored. Throws `Refused` with the texts where clients look
 * for them.
 */
export function checkCustomValue(
  d: Definition,
  value: unknown,
  context: ResolveContext,
  given: boolean,
  digits?: string,
): unknown {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0 && d.required)) {
    if (d.required) throw new Refused(400, { __all__: [`Required field '${d.name}' cannot be empty.`] })
    return value
  }
  return given ? checks[d.type]!(value, d, context, digits) : value
}

type Texts = Required<Pick<Field, 'fromText' | 'toText'>> & Pick<Field, 'fromWord' | 'toWord'>

const plain: Texts = plainTexts({ nullable: true })
const number: Texts = scalarTexts({ nullable: true }, numberOf)
const truth: Texts = scalarTexts({ nullable: true }, (word) => ({ true: true, false: false })[word.toLowerCase()])
/** A list of which an empty text says that there is none, and `[]` that it is empty. */
const list = (texts: ReturnType<typeof listTexts>): Texts => ({
  fromText: (text: Text, context: TextContext) => (text.length === 0 ? null : texts.fromText(text, context)),
  toText: (shown: unknown, context: TextContext) =>
    shown !== null && (shown as unknown[])?.length === 0 ? '[]' : texts.toText(shown, context),
})
const object = (model: string): Texts => ({
  fromText: (text, context) => (lastOf(text).trim() === '' ? null : context.refer(model, lastOf(text).trim())),
  toText: (shown, context) => (idOf(shown) === undefined ? '' : wordOf(context.name(model, shown))),
})

const texts: Record<string, (d: Definition) => Texts> = {
  integer: () => number,
  decimal: () => number,
  boolean: () => truth,
  json: () => jsonTexts,
  multiselect: () => list(listTexts()),
  object: (d) => object(d.related_object_type!),
  multiobject: (d) => list(objectTexts(d.related_object_type!)),
}

/** How a custom field's value is read from a text and written to one, as a field does it. */
export const customTexts = (d: Definition): Texts => texts[d.type]?.(d) ?? plain
