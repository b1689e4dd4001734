import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, device, here, there, conflicts, sync, areSame } = sides

test('what refers to something deleted here is left without it, and without what follows from it', async () => {
  const { a, maker } = sides.parts
  const type = await make('dcim/module-types', { manufacturer: maker, model: 'Card' })
  const [slot, bay] = [
    await make('dcim/module-bays', { device: a, name: 'slot' }),
    await make('dcim/module-bays', { device: a, name: 'bay' }),
  ]
  const card = await make('dcim/modules', { device: a, module_bay: slot.id, module_type: type.id })
  const chassis = await make('dcim/virtual-chassis', { name: 'Stack' })
  const member = await make('dcim/devices', device('member'))
  await sync('pull')
  await here('DELETE', `dcim/modules/${card.id}`)
  await here('DELETE', `dcim/virtual-chassis/${chassis.id}`)
  await there('PATCH', `dcim/module-bays/${bay.id}`, { module: card.id })
  await there('PATCH', `dcim/devices/${member.id}`, { virtual_chassis: chassis.id, vc_position: 3 })
  assert.equal((await sides.kit.sync('push')).code, 1)
  assert.deepEqual(
    conflicts()
      .map(({ key }) => key)
      .sort(),
    [`dcim.device:${member.id}.virtual_chassis`, `dcim.modulebay:${bay.id}.module`],
  )
  await sync('push', { ours: true })
  const { virtual_chassis, vc_position } = await there('GET', `dcim/devices/${member.id}`)
  assert.deepEqual([virtual_chassis, vc_position], [null, null])
  assert.equal((await there('GET', `dcim/module-bays/${bay.id}`)).module, null)
  await areSame('dcim/module-bays', 'dcim/devices')
})

test('ends of one cable of which one comes back and another is not taken are both told of', async () => {
  const { a, maker, p1 } = sides.parts
  const type = await make('dcim/module-types', { manufacturer: maker, model: 'Line card' })
  const slot = await make('dcim/module-bays', { device: a, name: 'line' })
  const card = await make('dcim/modules', { device: a, module_bay: slot.id, module_type: type.id })
  await sync('pull')
  await here('DELETE', `dcim/modules/${card.id}`)
  await here('DELETE', `dcim/interfaces/${p1}`)
  const port = await make('dcim/interfaces', { device: a, module: card.id, name: 'm1', type: '1000base-t' })
  const cable = await make('dcim/cables', { a_terminations: sides.end(port.id), b_terminations: sides.end(p1!) })
  const said = await sides.kit.sync('push', { 'ours-of': `dcim.interface:${port.id}`, 'theirs-of': 'dcim.cable' })
  assert.equal(said.code, 0, said.out)
  const decided = JSON.parse(readFileSync(join(sides.kit.data, 'decided.json'), 'utf8')).conflicts as any[]
  const ends = decided.filter(({ key }) => key === `dcim.cable:${cable.id}.terminations`)
  const shown = ends.map(({ take, theirs }) => `${take} ${JSON.stringify(theirs)}`).sort()
  assert.equal(shown.length, 2, shown.join())
  assert.match(shown[0]!, new RegExp(`^ours .*interface sw-a m1 \\(${port.id}\\)"`))
  assert.match(shown[1]!, new RegExp(`^theirs .*interface sw-a p1 \\(${p1}\\)"`))
  await areSame('dcim/cables', 'dcim/interfaces')
})

test('a link to something new that is not taken is told of', async () => {
  const gone = await make('dcim/devices', device('without contexts'))
  await sync('pull')
  await here('DELETE', `dcim/devices/${gone.id}`)
  const context = await make('dcim/virtual-device-contexts', { device: gone.id, name: 'vdc', status: 'active' })
  const of = await make('dcim/interfaces', {
    device: sides.parts.a,
    name: 'linked',
    type: '1000base-t',
    vdcs: [context.id],
  })
  const said = await sync('push', { ours: true })
  assert.match(
    said,
    new RegExp(`^decided for ours: dcim.interface ${of.id} .*linked", vdcs: it refers to nothing`, 'm'),
  )
  assert.deepEqual((await there('GET', `dcim/interfaces/${of.id}`)).vdcs, [])
  await areSame('dcim/interfaces', 'dcim/virtual-device-contexts')
})
