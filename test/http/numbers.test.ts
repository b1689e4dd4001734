import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const { call } = client
const create = creating(client)
const make = new Maker(call)
/** The text of an answer's member, as it stands. */
const said = (text: string, member: string): string | undefined =>
  new RegExp(`"${member}": ?(\\{[^{}]*\\}|[^,}]+)`).exec(text)?.[1]

for (const [name, type] of [
  ['doc', 'json'],
  ['price', 'decimal'],
  ['whole', 'integer'],
])
  await create('extras/custom-fields', { name, type, object_types: ['dcim.site'] })

test('numbers in custom fields stay as they were written, through other changes and in change records', async () => {
  const made = await call(
    'POST',
    '/api/dcim/sites/',
    '{"name":"S","slug":"s","custom_fields":{"doc":{"a":1.0,"b":12345678901234567890},"price":2.0}}',
  )
  assert.equal(made.status, 201, made.text)
  const path = `/api/dcim/sites/${made.json.id}/`
  const isWhole = (text: string) => {
    assert.equal(said(text, 'doc'), '{"a":1.0,"b":12345678901234567890}')
    assert.equal(said(text, 'price'), '2.0')
  }
  isWhole(made.text)
  isWhole((await call('PATCH', path, { comments: 'later', custom_fields: { whole: 3 } })).text)
  isWhole((await call('GET', path)).text)
  const changes = await call('GET', `/api/core/object-changes/?changed_object_id=${made.json.id}&limit=1`)
  isWhole(changes.text)
  assert.match((await call('GET', path, undefined, { accept: 'application/json; indent=2' })).text, /"a": 1\.0,/)
  const bare = await call('PATCH', path, '{"custom_fields":{"doc":1.0,"price":2}}')
  assert.equal(said(bare.text, 'doc'), '1.0')
  assert.equal(said(bare.text, 'price'), '2', 'the new number has no fraction')
})

test('defaults are given as they were written, and what is unique is so by its value', async () => {
  const types = { object_types: ['tenancy.tenant'] }
  const field = (body: string) =>
    call('POST', '/api/extras/custom-fields/', `{"object_types":["tenancy.tenant"],${body}}`)
  const preset = await field('"name":"preset","type":"decimal","default":1.0')
  assert.equal(said(preset.text, 'default'), '1.0')
  await field('"name":"form","type":"json","default":{"a":1.0}')
  await create('extras/custom-fields', { ...types, name: 'once', type: 'decimal', unique: true })
  const tenant = (name: string, once: string) =>
    call('POST', '/api/tenancy/tenants/', `{"name":"${name}","slug":"${name}","custom_fields":{"once":${once}}}`)
  const first = await tenant('a', '1.0')
  assert.equal(said(first.text, 'preset'), '1.0')
  assert.equal(said(first.text, 'form'), '{"a":1.0}')
  assert.equal((await tenant('b', '1')).status, 400)
  assert.equal((await tenant('b', '2')).status, 201)
})

test('a number that is none in JavaScript is refused', async () => {
  const body = '{"name":"L","slug":"l","custom_fields":{"doc":1e999}}'
  assert.equal((await call('POST', '/api/dcim/sites/', body)).status, 400)
})

test('a whole number has no fraction', async () => {
  const body = (number: string) => `{"name":"I","slug":"i","custom_fields":{"whole":${number}}}`
  assert.equal((await call('POST', '/api/dcim/sites/', body('1.0'))).status, 400)
  assert.equal((await call('POST', '/api/dcim/sites/', body('1'))).status, 201)
})

test('so do those of JSON fields, merged contexts among them', async () => {
  const context = await call('POST', '/api/extras/config-contexts/', '{"name":"c","data":{"x":{"a":1.0,"b":2.0}}}')
  assert.equal(said(context.text, 'x'), '{"a":1.0,"b":2.0}')
  const id = await make.fresh('dcim.device', { name: 'd' })
  const device = await call('PATCH', `/api/dcim/devices/${id}/`, '{"local_context_data":{"x":{"b":3,"c":4.0}}}')
  assert.match(device.text, /"config_context":\{"x":\{"a":1\.0,"b":3,"c":4\.0\}\}/)
  const { text } = await call('GET', `/api/dcim/devices/?id=${id}&limit=1`, undefined, {
    accept: 'application/json; indent=1',
  })
  assert.match(text, /"a": 1\.0/)
})
