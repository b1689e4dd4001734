import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, sync, areSame } = sides

const Machines = 'virtualization/virtual-machines'
const Disks = 'virtualization/virtual-disks'
/** Makes objects, and changes them, on one side and on the other; which of them a decision for the first is for. */
const ways = [
  { makes: makeHere, one: here, other: there, first: 'ours', second: 'theirs' },
  { makes: make, one: there, other: here, first: 'theirs', second: 'ours' },
] as const
let count = 0
const machine = async (more: object = {}): Promise<number> =>
  (await make(Machines, { name: `vm${++count}`, site: sides.parts.site, ...more })).id
const disk = (makes: typeof make, virtual_machine: number, name: string, size: number) =>
  makes(Disks, { virtual_machine, name, size })
/** What both sides have, once they are the same and sound. */
const sizeOf = async (id: number): Promise<number | null> => {
  await areSame(Machines, Disks)
  return (await there('GET', `${Machines}/${id}`)).disk
}

test('the disk of a machine to which both sides added virtual disks is the sum of them all', async () => {
  for (const before of [null, 100]) {
    const id = await machine({ disk: before })
    if (before) await disk(make, id, 'old', before)
    await sync('pull')
    await disk(makeHere, id, 'a', 100)
    await disk(make, id, 'b', before ?? 50)
    await sync('push')
    assert.equal(await sizeOf(id), before ? 300 : 150)
  }
})

test('a size written beside a virtual disk of the other side gives way to the sum, and is told of', async () => {
  for (const { makes, other, first } of ways)
    for (const size of [null, 7]) {
      const id = await machine({ disk: 5 })
      await sync('pull')
      await disk(makes, id, 'a', 2033)
      await other('PATCH', `${Machines}/${id}`, { disk: size })
      const said = await sync('push')
      assert.match(said, new RegExp(`decided for ${first}: .*disk: .*sum of its virtual disks`))
      assert.match(said, new RegExp(first === 'ours' ? `theirs: ${size ?? '-'}` : `ours: ${size ?? '-'}`))
      assert.equal(await sizeOf(id), 2033)
    }
})

test('a size written once the last virtual disk is gone stays, whatever the other side did to it', async () => {
  for (const { one, other } of ways)
    for (const size of [7, 100]) {
      const id = await machine()
      const { id: old } = await disk(make, id, 'old', 100)
      await sync('pull')
      await one('DELETE', `${Disks}/${old}`)
      await one('PATCH', `${Machines}/${id}`, { disk: size })
      await other('PATCH', `${Machines}/${id}`, { comments: 'seen' })
      await sync('push')
      assert.equal(await sizeOf(id), size)
    }
})

test('a virtual disk that goes on one side and comes on the other leaves the sum of what is there', async () => {
  for (const { makes, other } of ways) {
    const id = await machine()
    const { id: old } = await disk(make, id, 'old', 100)
    await sync('pull')
    await disk(makes, id, 'new', 50)
    await other('DELETE', `${Disks}/${old}`)
    assert.doesNotMatch(await sync('push'), /decided/)
    assert.equal(await sizeOf(id), 50)
  }
})

test('a virtual disk deleted on one side and changed on the other counts where it stays', async () => {
  for (const { one, other, first, second } of ways)
    for (const take of [first, second]) {
      const id = await machine()
      const { id: old } = await disk(make, id, 'old', 100)
      await sync('pull')
      await one('DELETE', `${Disks}/${old}`)
      await other('PATCH', `${Disks}/${old}`, { size: 200 })
      await sync('push', { [take]: true })
      assert.equal(await sizeOf(id), take === first ? null : 200)
    }
})

test('two sizes of a machine without virtual disks are asked about', async () => {
  for (const take of ['ours', 'theirs'] as const) {
    const id = await machine({ disk: 5 })
    await sync('pull')
    await here('PATCH', `${Machines}/${id}`, { disk: 6 })
    await there('PATCH', `${Machines}/${id}`, { disk: 7 })
    assert.equal((await sides.kit.sync('push')).code, 1)
    assert.deepEqual(
      sides.conflicts().map(({ field, parted, ours, theirs }) => [field, parted, ours, theirs]),
      [['disk', 5, 6, 7]],
    )
    await sync('push', { [take]: true })
    assert.equal(await sizeOf(id), take === 'ours' ? 6 : 7)
  }
})

test('a virtual disk that moved on one side, while its size changed on the other, counts where it is', async () => {
  for (const { one, other } of ways) {
    const [from, to] = [await machine(), await machine()]
    const { id } = await disk(make, from, 'moving', 100)
    await disk(make, from, 'staying', 10)
    await sync('pull')
    await one('PATCH', `${Disks}/${id}`, { virtual_machine: to })
    await other('PATCH', `${Disks}/${id}`, { size: 200 })
    await sync('push')
    assert.deepEqual([await sizeOf(from), await sizeOf(to)], [10, 200])
  }
})

test('what is worked out from fields of which each side changed one is no conflict, and is right', async () => {
  const range = await make('ipam/ip-ranges', { start_address: '10.0.0.10/24', end_address: '10.0.0.20/24' })
  const panel = await make('dcim/power-panels', { name: 'panel', site: sides.parts.site })
  const feed = await make('dcim/power-feeds', { name: 'feed', power_panel: panel.id, voltage: 100, amperage: 10 })
  await sync('pull')
  await here('PATCH', `ipam/ip-ranges/${range.id}`, { start_address: '10.0.0.1/24' })
  await there('PATCH', `ipam/ip-ranges/${range.id}`, { end_address: '10.0.0.30/24' })
  await here('PATCH', `dcim/power-feeds/${feed.id}`, { voltage: 200 })
  await there('PATCH', `dcim/power-feeds/${feed.id}`, { amperage: 20 })
  assert.doesNotMatch(await sync('push'), /decided/)
  await areSame('ipam/ip-ranges', 'dcim/power-feeds')
  assert.equal((await there('GET', `ipam/ip-ranges/${range.id}`)).size, 30)
  for (const path of ['source', 'kit'] as const) {
    const row = sides[path].running.store.db.get<any>('select * from dcim_powerfeed where id = ?', feed.id)
    assert.equal(row.available_power, 3200)
  }
})

test('two lists of VLAN ids are one conflict, and their number follows', async () => {
  for (const take of ['ours', 'theirs'] as const) {
    const group = await make('ipam/vlan-groups', { name: take, slug: take })
    await sync('pull')
    await here('PATCH', `ipam/vlan-groups/${group.id}`, { vid_ranges: [[1, 10]] })
    await there('PATCH', `ipam/vlan-groups/${group.id}`, { vid_ranges: [[1, 20]] })
    assert.equal((await sides.kit.sync('push')).code, 1)
    assert.deepEqual(
      sides.conflicts().map(({ field }) => field),
      ['vid_ranges'],
    )
    await sync('push', { [take]: true })
    await areSame('ipam/vlan-groups')
    assert.equal((await there('GET', `ipam/vlan-groups/${group.id}`)).total_vlan_ids, take === 'ours' ? 10 : 20)
  }
})
