import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allModels } from '../../src/engine/catalog.ts'
import { fill } from '../support/inventory.ts'
import { type Client, launch, type Reply } from '../support/launch.ts'
import { Maker } from '../support/maker.ts'
import { checker, operationsOf } from '../support/openapi.ts'
import { creating } from '../support/server.ts'

/** Endpoints without objects here: jobs are no tasks of a queue, no script is run, no data source is read. */
const Unfilled = [
  '/api/core/data-files/{id}/',
  '/api/extras/scripts/{id}/',
  '/api/core/background-tasks/{id}/',
  '/api/core/background-workers/{name}/',
]

let client: Client
let doc: any

before(async () => {
  client = await launch()
  await fill(client.call)
  doc = (await client.call('GET', '/api/schema/?format=json')).json
})
after(() => client.close())

test('every operation has an id of its own, an answer, and its path parameters', () => {
  const ids = operationsOf(doc).map(({ operation }) => operation.operationId)
  assert.deepEqual(
    ids.filter((id, i) => !id || ids.indexOf(id) !== i),
    [],
  )
  for (const { path, verb, operation } of operationsOf(doc)) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const given = [...(doc.paths[path].parameters ?? []), ...(operation.parameters ?? [])]
    assert.deepEqual(
      given.filter((p: any) => p.in === 'path').map((p: any) => p.name),
      named,
      `${verb} ${path}`,
    )
    const twice = given.map((p: any) => `${p.in} ${p.name}`)
    assert.equal(new Set(twice).size, twice.length, `${verb} ${path}`)
    const statuses = Object.keys(operation.responses)
    assert.ok(
      statuses.some((status) => /^2/.test(status)),
      `${verb} ${path}`,
    )
    for (const status of ['400', '403', '413', '429', '503', '507'])
      assert.ok(statuses.includes(status), `${verb} ${path} ${status}`)
  }
})

test('every reference leads to a component, and every component is referred to', () => {
  const named = new Set(
    [...JSON.stringify(doc).matchAll(/"\$ref":"#\/components\/(\w+\/\w+)"/g)].map(([, name]) => name),
  )
  const { securitySchemes: _, ...components } = doc.components
  const there = Object.entries(components).flatMap(([kind, of]) => Object.keys(of as object).map((n) => `${kind}/${n}`))
  assert.deepEqual([...named].sort(), there.sort())
})

test('every parameter has its name where it stands, for clients that follow no reference', () => {
  for (const { path, verb, operation } of operationsOf(doc))
    for (const each of [...(doc.paths[path].parameters ?? []), ...(operation.parameters ?? [])])
      assert.ok(each.name && each.in && each.schema, `${verb} ${path} ${JSON.stringify(each)}`)
})

test('every read of the inventory takes a moment; undo and the stream of changes are told of', () => {
  for (const m of allModels.filter((each) => !each.internal && !each.own))
    for (const path of [`/api/${m.path}/`, `/api/${m.path}/{id}/`])
      assert.ok(
        doc.paths[path].get.parameters.some((each: { name?: string }) => each.name === 'at'),
        path,
      )
  for (const app of ['core', 'extras']) {
    const body = doc.paths[`/api/${app}/object-changes/revert/`].post.requestBody
    assert.deepEqual(Object.keys(body.content['application/json'].schema.properties).slice(0, 3), [
      'request_id',
      'id',
      'since',
    ])
    const { parameters, responses } = doc.paths[`/api/${app}/object-changes/stream/`].get
    assert.ok(responses[200].content['text/event-stream'])
    const names = parameters.map(({ name }: { name: string }) => name)
    assert.ok(names.includes('Last-Event-ID') && names.includes('changed_object_type') && !names.includes('limit'))
  }
})

test('operations have the ids that clients of the field call them by', () => {
  const idOf = (verb: string, path: string): string => doc.paths[`/api/${path}/`][verb].operationId
  assert.deepEqual(
    [
      idOf('get', 'dcim/interfaces/{id}/trace'),
      idOf('get', 'dcim/rear-ports/{id}/paths'),
      idOf('get', 'dcim/racks/{id}/elevation'),
      idOf('get', 'ipam/prefixes/{id}/available-ips'),
      idOf('post', 'ipam/prefixes/{id}/available-ips'),
      idOf('post', 'dcim/devices/{id}/render-config'),
      idOf('patch', 'dcim/devices'),
      idOf('get', 'dcim/connected-device'),
      idOf('get', 'core/background-queues'),
      idOf('get', 'core/background-queues/{name}'),
    ],
    [
      'dcim_interfaces_trace_retrieve',
      'dcim_rear_ports_paths_retrieve',
      'dcim_racks_elevation_retrieve',
      'ipam_prefixes_available_ips_list',
      'ipam_prefixes_available_ips_create',
      'dcim_devices_render_config_create',
      'dcim_devices_bulk_partial_update',
      'dcim_connected_device_list',
      'core_background_queues_retrieve',
      'core_background_queues_retrieve_by_name',
    ],
  )
})

test('what comes as JSON or as plain text says how to ask for it', () => {
  const { parameters, responses } = doc.paths['/api/dcim/devices/{id}/render-config/'].post
  assert.deepEqual([parameters[0].name, parameters[0].schema.enum], ['format', ['json', 'txt']])
  assert.deepEqual(Object.keys(responses[200].content), ['application/json', 'text/plain'])
  assert.equal(doc.paths['/api/ipam/prefixes/{id}/available-ips/'].post.parameters, undefined)
})

test('forms are offered for one object that may have files, as nothing else makes sense as one', () => {
  const withForms = operationsOf(doc)
    .filter(({ operation }) => operation.requestBody?.content['multipart/form-data'])
    .map(({ path, verb }) => `${verb} ${path.slice(5, -1)}`)
  assert.deepEqual(
    withForms.sort(),
    [
      ...['dcim/device-types', 'extras/image-attachments'].flatMap((path) => [
        `post ${path}`,
        `put ${path}/{id}`,
        `patch ${path}/{id}`,
      ]),
      ...['post extras/scripts/upload', 'put extras/scripts/upload/{id}', 'patch extras/scripts/upload/{id}'],
    ].sort(),
  )
  const { content } = doc.paths['/api/dcim/device-types/'].post.requestBody
  assert.deepEqual(content['multipart/form-data'].schema, { $ref: '#/components/schemas/DeviceTypeRequest' })
  assert.equal(content['application/json'].schema.oneOf.length, 2)
})

test('what the server takes is in the document: the value of a token, what a list leaves out', async () => {
  const { TokenRequest, PatchedTokenRequest, Token } = doc.components.schemas
  for (const { properties } of [TokenRequest, PatchedTokenRequest]) assert.equal(properties.token.type, 'string')
  assert.equal(Token.properties.token.readOnly, undefined)
  const token = 'a'.repeat(40)
  const made = await client.call('POST', '/api/users/tokens/', { user: 1, version: 1, token })
  assert.deepEqual([made.status, made.json.token], [201, token])
  for (const path of ['dcim/devices', 'virtualization/virtual-machines'])
    for (const at of ['', '{id}/']) {
      const { parameters } = doc.paths[`/api/${path}/${at}`].get
      const { schema } = parameters.find((each: any) => each.name === 'exclude')
      assert.deepEqual(schema.enum, ['config_context'], path + at)
    }
  assert.ok(!doc.paths['/api/dcim/sites/'].get.parameters.some((each: any) => each.name === 'exclude'))
})

test('an object says which members are always there and which are only read', () => {
  const { schemas } = doc.components
  for (const m of allModels.filter((each) => !each.internal && !each.own)) {
    const of = (verb: string, path: string) => doc.paths[`/api/${m.path}/${path}`][verb]
    const names = of('get', '{id}/').parameters.map((each: any) => each.name)
    assert.deepEqual(names.slice(0, 3), ['fields', 'omit', 'brief'], m.path)
    const name = of('get', '{id}/').responses[200].content['application/json'].schema.$ref.split('/').at(-1)
    if (!schemas[`${name}Request`]) continue // nobody writes these
    const { required, properties } = schemas[name]
    const writable = schemas[`${name}Request`]
    for (const [key, member] of Object.entries<any>(properties)) {
      const isSent = key in writable.properties
      assert.equal(member.readOnly ?? false, !isSent, `${m.path} ${key}`)
      assert.equal(required.includes(key), !isSent || (writable.required ?? []).includes(key), `${m.path} ${key}`)
      assert.ok(!('$ref' in member) || Object.keys(member).length === 1, `${m.path} ${key}: nothing beside a $ref`)
    }
    assert.deepEqual(
      required.filter((key: string) => !(key in properties)),
      [],
      m.path,
    )
  }
})

test('members say which values they take, and a choice that is always made is not null', () => {
  const { ASN, CableRequest, CircuitTermination, Device, DeviceRequest } = doc.components.schemas
  assert.equal(ASN.properties.asn.format, 'int64')
  assert.equal(DeviceRequest.properties.vc_position.format, undefined)
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = CableRequest.properties.length
  assert.deepEqual([minimum, exclusiveMinimum, maximum, exclusiveMaximum], [-1e6, true, 1e6, true])
  assert.equal(Device.properties.status.nullable, undefined)
  assert.equal(Device.properties.face.nullable, true)
  assert.deepEqual(CircuitTermination.properties.term_side.enum, ['A', 'Z'])
  assert.equal(doc.components.schemas.SiteRequest.properties.slug.pattern, '^[-a-zA-Z0-9_]+$')
  assert.equal(doc.components.schemas.CableRequest.properties.color.pattern, undefined, 'it may be empty')
})

test('every path that the roots name is in the document, and so is every model, with its methods', async () => {
  const seen = ['/api/']
  for (const link of Object.values<string>((await client.call('GET', '/api/')).json)) {
    const path = new URL(link).pathname
    seen.push(path)
    const { json } = await client.call('GET', path)
    if (path !== '/api/status/') seen.push(...Object.values<string>(json).map((each) => new URL(each).pathname))
  }
  assert.deepEqual(
    [...new Set([...seen, '/api/schema/'])].filter((path) => !doc.paths[path]),
    [],
  )
  for (const m of allModels.filter((each) => !each.internal && !each.own)) {
    const allowed = (await client.call('OPTIONS', `/api/${m.path}/`)).headers.get('allow')!.toLowerCase().split(', ')
    const told = Object.keys(doc.paths[`/api/${m.path}/`])
    for (const verb of ['get', 'post', 'put', 'patch', 'delete'])
      assert.equal(told.includes(verb), allowed.includes(verb), `${verb} ${m.path}`)
  }
})

/** Query of a path that does not answer without one. */
const Asked: Record<string, string> = {
  '/api/dcim/connected-device/': 'peer_device=sw1&peer_interface=Gi0%2F1',
}

/** What is wrong with an answer by what the document says of its operation. */
function faults(differs: ReturnType<typeof checker>, at: string, operation: any, reply: Reply): string[] {
  const type = reply.headers.get('content-type')?.split(';')[0]
  const { schema } = operation.responses[reply.status]?.content?.[type!] ?? {}
  if (!schema || !/^2/.test(String(reply.status))) return [`${at}: ${reply.status} ${type} ${reply.text.slice(0, 200)}`]
  return differs(schema, reply.json).map((line) => `${at}: ${line}`)
}

test('the comparison of answers with the document finds what is left out, undeclared or of another type', () => {
  const differs = checker(doc)
  const brief = { $ref: '#/components/schemas/BriefTag' }
  const tag = { id: 1, url: 'http://x/', display: 'a', name: 'a', slug: 'a', color: 'aa1409', description: '' }
  const { id, ...rest } = tag
  assert.deepEqual(differs(brief, tag), [])
  assert.equal(differs(brief, rest).length, 1)
  assert.ok(differs(brief, { ...tag, more: id }).length)
  assert.ok(differs(brief, { ...tag, id: '1' }).length)
})

test('a created object of every model has the members and types that the document declares', async () => {
  const differs = checker(doc)
  const make = new Maker(client.call)
  const wrong: string[] = []
  await make.fresh('extras.customfield', {
    name: 'matrix',
    object_types: allModels.filter((m) => m.fields.custom_fields).map((m) => m.name),
  })
  for (const m of allModels.filter((each) => !each.internal && !each.own && !each.methods)) {
    const apart = m.name === 'ipam.aggregate' ? { prefix: '198.51.100.0/24' } : {}
    const reply = await make.post(m, { ...(await make.body(m, 'full')), ...apart })
    wrong.push(...faults(differs, m.name, doc.paths[`/api/${m.path}/`].post, reply))
  }
  assert.deepEqual(wrong, [])
})

test('what is taken of what is free is answered as the document declares, one and many', async () => {
  const differs = checker(doc)
  const make = creating(client)
  const { id: rir } = await make('ipam/rirs', { name: 'Taken', slug: 'taken' })
  const range = { start_address: '10.77.1.1/24', end_address: '10.77.1.9/24' }
  const wrong: string[] = []
  for (const [path, pool, taken, body] of [
    ['ipam/prefixes', { prefix: '10.77.0.0/24' }, 'available-ips', {}],
    ['ipam/prefixes', { prefix: '10.78.0.0/24' }, 'available-prefixes', { prefix_length: 30 }],
    ['ipam/ip-ranges', range, 'available-ips', {}],
    ['ipam/vlan-groups', { name: 'Taken', slug: 'taken' }, 'available-vlans', { name: 'V' }],
    ['ipam/asn-ranges', { name: 'Taken', slug: 'taken', rir, start: 64600, end: 64700 }, 'available-asns', {}],
  ] as const) {
    const { id } = await make(path, pool)
    for (const sent of [body, ['A', 'B'].map((name) => ('name' in body ? { name } : body))]) {
      const reply = await client.call('POST', `/api/${path}/${id}/${taken}/`, sent)
      wrong.push(...faults(differs, taken, doc.paths[`/api/${path}/{id}/${taken}/`].post, reply))
    }
  }
  assert.deepEqual(wrong, [])
})

test('what is read as null and taken as null is nullable in the document', async () => {
  const make = new Maker(client.call, 5000)
  const wrong: string[] = []
  for (const m of allModels.filter((each) => !each.internal && !each.own && !each.methods)) {
    const apart = m.name === 'ipam.aggregate' ? { prefix: '203.0.113.0/24' } : {}
    const { status, json, text } = await make.post(m, { ...(await make.body(m, 'minimal')), ...apart })
    assert.equal(status, 201, `${m.name} ${text}`)
    const path = `/api/${m.path}/${json.id}/`
    const { $ref } = doc.paths[`/api/${m.path}/{id}/`].patch.requestBody.content['application/json'].schema
    for (const [name, schema] of Object.entries<any>(doc.components.schemas[$ref.split('/').at(-1)].properties)) {
      if (json[name] !== null || schema.nullable) continue
      const reply = await client.call('PATCH', path, { [name]: null })
      if (reply.status !== 400) wrong.push(`${m.name}.${name}: ${reply.status}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('every answer has the members and types that the document declares, no more and no fewer', async () => {
  const differs = checker(doc)
  const wrong: string[] = []
  const empty: string[] = []
  let checked = 0
  for (const { path, operation } of operationsOf(doc).filter(({ verb }) => verb === 'get')) {
    if (operation.responses[200]?.content?.['text/event-stream']) continue // it has no end
    const list = path.replace(/\{.*/, '')
    const accept = path === '/api/schema/' ? 'application/vnd.oai.openapi+json' : 'application/json'
    const get = (each: string) => client.call('GET', each, undefined, { accept })
    const rows = path === list ? [] : ((await get(`${list}?limit=0`)).json?.results ?? [])
    const paths = path === list ? [path] : rows.map((row: any) => path.replace(/\{(\w+)\}/, (_, key) => row[key]))
    if (paths.length === 0) empty.push(path)
    for (const each of paths) {
      const reply = await get(`${each}?${Asked[path] ?? (path === list ? 'limit=0' : '')}`)
      wrong.push(...faults(differs, each, operation, reply))
      checked++
    }
  }
  assert.deepEqual(wrong, [])
  assert.deepEqual(empty, Unfilled)
  assert.ok(checked > 1000, `${checked} answers`)
})
