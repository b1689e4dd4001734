import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, violationsEverywhere } from '../support/browser.ts'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, device, end, conflicts, sync, areSame } = sides

/** Conflicts of every kind that a technician meets. */
async function disagree(): Promise<void> {
  const { site, rack, a, p1, p2, p3, p4 } = sides.parts
  const gone = await make('dcim/devices', device('sw-gone'))
  const group = await make('ipam/vlan-groups', { name: 'Lab', slug: 'lab' })
  await make('dcim/regions', { name: 'North', slug: 'north' })
  await sync('pull')
  await here('PATCH', `dcim/devices/${a}`, {
    serial: 'FIELD-1',
    custom_fields: { floor: 'second' },
    tags: [{ name: 'Blue' }],
  })
  await there('PATCH', `dcim/devices/${a}`, { serial: 'OFFICE-1', custom_fields: { floor: 'third' } })
  await here('PATCH', `dcim/interfaces/${p4}`, { description: 'to the roof' })
  await there('DELETE', `dcim/interfaces/${p4}`)
  await here('DELETE', `dcim/devices/${gone.id}`)
  await there('PATCH', `dcim/devices/${gone.id}`, { comments: 'still needed', asset_tag: 'A-17' })
  await makeHere('dcim/devices', device('sw-field', { rack, position: 10, face: 'front' }))
  await make('dcim/devices', device('sw-office', { rack, position: 10, face: 'front' }))
  await makeHere('ipam/vlans', { vid: 10, name: 'users', group: group.id })
  await make('ipam/vlans', { vid: 10, name: 'phones', group: group.id })
  await makeHere('dcim/cables', { a_terminations: end(p1!), b_terminations: end(p2!) })
  await make('dcim/cables', { a_terminations: end(p1!), b_terminations: end(p3!) })
  await there('DELETE', `extras/tags/${sides.parts.tag}`)
  await here('PATCH', `dcim/sites/${site}`, { region: 1 })
  await there('DELETE', 'dcim/regions/1')
}

test('the pages of kits: the list at the source, what a kit changed, and conflicts, settled by clicks', async () => {
  const found: string[] = []
  const office = await open(sides.source)
  await office.page.goto('/core/kits/')
  found.push(...(await violationsEverywhere(office.page, 'kit-list')))
  await office.page.goto('/core/kits/1/')
  found.push(...(await violationsEverywhere(office.page, 'kit-one')))
  const field = await open(sides.kit, { as: { username: 'admin', password: sides.kit.password } })
  await field.page.goto('/kit/')
  found.push(...(await violationsEverywhere(field.page, 'kit-new')))
  await disagree()
  assert.equal((await sides.kit.sync('push')).code, 1)
  assert.ok(conflicts().length >= 8)
  await field.page.goto('/kit/')
  found.push(...(await violationsEverywhere(field.page, 'kit-conflicts')))
  for (const choice of await field.page.locator('input[value=ours]').all()) await choice.check()
  await field.page.locator('input[value=theirs]').first().check()
  await field.page.click('button.primary')
  await field.page.waitForSelector('text=Settled: cabinet push gives it to the source.')
  const narrow = { width: 390, height: 844 }
  await field.page.setViewportSize(narrow)
  assert.equal(await field.page.locator('table.collisions tbody tr').first().isVisible(), true)
  assert.equal(await field.page.evaluate('document.documentElement.scrollWidth'), narrow.width, 'as wide as a phone')
  found.push(...(await violationsEverywhere(field.page, 'kit-decided')))
  await sync('push')
  assert.equal((await there('GET', `dcim/devices/${sides.parts.a}`)).serial, 'OFFICE-1')
  await areSame('dcim/devices', 'dcim/cables', 'dcim/interfaces', 'dcim/regions', 'extras/tags', 'ipam/vlans')
  assert.deepEqual([...found, ...office.complaints, ...field.complaints], [])
})
