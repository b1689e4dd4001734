import { getMimeType } from 'hono/utils/mime'
import { stringify } from 'yaml'
import { asset } from '../assets.ts'
import type { Field, Member, Shape } from '../fields/field.ts'
import { allModels, fieldsOf, modelNamed } from '../registry/catalog.ts'
import { filtersOf } from '../registry/filters.ts'
import type { AnyModel } from '../registry/model.ts'
import { memberNames } from '../registry/select.ts'
import { Version } from '../version.ts'
import { type Answer, type Call, noSuchPage } from './request.ts'
import { lone } from './schema-lone.ts'
import { PagePolicy } from './send.ts'
import { answer, body, failures, type Json, nameOf, query, ref } from './schema-parts.ts'

const head: Record<string, Json> = {
  id: { type: 'integer', readOnly: true },
  url: { type: 'string', format: 'uri', readOnly: true },
  display_url: { type: 'string', format: 'uri', readOnly: true },
  display: { type: 'string', readOnly: true },
}

/** A field's schema in OpenAPI 3.0: type lists become `nullable`, nested objects become references. */
function portable(schema: unknown, reading: boolean): Json {
  const s = { ...(schema as Json) }
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
  if (s.items) s.items = portable(s.items, reading)
  if (s.properties)
    s.properties = Object.fromEntries(Object.entries(s.properties as Json).map(([k, v]) => [k, portable(v, reading)]))
  return s
}

/** Inline schema of a nested object whose members differ from the usual ones. */
function shaped(m: AnyModel, shape: Shape): Json {
  const members = membersOf(m)
  const names = shape.map((item) => (typeof item === 'string' ? item : Object.keys(item)[0]!))
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [name, head[name] ?? portable(members[name]?.read ?? {}, true)]),
    ),
  }
}

function membersOf(m: AnyModel): Record<string, Member> {
  const members: Record<string, Member> = {}
  for (const [name, field] of fieldsOf(m) as [string, Field][])
    if (!field.options.hidden) Object.assign(members, field.schema(name))
  return members
}

function components(m: AnyModel): Record<string, Json> {
  const name = nameOf(m)
  const members = membersOf(m)
  const shown = (names: readonly string[]) =>
    Object.fromEntries(names.map((key) => [key, head[key] ?? portable(members[key]?.read ?? {}, true)]))
  const writable = Object.entries(members).filter(([, member]) => member.write)
  const request = {
    ...Object.fromEntries(
      writable.filter(([key]) => !isReadOnly(m, key)).map(([key, member]) => [key, portable(member.write, false)]),
    ),
    ...(m.features?.includes('tags')
      ? {
          add_tags: { type: 'array', items: portable({ '~reference': 'extras.tag' }, false) },
          remove_tags: { type: 'array', items: portable({ '~reference': 'extras.tag' }, false) },
        }
      : {}),
    changelog_message: { type: 'string', maxLength: 200 },
  }
  const required = (fieldsOf(m) as [string, Field][])
    .filter(([, f]) => f.required && !f.readOnly && !f.options.hidden)
    .flatMap(([own, f]) => f.keys?.(own) ?? [own])
  return {
    [name]: { type: 'object', properties: shown(memberNames(m)) },
    [`Brief${name}`]: {
      type: 'object',
      properties: shown(
        m.nested ? m.nested.map((item) => (typeof item === 'string' ? item : Object.keys(item)[0]!)) : m.brief,
      ),
    },
    [`${name}Request`]: { type: 'object', properties: request, ...(required.length ? { required } : {}) },
    [`Patched${name}Request`]: { type: 'object', properties: request },
    [`Paginated${name}List`]: {
      type: 'object',
      required: ['count', 'results'],
      properties: {
        count: { type: 'integer', nullable: true },
        next: { type: 'string', format: 'uri', nullable: true },
        previous: { type: 'string', format: 'uri', nullable: true },
        results: { type: 'array', items: ref(name) },
      },
    },
  }
}

const isReadOnly = (m: AnyModel, key: string): boolean =>
  (fieldsOf(m) as [string, Field][]).some(
    ([own, f]) => f.readOnly && (own === key || Boolean(f.keys?.(own).includes(key))),
  )

const either = (name: string): Json => ({ oneOf: [ref(name), { type: 'array', items: ref(name) }] })

function parameters(m: AnyModel): Json[] {
  const all = [
    query('limit', { type: 'integer' }),
    query('offset', { type: 'integer' }),
    query('start', { type: 'integer' }),
    query('ordering', { type: 'string' }),
    query('fields', { type: 'string' }),
    query('omit', { type: 'string' }),
    query('brief', { type: 'boolean' }),
  ]
  for (const [name, filter] of filtersOf(m)) {
    if (!all.some((known) => known.name === name)) all.push(query(name, filter.schema as Json, filter.multiple))
    for (const lookup of filter.lookups)
      all.push(
        query(
          `${name}__${lookup}`,
          lookup === 'empty' ? { type: 'boolean' } : (filter.schema as Json),
          filter.multiple && lookup !== 'empty',
        ),
      )
  }
  return all
}

function paths(m: AnyModel): Record<string, Json> {
  const name = nameOf(m)
  const id = `${m.path.replaceAll(/[/-]/g, '_')}`
  const methods = new Set(m.methods ?? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
  const operation = (operationId: string, more: Json): Json => ({
    operationId,
    tags: [m.path.split('/')[0]],
    ...more,
    responses: { ...(more.responses as Json), ...failures },
  })
  const list: Json = {
    get: operation(`${id}_list`, {
      parameters: parameters(m),
      responses: { 200: answer(ref(`Paginated${name}List`)) },
    }),
  }
  const detail: Json = {
    parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }],
    get: operation(`${id}_retrieve`, { responses: { 200: answer(ref(name)) } }),
  }
  if (methods.has('POST'))
    list.post = operation(`${id}_create`, {
      requestBody: body(either(`${name}Request`)),
      responses: { 201: answer(either(name)) },
    })
  const items = {
    type: 'array',
    items: {
      allOf: [
        { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
        ref(`Patched${name}Request`),
      ],
    },
  }
  for (const [method, verb, request] of [
    ['PUT', 'update', `${name}Request`],
    ['PATCH', 'partial_update', `Patched${name}Request`],
  ] as const) {
    if (!methods.has(method)) continue
    list[method.toLowerCase()] = operation(`${id}_bulk_${verb}`, {
      requestBody: body(items),
      responses: { 200: answer({ type: 'array', items: ref(name) }) },
    })
    detail[method.toLowerCase()] = operation(`${id}_${verb}`, {
      requestBody: body(ref(request)),
      responses: { 200: answer(ref(name)) },
    })
  }
  if (methods.has('DELETE')) {
    list.delete = operation(`${id}_bulk_destroy`, {
      requestBody: body({
        type: 'array',
        items: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
      }),
      responses: { 204: { description: 'Gone.' } },
    })
    detail.delete = operation(`${id}_destroy`, { responses: { 204: { description: 'Gone.' } } })
  }
  const all: Record<string, Json> = { [`/api/${m.path}/`]: list, [`/api/${m.path}/{id}/`]: detail }
  for (const [action, verbs] of Object.entries(m.behaviour.actions ?? {})) {
    all[`/api/${m.path}/{id}/${action}/`] = {
      parameters: detail.parameters,
      ...(verbs.get
        ? { get: operation(`${id}_${action.replaceAll('-', '_')}_list`, { responses: { 200: answer({}) } }) }
        : {}),
      ...(verbs.post
        ? {
            post: operation(`${id}_${action.replaceAll('-', '_')}_create`, {
              requestBody: body({}),
              responses: { 200: answer({}), 201: answer({}) },
            }),
          }
        : {}),
    }
  }
  return all
}

const merged = (paths: Json, more: Json): Json => ({
  ...paths,
  ...Object.fromEntries(
    Object.entries(more).map(([path, verbs]) => [path, { ...(paths[path] as Json), ...(verbs as Json) }]),
  ),
})

let made: { paths: Json; schemas: Json } | undefined

/** The OpenAPI document of the whole API, made at first use. */
export function document(server: string): Json {
  const served = allModels.filter((m) => !m.internal)
  made ??= {
    paths: Object.assign({}, ...served.map(paths)) as Json,
    schemas: Object.assign({}, ...served.map(components)) as Json,
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Cabinet REST API', version: Version, description: 'Infrastructure inventory.' },
    servers: [{ url: server }],
    paths: merged(made.paths, lone()),
    components: {
      schemas: made.schemas,
      securitySchemes: {
        tokenAuth: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'Bearer nbt_<key>.<token>, or Token <token>',
        },
      },
    },
    security: [{ tokenAuth: [] }],
  }
}

/** `/api/schema/`: YAML, or JSON where that is asked for. */
export function schema(call: Call): Answer {
  const accept = call.request.headers.get('accept') ?? ''
  const asJson =
    call.query.get('format') === 'json' ||
    (call.query.get('format') === null && /application\/(vnd\.oai\.openapi\+)?json/.test(accept))
  const content = document(call.base)
  return asJson
    ? { status: 200, body: JSON.stringify(content), headers: { 'content-type': 'application/vnd.oai.openapi+json' } }
    : {
        status: 200,
        body: stringify(content, { aliasDuplicateObjects: false }),
        headers: { 'content-type': 'application/vnd.oai.openapi' },
      }
}

const Page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Cabinet API</title><link rel="stylesheet" href="swagger-ui.css"></head>
<body><div id="swagger-ui"></div><script src="swagger-ui-bundle.js"></script><script src="start.js"></script></body></html>
`
const Start = "SwaggerUIBundle({ url: '../?format=json', dom_id: '#swagger-ui', deepLinking: true })\n"

/** The interactive schema browser, from embedded files. */
export const swagger = (): Answer => ({
  status: 200,
  body: Page,
  headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PagePolicy },
})

/** A file of the schema browser. */
export function swaggerFile(name: string): Answer {
  const isOurs = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'].includes(name)
  const body = name === 'start.js' ? Start : isOurs ? asset(`swagger/${name}`) : undefined
  if (!body) throw noSuchPage()
  return { status: 200, body, headers: { 'content-type': getMimeType(name)!, 'cache-control': 'max-age=86400' } }
}
