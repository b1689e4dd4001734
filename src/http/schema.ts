import { getMimeType } from 'hono/utils/mime'
import { stringify } from 'yaml'
import { asset } from '../lib/assets.ts'
import type { Action } from '../declare/behaviour.ts'
import { allModels, modelNamed } from '../engine/catalog.ts'
import { filtersOf } from '../engine/filters.ts'
import type { AnyModel } from '../declare/model.ts'
import { memberNames } from '../engine/select.ts'
import { atOnce, inTurns } from '../lib/turns.ts'
import { Version } from '../lib/version.ts'
import { type Answer, type Call, noSuchPage } from './request.ts'
import { At, historyPaths } from './schema-history.ts'
import { singlePaths, operationOf } from './schema-singles.ts'
import { PagePolicy } from './send.ts'
import {
  answer,
  body,
  bodyOfOne,
  failures,
  refused,
  type Json,
  nameOf,
  pageOf,
  portable,
  query,
  ref,
  shaped,
  shown,
  written,
} from './schema-parts.ts'

/** The schemas of a model's objects in the document: read, written, shown inside others; by name. */
export function components(m: AnyModel): Record<string, Json> {
  const name = nameOf(m)
  const { members, required } = written(m)
  const request = {
    ...Object.fromEntries(members),
    ...(m.features?.includes('tags')
      ? {
          add_tags: { type: 'array', items: portable({ '~reference': 'extras.tag' }) },
          remove_tags: { type: 'array', items: portable({ '~reference': 'extras.tag' }) },
        }
      : {}),
    changelog_message: { type: 'string', maxLength: 200 },
  }
  return {
    [name]: shown(m, memberNames(m)),
    [`Brief${name}`]: shaped(m),
    [`${name}Request`]: { type: 'object', properties: request, ...(required.length ? { required } : {}) },
    [`Patched${name}Request`]: { type: 'object', properties: request },
    [`Paginated${name}List`]: pageOf(ref(name), true),
  }
}

const either = (name: string): Json => ({ oneOf: [ref(name), { type: 'array', items: ref(name) }] })

/** Which members of objects an answer has: what the schema requires is of whole objects. */
const Selection: Json[] = [
  { ...query('fields', { type: 'string' }), description: 'The members to answer with, and no others: id,name' },
  { ...query('omit', { type: 'string' }), description: 'Members to answer without: tags,custom_fields' },
  { ...query('brief', { type: 'boolean' }), description: 'Few members, as inside other objects; any value asks so.' },
]

/** What of an object's answer may be left out by itself, as it takes long to work out. */
const exclusion = (m: AnyModel): Json[] =>
  m.fields.config_context ? [query('exclude', { type: 'string', enum: ['config_context'] })] : []

function parameters(m: AnyModel): Json[] {
  const all = [
    query('limit', { type: 'integer' }),
    query('offset', { type: 'integer' }),
    query('start', { type: 'integer' }),
    query('ordering', { type: 'string' }),
    ...Selection,
    ...exclusion(m),
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

/** Operations on a model's endpoints, by path. */
export function pathsOf(m: AnyModel, path = m.path): Record<string, Json> {
  const name = nameOf(m)
  const id = `${path.replaceAll(/[/-]/g, '_')}`
  const methods = new Set(m.methods ?? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
  const operation = (operationId: string, more: Json): Json => ({
    operationId,
    tags: [path.split('/')[0]],
    ...more,
    responses: { ...(more.responses as Json), ...failures },
  })
  const list: Json = {
    get: operation(`${id}_list`, {
      parameters: [...parameters(m), At],
      responses: { 200: answer(ref(`Paginated${name}List`)) },
    }),
  }
  const detail: Json = {
    parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }],
    get: operation(`${id}_retrieve`, {
      parameters: [...Selection, ...exclusion(m), At],
      responses: { 200: answer(ref(name)) },
    }),
  }
  if (methods.has('POST'))
    list.post = operation(`${id}_create`, {
      requestBody: bodyOfOne(m, `${name}Request`, either(`${name}Request`)),
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
      requestBody: bodyOfOne(m, request),
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
  const all: Record<string, Json> = { [`/api/${path}/`]: list, [`/api/${path}/{id}/`]: detail }
  for (const [action, { get, post }] of Object.entries(m.behaviour.actions ?? {})) {
    const actionId = `${id}_${action.replaceAll('-', '_')}`
    all[`/api/${path}/{id}/${action}/`] = {
      parameters: detail.parameters,
      // What is offered to be taken is a list of that; all else belongs to the one object.
      ...(get ? { get: operation(`${actionId}_${post ? 'list' : 'retrieve'}`, asked(get)) } : {}),
      ...(post ? { post: operation(`${actionId}_create`, taken(post)) } : {}),
    }
  }
  return all
}

/** What reading an extra endpoint takes and answers. */
const asked = ({ schema, query: parameters = {}, drawings }: NonNullable<Action['get']>): Json => ({
  parameters: [...Object.entries(parameters).map(([name, each]) => query(name, portable(each))), At],
  responses: { 200: answer(portable(schema ?? {}), drawings ? ['image/svg+xml'] : []) },
})

/** What sending to an extra endpoint takes and answers. */
const taken = ({ schema, body: sent, status = 200, types }: NonNullable<Action['post']>): Json => ({
  ...(types ? { parameters: [query('format', { type: 'string', enum: ['json', 'txt'] })] } : {}),
  ...(sent ? { requestBody: { ...body(portable(sent)), required: false } } : {}),
  responses: { [status]: answer(portable(schema ?? {}), types) },
})

/** Parameters of lists that a stream has no use for. */
const Paging = new Set(['limit', 'offset', 'start', 'ordering', 'fields', 'omit', 'brief'])

let made: { paths: Json; schemas: Json } | undefined

/** Paths, and the components that they refer to, directly or through others: made once. */
function* making(): Generator<void, { paths: Json; schemas: Json }> {
  if (made) return made
  const served = allModels.filter((m) => !m.internal && !m.own)
  const [all, schemas]: [Json, Json] = [{}, {}]
  for (const m of served) {
    Object.assign(all, pathsOf(m), m.alias ? pathsOf(m, m.alias) : {})
    Object.assign(schemas, components(m))
    yield
  }
  const filters = parameters(modelNamed('core.objectchange')).filter(({ name }) => !Paging.has(String(name)))
  Object.assign(all, historyPaths(operationOf, filters))
  for (const [path, verbs] of Object.entries(singlePaths())) all[path] = { ...(all[path] as Json), ...(verbs as Json) }
  const kept = new Set<string>()
  for (const waiting = Object.values(all); waiting.length; yield) {
    for (const [, name] of JSON.stringify(waiting.pop()).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (kept.has(name!)) continue
      kept.add(name!)
      waiting.push(schemas[name!])
    }
  }
  made = { paths: all, schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => kept.has(name))) }
  return made
}

const head = (server: string): Json => ({
  openapi: '3.0.3',
  info: { title: 'Cabinet REST API', version: Version, description: 'Infrastructure inventory.' },
  servers: [{ url: server }],
})

/** An address of this server as host and base path, which the document's paths have: clients look them up so. */
function parted(base: string): [server: string, prefix: string] {
  const [, server, prefix] = /^((?:https?:\/\/[^/]+)?)(.*?)\/?$/.exec(base)!
  return [server || '/', prefix!]
}
const securitySchemes = {
  tokenAuth: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'Bearer nbt_<key>.<token>, or Token <token>',
  },
}
const security = [{ tokenAuth: [] }]
/** What the document has besides schemas for all operations. */
const shared = { responses: { Refused: refused }, securitySchemes }

/** The OpenAPI document of the whole API. */
export function document(base: string): Json {
  const { paths: all, schemas } = atOnce(making())
  const [server, prefix] = parted(base)
  const paths = Object.fromEntries(Object.entries(all).map(([path, item]) => [prefix + path, item]))
  return { ...head(server), paths, components: { schemas, ...shared }, security }
}

const yaml = (value: Json): string => stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 })
const indented = (text: string, by: string): string => text.replace(/^(?=.)/gm, by)

/** All of the document after its head, as text. */
function* textOf(asJson: boolean, prefix: string): Generator<void, Buffer> {
  const { paths, schemas } = yield* making()
  function* entries(of: Json, indent: string, before = ''): Generator<void, string> {
    const texts: string[] = []
    for (const [own, value] of Object.entries(of)) {
      const name = before + own
      texts.push(
        asJson ? `${JSON.stringify(name)}:${JSON.stringify(value)}` : indented(yaml({ [name]: value }), indent),
      )
      yield
    }
    return texts.join(asJson ? ',' : '')
  }
  const [ofPaths, ofSchemas] = [yield* entries(paths, '  ', prefix), yield* entries(schemas, '    ')]
  return Buffer.from(
    asJson
      ? `"paths":{${ofPaths}},"components":{"schemas":{${ofSchemas}},` +
          `${JSON.stringify(shared).slice(1)},"security":${JSON.stringify(security)}}`
      : `paths:\n${ofPaths}components:\n  schemas:\n${ofSchemas}` +
          `${indented(yaml(shared), '  ')}${yaml({ security })}`,
  )
}

const texts = new Map<string, Promise<Buffer>>()

/** The text of the document, made at the first request in turn with others, and kept. */
async function documentText(base: string, asJson: boolean): Promise<Buffer> {
  const [server, prefix] = parted(base)
  const key = `${asJson} ${prefix}`
  const rest = texts.get(key) ?? inTurns(textOf(asJson, prefix))
  texts.set(key, rest)
  rest.catch(() => texts.delete(key))
  const first = asJson ? `${JSON.stringify(head(server)).slice(0, -1)},` : yaml(head(server))
  return Buffer.concat([Buffer.from(first), await rest])
}

/** What the document comes as, with the `format` that asks for it; the first that fits. */
const Types = [
  ['application/vnd.oai.openapi', 'yaml'],
  ['application/yaml', 'yaml'],
  ['application/vnd.oai.openapi+json', 'json'],
  ['application/json', 'json'],
] as const

/** `/api/schema/`: YAML, or JSON where that is asked for. */
export async function schema(call: Call): Promise<Answer> {
  const format = call.query.get('format')
  const offered = Types.filter(([, each]) => !format || each === format)
  if (offered.length === 0) throw noSuchPage()
  const accept = (call.request.headers.get('accept') ?? '').toLowerCase()
  const accepted = accept.split(',').map((part) => part.split(';')[0]!.trim())
  const [type, as] = offered.find(([each]) => accepted.includes(each)) ?? offered[0]!
  return { status: 200, body: await documentText(call.base, as === 'json'), headers: { 'content-type': type } }
}

const Page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Cabinet API</title><link rel="stylesheet" href="swagger-ui.css"></head>
<body>
<div id="swagger-ui"></div><script src="swagger-ui-bundle.js"></script><script src="start.js"></script>
</body>
</html>
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
