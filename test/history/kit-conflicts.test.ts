import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { login } from '../support/session.ts'
import { Sides } from '../support/sides.ts'

const sides = new Sides()
const { make, makeHere, here, there, device, end, conflicts, sync, areSame } = sides

test('deleted on one side, changed on the other: a conflict with both, and each decision holds for good', async () => {
  const ids = await Promise.all(
    ['x1', 'x2', 'x3', 'x4'].map(async (name) => (await make('dcim/devices', device(name))).id),
  )
  for (const id of ids) await make('dcim/interfaces', { device: id, name: 'eth0', type: '1000base-t' })
  await sync('pull')
  await here('PATCH', `dcim/devices/${ids[0]}`, { serial: 'H1' })
  await there('DELETE', `dcim/devices/${ids[0]}`)
  await here('PATCH', `dcim/devices/${ids[1]}`, { serial: 'H2' })
  await there('DELETE', `dcim/devices/${ids[1]}`)
  await here('DELETE', `dcim/devices/${ids[2]}`)
  await there('PATCH', `dcim/devices/${ids[2]}`, { serial: 'T3' })
  await here('DELETE', `dcim/devices/${ids[3]}`)
  await there('PATCH', `dcim/devices/${ids[3]}`, { serial: 'T4' })
  assert.equal((await sides.kit.sync('push')).code, 1)
  assert.deepEqual(
    conflicts()
      .map(({ key, kind }) => `${key} ${kind}`)
      .sort(),
    ids.map((id, i) => `dcim.device:${id} deleted ${i < 2 ? 'there' : 'here'}`).sort(),
  )
  await sync('push', {
    'ours-of': `dcim.device:${ids[0]},dcim.device:${ids[2]}`,
    'theirs-of': `dcim.device:${ids[1]},dcim.device:${ids[3]}`,
  })
  const names = async () =>
    (await there('GET', 'dcim/devices')).results.map((each: any) => `${each.name} ${each.serial}`)
  const kept = (await names()).filter((name: string) => name.startsWith('x'))
  assert.deepEqual(kept.sort(), ['x1 H1', 'x4 T4'])
  const { results } = (await sides.source.call('GET', `/api/dcim/interfaces/?device_id=${ids[0]}&device_id=${ids[3]}`))
    .json
  assert.equal(results.length, 2, 'with what belongs to them')
  assert.match(await sync('push'), /nothing to push/)
  await areSame('dcim/devices', 'dcim/interfaces')
})

test('both changed a field: decided in the file, and settled at the next merge', async () => {
  const { site } = sides.parts
  await there('PATCH', `dcim/sites/${site}`, { facility: 'there' })
  await sync('pull')
  await here('PATCH', `dcim/sites/${site}`, { facility: 'ours' })
  await there('PATCH', `dcim/sites/${site}`, { facility: 'theirs' })
  assert.equal((await sides.kit.sync('pull')).code, 1)
  assert.equal((await here('GET', `dcim/sites/${site}`)).facility, 'ours', 'nothing was pulled')
  const file = join(sides.kit.data, 'conflicts.json')
  const content = JSON.parse(readFileSync(file, 'utf8'))
  assert.equal(content.conflicts.length, 1)
  const { key, parted, ours, theirs } = content.conflicts[0]
  assert.deepEqual([key, parted, ours, theirs], [`dcim.site:${site}.facility`, 'there', 'ours', 'theirs'])
  content.conflicts[0].take = 'ours'
  writeFileSync(file, JSON.stringify(content))
  await sync('push')
  assert.equal((await there('GET', `dcim/sites/${site}`)).facility, 'ours')
  assert.ok(!existsSync(file))
  assert.match(await sync('push'), /nothing to push/)
  await areSame('dcim/sites')
})

test('a page shows both sides of what is open, and settles it', async () => {
  const { site } = sides.parts
  await here('PATCH', `dcim/sites/${site}`, { facility: 'of the page' })
  await there('PATCH', `dcim/sites/${site}`, { facility: 'of the <source>' })
  assert.equal((await sides.kit.sync('pull')).code, 1)
  const session = await login(sides.kit, 'admin', sides.kit.password)
  const shown = await session.get('/kit/')
  assert.equal(shown.status, 200)
  for (const text of ['Kit van', 'of the page', 'of the &lt;source&gt;', 'Both sides changed it'])
    assert.ok(shown.text.includes(text), text)
  const [{ key }] = conflicts()
  const undecided = await session.post('/kit/', { 'key-0': key })
  assert.equal(undecided.status, 409)
  const settled = await session.post('/kit/', { 'key-0': key, 'take-0': 'theirs' })
  assert.deepEqual([settled.status, settled.location], [303, '/kit/'])
  assert.equal((await here('GET', `dcim/sites/${site}`)).facility, 'of the <source>')
  assert.ok(!existsSync(join(sides.kit.data, 'conflicts.json')) && !existsSync(join(sides.kit.data, 'incoming.bundle')))
  assert.ok((await session.get('/kit/')).text.includes('Nothing was changed here'))
  await sync('push')
  await areSame('dcim/sites')
})

test('two new objects want one place: name, rack unit, address, end of a cable', async () => {
  const unit = { rack: sides.parts.rack, position: 10, face: 'front' }
  const mine = await makeHere('dcim/devices', device('twin', unit))
  const other = await make('dcim/devices', device('other', unit))
  await makeHere('ipam/ip-addresses', { address: '192.0.2.1/24' })
  await make('ipam/ip-addresses', { address: '192.0.2.1/24' })
  await makeHere('dcim/sites', { name: 'Same', slug: 'same' })
  await make('dcim/sites', { name: 'Same', slug: 'same' })
  await makeHere('dcim/cables', { a_terminations: end(sides.parts.p1!), b_terminations: end(sides.parts.p2!) })
  const cable = await make('dcim/cables', {
    a_terminations: end(sides.parts.p1!),
    b_terminations: end(sides.parts.p3!),
  })
  assert.equal((await sides.kit.sync('push')).code, 1)
  const found = conflicts()
  assert.deepEqual(
    [...new Set(found.map(({ object_type }) => object_type))].sort(),
    ['dcim.cable', 'dcim.device', 'dcim.site', 'ipam.ipaddress'],
    JSON.stringify(found, null, 1),
  )
  await sync('push', { theirs: true })
  assert.equal((await there('GET', `dcim/devices/${mine.id}`)).position, null)
  assert.equal((await there('GET', `dcim/devices/${other.id}`)).position, 10)
  assert.deepEqual(
    (await there('GET', 'dcim/cables')).results.map((each: any) => each.id),
    [cable.id],
  )
  assert.equal((await there('GET', 'dcim/sites')).results.filter((each: any) => each.name.startsWith('Same')).length, 2)
  await areSame('dcim/devices', 'dcim/sites', 'dcim/cables', 'dcim/interfaces', 'ipam/ip-addresses')
})

test('both connected a cable anew, one deleted one, one changed: the ends are those of one side', async () => {
  const [cable] = (await there('GET', 'dcim/cables')).results
  await here('PATCH', `dcim/cables/${cable.id}`, { b_terminations: end(sides.parts.p2!) })
  await there('PATCH', `dcim/cables/${cable.id}`, { b_terminations: end(sides.parts.p4!) })
  assert.equal((await sides.kit.sync('push')).code, 1)
  assert.deepEqual(
    conflicts().map(({ key }) => key),
    [`dcim.cable:${cable.id}.terminations`],
  )
  await sync('push', { ours: true })
  const seen = await there('GET', `dcim/cables/${cable.id}`)
  assert.deepEqual(
    seen.b_terminations.map((each: any) => each.object_id),
    [sides.parts.p2],
  )
  await there('DELETE', `dcim/cables/${cable.id}`)
  await sync('push')
  assert.equal((await sides.kit.call('GET', `/api/dcim/cables/${cable.id}/`)).status, 404)
  await areSame('dcim/cables', 'dcim/interfaces')
})

test('a cable that one side deleted and the other connected anew comes back with the ends of the other', async () => {
  const { p1, p2, p3, a } = sides.parts
  const front = async (name: string) => {
    const rear = await make('dcim/rear-ports', { device: a, name: `rear ${name}`, type: '8p8c' })
    return make('dcim/front-ports', {
      device: a,
      name,
      type: '8p8c',
      rear_ports: [{ position: 1, rear_port: rear.id, rear_port_position: 1 }],
    })
  }
  const port = await front('f1')
  const cable = await make('dcim/cables', { a_terminations: end(p1!), b_terminations: end(p2!) })
  const second = await make('dcim/cables', {
    a_terminations: end(p3!),
    b_terminations: [{ object_type: 'dcim.frontport', object_id: port.id }],
  })
  await sync('pull')
  await here('DELETE', `dcim/cables/${cable.id}`)
  await here('DELETE', `dcim/cables/${second.id}`)
  await there('PATCH', `dcim/cables/${cable.id}`, {
    b_terminations: [{ object_type: 'dcim.frontport', object_id: (await front('f2')).id }],
  })
  await there('PATCH', `dcim/cables/${second.id}`, { a_terminations: end(p2!) })
  assert.equal((await sides.kit.sync('push')).code, 1)
  await sync('push', { theirs: true })
  const ends = async (id: number) => {
    const seen = await there('GET', `dcim/cables/${id}`)
    return [...seen.a_terminations, ...seen.b_terminations].map((each: any) => each.object.name)
  }
  assert.deepEqual(
    [await ends(cable.id), await ends(second.id)],
    [
      ['p1', 'f2'],
      ['p2', 'f1'],
    ],
  )
  await areSame('dcim/cables', 'dcim/interfaces', 'dcim/front-ports')
})

test('what was decided in the file stays decided when more conflicts follow from it', async () => {
  const { site } = sides.parts
  const region = await make('dcim/regions', { name: 'Gone', slug: 'gone' })
  await sync('pull')
  await here('PATCH', `dcim/sites/${site}`, { facility: 'one' })
  await there('PATCH', `dcim/sites/${site}`, { facility: 'two' })
  await here('PATCH', `dcim/regions/${region.id}`, { description: 'kept' })
  await there('DELETE', `dcim/regions/${region.id}`)
  const file = join(sides.kit.data, 'conflicts.json')
  for (const key of [`dcim.site:${site}.facility`, `dcim.region:${region.id}`]) {
    assert.equal((await sides.kit.sync('push')).code, 1)
    const content = JSON.parse(readFileSync(file, 'utf8'))
    assert.equal(content.conflicts.length, 2)
    content.conflicts.find((each: any) => each.key === key).take = 'ours'
    writeFileSync(file, JSON.stringify(content))
  }
  await sync('push')
  assert.equal((await there('GET', `dcim/sites/${site}`)).facility, 'one')
  assert.equal((await there('GET', `dcim/regions/${region.id}`)).description, 'kept')
  await areSame('dcim/sites', 'dcim/regions')
})

test('a conflict about a whole object shows what was written of it, and all that refers to what goes', async () => {
  const [first, second] = [await make('dcim/devices', device('w1')), await make('dcim/devices', device('w2'))]
  const port = await make('dcim/interfaces', { device: first.id, name: 'eth0', type: '1000base-t' })
  await sync('pull')
  await here('PATCH', `dcim/devices/${first.id}`, { serial: 'SERIAL-1' })
  await here('PATCH', `dcim/interfaces/${port.id}`, { description: 'to the roof' })
  for (const name of ['eth1', 'eth2'])
    await makeHere('dcim/interfaces', { device: second.id, name, type: '1000base-t', description: `new ${name}` })
  for (const { id } of [first, second]) await there('DELETE', `dcim/devices/${id}`)
  assert.equal((await sides.kit.sync('push')).code, 1)
  const found = new Map(conflicts().map((each: any) => [each.key, each]))
  assert.deepEqual([...found.keys()].sort(), [
    `dcim.device:${first.id}`,
    `dcim.device:${second.id}`,
    `dcim.interface:${port.id}`,
  ])
  assert.deepEqual(found.get(`dcim.device:${first.id}`).ours, { serial: 'SERIAL-1' })
  assert.deepEqual(found.get(`dcim.interface:${port.id}`).ours, { description: 'to the roof' })
  const texts = JSON.stringify(found.get(`dcim.device:${second.id}`).ours)
  for (const text of ['new eth1', 'new eth2']) assert.ok(texts.includes(text), texts)
  await sync('push', { 'ours-of': `dcim.device:${first.id}`, 'theirs-of': `dcim.device:${second.id}` })
  assert.equal(
    (await there('GET', `dcim/interfaces/${port.id}`)).description,
    'to the roof',
    'it stays with its device',
  )
  await areSame('dcim/devices', 'dcim/interfaces')
})

test('decisions that contradict each other end: what is to stay keeps what it refers to', async () => {
  const type = await make('dcim/device-types', { manufacturer: sides.parts.maker, model: 'Old', slug: 'old' })
  await sync('pull')
  const mine = await makeHere('dcim/devices', device('on-old', { device_type: type.id }))
  const port = await makeHere('dcim/interfaces', { device: mine.id, name: 'eth0', type: 'virtual' })
  await there('DELETE', `dcim/device-types/${type.id}`)
  assert.equal((await sides.kit.sync('push')).code, 1)
  await sync('push', { 'theirs-of': `dcim.devicetype:${type.id}`, 'ours-of': `dcim.device:${mine.id}` })
  assert.equal((await there('GET', `dcim/interfaces/${port.id}`)).device.name, 'on-old')
  assert.equal((await there('GET', `dcim/device-types/${type.id}`)).model, 'Old')
  await areSame('dcim/devices', 'dcim/device-types', 'dcim/interfaces')
})

test('of several objects that go, the one that others depend on is asked about, and the answer counts', async () => {
  const ids: number[] = []
  for (const name of ['y1', 'y2', 'y3']) ids.push((await make('dcim/devices', device(name))).id)
  await sync('pull')
  for (const id of ids) await there('DELETE', `dcim/devices/${id}`)
  for (const id of ids.slice(1)) await makeHere('dcim/interfaces', { device: id, name: 'new', type: 'virtual' })
  assert.equal((await sides.kit.sync('push')).code, 1)
  const keys = () => conflicts().map(({ key }) => key)
  assert.deepEqual(keys(), [`dcim.device:${ids[1]}`, `dcim.device:${ids[2]}`])
  await sync('push', { 'theirs-of': keys().join() })
  await areSame('dcim/devices', 'dcim/interfaces')
})

test('a new object whose name and slug are taken gets others of its own, and keeps what refers to it', async () => {
  const { maker } = sides.parts
  const body = { manufacturer: maker, model: 'Both', slug: 'both' }
  const mine = await makeHere('dcim/device-types', body)
  const user = await makeHere('dcim/devices', device('user', { device_type: mine.id }))
  const other = await make('dcim/device-types', body)
  assert.equal((await sides.kit.sync('push')).code, 1)
  await sync('push', { theirs: true })
  const seen = await there('GET', `dcim/device-types/${mine.id}`)
  assert.match(`${seen.model} ${seen.slug}`, /^Both \(van\) both-van$/)
  assert.equal((await there('GET', `dcim/devices/${user.id}`)).device_type.id, mine.id)
  assert.equal((await there('GET', `dcim/device-types/${other.id}`)).model, 'Both')
  await areSame('dcim/device-types', 'dcim/devices')
})

test('a cable of the kit is moved there between objects of another kind: what it left has no path', async () => {
  const { a } = sides.parts
  const outlet = await makeHere('dcim/power-outlets', { device: a, name: 'moved' })
  const inlet = await makeHere('dcim/power-ports', { device: a, name: 'moved' })
  const one = (object_type: string, object_id: number) => [{ object_type, object_id }]
  const cable = await makeHere('dcim/cables', {
    a_terminations: one('dcim.poweroutlet', outlet.id),
    b_terminations: one('dcim.powerport', inlet.id),
  })
  await sync('push')
  const ports = []
  for (const name of ['moved 1', 'moved 2'])
    ports.push((await make('dcim/interfaces', { device: a, name, type: '1000base-t' })).id)
  await there('PATCH', `dcim/cables/${cable.id}`, { a_terminations: end(ports[0]), b_terminations: end(ports[1]) })
  await sync('pull')
  const { cable: left, connected_endpoints: opposite } = await here('GET', `dcim/power-outlets/${outlet.id}`)
  assert.deepEqual([left, opposite], [null, null])
  assert.equal((await here('GET', `dcim/interfaces/${ports[0]}`)).connected_endpoints[0].id, ports[1])
  await areSame('dcim/cables', 'dcim/interfaces', 'dcim/power-outlets', 'dcim/power-ports')
})

test('what comes back, or stays, takes along what went with it, and not what was deleted by itself', async () => {
  for (const [deletes, writes, decision] of [
    [here, there, 'theirs'],
    [there, here, 'ours'],
  ] as const) {
    const tenant = await make('tenancy/tenants', { name: `T ${decision}`, slug: `t-${decision}` })
    const site = await make('dcim/sites', { name: `S ${decision}`, slug: `s-${decision}`, tenant: tenant.id })
    const device = await make('dcim/devices', sides.device(`D ${decision}`, { tenant: tenant.id }))
    const port = await make('dcim/interfaces', { device: device.id, name: 'eth0', type: 'virtual' })
    await sync('pull')
    await deletes('DELETE', `dcim/sites/${site.id}`)
    await deletes('DELETE', `dcim/devices/${device.id}`)
    await deletes('DELETE', `tenancy/tenants/${tenant.id}`)
    await writes('PATCH', `tenancy/tenants/${tenant.id}`, { description: 'changed' })
    await writes('PATCH', `dcim/devices/${device.id}`, { comments: 'changed' })
    assert.equal((await sides.kit.sync('push')).code, 1)
    await sync('push', { [decision]: true })
    assert.equal((await there('GET', `tenancy/tenants/${tenant.id}`)).description, 'changed')
    assert.equal((await there('GET', `dcim/interfaces/${port.id}`)).name, 'eth0')
    assert.equal((await sides.source.call('GET', `/api/dcim/sites/${site.id}/`)).status, 404, decision)
    await areSame('dcim/sites', 'tenancy/tenants', 'dcim/devices', 'dcim/interfaces')
  }
})
