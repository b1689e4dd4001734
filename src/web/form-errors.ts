import { isObject } from '../lib/json.ts'
import { html } from 'hono/html'

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

/** What is wrong beside the fields of a form, above it. */
export const generalErrors = (errors: readonly (readonly [string, unknown])[]) =>
  errors.length
    ? html`<div class="message bad" role="alert"><ul>${errors.map(
        ([name, text]) => html`<li>${name === '__all__' ? '' : `${name}: `}${messageOf(text)}</li>`,
      )}</ul></div>`
    : ''
