import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, conflicts, sync, areSame } = sides

test('an inventory item that was moved and then got children moves with them in a merge; left behind, they are a conflict', async () => {
  const other = await make('dcim/devices', sides.device('sw-other'))
  for (const decision of [undefined, 'ours', 'theirs'] as const) {
    const item = await make('dcim/inventory-items', { device: sides.parts.a, name: `item ${decision}` })
    await sync('pull')
    await there('PATCH', `dcim/inventory-items/${item.id}`, { device: other.id })
    await make('dcim/inventory-items', { device: other.id, parent: item.id, name: `child ${decision}` })
    if (decision) {
      await makeHere('dcim/inventory-items', { device: sides.parts.a, parent: item.id, name: `mine ${decision}` })
      assert.equal((await sides.kit.sync('push')).code, 1)
      assert.equal(conflicts()[0].object_type, 'dcim.inventoryitem')
    }
    await sync('push', decision ? { [decision]: true } : {})
    const { device } = await here('GET', `dcim/inventory-items/${item.id}`)
    assert.equal(device.id, decision === 'ours' ? sides.parts.a : other.id, decision)
    await areSame('dcim/inventory-items')
  }
})
