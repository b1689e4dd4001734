import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, there, device, conflicts, sync, areSame } = sides

test('who has a place is who the rule says: a device of that name of a tenant is not in the way', async () => {
  const tenant = await make('tenancy/tenants', { name: 'Acme', slug: 'acme' })
  const tenants = await make('dcim/devices', device('core', { tenant: tenant.id }))
  await sync('pull')
  const mine = await makeHere('dcim/devices', device('core'))
  const other = await make('dcim/devices', device('core'))
  assert.equal((await sides.kit.sync('push')).code, 1)
  const [conflict, ...rest] = conflicts()
  assert.equal(rest.length, 0)
  assert.match(JSON.stringify(conflict.ours), new RegExp(`\\(${mine.id}\\)`))
  assert.match(JSON.stringify(conflict.theirs), new RegExp(`\\(${other.id}\\)`))
  await sync('push', { theirs: true })
  const names = []
  for (const { id } of [tenants, mine, other]) names.push((await there('GET', `dcim/devices/${id}`)).name)
  assert.deepEqual(names, ['core', 'core (van)', 'core'])
  await areSame('dcim/devices')
})
