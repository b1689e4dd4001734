import { isObject } from './json.ts'
import { type Schema, Validator } from '@cfworker/json-schema'
import { Lru } from './lru.ts'
import { TooSlow, within } from './time-limit.ts'

const isSchema = (schema: unknown): schema is Schema | boolean => typeof schema === 'boolean' || isObject(schema)

/** Schemas used lately, by their text: making one ready takes longer than most checks. */
const ready = new Lru<string, Validator>(20)

/**
 * Why a value does not satisfy a JSON schema, given as JSON (draft 2020-12 unless it names another); undefined when it
 * does. Patterns can backtrack and references can multiply without end: throws `TooSlow` after so many milliseconds.
 */
export function refusalWithin(schemaText: string, value: unknown, milliseconds: number): string | undefined {
  try {
    const { valid, errors } = within(milliseconds, () => validatorOf(schemaText).validate(value))
    if (valid) return undefined
    const { instanceLocation = '#', error = 'it does not satisfy the schema' } = errors.at(-1) ?? {}
    return `${instanceLocation.replace(/^#\/?/, '') || 'value'}: ${error}`
  } catch (error) {
    if (error instanceof TooSlow) throw error
    return `The schema cannot be used: ${(error as Error).message}`
  }
}

function validatorOf(text: string): Validator {
  const known = ready.get(text)
  if (known) return known
  const schema: unknown = JSON.parse(text)
  if (!isSchema(schema)) throw new Error('it is not a JSON schema')
  const made = new Validator(schema as Schema, draftOf(schema))
  ready.set(text, made)
  return made
}

const draftOf = (schema: Schema | boolean) => {
  const named = typeof schema === 'object' ? /draft-0?([47])|draft\/(2019-09)/.exec(String(schema.$schema)) : null
  return named?.[1] === '4' ? '4' : named?.[1] === '7' ? '7' : named?.[2] ? '2019-09' : '2020-12'
}

const Self = { $ref: '#' }
const selves = { type: 'array', minItems: 1, items: Self }
const byName = { type: 'object', additionalProperties: Self }
const size = { type: 'integer', minimum: 0 }
const types = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] }
const every = (names: string, form: object) => Object.fromEntries(names.split(' ').map((name) => [name, form]))

/**
 * What a JSON schema may say of itself, by keyword; those it does not know are let through. Forms of older drafts are
 * taken too.
 */
const MetaSchema = {
  type: ['object', 'boolean'],
  properties: {
    ...every('$schema $id $ref $anchor $comment title description format', { type: 'string' }),
    ...every('additionalProperties not if then else contains propertyNames', Self),
    ...every('unevaluatedItems unevaluatedProperties additionalItems', Self),
    ...every('properties $defs definitions dependentSchemas', byName),
    ...every('allOf anyOf oneOf prefixItems', selves),
    ...every('minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains', size),
    ...every('minimum maximum', { type: 'number' }),
    ...every('exclusiveMinimum exclusiveMaximum', { type: ['number', 'boolean'] }),
    type: { anyOf: [types, { type: 'array', minItems: 1, uniqueItems: true, items: types }] },
    patternProperties: { ...byName, propertyNames: { format: 'regex' } },
    items: { anyOf: [Self, selves] },
    required: { type: 'array', items: { type: 'string' }, uniqueItems: true },
    enum: { type: 'array' },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    pattern: { type: 'string', format: 'regex' },
    uniqueItems: { type: 'boolean' },
  },
}

/** The schema of JSON schemas, as JSON. */
export const SchemaOfSchemas = JSON.stringify(MetaSchema)
