import type { Field, Member, Shape } from '../fields/field.ts'
import { allModels, fieldsOf, memo, modelNamed } from '../engine/catalog.ts'
import { memberNames, nestedMembers } from '../engine/select.ts'
import type { AnyModel } from '../declare/model.ts'
import { fileFields } from '../store/uploads.ts'

export type Json = Record<string, unknown>

/** Name of a model's component. */
export const nameOf = (m: AnyModel): string =>
  m.objectName.replace(/\W/g, '') + (clashes.has(m.objectName) ? m.app.charAt(0).toUpperCase() + m.app.slice(1) : '')
const clashes = new Set(allModels.map((m) => m.objectName).filter((name, i, all) => all.indexOf(name) !== i))
export const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** Pieces of operations that several paths share. */
export const answer = (schema: Json, texts: readonly string[] = []): Json => ({
  description: 'The answer.',
  content: {
    'application/json': { schema },
    ...Object.fromEntries(texts.map((type) => [type, { schema: { type: 'string' } }])),
  },
})
export const body = (schema: Json): Json => ({ required: true, content: { 'application/json': { schema } } })
/** A body with a file in it, which only a form carries. */
export const form = (schema: Json): Json => ({ required: true, content: { 'multipart/form-data': { schema } } })
/**
 * The body of one object: a form too where it may have files. Of others forms are taken without a word here, since
 * generators of clients make types of each schema that a form has.
 */
export const bodyOfOne = (m: AnyModel, name: string, schema: Json = ref(name)): Json => {
  const forms = fileFields(m).length ? form(ref(name)).content : {}
  return { required: true, content: { 'application/json': { schema }, ...(forms as Json) } }
}
/** What every operation may answer besides; one entry of the document for all of them. */
export const refused: Json = {
  description: 'Refused; the body says why.',
  content: { 'application/json': { schema: {} } },
}
export const failures: Json = Object.fromEntries(
  [400, 403, 404, 405, 406, 408, 409, 412, 413, 415, 429, 503, 507].map((status) => [
    String(status),
    { $ref: '#/components/responses/Refused' },
  ]),
)
export const query = (name: string, schema: Json, many = false): Json => ({
  in: 'query',
  name,
  schema: many ? { type: 'array', items: schema } : schema,
  ...(many ? { explode: true, style: 'form' } : {}),
})

const head: Record<string, Json> = {
  id: { type: 'integer', readOnly: true },
  url: { type: 'string', format: 'uri', readOnly: true },
  display_url: { type: 'string', format: 'uri', readOnly: true },
  display: { type: 'string', readOnly: true },
}

/**
 * A schema in OpenAPI 3.0: type lists become `nullable`; nested objects (`~nested`) and whole ones (`~object`) become
 * references, but for those without their counts (`~uncounted`).
 */
export function portable(schema: unknown): Json {
  const s = { ...(schema as Json) }
  if ('~object' in s) {
    const m = modelNamed(s['~object'] as string)
    return s['~uncounted'] ? shown(m, uncounted(m)) : ref(nameOf(m))
  }
  if ('~nested' in s) {
    const target = s['~shape']
      ? shaped(modelNamed(s['~nested'] as string), s['~shape'] as Shape)
      : ref(`Brief${nameOf(modelNamed(s['~nested'] as string))}`)
    return s.nullable ? { allOf: [target], nullable: true } : target
  }
  if ('~reference' in s)
    return {
      oneOf: [{ type: 'integer' }, { type: 'object', additionalProperties: true }],
      ...(s.nullable ? { nullable: true } : {}),
    }
  if (Array.isArray(s.type)) {
    s.nullable = true
    s.type = (s.type as string[]).find((t) => t !== 'null')
  }
  if (s.items) s.items = portable(s.items)
  if (s.oneOf) s.oneOf = (s.oneOf as unknown[]).map(portable)
  if (s.properties)
    s.properties = Object.fromEntries(Object.entries(s.properties as Json).map(([k, v]) => [k, portable(v)]))
  return s
}

/** What writing a model's objects takes: the members that may be sent, and those that must be. */
export const written = memo((m: AnyModel): { members: [name: string, schema: Json][]; required: string[] } => {
  const fields = fieldsOf(m) as [string, Field][]
  const keysOf = ([own, field]: [string, Field]) => [own, ...(field.keys?.(own) ?? [])]
  const readOnly = new Set(fields.filter(([, f]) => f.readOnly).flatMap(keysOf))
  return {
    members: Object.entries(membersOf(m)).flatMap(([name, { write }]) =>
      write && !readOnly.has(name) ? [[name, portable(write)]] : [],
    ),
    required: fields
      .filter(([, f]) => f.required && !f.readOnly && !f.options.hidden)
      .flatMap(([own, f]) => f.keys?.(own) ?? [own]),
  }
})

/** The schema of a member that is only read; a reference is wrapped, as nothing may stand beside it. */
const readOnly = (schema: Json): Json => ({ ...('$ref' in schema ? { allOf: [schema] } : schema), readOnly: true })

/**
 * Schema of an object with these members as they are read. Those that nobody writes, and those that must be written,
 * are always there; clients made of the document take the others for optional.
 */
function objectOf(m: AnyModel, members: readonly (readonly [name: string, schema: Json])[]): Json {
  const { required, members: open } = written(m)
  const taken = new Set(open.map(([name]) => name))
  const always = members.map(([name]) => name).filter((name) => !taken.has(name) || required.includes(name))
  return {
    type: 'object',
    ...(always.length ? { required: always } : {}),
    properties: Object.fromEntries(
      members.map(([name, schema]) => [name, head[name] ?? (taken.has(name) ? schema : readOnly(schema))]),
    ),
  }
}

const uncounted = (m: AnyModel): string[] =>
  memberNames(m).filter((name) => !(m.fields[name] as Field | undefined)?.counts)

/** Schema of an object with these members of a model, each as it is read. */
export const shown = (m: AnyModel, names: readonly string[]): Json =>
  objectOf(
    m,
    names.map((name) => [name, portable(membersOf(m)[name]?.read ?? {})]),
  )

/** Schema of a nested object, of the usual members or of those that a shape names. */
export const shaped = (m: AnyModel, shape?: Shape): Json =>
  objectOf(
    m,
    nestedMembers(m, shape).map(([name, inner]) => {
      const own = inner && (m.fields[name] as Field).schema(name, inner)
      return [name, portable((own ?? membersOf(m))[name]?.read ?? {})]
    }),
  )

const explained = ({ read, write }: Member, description: string): Member => ({
  ...(read ? { read: { ...read, description } } : {}),
  ...(write ? { write: { ...write, description } } : {}),
})

const membersOf = memo((m: AnyModel): Record<string, Member> => {
  const members: Record<string, Member> = {}
  for (const [name, field] of fieldsOf(m)) {
    if (field.options.hidden) continue
    const own = field.schema(name)
    const { help } = field.options
    if (help && own[name]) own[name] = explained(own[name], help)
    Object.assign(members, own)
  }
  return members
})

/** A page of a list; the count is null where pages go on from a cursor. */
export const pageOf = (items: Json, counted = false): Json => ({
  type: 'object',
  required: ['count', 'results'],
  properties: {
    count: { type: 'integer', ...(counted ? { nullable: true } : {}) },
    next: { type: 'string', format: 'uri', nullable: true },
    previous: { type: 'string', format: 'uri', nullable: true },
    results: { type: 'array', items },
  },
})
