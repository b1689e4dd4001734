import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, sync, byFile, areSame } = sides

const cluster = async (name: string) => {
  const type = await make('virtualization/cluster-types', { name, slug: name })
  return (await make('virtualization/clusters', { name, type: type.id })).id
}
const machine = (id: number) => there('GET', `virtualization/virtual-machines/${id}`)
const same = () =>
  areSame('virtualization/clusters', 'virtualization/virtual-machines', 'ipam/vlans', 'virtualization/virtual-disks')
test('a machine moved to what the other side deleted goes back to where it was, and the rest of it stays', async () => {
  const { site } = sides.parts
  for (const [moves, deletes, take] of [
    [here, there, 'theirs'],
    [there, here, 'ours'],
  ] as const)
    for (const way of ['flag', 'file'] as const) {
      const name = `pool-${take}-${way}`
      const pool = await cluster(name)
      const { id } = await make('virtualization/virtual-machines', { name, site })
      await sync('pull')
      await moves('PATCH', `virtualization/virtual-machines/${id}`, { site: null, cluster: pool, comments: 'moved' })
      await deletes('DELETE', `virtualization/clusters/${pool}`)
      if (way === 'file') await byFile(take)
      else await sync('push', { [take]: true })
      const { site: at, cluster: of, comments } = await machine(id)
      assert.deepEqual([at.id, of, comments], [site, null, 'moved'], name)
      await same()
    }
})

test('a new machine in what the other side deleted goes with it, with what belongs to it', async () => {
  for (const [makes, deletes, take] of [
    [makeHere, there, 'theirs'],
    [make, here, 'ours'],
  ] as const)
    for (const way of ['flag', 'file'] as const) {
      const name = `new-${take}-${way}`
      const pool = await cluster(name)
      await sync('pull')
      const { id } = await makes('virtualization/virtual-machines', { name, cluster: pool })
      await makes('virtualization/virtual-disks', { virtual_machine: id, name: 'disk', size: 5 })
      await deletes('DELETE', `virtualization/clusters/${pool}`)
      if (way === 'file') await byFile(take)
      else await sync('push', { [take]: true })
      assert.equal((await there('GET', 'virtualization/virtual-disks')).count, 0)
      await same()
    }
})

test('what is refused without a reference that nobody has decided about stays asked about', async () => {
  const rir = await make('ipam/rirs', { name: 'Old', slug: 'old' })
  await sync('pull')
  await here('DELETE', `ipam/rirs/${rir.id}`)
  const asn = await make('ipam/asns', { asn: 65000, rir: rir.id })
  assert.equal((await sides.kit.sync('push')).code, 1)
  assert.deepEqual(
    sides.conflicts().map(({ key, kind }) => [key, kind]),
    [[`ipam.asn:${asn.id}.rir`, 'missing']],
  )
  const said = await sync('push', { ours: true })
  assert.match(said, /theirs: .*rir /)
  assert.equal((await there('GET', 'ipam/asns')).count, 0)
  await areSame('ipam/asns')
})

test('a new tenant whose group goes gets another name where one without a group has it', async () => {
  const group = await make('tenancy/tenant-groups', { name: 'Group', slug: 'group' })
  const named = { name: 'Acme', slug: 'acme' }
  const old = await make('tenancy/tenants', named)
  await sync('pull')
  const { id } = await makeHere('tenancy/tenants', { ...named, group: group.id })
  await there('DELETE', `tenancy/tenant-groups/${group.id}`)
  const said = await sync('push', { theirs: true })
  assert.match(said, /tenant Acme has the name Acme \(van\)/)
  assert.match(said, /has the slug acme-van/)
  const tenant = (of: number) => there('GET', `tenancy/tenants/${of}`)
  assert.deepEqual([(await tenant(id)).slug, (await tenant(old.id)).slug], ['acme-van', 'acme'])
  await areSame('tenancy/tenants', 'tenancy/tenant-groups')
})

test('a customer VLAN whose service VLAN the other side deleted is none any more', async () => {
  for (const [changes, deletes, take] of [
    [here, there, 'theirs'],
    [there, here, 'ours'],
  ] as const)
    for (const way of ['flag', 'file'] as const) {
      const service = await make('ipam/vlans', { vid: 10, name: `s ${take} ${way}`, qinq_role: 'svlan' })
      const { id } = await make('ipam/vlans', { vid: 11, name: `c ${take} ${way}` })
      await sync('pull')
      await changes('PATCH', `ipam/vlans/${id}`, { qinq_role: 'cvlan', qinq_svlan: service.id, comments: 'kept' })
      await deletes('DELETE', `ipam/vlans/${service.id}`)
      if (way === 'file') await byFile(take)
      else await sync('push', { [take]: true })
      const { qinq_role, comments } = await there('GET', `ipam/vlans/${id}`)
      assert.deepEqual([qinq_role, comments], [null, 'kept'])
      await same()
    }
})

test('an end of a circuit stays where the group of its site goes on the other side', async () => {
  const provider = (await make('circuits/providers', { name: 'Carrier', slug: 'carrier' })).id
  const type = (await make('circuits/circuit-types', { name: 'Line', slug: 'line' })).id
  for (const [name, deleting, making] of [
    ['there', there, makeHere],
    ['here', here, make],
  ] as const) {
    const group = await make('dcim/site-groups', { name: `group ${name}`, slug: `group-${name}` })
    const region = await make('dcim/regions', { name: `region ${name}`, slug: `region-${name}` })
    const site = await make('dcim/sites', {
      name: `site ${name}`,
      slug: `s-${name}`,
      group: group.id,
      region: region.id,
    })
    const circuit = await make('circuits/circuits', { cid: `cid ${name}`, provider, type })
    await sync('pull')
    await deleting('DELETE', `dcim/site-groups/${group.id}`)
    await deleting('DELETE', `dcim/regions/${region.id}`)
    const end = await making('circuits/circuit-terminations', {
      circuit: circuit.id,
      term_side: 'A',
      termination_type: 'dcim.site',
      termination_id: site.id,
    })
    await sync('push')
    assert.equal((await there('GET', `circuits/circuit-terminations/${end.id}`)).termination.id, site.id)
    await areSame('circuits/circuit-terminations', 'dcim/sites', 'dcim/site-groups')
  }
})
