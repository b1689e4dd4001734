import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typesWith } from '../../src/engine/catalog.ts'
import { creating, serve } from '../support/server.ts'

const server = await serve()
const create = creating(server)
const send = (method: string, path: string, body?: object) => server.call(method, `/api/${path}/`, body)
const field = (body: object) =>
  send('POST', 'extras/custom-fields', { object_types: ['dcim.site'], type: 'text', ...body })
const site = (await send('POST', 'dcim/sites', { name: 'S', slug: 's' })).json.id

test('a JSON value satisfies the schema of its field', async () => {
  assert.equal(
    (await field({ name: 'doc', type: 'json', validation_schema: { type: 'object', required: ['x'] } })).status,
    201,
  )
  const refused = await send('PATCH', `dcim/sites/${site}`, { custom_fields: { doc: { y: 1 } } })
  assert.deepEqual([refused.status, Object.keys(refused.json)], [400, ['__all__']])
  assert.equal((await send('PATCH', `dcim/sites/${site}`, { custom_fields: { doc: { x: 1 } } })).status, 200)
  assert.equal((await send('PATCH', `dcim/sites/${site}`, { custom_fields: { doc: null } })).status, 200)
  assert.deepEqual(
    Object.keys(
      (await field({ name: 'other', type: 'json', validation_schema: { type: 'object' }, default: [1] })).json,
    ),
    ['default'],
  )
})

test('a schema is a JSON schema, and a filter of related objects an object', async () => {
  for (const validation_schema of [5, [], { type: 'nonsense' }])
    assert.deepEqual(Object.keys((await field({ name: 'a', type: 'json', validation_schema })).json), [
      'validation_schema',
    ])
  assert.deepEqual(
    Object.keys(
      (await field({ name: 'a', type: 'object', related_object_type: 'dcim.site', related_object_filter: [1] })).json,
    ),
    ['related_object_filter'],
  )
})

test('choices are pairs of short texts, and their colors an object', async () => {
  const made = await send('POST', 'extras/custom-field-choice-sets', { name: 'numbers', extra_choices: [[1, 2]] })
  assert.deepEqual(made.json.extra_choices, [['1', '2']])
  assert.equal(
    (await send('POST', 'extras/custom-field-choice-sets', { name: 'long', extra_choices: [['a', 'x'.repeat(101)]] }))
      .status,
    400,
  )
  assert.deepEqual(
    Object.keys(
      (
        await send('POST', 'extras/custom-field-choice-sets', {
          name: 'list',
          extra_choices: [['a', 'A']],
          choice_colors: [],
        })
      ).json,
    ),
    ['choice_colors'],
  )
})

test('a field that refers to other objects than before has lost what it referred to', async () => {
  const make = async (path: string, body: object) => (await send('POST', path, body)).json
  const region = await make('dcim/regions', { name: 'Region', slug: 'region' })
  const { id } = await make('extras/custom-fields', {
    name: 'near',
    type: 'multiobject',
    related_object_type: 'dcim.region',
    object_types: ['dcim.site'],
  })
  const placed = await make('dcim/sites', { name: 'Placed', slug: 'placed', custom_fields: { near: [region.id] } })
  const near = async () => (await send('GET', `dcim/sites/${placed.id}`)).json.custom_fields.near
  await send('PATCH', `extras/custom-fields/${id}`, { description: 'told' })
  assert.equal((await near())[0].name, 'Region')
  await send('PATCH', `extras/custom-fields/${id}`, { related_object_type: 'tenancy.tenant' })
  const tenant = await make('tenancy/tenants', { name: 'A stranger', slug: 'stranger' })
  assert.equal(tenant.id, region.id)
  assert.equal(await near(), null)
  await send('PATCH', `dcim/sites/${placed.id}`, { custom_fields: { near: [tenant.id] } })
  assert.equal((await near())[0].name, 'A stranger')
})

test('a choice goes from its set while no object of any type has it', async () => {
  const choices = (...values: string[]) => ({ extra_choices: values.map((value) => [value, value]) })
  const set = await create('extras/custom-field-choice-sets', { name: 'Going', ...choices('a', 'b', 'c', 'd') })
  const object_types = [...typesWith('custom_fields')]
  for (const [name, type] of [
    ['one_of', 'select'],
    ['some_of', 'multiselect'],
  ])
    await create('extras/custom-fields', { name, type, object_types, choice_set: set.id })
  const custom_fields = { one_of: 'b', some_of: ['a', 'c'] }
  await create('tenancy/tenants', { name: 'Going', slug: 'going', custom_fields })
  const keep = (...values: string[]) => send('PATCH', `extras/custom-field-choice-sets/${set.id}`, choices(...values))
  for (const [gone, left] of [
    ['a', ['b', 'c']],
    ['b', ['a', 'c']],
    ['c', ['a', 'b']],
  ] as const)
    assert.deepEqual((await keep(...left)).json, {
      __all__: [`Cannot remove choice ${gone} as there are objects that have it.`],
    })
  assert.equal((await keep('a', 'b', 'c')).status, 200)
})
