import { isObject } from '../lib/json.ts'
import { html } from 'hono/html'
import type { Html } from './cells.ts'
import type { FormField } from './form-fields.ts'
import type { Filled } from './form-page.ts'

/** Errors of an answer by field; what names none stands under `__all__`. */
export function errorsOf(body: unknown): Record<string, unknown> {
  if (Array.isArray(body)) return { __all__: body }
  if (typeof body !== 'object' || body === null) return { __all__: [String(body)] }
  const { detail, non_field_errors, __all__, custom_fields, ...fields } = body as Record<string, unknown>
  const custom = isObject(custom_fields) ? custom_fields : {}
  const general = [detail, non_field_errors, __all__, Array.isArray(custom_fields) ? custom_fields : undefined]
    .flat()
    .filter(Boolean)
  return {
    ...fields,
    ...Object.fromEntries(Object.entries(custom).map(([name, text]) => [`cf_${name}`, text])),
    ...(general.length ? { __all__: general } : {}),
  }
}

/**
 * What is wrong, as a line; null, which only programs know, is said as a field that is required. `item`: an item of a
 * list as it was typed, by its place from 0.
 */
export const messageOf = (text: unknown, item?: (index: number) => string | undefined): string =>
  [text]
    .flat(3)
    .map((each) => (isObject(each) ? ofMembers(each as Record<string, unknown>, item) : String(each)))
    .map((each) => (each === 'This field may not be null.' ? 'This field is required.' : each))
    .join(' ')

const ofMembers = (faults: Record<string, unknown>, item: (index: number) => string | undefined = () => undefined) =>
  Object.entries(faults)
    .map(([key, text]) => {
      const name = /^\d+$/.test(key) ? (item(Number(key)) ?? `Item ${Number(key) + 1}`) : key
      return `${name}: ${messageOf(text)}`
    })
    .join(' ')

/** Names under which errors of a field may stand. */
const keysOf = ({ name, keys = [] }: FormField): readonly string[] => [name, `${name}_id`, `${name}_type`, ...keys]

/** What is wrong with a field. */
export const wrongWith = (field: FormField, errors: Filled['errors']): unknown[] =>
  [...new Set(keysOf(field))].map((key) => errors[key]).filter((text) => text !== undefined)

/** What is wrong with a field that holds texts, as a line. */
export const fieldMessage = (field: FormField, { texts, errors }: Pick<Filled, 'texts' | 'errors'>): string =>
  messageOf(wrongWith(field, errors), (i) => field.item?.(texts(field), i))

/** Says above a form what is wrong with it: each field of it by a link to where it is asked for. */
export function refusal(fields: readonly FormField[], filled: Pick<Filled, 'texts' | 'errors'>): Html | '' {
  const { errors } = filled
  const known = new Set(fields.flatMap(keysOf))
  const general = Object.entries(errors).filter(([name]) => !known.has(name))
  const wrong = fields.filter((field) => wrongWith(field, errors).length > 0)
  if (general.length + wrong.length === 0) return ''
  return html`<div class="message bad" role="alert"><p><b>Nothing was saved.</b></p><ul>${general.map(
    ([name, text]) => html`<li>${name === '__all__' ? '' : `${name}: `}${messageOf(text)}</li>`,
  )}${wrong.map((field) => {
    const name = field.told ? field.label : html`<a href="#f-${field.name}">${field.label}</a>`
    return html`<li>${name}: ${fieldMessage(field, filled)}</li>`
  })}</ul></div>`
}
