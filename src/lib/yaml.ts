import { parse } from 'yaml'
import { isObject, parseJson, sortKeysByLength } from './json.ts'
import { within } from './time-limit.ts'

/** Longest JSON that a YAML text may become: aliases repeat what they stand for. */
const MaxJson = 33_554_432

/** Milliseconds that a text may take: some shapes take the parser a time that grows with the square of their length. */
const MaxTime = 8000

/**
 * JSON of an object in YAML or JSON, keys in stored order; undefined when it is not an object. Throws for text that is
 * neither, for one that takes too long, and for what a body in JSON may not hold.
 */
export function jsonOfYaml(text: string): string | undefined {
  return within(MaxTime, () => {
    const parsed = parseJson(isJson(text) ? text : asJson(text))
    if ('error' in parsed) throw new Error(parsed.error)
    const { value } = parsed
    if (!isObject(value)) return undefined
    return JSON.stringify(sortKeysByLength(value))
  })
}

/** Whether a text is JSON, which is read much faster than YAML. */
function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

function asJson(text: string): string {
  // Of keys given twice the last counts: to look for those would take the square of their number.
  const json = JSON.stringify(parse(text, { uniqueKeys: false })) ?? 'null'
  if (json.length > MaxJson) throw new Error(`as JSON it is longer than ${MaxJson} characters`)
  return json
}
