import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf } from '../../src/store/custom-rules.ts'
import { serve } from '../support/server.ts'

const { call } = await serve({
  customValidators: {
    'dcim.site': [
      { name: { min_length: 3, regex: '^[A-Z]' }, facility: { prohibited: true }, region: { required: true } },
    ],
  },
  protectionRules: { 'dcim.site': [{ status: { eq: 'decommissioning' } }] },
})
const region = (await call('POST', '/api/dcim/regions/', { name: 'R', slug: 'r' })).json.id as number
const create = (body: object) => call('POST', '/api/dcim/sites/', { slug: 's', ...body })

test('configured limits refuse what breaks them, by field, on create and on update', async () => {
  const refused = await create({ name: 'ab', facility: 'x' })
  assert.equal(refused.status, 400)
  assert.deepEqual(Object.keys(refused.json).sort(), ['facility', 'name', 'region'])
  assert.equal(refused.json.name.length, 2)
  const made = await create({ name: 'Abc', region })
  assert.equal(made.status, 201)
  assert.deepEqual((await call('PATCH', `/api/dcim/sites/${made.json.id}/`, { name: 'abc' })).status, 400)
})

test('a protected object is deleted only when it meets its rule', async () => {
  const { json: site } = await create({ name: 'Guarded', slug: 'guarded', region })
  assert.equal((await call('DELETE', `/api/dcim/sites/${site.id}/`)).status, 409)
  await call('PATCH', `/api/dcim/sites/${site.id}/`, { status: 'decommissioning' })
  assert.equal((await call('DELETE', `/api/dcim/sites/${site.id}/`)).status, 204)
})

test('rules that name what is not there are found at start', () => {
  assert.match(faultsOf({ 'dcim.nothing': [] })[0]!, /no model/)
  assert.match(faultsOf({ 'dcim.site': [{ colour: { required: true } }] })[0]!, /no field colour/)
  assert.match(faultsOf({ 'dcim.site': [{ name: { longest: 3 } as never }] })[0]!, /unknown limit longest/)
  assert.match(faultsOf({ 'dcim.site': [{ name: { regex: '(' } }] })[0]!, /pattern/)
  assert.match(faultsOf({ 'dcim.site': [{ name: { max_length: 'x' } as never }] })[0]!, /max_length is not a number/)
  assert.match(faultsOf({ 'dcim.site': [{ name: { required: 'false' } as never }] })[0]!, /not true or false/)
  assert.match(faultsOf({ 'dcim.site': [{ name: { regex: 3 } as never }] })[0]!, /regex is not a pattern/)
  assert.equal(faultsOf({ 'dcim.x': [], 'dcim.site': [{ colour: {}, constructor: {} }] }).length, 3)
  assert.deepEqual(faultsOf({ 'dcim.site': [{ name: { max_length: 3 } }] }), [])
})

test('the limits of a list count its items, those of a truth compare true and false', async () => {
  const { call } = await serve({
    customValidators: {
      'dcim.rackreservation': [{ units: { max_length: 2 } }],
      'dcim.rack': [{ desc_units: { eq: false } }],
    },
  })
  const site = (await call('POST', '/api/dcim/sites/', { name: 'S', slug: 's' })).json.id
  const upside = await call('POST', '/api/dcim/racks/', { name: 'R', site, desc_units: true })
  assert.deepEqual([upside.status, Object.keys(upside.json)], [400, ['desc_units']])
  const rack = (await call('POST', '/api/dcim/racks/', { name: 'R', site })).json.id
  const reserve = (units: number[]) =>
    call('POST', '/api/dcim/rack-reservations/', { rack, units, user: 1, description: 'x' })
  assert.equal((await reserve([10, 11])).status, 201)
  assert.deepEqual((await reserve([20, 21, 22])).status, 400)
})
