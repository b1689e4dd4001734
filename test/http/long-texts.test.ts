import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const { call } = client
const create = creating(client)
const long = `Über ${'a'.repeat(20_000)} Ende`
const { id } = await create('dcim/regions', { name: 'Long', slug: 'long', comments: long })
await create('dcim/regions', { name: 'Other', slug: 'other', comments: 'a'.repeat(30) })
const found = async (query: string) => {
  const { status, json } = await call('GET', `/api/dcim/regions/?${query}`)
  assert.equal(status, 200, `${query.slice(0, 60)} ${JSON.stringify(json).slice(0, 200)}`)
  return json.results.map((row: { slug: string }) => row.slug).join()
}

test('long texts are found by all lookups as short ones are', async () => {
  const [middle, end, none] = ['A'.repeat(500), `${'A'.repeat(50)} ENDE`, `${'a'.repeat(9000)}b`]
  await create('extras/custom-fields', { name: 'text', type: 'longtext', object_types: ['dcim.region'] })
  await call('PATCH', `/api/dcim/regions/${id}/`, { custom_fields: { text: long } })
  for (const [lookup, text, is] of [
    ['ic', middle, 'long'],
    ['nic', middle, 'other'],
    ['ic', none, ''],
    ['iew', end, 'long'],
    ['iew', middle, ''],
    ['niew', end, 'other'],
    ['isw', `über ${'A'.repeat(50)}`, 'long'],
  ] as const)
    assert.equal(await found(`cf_text__${lookup}=${encodeURIComponent(text)}`), is, lookup)
  assert.equal(await found(`q=${none}`), '')
  assert.equal(await found(`q=${middle}`), 'long')
})

test('objects are named by long texts, in time that grows with their length alone', async () => {
  const parent = async (attributes: object) => {
    const reply = await call('POST', '/api/dcim/regions/', { name: 'x', slug: 'x', parent: attributes })
    if (reply.status === 201) await call('DELETE', `/api/dcim/regions/${reply.json.id}/`)
    return reply.status
  }
  await call('PATCH', `/api/dcim/regions/${id}/`, { comments: 'a'.repeat(2_400_000) })
  const sought = 'a'.repeat(9000)
  for (const [lookup, text, status] of [
    ['contains', sought, 201],
    ['contains', `${sought}b`, 400],
    ['contains', `b${sought}`, 400],
    ['icontains', `${sought}B`, 400],
    ['endswith', sought, 201],
    ['iendswith', `${sought}B`, 400],
    ['contains', 'A'.repeat(100), 400],
    ['regex', '(a?b?){100}[cd]', 400],
  ] as const)
    assert.equal(await parent({ [`comments__${lookup}`]: text }), status, `${lookup} ${text.length}`)
})

test('a pattern in somebody’s rule that takes too long keeps nobody from writing', async () => {
  const webhook = await create('extras/webhooks', { name: 'W', payload_url: 'http://127.0.0.1:9/' })
  await create('extras/event-rules', {
    name: 'W',
    object_types: ['dcim.region'],
    event_types: ['object_updated'],
    conditions: { attr: 'comments', op: 'regex', value: '[ab]*a[ab]{300}[cd]' },
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook.id,
  })
  const reply = await call('PATCH', `/api/dcim/regions/${id}/`, { description: 'mine' })
  assert.equal(reply.status, 200, reply.text.slice(0, 200))
})
