import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, device, conflicts, sync, areSame } = sides

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

test('a circle is who closes it, and who gives way goes back to where it was; others below it are untouched', async () => {
  const groups: { id: number }[] = []
  for (const name of ['top', 'low', 'high', 'old'])
    groups.push(
      await make('dcim/site-groups', { name, slug: name, ...(name === 'low' ? { parent: groups[0]!.id } : {}) }),
    )
  const [top, low, high, old] = groups.map(({ id }) => id) as [number, number, number, number]
  await there('PATCH', `dcim/site-groups/${high}`, { parent: old })
  await sync('pull')
  await here('PATCH', `dcim/site-groups/${top}`, { parent: high })
  await there('PATCH', `dcim/site-groups/${high}`, { parent: low })
  await there('PATCH', `dcim/site-groups/${low}`, { description: 'kept' })
  assert.equal((await sides.kit.sync('push')).code, 1)
  assert.deepEqual(
    conflicts().map(({ key }) => key),
    [`dcim.sitegroup:${high}.parent`],
  )
  assert.equal(conflicts()[0].if_ours, `site group high has the parent old (${old})`)
  await sync('push', { ours: true })
  const group = (id: number) => there('GET', `dcim/site-groups/${id}`)
  assert.deepEqual([(await group(top)).parent.id, (await group(high)).parent.id], [high, old])
  assert.equal((await group(low)).description, 'kept')
  await areSame('dcim/site-groups')
})
