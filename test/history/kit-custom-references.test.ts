import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, conflicts, sync, areSame } = sides

const field = sides.fieldsOf('dcim.rack')
const sites = { type: 'multiobject', related_object_type: 'dcim.site' }
const stored = async (id: number) => (await there('GET', `dcim/racks/${id}`)).custom_fields
const idsOf = (shown: { id: number }[] | null) => shown?.map(({ id }) => id) ?? null

test('a custom field that refers to what the other side deleted is a conflict, as any reference is', async () => {
  const { site, rack } = sides.parts
  await field('friends', sites)
  for (const [side, decision] of [
    ['there', 'ours'],
    ['there', 'theirs'],
    ['here', 'ours'],
    ['here', 'theirs'],
  ] as const) {
    const name = `${side} ${decision}`
    const friend = await make('dcim/sites', { name, slug: name.replace(' ', '-') })
    await sync('pull')
    const [deletes, writes] = side === 'there' ? [there, here] : [here, there]
    await deletes('DELETE', `dcim/sites/${friend.id}`)
    await writes('PATCH', `dcim/racks/${rack}`, { serial: name, custom_fields: { friends: [friend.id, site] } })
    assert.equal((await sides.kit.sync('push')).code, 1, name)
    const [conflict, ...others] = conflicts()
    assert.equal(others.length, 0, name)
    assert.ok(JSON.stringify(conflict).includes(`[${friend.id},${site}]`), `${name}: ${JSON.stringify(conflict)}`)
    await sync('push', { [decision]: true })
    const isBack = (side === 'there') === (decision === 'ours')
    const { serial, custom_fields } = await there('GET', `dcim/racks/${rack}`)
    assert.equal(serial, name)
    assert.deepEqual(idsOf(custom_fields.friends)?.sort(), isBack ? [site, friend.id].sort() : [site], name)
    assert.equal((await sides.source.call('GET', `/api/dcim/sites/${friend.id}/`)).status, isBack ? 200 : 404, name)
    await areSame('dcim/sites', 'dcim/racks')
  }
})

test('a side that deleted what its own custom fields refer to is taken as it is', async () => {
  const { site, rack } = sides.parts
  const friend = await make('dcim/sites', { name: 'Short', slug: 'short' })
  await sync('pull')
  await here('PATCH', `dcim/racks/${rack}`, { custom_fields: { friends: [friend.id, site] } })
  await here('DELETE', `dcim/sites/${friend.id}`)
  const fresh = await makeHere('dcim/racks', { name: 'Fresh', site, custom_fields: { friends: [site] } })
  await sync('push')
  assert.deepEqual(idsOf((await stored(fresh.id)).friends), [site])
  await areSame('dcim/sites', 'dcim/racks')
})

test('a value of a custom field that a rule of this side refuses gives way alone', async () => {
  const { rack } = sides.parts
  const code = await field('code')
  await field('note')
  await there('PATCH', `dcim/racks/${rack}`, { custom_fields: { code: '12' } })
  await sync('pull')
  await here('PATCH', `extras/custom-fields/${code.id}`, { validation_regex: '^[0-9]+$' })
  await here('PATCH', `dcim/racks/${rack}`, { asset_tag: 'A1' })
  await there('PATCH', `dcim/racks/${rack}`, { custom_fields: { code: 'abc', note: 'kept' } })
  assert.equal((await sides.kit.sync('push')).code, 1)
  const [conflict, ...others] = conflicts()
  assert.deepEqual([conflict.key, others.length], [`dcim.rack:${rack}.custom_fields.code`, 0])
  assert.match(JSON.stringify(conflict.theirs), /"abc"/)
  await sync('push', { ours: true })
  const { asset_tag, custom_fields } = await there('GET', `dcim/racks/${rack}`)
  assert.deepEqual([asset_tag, custom_fields.code, custom_fields.note], ['A1', '12', 'kept'])
  await areSame('dcim/racks', 'extras/custom-fields')
})
