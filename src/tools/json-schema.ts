import { createContext, Script } from 'node:vm'
import { type Schema, Validator } from '@cfworker/json-schema'

/** How long a schema may take: patterns can backtrack and references can multiply without end. */
const PatienceMs = 250

const sandbox = createContext({ work: () => {} })
const script = new Script('work()')

/** Runs `work`, which calls only JavaScript, and gives up after a while. */
function within<T>(work: () => T): T {
  let result: T
  sandbox.work = () => {
    result = work()
  }
  script.runInContext(sandbox, { timeout: PatienceMs })
  return result!
}

const isSchema = (schema: unknown): schema is Schema | boolean =>
  typeof schema === 'boolean' || (typeof schema === 'object' && schema !== null && !Array.isArray(schema))

/** Why a value does not satisfy a JSON schema (draft 2020-12 unless it names another); undefined when it does. */
export function schemaRefusal(schema: unknown, value: unknown): string | undefined {
  if (!isSchema(schema)) return 'The schema is not a JSON schema.'
  try {
    const { valid, errors } = within(() => new Validator(schema as Schema, draftOf(schema)).validate(value))
    if (valid) return undefined
    const { instanceLocation = '#', error = 'it does not satisfy the schema' } = errors.at(-1) ?? {}
    return `${instanceLocation.replace(/^#\/?/, '') || 'value'}: ${error}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      ? 'The schema takes too long to check.'
      : `The schema cannot be used: ${(error as Error).message}`
  }
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

/** What a JSON schema may say of itself, by keyword; those it does not know are let through. Forms of older drafts are taken too. */
const MetaSchema = {
  type: ['object', 'boolean'],
  properties: {
    ...every('$schema $id $ref $anchor $comment title description format', { type: 'string' }),
    ...every(
      'additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties additionalItems',
      Self,
    ),
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

/** Why a value is not a JSON schema in the form of an object; undefined when it is. */
export function schemaFault(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 'A JSON schema must be an object.'
  const refusal = schemaRefusal(MetaSchema, schema)
  return refusal === undefined ? undefined : `This is not a valid JSON schema: ${refusal}`
}
