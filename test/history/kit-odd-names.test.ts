import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, there, here, sync, areSame, conflicts } = sides

test('custom fields that are called as what every object has are merged as others are', async () => {
  const path = `dcim/sites/${sides.parts.site}`
  const fieldsOf = sides.fieldsOf('dcim.site')
  for (const name of ['constructor', 'toString', 'hasOwnProperty']) await fieldsOf(name)
  await sync('pull')
  await here('PATCH', path, { custom_fields: { constructor: 'here' } })
  await there('PATCH', path, { custom_fields: { toString: 'there' } })
  await sync('push')
  const merged = (await there('GET', path)).custom_fields
  assert.deepEqual([merged.constructor, merged.toString, merged.hasOwnProperty], ['here', 'there', null])
  await areSame('dcim/sites')
  await here('PATCH', path, { custom_fields: { constructor: 'a', hasOwnProperty: 'h' } })
  const change = await sides.source.call('PATCH', `/api/${path}/`, { custom_fields: { constructor: 'b' } })
  assert.equal((await sides.kit.sync('push')).code, 1)
  assert.deepEqual(
    conflicts().map(({ field, ours, theirs }) => [field, ours, theirs]),
    [['custom_fields.constructor', 'a', 'b']],
  )
  await sync('push', { theirs: true })
  await areSame('dcim/sites')
  const request_id = change.headers.get('x-request-id')!
  const undone = await sides.source.call('POST', '/api/core/object-changes/revert/', { request_id })
  assert.equal(undone.status, 200, undone.text)
  assert.equal((await there('GET', path)).custom_fields.constructor, 'here')
  const other = await make('dcim/sites', { name: 'Other', slug: 'other', custom_fields: { toString: 'new' } })
  await sync('pull')
  assert.equal((await here('GET', `dcim/sites/${other.id}`)).custom_fields.toString, 'new')
  await areSame('dcim/sites')
})
