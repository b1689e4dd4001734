import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, here, there, sync, areSame, conflicts } = sides

type Way = 'ours' | 'theirs'
interface Case {
  /** Of the port where both part, what one side makes of it, and which mode the other gives it. */
  was: string
  held: boolean
  other: string
}
const cases: Case[] = [
  { was: 'tagged', held: false, other: 'access' },
  { was: 'tagged', held: true, other: 'tagged-all' },
  { was: 'tagged', held: true, other: '' },
  { was: '', held: false, other: 'tagged-all' },
  { was: 'access', held: false, other: 'q-in-q' },
]
let vid = 1
const vlan = async (): Promise<number> => (await make('ipam/vlans', { vid: ++vid, name: `V ${vid}` })).id
const idsOf = ({ tagged_vlans }: any): number[] =>
  tagged_vlans.map(({ id }: { id: number }) => id).toSorted((a: number, b: number) => a - b)

for (const { was, held, other } of cases)
  for (const holding of ['ours', 'theirs'] as const)
    for (const take of ['ours', 'theirs'] as const)
      test(`a port of mode “${was}” gets VLANs ${holding}, and on the other side “${other}”: ${take}`, async () => {
        const path = `dcim/interfaces/${sides.parts.p1}`
        const [first, second] = [await vlan(), await vlan()]
        const members = held ? [first] : []
        await there('PATCH', path, { mode: was || null, tagged_vlans: members })
        await sync('pull')
        const [mine, others] = holding === 'ours' ? [here, there] : [there, here]
        await mine('PATCH', path, { mode: 'tagged', tagged_vlans: [...members, second] })
        await others('PATCH', path, { mode: other || null, label: other })
        const said = await sides.kit.sync('push')
        assert.equal(said.code, 1, said.out)
        const [conflict, ...rest] = conflicts()
        assert.deepEqual(rest, [])
        assert.equal(conflict.key, `dcim.interface:${sides.parts.p1}.mode`)
        assert.equal(conflict.kind, was === 'tagged' ? 'refused' : 'changed')
        assert.deepEqual(conflict[holding].tagged_vlans, [`V ${vid} (${vid}) (${second})`])
        assert.match(conflict[`if_${holding === 'ours' ? 'theirs' : 'ours'}` satisfies `if_${Way}`], /tagged_vlans got/)
        await sync('push', { [take]: true })
        const now = await there('GET', path)
        assert.deepEqual(
          [now.mode?.value ?? '', idsOf(now), now.label],
          take === holding ? ['tagged', [...members, second], other] : [other, [], other],
        )
        await areSame('dcim/interfaces')
      })

test('a port that gets VLANs on one side and loses others on the other is not asked about', async () => {
  const path = `dcim/interfaces/${sides.parts.p2}`
  const [first, second] = [await vlan(), await vlan()]
  await there('PATCH', path, { mode: 'tagged', tagged_vlans: [first] })
  await sync('pull')
  await here('PATCH', path, { tagged_vlans: [first, second] })
  await there('PATCH', path, { tagged_vlans: [] })
  await sync('push')
  assert.deepEqual(idsOf(await there('GET', path)), [second])
  await areSame('dcim/interfaces')
})

test('a VLAN that was deleted where its port lost it does not come back with the mode of the other side', async () => {
  const path = `dcim/interfaces/${sides.parts.p3}`
  const [first, second, third] = [await vlan(), await vlan(), await vlan()]
  await there('PATCH', path, { mode: 'tagged', tagged_vlans: [first, second] })
  await sync('pull')
  await here('PATCH', path, { mode: 'access' })
  await here('DELETE', `ipam/vlans/${first}`)
  await there('PATCH', path, { tagged_vlans: [first, second, third] })
  const said = await sides.kit.sync('push')
  assert.equal(said.code, 1, said.out)
  assert.deepEqual(
    conflicts().map(({ key }) => key),
    [`dcim.interface:${sides.parts.p3}.mode`],
  )
  await sync('push', { theirs: true })
  assert.deepEqual(idsOf(await there('GET', path)), [second, third])
  await areSame('dcim/interfaces', 'ipam/vlans')
})

test('VLANs that a mode carries where they are given with it are there on both sides', async () => {
  const path = `dcim/interfaces/${sides.parts.p4}`
  for (const [i, side] of [there, here, there, here].entries()) {
    await sync('push')
    const ids = [await vlan(), await vlan()]
    await sync('pull')
    await side('PATCH', path, { mode: 'q-in-q', label: `q ${i}`, tagged_vlans: ids })
    await sync('push')
    assert.deepEqual(idsOf(await there('GET', path)), ids, `${i}`)
    await areSame('dcim/interfaces')
  }
})
