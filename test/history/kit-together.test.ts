import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, here, there, device, conflicts, sync, areSame } = sides

/** Both sides write to an object at a path; answers what is asked about: the field, and the values of both. */
async function asked(path: string, id: number, ours: object, theirs: object): Promise<unknown[][]> {
  await sync('pull')
  await here('PATCH', `${path}/${id}`, ours)
  await there('PATCH', `${path}/${id}`, theirs)
  const { code } = await sides.kit.sync('push')
  return code === 0 ? [] : conflicts().map((each) => [each.field, each.ours, each.theirs])
}

test('a position in a chassis is decided with the chassis', async () => {
  const [a, b] = [await make('dcim/virtual-chassis', { name: 'A' }), await make('dcim/virtual-chassis', { name: 'B' })]
  const { id } = await make('dcim/devices', device('member'))
  const ours = { virtual_chassis: a.id, vc_position: 78 }
  assert.deepEqual(await asked('dcim/devices', id, ours, { virtual_chassis: b.id, vc_position: 121, vc_priority: 9 }), [
    [
      'virtual_chassis',
      { virtual_chassis: 'A (1)', vc_position: 78, vc_priority: null },
      { virtual_chassis: 'B (2)', vc_position: 121, vc_priority: 9 },
    ],
  ])
  await there('DELETE', `dcim/virtual-chassis/${a.id}`)
  await sync('push', { theirs: true })
  const seen = await there('GET', `dcim/devices/${id}`)
  assert.deepEqual([seen.virtual_chassis.id, seen.vc_position, seen.vc_priority], [b.id, 121, 9])
  await areSame('dcim/virtual-chassis', 'dcim/devices')
})

test('a rack unit is decided with the rack, where that is not the same on both sides', async () => {
  const [r2, r3] = [
    await make('dcim/racks', { name: 'R2', site: sides.parts.site }),
    await make('dcim/racks', { name: 'R3', site: sides.parts.site }),
  ]
  const { id } = await make('dcim/devices', device('racked', { rack: sides.parts.rack, position: 10, face: 'front' }))
  const place = async () => {
    const { rack, position, face } = await there('GET', `dcim/devices/${id}`)
    return [rack.name, position, face.value]
  }
  assert.deepEqual(await asked('dcim/devices', id, { rack: r2.id, position: 5 }, { position: 20, face: 'rear' }), [
    ['rack', { rack: 'R2 (2)', position: 5, face: 'front' }, { rack: 'R1 (1)', position: 20, face: 'rear' }],
  ])
  await sync('push', { ours: true })
  assert.deepEqual(await place(), ['R2', 5, 'front'])

  const [moved] = await asked('dcim/devices', id, { rack: r3.id, position: 7 }, { rack: sides.parts.rack, position: 9 })
  assert.deepEqual(moved, ['rack', { rack: 'R3 (3)', position: 7 }, { rack: 'R1 (1)', position: 9 }])
  await sync('push', { theirs: true })
  assert.deepEqual(await place(), ['R1', 9, 'front'])

  // In one rack they are two things.
  assert.deepEqual(await asked('dcim/devices', id, { position: 30 }, { face: 'rear' }), [])
  assert.deepEqual(await place(), ['R1', 30, 'rear'])
  await areSame('dcim/devices')
})

test('a number is decided with what it is measured in', async () => {
  const { id } = await make('dcim/racks', {
    name: 'measured',
    site: sides.parts.site,
    weight: 100,
    max_weight: 900,
    weight_unit: 'kg',
  })
  assert.deepEqual(
    await asked('dcim/racks', id, { weight: 220, max_weight: 1980, weight_unit: 'lb' }, { weight: 110 }),
    [
      [
        'weight',
        { weight: 220, max_weight: 1980, weight_unit: 'lb' },
        { weight: 110, max_weight: 900, weight_unit: 'kg' },
      ],
    ],
  )
  await sync('push', { theirs: true })
  const seen = await there('GET', `dcim/racks/${id}`)
  assert.deepEqual([seen.weight, seen.max_weight, seen.weight_unit.value], [110, 900, 'kg'])
  assert.deepEqual(await asked('dcim/racks', id, { weight: 120 }, { max_weight: 800 }), [])
  const now = await there('GET', `dcim/racks/${id}`)
  assert.deepEqual([now.weight, now.max_weight, now.weight_unit.value], [120, 800, 'kg'])
  await areSame('dcim/racks')
})
