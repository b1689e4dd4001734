import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, device, here, there, conflicts, sync, areSame } = sides

test('what refers to something that was deleted here is left without it, and without what follows from it', async () => {
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
