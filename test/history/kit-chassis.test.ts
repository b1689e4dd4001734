import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, device, conflicts, sync, areSame } = sides

test('what comes back, or stays, has its members again: those that its deletion made refer to nothing', async () => {
  for (const [side, deleting, changing] of [
    ['theirs', here, there],
    ['ours', there, here],
  ] as const) {
    const names = ['m1', 'm2'].map((name) => `${name} ${side}`)
    const [master, member] = [
      await make('dcim/devices', device(names[0]!)),
      await make('dcim/devices', device(names[1]!)),
    ]
    const chassis = await make('dcim/virtual-chassis', { name: `stack ${side}`, master: master.id })
    await there('PATCH', `dcim/devices/${member.id}`, { virtual_chassis: chassis.id, vc_position: 2, vc_priority: 9 })
    const region = await make('dcim/regions', { name: `North ${side}`, slug: `north-${side}` })
    await there('PATCH', `dcim/sites/${sides.parts.site}`, { region: region.id })
    await sync('push')
    await deleting('DELETE', `dcim/virtual-chassis/${chassis.id}`)
    await deleting('DELETE', `dcim/regions/${region.id}`)
    await changing('PATCH', `dcim/virtual-chassis/${chassis.id}`, { domain: 'changed' })
    await changing('PATCH', `dcim/regions/${region.id}`, { description: 'changed' })
    assert.equal((await sides.kit.sync('push')).code, 1)
    await sync('push', { [side]: true })
    const seen = await there('GET', `dcim/virtual-chassis/${chassis.id}`)
    assert.deepEqual([seen.domain, seen.master.id, seen.member_count], ['changed', master.id, 2])
    const positions = async ({ id }: { id: number }) => {
      const { virtual_chassis, vc_position, vc_priority } = await there('GET', `dcim/devices/${id}`)
      return [virtual_chassis?.id, vc_position, vc_priority]
    }
    assert.deepEqual(await positions(master), [chassis.id, 1, null])
    assert.deepEqual(await positions(member), [chassis.id, 2, 9])
    assert.equal((await there('GET', `dcim/sites/${sides.parts.site}`)).region?.id, region.id)
    await areSame('dcim/virtual-chassis', 'dcim/devices', 'dcim/regions', 'dcim/sites')
  }
})

test('a virtual chassis comes back without its master where that belongs to another by now', async () => {
  const master = await make('dcim/devices', device('moved'))
  const [left, joined] = [
    await make('dcim/virtual-chassis', { name: 'left', master: master.id }),
    await make('dcim/virtual-chassis', { name: 'joined' }),
  ]
  await sync('push')
  await here('DELETE', `dcim/virtual-chassis/${left.id}`)
  await here('PATCH', `dcim/devices/${master.id}`, { virtual_chassis: joined.id, vc_position: 3 })
  await there('PATCH', `dcim/virtual-chassis/${left.id}`, { domain: 'changed' })
  assert.equal((await sides.kit.sync('push')).code, 1)
  await sync('push', { theirs: true })
  const seen = await there('GET', `dcim/virtual-chassis/${left.id}`)
  assert.deepEqual([seen.domain, seen.master, seen.member_count], ['changed', null, 0])
  assert.equal((await there('GET', `dcim/devices/${master.id}`)).virtual_chassis.id, joined.id)
  await areSame('dcim/virtual-chassis', 'dcim/devices')
})

test('the master of a chassis that was made here joins another one there: either decision ends it', async () => {
  for (const [decision, is] of [
    ['ours', 'own'],
    ['theirs', 'other'],
  ] as const) {
    const member = await make('dcim/devices', device(`torn ${decision}`))
    const other = await make('dcim/virtual-chassis', { name: `other ${decision}` })
    await sync('push')
    const own = await makeHere('dcim/virtual-chassis', { name: `own ${decision}`, master: member.id })
    await there('PATCH', `dcim/devices/${member.id}`, { virtual_chassis: other.id, vc_position: 4 })
    await makeHere('dcim/devices', device(`beside ${decision}`)) // nobody's rival
    assert.equal((await sides.kit.sync('push')).code, 1)
    const said = await sides.kit.sync('push', { 'theirs-of': `dcim.device:${member.id}` })
    assert.equal(said.code, 1)
    const key = `dcim.virtualchassis:${own.id}.master`
    const [asked] = conflicts().filter((each) => each.key === key)
    assert.match(JSON.stringify(asked.theirs), new RegExp(`"virtual_chassis":"other ${decision} .*"vc_position":4`))
    await sync('push', {
      'theirs-of': `dcim.device:${member.id}`,
      [`${decision}-of`]: decision === 'ours' ? key : `dcim.device:${member.id},${key}`,
    })
    const seen = await there('GET', `dcim/devices/${member.id}`)
    assert.equal(seen.virtual_chassis.name, `${is} ${decision}`)
    assert.equal(
      (await there('GET', `dcim/virtual-chassis/${own.id}`)).master?.id,
      decision === 'ours' ? member.id : undefined,
    )
    await areSame('dcim/virtual-chassis', 'dcim/devices')
  }
})

test('what was made the master of a chassis there leaves it by a decision: asked about too', async () => {
  for (const isNew of [true, false])
    for (const decision of ['ours', 'theirs'] as const) {
      const name = `${decision} ${isNew}`
      const first = await make('dcim/virtual-chassis', { name: `first ${name}` })
      const member = await make('dcim/devices', device(`led ${name}`, { virtual_chassis: first.id, vc_position: 7 }))
      const made = () => make('dcim/virtual-chassis', { name: `led ${name}` })
      const old = isNew ? undefined : await made()
      await sync('pull')
      await here('PATCH', `dcim/devices/${member.id}`, { virtual_chassis: null, vc_position: null })
      const second = old ?? (await made())
      await there('PATCH', `dcim/devices/${member.id}`, { virtual_chassis: second.id, vc_position: 1 })
      await there('PATCH', `dcim/virtual-chassis/${second.id}`, { master: member.id })
      const [chassis, master] = [`dcim.device:${member.id}.virtual_chassis`, `dcim.virtualchassis:${second.id}.master`]
      const settled: Record<string, string> = { 'ours-of': chassis }
      assert.equal((await sides.kit.sync('push', settled)).code, 1)
      const [asked] = conflicts().filter((each) => each.key === master)
      assert.match(asked.detail, isNew ? /cannot leave it/ : /must be a member/)
      await sync('push', { ...settled, [`${decision}-of`]: [settled[`${decision}-of`], master].filter(Boolean).join() })
      const seen = await there('GET', `dcim/devices/${member.id}`)
      const led = await there('GET', `dcim/virtual-chassis/${second.id}`)
      assert.deepEqual(
        [seen.virtual_chassis?.id, seen.vc_position, led.master?.id],
        decision === 'ours' ? [undefined, null, undefined] : [second.id, 1, member.id],
        name,
      )
      await areSame('dcim/virtual-chassis', 'dcim/devices')
    }
})

test('what a device broke at the source already is not asked of it because its chassis stays deleted', async () => {
  const other = await make('dcim/manufacturers', { name: 'Limiting', slug: 'limiting' })
  for (const isBefore of [true, false])
    for (const decision of ['ours', 'theirs'] as const) {
      const name = `${decision} ${isBefore}`
      const chassis = await make('dcim/virtual-chassis', { name: `left ${name}` })
      const platform = await make('dcim/platforms', { name, slug: `${decision}-${isBefore}` })
      const late = { platform: platform.id }
      const member = await make('dcim/devices', device(`on ${name}`, isBefore ? late : {}))
      await sync('pull')
      await here('DELETE', `dcim/virtual-chassis/${chassis.id}`)
      const joined = { virtual_chassis: chassis.id, vc_position: 1 }
      await there('PATCH', `dcim/devices/${member.id}`, isBefore ? joined : { ...joined, ...late })
      await there('PATCH', `dcim/virtual-chassis/${chassis.id}`, { description: 'changed' })
      await there('PATCH', `dcim/platforms/${platform.id}`, { manufacturer: other.id })
      await sync('push', { [decision]: true })
      const seen = await there('GET', `dcim/devices/${member.id}`)
      assert.deepEqual(
        [seen.platform?.id, seen.virtual_chassis?.id],
        [platform.id, decision === 'ours' ? undefined : chassis.id],
        name,
      )
      await areSame('dcim/virtual-chassis', 'dcim/devices')
    }
})

test('a device that was put into a bay which the other side deleted stays where it is', async () => {
  const { site, maker, role } = sides.parts
  const far = (await make('dcim/sites', { name: 'Far', slug: 'far' })).id
  const type = async (model: string, subdevice_role: string) =>
    (await make('dcim/device-types', { manufacturer: maker, model, slug: model, u_height: 0, subdevice_role })).id
  const [parent, child] = [await type('enclosure', 'parent'), await type('blade', 'child')]
  const chassis = (await make('dcim/virtual-chassis', { name: 'enclosures' })).id
  const holder = await make('dcim/devices', { name: 'enclosure', site, role, device_type: parent })
  const bay = await make('dcim/device-bays', { device: holder.id, name: 'bay' })
  const blade = await make('dcim/devices', { name: 'blade', site: far, role, device_type: child })
  await sync('pull')
  await here('PATCH', `dcim/device-bays/${bay.id}`, { installed_device: blade.id })
  await there('PATCH', `dcim/devices/${holder.id}`, { virtual_chassis: chassis, vc_position: 1 })
  await there('DELETE', `dcim/device-bays/${bay.id}`)
  await sync('push', { theirs: true })
  assert.equal((await there('GET', `dcim/devices/${blade.id}`)).site.id, far)
  await areSame('dcim/devices', 'dcim/device-bays')
})

test('a position in a chassis that its device left on the other side, where it was deleted then', async () => {
  for (const writes of [here, there])
    for (const turns of [
      ['ours', 'theirs'],
      ['theirs', 'ours'],
    ] as const) {
      const name = `${writes === here} ${turns}`
      const chassis = (await make('dcim/virtual-chassis', { name })).id
      const { id } = await make('dcim/devices', device(name, { virtual_chassis: chassis, vc_position: 1 }))
      await sync('pull')
      await writes('PATCH', `dcim/devices/${id}`, { vc_position: 8 })
      const leaves = writes === here ? there : here
      await leaves('PATCH', `dcim/devices/${id}`, { virtual_chassis: null, vc_position: null })
      await leaves('DELETE', `dcim/virtual-chassis/${chassis}`)
      await sides.inTurn(turns)
      const is = await there('GET', `dcim/devices/${id}`)
      const stays = writes === there && turns[0] === 'theirs'
      assert.deepEqual([is.virtual_chassis?.id, is.vc_position], stays ? [chassis, 8] : [undefined, null], name)
      const file = join(sides.kit.data, 'decided.json')
      const decided = (JSON.parse(readFileSync(file, 'utf8')) as { conflicts: any[] }).conflicts
      const keys = [`dcim.device:${id}.virtual_chassis`, `dcim.virtualchassis:${chassis}`]
      const told = decided.filter(({ key }) => keys.includes(key))
      assert.match(JSON.stringify(told.map(({ ours, theirs }) => [ours, theirs])), /"vc_position":8/)
      await areSame('dcim/devices', 'dcim/virtual-chassis')
    }
})
