import { carryNumbers } from '../lib/exact-json.ts'
import * as v from 'valibot'
import { type Field, FieldError } from '../fields/field.ts'
import type { ResolveContext } from '../fields/context.ts'
import { type Errors, Refused } from '../declare/behaviour.ts'
import { fieldsOf, memo } from './catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { enteredOf, isInApi } from './extra.ts'
import { pythonType } from '../fields/refs.ts'

/**
 * A field that a body may set. All are objects of one shape, which fields are not: to read of those takes V8 many times
 * as long.
 */
interface Taken {
  name: string
  field: Field
  keys: readonly string[]
  /** The one key that it has; undefined where it has several. */
  key: string | undefined
  schema: v.GenericSchema<unknown, unknown>
  /**
   * Where nothing is said of it in a new object: keys that are missing and what is said of them, or the value that
   * stands for it.
   */
  lacking: readonly string[]
  missing: string
  preset: unknown
}

/** Fields that a body may set, and that people may enter, each with its valibot schema, made once per model. */
const takenBy = memo((m: AnyModel) => fieldsTaken(fieldsOf(m).filter(([, field]) => isInApi(field))))
const enteredBy = memo((m: AnyModel) => fieldsTaken(enteredOf(m)))

function fieldsTaken(fields: ReturnType<typeof enteredOf>): readonly Taken[] {
  return fields
    .filter(([, field]) => field.input)
    .map(([name, field]): Taken => {
      const keys = field.keys?.(name) ?? [name]
      return {
        ...{ name, field, keys, schema: field.input!() },
        key: keys.length === 1 ? keys[0] : undefined,
        lacking: field.required ? (field.requiredKeys?.(name) ?? keys) : [],
        missing: field.missing ?? 'This field is required.',
        preset: field.required ? undefined : field.options.apiDefault,
      }
    })
}

/** What to read from a body. `only` limits the fields that are read at all (`?fields=` and `?omit=` on writes). */
export interface Reading {
  mode: 'create' | 'replace' | 'update'
  only?: (key: string) => boolean
  /** People entered it: it may say more than a body of the API. */
  isEntered?: boolean | undefined
}

/**
 * Checks a body's fields by themselves: forms, lengths, choices, references. Throws `Refused` with every field's texts.
 */
export function readBody(
  m: AnyModel,
  body: unknown,
  reading: Reading,
  context: ResolveContext,
): Record<string, unknown> {
  if (body === null || body === undefined) throw new Refused(400, { non_field_errors: ['No data provided'] })
  if (typeof body !== 'object' || Array.isArray(body))
    throw new Refused(400, { non_field_errors: [`Invalid data. Expected a dictionary, but got ${pythonType(body)}.`] })
  const given = body as Record<string, unknown>
  const errors: Errors = {}
  const values: Record<string, unknown> = {}
  for (const taken of reading.isEntered ? enteredBy(m) : takenBy(m))
    readField(taken, given, reading, context, values, errors)
  if (Object.keys(errors).length) throw new Refused(400, ownFirst(errors))
  return values
}

/** What is wrong with fields comes before what is wrong with the whole. */
function ownFirst({ __all__: rule, non_field_errors: whole, ...own }: Errors): Errors {
  if (Object.keys(own).length) return own
  return whole === undefined ? { __all__: rule } : { non_field_errors: whole }
}

function readField(
  taken: Taken,
  body: Record<string, unknown>,
  reading: Reading,
  context: ResolveContext,
  values: Record<string, unknown>,
  errors: Errors,
): void {
  const { name, key: only } = taken
  const isSaid = (key: string) => body[key] !== undefined && Object.hasOwn(body, key) && (reading.only?.(key) ?? true)
  if (only === undefined ? !taken.keys.some(isSaid) : !isSaid(only)) {
    if (reading.mode === 'update') return
    const { filledBy } = taken.field.options
    if (filledBy && reading.isEntered && body[filledBy]) return
    for (const key of taken.lacking) errors[key] = [taken.missing]
    if (taken.preset !== undefined) values[name] = taken.field.generic ? { type: null, id: null } : taken.preset
    return
  }
  const { field, keys, schema } = taken
  const raw = field.generic ? { ...pick(body, keys[0]!, 'type'), ...pick(body, keys[1]!, 'id') } : body[name]
  if (raw === null && !field.generic && !field.options.nullable && !field.judgesNull) {
    errors[name] = ['This field may not be null.']
    return
  }
  const checked = v.safeParse(schema, raw)
  if (!checked.success) {
    for (const issue of checked.issues) {
      const part = field.generic ? keys[issue.path?.[0]?.key === 'id' ? 1 : 0]! : name
      errors[part] ??= [issue.message]
    }
    if (field.refusal) errors[name] = field.refusal(errors[name])
    return
  }
  try {
    values[name] = field.resolve ? field.resolve(checked.output, context, name) : checked.output
    carryNumbers(body, values, name)
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    errors[error.key ?? name] = error.detail
  }
}

const pick = (body: Record<string, unknown>, key: string, as: string): Record<string, unknown> =>
  Object.hasOwn(body, key) ? { [as]: body[key] } : {}
