import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, sync, areSame, conflicts, end } = sides

type Way = 'ours' | 'theirs'
/** Asks what is open, in one conflict, and decides it. */
async function decide(key: string, take: Way): Promise<any> {
  const said = await sides.kit.sync('push')
  assert.equal(said.code, 1, said.out)
  assert.deepEqual(
    conflicts().map((each) => each.key),
    [key],
  )
  const [conflict] = conflicts()
  await sync('push', { [take]: true })
  return conflict
}
const cablesOf = async (port: number) => (await there('GET', `dcim/interfaces/${port}`)).cable

test('a port is marked as connected on one side and cabled on the other: asked before it is pushed', async () => {
  const { parts } = sides
  const cases = [
    [here, there, { mark_connected: true }, { mark_connected: false }, 'mark_connected'],
    [here, there, { type: 'virtual' }, { type: '1000base-t' }, 'type'],
    [there, here, { mark_connected: true }, { mark_connected: false }, undefined],
  ] as const
  for (const [cabling, marking, body, was, field] of cases)
    for (const take of ['ours', 'theirs'] as const) {
      const { id } = await cabling('POST', 'dcim/cables', {
        a_terminations: end(parts.p1!),
        b_terminations: end(parts.p2!),
      })
      await marking('PATCH', `dcim/interfaces/${parts.p1}`, body)
      const key = field ? `dcim.interface:${parts.p1}.${field}` : `dcim.cable:${id}.terminations`
      const conflict = await decide(key, take)
      assert.match(JSON.stringify(conflict.ours) + JSON.stringify(conflict.theirs), new RegExp(`cable ${id}.*sw-a p2`))
      const isCabled = (cabling === here) === (take === 'ours')
      assert.equal((await cablesOf(parts.p1!)) !== null, isCabled, `${field} ${take}`)
      await areSame('dcim/interfaces', 'dcim/cables')
      if (isCabled) await there('DELETE', `dcim/cables/${id}`)
      else await there('PATCH', `dcim/interfaces/${parts.p1}`, was)
      await sync('pull')
    }
})

test('what refers to a port is not to blame for what a cable at it does not allow', async () => {
  const device = sides.parts.a
  const port = await make('dcim/power-ports', { device, name: 'PSU' })
  const feeding = await make('dcim/power-outlets', { device, name: 'main' })
  for (const take of ['ours', 'theirs'] as const) {
    await sync('pull')
    const at = (object_type: string, { id }: { id: number }) => [{ object_type, object_id: id }]
    const ends = {
      a_terminations: at('dcim.powerport', port),
      b_terminations: at('dcim.poweroutlet', feeding),
    }
    const { id } = await makeHere('dcim/cables', ends)
    const outlet = await makeHere('dcim/power-outlets', { device, name: take, power_port: port.id })
    await there('PATCH', `dcim/power-ports/${port.id}`, { mark_connected: true, label: take })
    const conflict = await decide(`dcim.powerport:${port.id}.mark_connected`, take)
    assert.match(JSON.stringify(conflict.theirs), /"mark_connected":1/)
    assert.equal((await there('GET', `dcim/power-outlets/${outlet.id}`)).power_port.id, port.id)
    const { mark_connected, label, cable } = await there('GET', `dcim/power-ports/${port.id}`)
    assert.deepEqual([mark_connected, label, cable !== null], [take === 'theirs', take, take === 'ours'])
    await areSame('dcim/power-ports', 'dcim/power-outlets', 'dcim/cables')
    if (take === 'ours') await there('DELETE', `dcim/cables/${id}`)
    await there('PATCH', `dcim/power-ports/${port.id}`, { mark_connected: false })
  }
})

test('what was made here is judged by what comes too: a rack that moves off the panel of a new feed', async () => {
  const { site, rack } = sides.parts
  const other = await make('dcim/sites', { name: 'Annex', slug: 'annex' })
  const panel = await make('dcim/power-panels', { name: 'PP', site })
  for (const take of ['ours', 'theirs'] as const) {
    await sync('pull')
    const { id } = await makeHere('dcim/power-feeds', { name: `F ${take}`, power_panel: panel.id, rack })
    await there('PATCH', `dcim/racks/${rack}`, { site: other.id })
    await decide(`dcim.powerfeed:${id}`, take)
    assert.equal((await there('GET', `dcim/racks/${rack}`)).site.id, take === 'ours' ? site : other.id)
    assert.equal((await there('GET', `dcim/power-feeds/${id}`)).rack?.id, take === 'ours' ? rack : undefined)
    await areSame('dcim/racks', 'dcim/power-feeds')
    await there('DELETE', `dcim/power-feeds/${id}`)
    await there('PATCH', `dcim/racks/${rack}`, { site })
  }
})

test('two fields of one object that rules allow only together', async () => {
  const { id } = await make('dcim/devices', sides.device('faced', { rack: sides.parts.rack, face: 'rear' }))
  for (const take of ['ours', 'theirs'] as const) {
    await sync('pull')
    await here('PATCH', `dcim/devices/${id}`, { position: 30, comments: 'kept' })
    await there('PATCH', `dcim/devices/${id}`, { face: '', description: take })
    await decide(`dcim.device:${id}.face`, take)
    const { position, face, comments, description } = await there('GET', `dcim/devices/${id}`)
    assert.deepEqual([position, face?.value ?? null], take === 'ours' ? [30, 'rear'] : [null, null])
    assert.deepEqual([comments, description], ['kept', take])
    await there('PATCH', `dcim/devices/${id}`, { position: null, face: 'rear' })
  }
})

test('what rules refuse of one side alone is taken from the source, and where it was so before', async () => {
  const { site } = sides.parts
  const reserved = async (name: string) => {
    const rack = await make('dcim/racks', { name, site })
    const made = await make('dcim/rack-reservations', { rack: rack.id, units: [21], user: 1, description: name })
    await there('PATCH', `dcim/racks/${rack.id}`, { starting_unit: 100 })
    return made
  }
  const preset = (name: string) => ({ name, type: 'text', object_types: ['dcim.rackreservation'], default: name })
  const first = await reserved('R10')
  await sync('pull')
  await make('extras/custom-fields', preset('from_there'))
  await reserved('R11')
  await sync('pull')
  await makeHere('extras/custom-fields', preset('from_here'))
  await sync('push')
  const { custom_fields } = await there('GET', `dcim/rack-reservations/${first.id}`)
  assert.deepEqual([custom_fields.from_here, custom_fields.from_there], ['from_here', 'from_there'])
  await areSame('dcim/rack-reservations', 'dcim/racks')
})

test('what was changed there, and could not be any more after what was done here, is no conflict', async () => {
  const { site } = sides.parts
  const rack = await make('dcim/racks', { name: 'R20', site })
  const body = { rack: rack.id, units: [21], user: 1, description: 'parted' }
  const made = await make('dcim/rack-reservations', body)
  await sync('pull')
  await there('PATCH', `dcim/rack-reservations/${made.id}`, { description: 'changed' })
  await here('PATCH', `dcim/racks/${rack.id}`, { starting_unit: 100 })
  await sync('push')
  assert.equal((await there('GET', `dcim/rack-reservations/${made.id}`)).description, 'changed')
  assert.equal((await there('GET', `dcim/racks/${rack.id}`)).starting_unit, 100)
  await areSame('dcim/rack-reservations', 'dcim/racks')
  const second = await make('dcim/racks', { name: 'R21', site })
  await sync('pull')
  await makeHere('dcim/rack-reservations', { ...body, rack: second.id, description: 'of the kit' })
  await here('PATCH', `dcim/racks/${second.id}`, { starting_unit: 100 })
  await sync('push')
  await areSame('dcim/rack-reservations', 'dcim/racks')
})

test('who is to blame is found also where the other side deleted a circuit that was cabled here', async () => {
  const { site, p3 } = sides.parts
  const provider = await make('circuits/providers', { name: 'Carrier', slug: 'carrier' })
  const type = await make('circuits/circuit-types', { name: 'Fibre', slug: 'fibre' })
  const low = await make('ipam/ip-ranges', { start_address: '10.9.1.8/24', end_address: '10.9.1.15/24' })
  const circuit = await make('circuits/circuits', { cid: 'C1', provider: provider.id, type: type.id })
  const ends = []
  for (const term_side of ['A', 'Z']) {
    const termination = { termination_type: 'dcim.site', termination_id: site }
    ends.push(await make('circuits/circuit-terminations', { circuit: circuit.id, term_side, ...termination }))
  }
  await sync('pull')
  const a_terminations = [{ object_type: 'circuits.circuittermination', object_id: ends[0].id }]
  await makeHere('dcim/cables', { a_terminations, b_terminations: end(p3!) })
  const high = await makeHere('ipam/ip-ranges', { start_address: '10.9.2.8/24', end_address: '10.9.2.15/24' })
  await there('DELETE', `circuits/circuits/${circuit.id}`)
  await there('PATCH', `ipam/ip-ranges/${low.id}`, { end_address: '10.9.3.15/24' })
  await sync('push', { theirs: true })
  assert.equal((await there('GET', `ipam/ip-ranges/${low.id}`)).end_address, '10.9.3.15/24')
  assert.equal((await sides.source.call('GET', `/api/ipam/ip-ranges/${high.id}/`)).status, 404)
  await areSame('ipam/ip-ranges', 'circuits/circuits', 'circuits/circuit-terminations', 'dcim/cables')
})

test('what was against the rules already comes back so, also where custom fields of one name give way', async () => {
  const { type } = sides.parts
  const other = await make('dcim/manufacturers', { name: 'Other', slug: 'other' })
  const platform = await make('dcim/platforms', { name: 'OS', slug: 'os' })
  const made = await make('dcim/devices', sides.device('old', { platform: platform.id, device_type: type }))
  await there('PATCH', `dcim/platforms/${platform.id}`, { manufacturer: other.id }) // no rule looks at devices then
  await sync('pull')
  const field = { name: 'twice', type: 'text', object_types: ['dcim.device'] }
  await make('extras/custom-fields', field)
  await makeHere('extras/custom-fields', field)
  await here('DELETE', `dcim/devices/${made.id}`)
  await make('dcim/interfaces', { device: made.id, name: 'new', type: '1000base-t' })
  await sync('push', { theirs: true })
  assert.equal((await there('GET', `dcim/devices/${made.id}`)).platform.id, platform.id)
  await areSame('dcim/devices', 'dcim/platforms', 'dcim/interfaces', 'extras/custom-fields')
})

test('what refers again to what stays does so also where that was against the rules already', async () => {
  const other = await make('dcim/manufacturers', { name: 'Third', slug: 'third' })
  for (const [deleting, needing, take] of [
    [there, here, 'ours'],
    [here, there, 'theirs'],
  ] as const) {
    const platform = await make('dcim/platforms', { name: take, slug: take })
    const made = await make('dcim/devices', sides.device(`of ${take}`, { platform: platform.id }))
    await there('PATCH', `dcim/platforms/${platform.id}`, { manufacturer: other.id }) // no rule looks at devices then
    await sync('pull')
    await deleting('DELETE', `dcim/platforms/${platform.id}`)
    await needing('POST', 'dcim/platforms', { name: `below ${take}`, slug: `below-${take}`, parent: platform.id })
    await sync('push', { [take]: true })
    assert.equal((await there('GET', `dcim/devices/${made.id}`)).platform.id, platform.id)
    await areSame('dcim/devices', 'dcim/platforms')
  }
})

test('what the source refuses because of where a row stands there is asked before it is pushed', async () => {
  const { p1, p2 } = sides.parts
  for (const take of ['ours', 'theirs'] as const) {
    const at = (assigned_object_id: number) => ({ assigned_object_type: 'dcim.interface', assigned_object_id })
    const mac_address = `00:00:5E:00:53:0${take === 'ours' ? 1 : 2}`
    const mac = await make('dcim/mac-addresses', { mac_address, ...at(p1!) })
    await sync('pull')
    await here('PATCH', `dcim/mac-addresses/${mac.id}`, at(p2!))
    await there('PATCH', `dcim/interfaces/${p1}`, { primary_mac_address: mac.id })
    assert.equal((await sides.kit.sync('push')).code, 1)
    assert.equal(conflicts().length, 1)
    await sync('push', { [take]: true })
    assert.equal((await there('GET', `dcim/mac-addresses/${mac.id}`)).assigned_object_id, take === 'ours' ? p2 : p1)
    const { primary_mac_address } = await there('GET', `dcim/interfaces/${p1}`)
    assert.equal(primary_mac_address?.id, take === 'ours' ? undefined : mac.id)
    await areSame('dcim/interfaces', 'dcim/mac-addresses')
  }
})

test('a MAC address that gives way to what the other side did with it is where that has it', async () => {
  const port = (name: string) => make('dcim/interfaces', { device: sides.parts.a, name, type: '1000base-t' })
  const [mine, other, mac] = [
    await port('mac mine'),
    await port('mac theirs'),
    await make('dcim/mac-addresses', { mac_address: '00:00:5E:00:53:01' }),
  ]
  await sync('pull')
  const to = ({ id }: { id: number }) => ({ assigned_object_type: 'dcim.interface', assigned_object_id: id })
  await here('PATCH', `dcim/mac-addresses/${mac.id}`, to(mine))
  await there('PATCH', `dcim/mac-addresses/${mac.id}`, to(other))
  await there('PATCH', `dcim/interfaces/${other.id}`, { primary_mac_address: mac.id })
  await sync('push', {
    'ours-of': `dcim.macaddress:${mac.id}.assigned_object`,
    'theirs-of': `dcim.interface:${other.id}.primary_mac_address`,
  })
  assert.equal((await there('GET', `dcim/mac-addresses/${mac.id}`)).assigned_object.id, other.id)
  assert.equal((await there('GET', `dcim/interfaces/${other.id}`)).primary_mac_address.id, mac.id)
  await areSame('dcim/mac-addresses', 'dcim/interfaces')
})

test('a device left a location that was deleted then, and moved there to another site with its devices', async () => {
  const { site } = sides.parts
  const other = (await make('dcim/sites', { name: 'Elsewhere', slug: 'elsewhere' })).id
  const next = (await make('dcim/locations', { name: 'Next', slug: 'next', site })).id
  const both = ['ours', 'theirs'] as const
  for (const leaving of both)
    for (const stays of both)
      for (const wins of stays === leaving ? both : [leaving]) {
        const [leaves, moves] = leaving === 'ours' ? [here, there] : [there, here]
        const slug = `${leaving}-${stays}-${wins}`
        const location = (await make('dcim/locations', { name: slug, slug, site })).id
        const { id } = await make('dcim/devices', sides.device(slug, { location }))
        await sync('pull')
        await leaves('PATCH', `dcim/devices/${id}`, { location: next })
        await leaves('DELETE', `dcim/locations/${location}`)
        await moves('PATCH', `dcim/locations/${location}`, { site: other, description: 'moved' })
        const [where, device] = [`dcim.location:${location}`, `dcim.device:${id}.location`]
        await sync(
          'push',
          stays === wins
            ? { [`${stays}-of`]: `${where},${device}` }
            : { [`${stays}-of`]: where, [`${wins}-of`]: device },
        )
        const is = await there('GET', `dcim/devices/${id}`)
        const found = [is.site.id, is.location?.id]
        if (wins === leaving) assert.deepEqual(found, [site, next], slug)
        else assert.deepEqual(found, [other, stays === leaving ? undefined : location], slug)
        await areSame('dcim/devices', 'dcim/locations')
      }
})

test('a range that one side made anew stays by a decision: the new one, which overlaps, goes', async () => {
  let n = 0
  for (const edits of [here, there])
    for (const take of ['ours', 'theirs'] as const) {
      const body = { start_address: `10.0.${++n}.1/24`, end_address: `10.0.${n}.9/24` }
      const old = (await make('ipam/ip-ranges', body)).id
      await sync('pull')
      await edits('PATCH', `ipam/ip-ranges/${old}`, { description: 'edited' })
      const replaces = edits === here ? there : here
      await replaces('DELETE', `ipam/ip-ranges/${old}`)
      const next = (await replaces('POST', 'ipam/ip-ranges', body)).id
      await sync('push', { [`${take}-of`]: `ipam.iprange:${old}` })
      const { results } = await there('GET', 'ipam/ip-ranges')
      const found = results.filter((each: any) => [old, next].includes(each.id))
      const isOld = (take === 'ours') === (edits === here)
      assert.deepEqual(
        found.map((each: any) => [each.id, each.description]),
        isOld ? [[old, 'edited']] : [[next, '']],
      )
      await areSame('ipam/ip-ranges')
    }
})

test('an untagged VLAN was set that moved to another site there: asked; the other way it is in order', async () => {
  for (const take of ['ours', 'theirs'] as const)
    for (const sets of [here, there]) {
      const name = `vlan ${take} ${sets === here}`
      const site = (await make('dcim/sites', { name, slug: name.replaceAll(' ', '-') })).id
      const vlan = (await make('ipam/vlans', { name, vid: 700 })).id
      const port = (await make('dcim/interfaces', { device: sides.parts.a, name, type: 'virtual', mode: 'access' })).id
      await sync('pull')
      await sets('PATCH', `dcim/interfaces/${port}`, { untagged_vlan: vlan })
      await (sets === here ? there : here)('PATCH', `ipam/vlans/${vlan}`, { site })
      if (sets === here) await decide(`dcim.interface:${port}.untagged_vlan`, take)
      else await sync('push')
      const [is, of] = [await there('GET', `dcim/interfaces/${port}`), await there('GET', `ipam/vlans/${vlan}`)]
      const found = [is.untagged_vlan?.id, of.site?.id]
      if (sets === there) assert.deepEqual(found, [vlan, site])
      else assert.deepEqual(found, take === 'ours' ? [vlan, undefined] : [undefined, site])
      await areSame('dcim/interfaces', 'ipam/vlans')
    }
})
