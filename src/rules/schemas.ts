import { isObject } from '../lib/json.ts'
import { createHash } from 'node:crypto'
import { deferred } from '../lib/deferred.ts'
import { checkingSchemas } from '../lib/parse-thread.ts'
import { refusalWithin, SchemaOfSchemas } from '../lib/json-schema.ts'
import { Lru } from '../lib/lru.ts'
import { TooSlow } from '../lib/time-limit.ts'

/** Milliseconds for one check in the main thread, and for all of them until other requests are served. */
const Quick = 5
const QuickTogether = 20
/** Milliseconds for one check where nobody waits. */
const Slow = 250
/** The same for what comes with the server, which has to start on slow machines too. */
const SlowOfOwn = 60_000

let longest = Slow
/** Does work whose schemas are our own, however long checking them takes here. */
export function withOwnSchemas<T>(work: () => T): T {
  longest = SlowOfOwn
  try {
    return work()
  } finally {
    longest = Slow
  }
}

let spent = 0
let isCounting = false

/**
 * Why a value does not satisfy a JSON schema, given as JSON; undefined when it does. What takes long is checked in a
 * thread.
 */
export function schemaRefusal(schema: string, value: unknown): string | undefined {
  const quick = quickly(() => refusalWithin(schema, value, Quick))
  if (quick) return quick.refusal
  const input = { schema: interned(schema), value: JSON.stringify(value) }
  try {
    return deferred(checkingSchemas, {
      key: createHash('sha256').update(`${schema.length} `).update(schema).update(input.value).digest('base64'),
      input,
      inPlace: () => refusalWithin(schema, value, longest),
      placeholder: undefined,
    })
  } catch {
    return 'The schema takes too long to check.'
  }
}

/** The same text, once in memory for all the objects of a list that are held against it. */
function interned(text: string): string {
  const known = texts.get(text)
  if (known === undefined) texts.set(text, text)
  return known ?? text
}
const texts = new Lru<string, string>(20)

/** What was found in time; undefined when it was not. */
function quickly(check: () => string | undefined): { refusal: string | undefined } | undefined {
  if (!isCounting) {
    isCounting = true
    setImmediate(() => {
      spent = 0
      isCounting = false
    })
  }
  if (spent > QuickTogether) return undefined
  const from = performance.now()
  try {
    return { refusal: check() }
  } catch (error) {
    if (error instanceof TooSlow) return undefined
    throw error
  } finally {
    spent += performance.now() - from
  }
}

/** Why a value is not a JSON schema in the form of an object; undefined when it is. */
export function schemaFault(schema: unknown): string | undefined {
  if (!isObject(schema)) return 'A JSON schema must be an object.'
  const refusal = schemaRefusal(SchemaOfSchemas, schema)
  return refusal === undefined ? undefined : `This is not a valid JSON schema: ${refusal}`
}
