import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences, stateOf } from '../support/states.ts'
import { problemsOf } from '../support/problems.ts'
import { receive } from '../support/receiver.ts'
import { png } from '../support/samples.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve({
  customValidators: { 'dcim.site': [{ facility: { neq: 'closed' } }], 'dcim.region': [{ name: { min_length: 3 } }] },
  protectionRules: { 'dcim.manufacturer': [{ description: { eq: 'may go' } }] },
})
const { call, running } = client
const create = creating(client)
const undo = (reply: { headers: Headers }, more: object = {}) =>
  call('POST', '/api/core/object-changes/revert/', { request_id: reply.headers.get('x-request-id'), ...more })
const shown = async (path: string) => (await call('GET', `/api/${path}/`)).json
let names = 0
const site = (more: object = {}) => create('dcim/sites', { name: `Site ${++names}`, slug: `site-${names}`, ...more })
/** Makes what was there before a validator. */
const asOfOld = (sql: string, id: number) => running.store.commit.run(() => running.store.db.run(sql, id))
const kindsOf = (reply: { json: any }) =>
  reply.json.collisions.map(({ kind, field }: { kind: string; field: string | null }) => [kind, field])

test('what the validators of the configuration refuse, an undo may not bring back', async () => {
  const one = await site()
  await asOfOld("update dcim_site set facility = 'closed' where id = ?", one.id)
  const changed = await call('PATCH', `/api/dcim/sites/${one.id}/`, { facility: 'open' })
  const refused = await undo(changed)
  assert.equal(refused.status, 409, refused.text)
  assert.deepEqual(kindsOf(refused), [['refused', 'facility']])
  assert.equal((await shown(`dcim/sites/${one.id}`)).facility, 'open')
  const region = await create('dcim/regions', { name: 'Long', slug: 'r' })
  await asOfOld("update dcim_region set name = 'r' where id = ?", region.id)
  const gone = await call('DELETE', `/api/dcim/regions/${region.id}/`)
  assert.deepEqual(kindsOf(await undo(gone)), [['refused', 'name']])
})

test('what a protection rule keeps, an undo of its creation does not delete', async () => {
  const made = await call('POST', '/api/dcim/manufacturers/', { name: 'Kept', slug: 'kept' })
  const refused = await undo(made)
  assert.equal(refused.status, 409, refused.text)
  assert.match(refused.text, /protection rule/)
  await call('PATCH', `/api/dcim/manufacturers/${made.json.id}/`, { description: 'may go' })
  const forced = await undo(made, { force: [`dcim.manufacturer:${made.json.id}`] })
  assert.equal(forced.status, 200, forced.text)
})

test('event rules hear of an undo, of each object once, and of a trial nothing', async () => {
  const receiver = await receive()
  const hook = await create('extras/webhooks', { name: 'Hook', payload_url: receiver.url })
  await create('extras/event-rules', {
    name: 'All of sites',
    object_types: ['dcim.site'],
    event_types: ['object_created', 'object_updated', 'object_deleted'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: hook.id,
  })
  const one = await call('POST', '/api/dcim/sites/', { name: 'Heard', slug: 'heard', description: 'a' })
  const changed = await call('PATCH', `/api/dcim/sites/${one.json.id}/`, { description: 'b' })
  const gone = await call('DELETE', `/api/dcim/sites/${one.json.id}/`)
  await receiver.until(3)
  assert.equal((await undo(gone, { dry_run: true })).status, 200)
  for (const each of [gone, changed, one]) assert.equal((await undo(each)).status, 200)
  const told = await receiver.until(6)
  assert.deepEqual(
    told.slice(3).map(({ json }) => [json.event, json.data.description]),
    [
      ['created', 'b'],
      ['updated', 'a'],
      ['deleted', 'a'],
    ],
  )
  assert.ok(told[3]!.json.request_id)
})

test('a circle in a tree is told of', async () => {
  const [a, b] = [
    await create('dcim/regions', { name: 'Upper', slug: 'upper' }),
    await create('dcim/regions', { name: 'Lower', slug: 'lower' }),
  ]
  const below = await call('PATCH', `/api/dcim/regions/${b.id}/`, { parent: a.id })
  const freed = await call('PATCH', `/api/dcim/regions/${b.id}/`, { parent: null })
  await call('PATCH', `/api/dcim/regions/${a.id}/`, { parent: b.id })
  const refused = await undo(freed)
  assert.equal(refused.status, 409, refused.text)
  assert.deepEqual(kindsOf(refused), [['refused', 'parent']])
  assert.deepEqual(problemsOf(running.store), [])
  assert.equal(below.status, 200)
})

test('values of custom fields return under the names that fields have now, or not where they are gone', async () => {
  const field = (name: string) => create('extras/custom-fields', { name, type: 'text', object_types: ['dcim.site'] })
  const [kept, lost] = [await field('shade'), await field('lost')]
  const one = await site({ custom_fields: { shade: 'dark', lost: 'x' } })
  const gone = await call('DELETE', `/api/dcim/sites/${one.id}/`)
  await call('PATCH', `/api/extras/custom-fields/${kept.id}/`, { name: 'tone' })
  await call('DELETE', `/api/extras/custom-fields/${lost.id}/`)
  assert.equal((await undo(gone)).status, 200)
  assert.deepEqual((await shown(`dcim/sites/${one.id}`)).custom_fields, { tone: 'dark' })
  assert.deepEqual(problemsOf(running.store), [])
  await call('PATCH', `/api/extras/custom-fields/${kept.id}/`, { validation_regex: '^l' })
  const other = await call('DELETE', `/api/dcim/sites/${one.id}/`)
  assert.equal((await undo(other)).status, 200, 'it broke the pattern already when it went')
  const light = await call('PATCH', `/api/dcim/sites/${one.id}/`, { custom_fields: { tone: 'light' } })
  await call('PATCH', `/api/extras/custom-fields/${kept.id}/`, { validation_regex: '^li' })
  assert.deepEqual(kindsOf(await undo(light)), [['refused', 'custom_fields.tone']])
})

test('a state that rules would not make anew returns, unless others changed what the rule is about', async () => {
  const { id: device } = await anyDevice()
  const port = await create('dcim/interfaces', { device, name: 'v1', type: 'virtual' })
  const [provider, kind] = [
    await create('circuits/providers', { name: 'P', slug: 'p' }),
    await create('circuits/virtual-circuit-types', { name: 'T', slug: 't' }),
  ]
  const network = await create('circuits/provider-networks', { provider: provider.id, name: 'N' })
  const circuit = await create('circuits/virtual-circuits', {
    cid: '1',
    provider_network: network.id,
    type: kind.id,
  })
  await create('circuits/virtual-circuit-terminations', { virtual_circuit: circuit.id, interface: port.id })
  assert.equal((await call('PATCH', `/api/dcim/interfaces/${port.id}/`, { type: '1000base-t' })).status, 200)
  const before = stateOf(running.store)
  const first = await call('DELETE', `/api/dcim/interfaces/${port.id}/`)
  assert.equal((await undo(first)).status, 200)
  assert.deepEqual(differences(before, stateOf(running.store)), [])
  const ends = await shown(`circuits/virtual-circuit-terminations`)
  const second = await call('DELETE', `/api/circuits/virtual-circuit-terminations/${ends.results[0].id}/`)
  await call('PATCH', `/api/dcim/interfaces/${port.id}/`, { description: 'by others' })
  assert.deepEqual(kindsOf(await undo(second)), [['refused', null]])
})

test('an image that took the place of another gives it back', async () => {
  const type = await create('dcim/device-types', {
    manufacturer: (await create('dcim/manufacturers', { name: 'Pictures', slug: 'pictures' })).id,
    model: 'With a picture',
    slug: 'picture',
  })
  const put = async (name: string) => {
    const form = new FormData()
    form.append('front_image', png(), name)
    const reply = await call('PATCH', `/api/dcim/device-types/${type.id}/`, form)
    assert.equal(reply.status, 200, reply.text)
    return reply
  }
  const first = await put('first.png')
  const second = await put('second.png')
  const path = (reply: { json: any }) => new URL(reply.json.front_image).pathname
  assert.equal((await undo(second)).status, 200)
  const now = await shown(`dcim/device-types/${type.id}`)
  assert.equal(new URL(now.front_image).pathname, path(first))
  assert.equal((await call('GET', path(first))).status, 200)
  assert.equal((await undo(first)).status, 200)
  assert.equal((await shown(`dcim/device-types/${type.id}`)).front_image, null)
  assert.deepEqual(problemsOf(running.store), [])
  const kept = running.store.db.all<{ path: string }>('select path from history_file')
  assert.equal(kept.length >= 2, true, 'files that only earlier states name are known')
})

test('what stood beside the earlier state stays as it is, though rules would move it along', async () => {
  const [maker, role] = [
    await create('dcim/manufacturers', { name: 'Bays', slug: 'bays' }),
    await create('dcim/device-roles', { name: 'Bays', slug: 'bays' }),
  ]
  const device = async (subdevice_role: string, place: { id: number }) => {
    const more = subdevice_role === 'child' ? { u_height: 0 } : {}
    const names = { model: subdevice_role, slug: subdevice_role }
    const type = await create('dcim/device-types', { manufacturer: maker.id, subdevice_role, ...names, ...more })
    return create('dcim/devices', { device_type: type.id, role: role.id, site: place.id })
  }
  const [here, there] = [await site(), await site()]
  const [parent, child] = [await device('parent', here), await device('child', here)]
  await create('dcim/device-bays', { device: parent.id, name: 'bay', installed_device: child.id })
  const port = await create('dcim/power-ports', { device: child.id, name: 'power' })
  await call('PATCH', `/api/dcim/devices/${child.id}/`, { site: there.id })
  const field = await create('extras/custom-fields', {
    ...{ name: 'note', type: 'text', default: 'x', object_types: ['dcim.device'] },
  })
  const path = `/api/extras/custom-fields/${field.id}/`
  for (const change of [() => call('PATCH', path, { name: 'remark' }), () => call('DELETE', path)]) {
    const before = stateOf(running.store)
    const changed = await change()
    for (const description of ['touched since', ''])
      await call('PATCH', `/api/dcim/power-ports/${port.id}/`, { description })
    assert.equal((await undo(changed)).status, 200)
    assert.deepEqual(differences(before, stateOf(running.store)), [])
    assert.deepEqual(problemsOf(running.store), [])
  }
})

async function anyDevice(): Promise<any> {
  const [maker, role, place] = [
    await create('dcim/manufacturers', { name: 'M', slug: 'm' }),
    await create('dcim/device-roles', { name: 'R', slug: 'r' }),
    await site(),
  ]
  const type = await create('dcim/device-types', { manufacturer: maker.id, model: 'D', slug: 'd' })
  return create('dcim/devices', { device_type: type.id, role: role.id, site: place.id, name: 'one' })
}

test('the disk of a machine is the sum of virtual disks that an undo leaves; what is worked out is right', async () => {
  const machine = await create('virtualization/virtual-machines', { name: 'vm', site: (await site()).id, disk: 5 })
  const disks = ['a', 'b'].map((name) => ({ virtual_machine: machine.id, name, size: 100 }))
  const [first, second] = [
    await call('POST', '/api/virtualization/virtual-disks/', disks[0]),
    await call('POST', '/api/virtualization/virtual-disks/', { ...disks[1], size: 30 }),
  ]
  const size = async () => (await shown(`virtualization/virtual-machines/${machine.id}`)).disk
  assert.equal((await undo(first)).status, 200)
  assert.equal(await size(), 30)
  assert.deepEqual(kindsOf(await undo(second)), [['changed', 'disk']])
  assert.equal((await undo(second, { force: ['virtualization.virtualmachine.disk'] })).status, 200)
  assert.equal((await shown('virtualization/virtual-disks')).count, 0)
  const range = await create('ipam/ip-ranges', { start_address: '10.9.0.10/24', end_address: '10.9.0.20/24' })
  const start = await call('PATCH', `/api/ipam/ip-ranges/${range.id}/`, { start_address: '10.9.0.1/24' })
  await call('PATCH', `/api/ipam/ip-ranges/${range.id}/`, { end_address: '10.9.0.30/24' })
  assert.equal((await undo(start)).status, 200)
  assert.equal((await shown(`ipam/ip-ranges/${range.id}`)).size, 21)
  assert.deepEqual(problemsOf(running.store), [])
})
