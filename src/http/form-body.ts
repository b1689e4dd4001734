import { Refused } from '../declare/behaviour.ts'
import type { AnyModel } from '../declare/model.ts'
import { fieldsOf, memo } from '../engine/catalog.ts'
import { isInApi } from '../engine/extra.ts'
import { tags } from '../fields/common.ts'
import { type Field, FieldError } from '../fields/field.ts'
import type { TextContext } from '../fields/context.ts'
import { byIds } from '../fields/texts.ts'
import { parseJson } from '../lib/json.ts'
import { Upload } from '../lib/upload.ts'

type Part = string | Upload

/** What a form says of one key: by `key`, by items that it numbers (`key[0]`, `key[0]name`), by `key.name`. */
interface Said {
  readonly plain: Part[]
  readonly items: Map<number, Part | Map<string, Part>>
  readonly members: Map<string, Part>
}

/** Objects by their ids, or by a JSON object of their attributes, as a text can say no other. */
const inForms: TextContext = {
  ...byIds,
  refer: (model, named) => {
    const parsed = typeof named === 'string' && named.startsWith('{') ? parseJson(named) : { error: 'no object' }
    return 'value' in parsed ? parsed.value : byIds.refer(model, named)
  },
}

const Tags: Field = tags()

/** Keys of a body that a form may say, with the field that tells what is said. */
const keysOf = memo((m: AnyModel): ReadonlyMap<string, Field> => {
  const fields = fieldsOf(m).filter(([, field]) => field.input && isInApi(field))
  const own = fields.flatMap(([name, field]) => (field.keys?.(name) ?? [name]).map((key) => [key, field] as const))
  const more = m.features?.includes('tags') ? ['add_tags', 'remove_tags'] : []
  return new Map([...own, ...more.map((key) => [key, Tags] as const)])
})

/**
 * The body that a form says of an object of a model: its fields tell whether the values of a name are a list, and what
 * an empty text says. Of other names the last value counts. Throws `Refused`.
 */
export function saidOf(m: AnyModel, form: ReadonlyMap<string, readonly Part[]>): Record<string, unknown> {
  const keys = keysOf(m)
  const body = new Map<string, unknown>()
  const errors: Record<string, unknown> = {}
  for (const [key, said] of gathered(form)) {
    const field = keys.get(key)
    try {
      const value = field ? told(field, key, said) : said.plain.at(-1)
      if (value !== undefined) body.set(key, value)
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      errors[key] = error.detail
    }
  }
  if (Object.keys(errors).length) throw new Refused(400, errors)
  return Object.fromEntries(body)
}

/** What a form says by key, in the order of the form. */
function gathered(form: ReadonlyMap<string, readonly Part[]>): Map<string, Said> {
  const all = new Map<string, Said>()
  for (const [name, parts] of form) {
    const [, key = name, number, member] = Parted.exec(name) ?? []
    const said: Said = all.get(key) ?? { plain: [], items: new Map(), members: new Map() }
    all.set(key, said)
    const last = parts.at(-1)!
    if (key === name) said.plain.push(...parts)
    else if (number === undefined) said.members.set(member!, last)
    else if (!member) said.items.set(Number(number), last)
    else {
      const item = said.items.get(Number(number))
      said.items.set(Number(number), (item instanceof Map ? item : new Map<string, Part>()).set(member, last))
    }
  }
  return all
}
const Parted = /^([^[\].]+)(?:\[(\d{1,6})\]\.?|\.)(.*)$/s

/** What a JSON body would say of a key; undefined where nothing is said of it. */
function told(field: Field, key: string, said: Said): unknown {
  if (field.isList) return listOf(field, key, said)
  const last = said.plain.at(-1)
  if (last === undefined) return (field.keyed || field.target) && said.members.size ? objectOf(said.members) : undefined
  if (field.upload) return last
  const text = textOf(last)
  if (field.keyed) return text.trim() === '' ? null : jsonOf(text)
  if (text === '') return emptied(field)
  return field.fromText ? field.fromText(text, inForms, key) : text
}

/** The items in their order; none where there is one empty text alone, as browsers send it. */
function listOf(field: Field, key: string, { plain, items }: Said): unknown {
  if (!plain.length && !items.size) return undefined
  const numbered = [...items].sort(([a], [b]) => a - b).map(([, item]) => item)
  const all = [...plain, ...numbered].filter((item) => item !== '')
  const isPlain = all.every((item) => !(item instanceof Map))
  const said = all.map((item) => (item instanceof Map ? objectOf(item) : textOf(item)))
  if (!field.fromText) return said
  return field.fromText(isPlain ? (said as string[]) : JSON.stringify(said), inForms, key)
}

/** What an empty text says: null where there is no empty text; what may be left out is left out. */
function emptied({ options, required, generic }: Field): null | '' | undefined {
  if (generic || (options.nullable && !options.blank)) return null
  return required || options.blank ? '' : undefined
}

function textOf(part: Part): string {
  if (part instanceof Upload) throw new FieldError('This field takes no file.')
  return part
}

function jsonOf(text: string): unknown {
  const parsed = parseJson(text)
  if ('error' in parsed) throw new FieldError(`Value must be valid JSON: ${parsed.error}`)
  return parsed.value
}

function objectOf(members: ReadonlyMap<string, Part>): Record<string, string> {
  const texts = [...members].filter(([name]) => name !== '__proto__')
  return Object.fromEntries(texts.map(([name, part]) => [name, textOf(part)]))
}
