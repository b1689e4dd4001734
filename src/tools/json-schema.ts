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

const isSchema = (schema: unknown): schema is Schema | boolean => typeof schema === 'boolean' || (typeof schema === 'object' && schema !== null && !Array.isArray(schema))

/** Why a value does not satisfy a JSON schema (draft 2020-12 unless it names another); undefined when it does. */
export function schemaRefusal(schema: unknown, value: unknown): string | undefined {
  if (!isSchema(schema)) return 'The schema is not a JSON schema.'
  try {
    const { valid, errors } = within(() => new Validator(schema as Schema, draftOf(schema)).validate(value))
    if (valid) return undefined
    const { instanceLocation = '#', error = 'it does not satisfy the schema' } = errors.at(-1) ?? {}
    return `${instanceLocation.replace(/^#\/?/, '') || 'value'}: ${error}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? 'The schema takes too long to check.' : `The schema cannot be used: ${(error as Error).message}`
  }
}

const draftOf = (schema: Schema | boolean) => {
  const named = typeof schema === 'object' ? /draft-0?([47])|draft\/(2019-09)/.exec(String(schema.$schema)) : null
  return named?.[1] === '4' ? '4' : named?.[1] === '7' ? '7' : named?.[2] ? '2019-09' : '2020-12'
}
