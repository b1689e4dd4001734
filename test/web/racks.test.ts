import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'
import { fieldsIn, login } from '../support/session.ts'

const client = await serve()
const make = creating(client)
const site = await make('dcim/sites', { name: 'North', slug: 'north' })
const [hall, attic] = [
  await make('dcim/locations', { name: 'Hall', slug: 'hall', site: site.id }),
  await make('dcim/locations', { name: 'Attic', slug: 'attic', site: site.id }),
]
const maker = await make('dcim/manufacturers', { name: 'Acme', slug: 'acme' })
const role = await make('dcim/device-roles', { name: 'Server', slug: 'server', color: 'ff0000' })
const type = (model: string, more: object) =>
  make('dcim/device-types', { manufacturer: maker.id, model, slug: model.toLowerCase(), ...more })
const weight = { weight: 10, weight_unit: 'kg' }
const [tall, flat, half, uncounted] = [
  await type('Tall', { u_height: 2, ...weight }),
  await type('Flat', { u_height: 1, is_full_depth: false, ...weight }),
  await type('Half', { u_height: 0.5, is_full_depth: false }),
  await type('Uncounted', { u_height: 1, exclude_from_utilization: true }),
]
const rack = (name: string, more: object = {}) =>
  make('dcim/racks', { name, site: site.id, location: hall.id, u_height: 10, ...more })
const device = (name: string, of: { id: number }, more: object = {}) =>
  make('dcim/devices', { name, device_type: of.id, role: role.id, site: site.id, location: hall.id, ...more })
const at = (of: { id: number }, position: number, face = 'front') => ({ rack: of.id, position, face })

const admin = await login(client)
const page = async (path: string, session = admin) => {
  const { status, text } = await session.get(path)
  assert.equal(status, 200, path)
  return text
}
const place = async (id: number) => {
  const { rack: in_, position, face, location } = (await client.call('GET', `/api/dcim/devices/${id}/`)).json
  return [in_?.id ?? null, position, face?.value ?? null, location?.id ?? null]
}
/** The free stretches of a face, as the drawing offers them. */
const free = (text: string, id: number, face: string) => {
  const svg = new RegExp(`<svg [^>]*data-rack="${id}"[^>]*data-face="${face}"[\\s\\S]*?</svg>`).exec(text)![0]
  return [...svg.matchAll(/data-from="([\d.]+)" data-to="([\d.]+)"/g)].map(([, from, to]) => [Number(from), Number(to)])
}

test('a rack is drawn with what is in it, and leads to a form for what is free', async () => {
  const own = await rack('Drawn', { desc_units: true, starting_unit: 5 })
  await device('<b>tall', tall, at(own, 5))
  await device('flat', flat, at(own, 9))
  await device('half', half, at(own, 10.5, 'rear'))
  await device('waits', flat, { rack: own.id })
  await device('loose', flat)
  await make('dcim/rack-reservations', { rack: own.id, units: [12, 13], user: 1, description: '<i>kept' })
  const text = await page(`/dcim/racks/${own.id}/`)
  assert.deepEqual(free(text, own.id, 'front'), [
    [7, 9],
    [10, 15],
  ])
  assert.deepEqual(free(text, own.id, 'rear'), [
    [7, 10.5],
    [11, 15],
  ])
  assert.match(text, /fill="#ff0000"/)
  assert.ok(text.includes('&lt;b&gt;tall') && text.includes('&lt;i&gt;kept'))
  assert.ok(!text.includes('<b>tall') && !text.includes('<i>kept'))
  assert.match(text, /data-loose="\d+">.*waits.*data-loose="">.*loose/s)
  const link = /class="free" href="([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&')
  const form = await page(link)
  for (const [name, value] of [
    ['site', site.id],
    ['location', hall.id],
    ['rack', own.id],
  ])
    assert.match(form, new RegExp(`name="${name}"[^>]*>(?:(?!</select>).)*value="${value}" selected`, 's'))
  assert.match(form, /name="position"[^>]*value="7"/)
  assert.match(form, /value="front" selected/)
})

test('devices show the pictures of their types: the front at their face, the rear behind it', async () => {
  const form = new FormData()
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const fields = { manufacturer: maker.id, model: 'Pictured', slug: 'pictured', u_height: 1 }
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  for (const name of ['front_image', 'rear_image'])
    form.set(name, new File([new Uint8Array(Buffer.from(png, 'base64'))], `${name}.png`))
  const made = await client.call('POST', '/api/dcim/device-types/', form)
  assert.equal(made.status, 201, made.text)
  const own = await rack('Pictures')
  await device('pictured', made.json, at(own, 1, 'rear'))
  const text = await page(`/dcim/racks/${own.id}/`)
  const pictures = [...text.matchAll(/<image [^>]*href="\/media\/([^"]+)"/g)].map(([, path]) => path)
  const path = (address: string) => decodeURI(new URL(address).pathname.slice('/media/'.length))
  assert.deepEqual(pictures, [made.json.rear_image, made.json.front_image].map(path))
})

test('without scripts a device is moved by a form; what does not fit is said with the form again', async () => {
  const [one, two] = [await rack('From'), await rack('To', { location: attic.id })]
  const moved = await device('moved', tall, at(one, 1))
  await device('in the way', flat, { ...at(two, 4, 'rear'), location: attic.id })
  const send = (fields: { device?: string; rack?: string; position?: string; face?: string }) =>
    admin.post('/dcim/racks/place/', { device: String(moved.id), rack: String(two.id), face: 'front', ...fields })
  const refused = await send({ position: '3' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /role="alert".*U3 is already occupied.*<option value="3" selected>/s)
  assert.deepEqual(await place(moved.id), [one.id, 1, 'front', hall.id])
  const done = await send({ position: '5' })
  assert.deepEqual([done.status, done.location], [303, `/dcim/racks/${two.id}/`])
  assert.deepEqual(await place(moved.id), [two.id, 5, 'front', attic.id])
  assert.equal((await send({ position: '' })).status, 303)
  assert.deepEqual(await place(moved.id), [two.id, null, null, attic.id])
  for (const wrong of [{ device: '' }, { position: 'x' }, { position: '99' }, { face: 'side', position: '1' }])
    assert.equal((await send(wrong)).status, 400, JSON.stringify(wrong))
  for (const missing of [{ device: '99999' }, { rack: '99999' }])
    assert.equal((await send({ position: '1', ...missing })).status, 404, JSON.stringify(missing))
  const forged = await fetch(`${client.base}/dcim/racks/place/`, {
    method: 'POST',
    headers: { cookie: admin.cookie },
    body: new URLSearchParams({ device: String(moved.id), rack: String(two.id), position: '1', face: 'front' }),
  })
  assert.equal(forged.status, 403)
})

test('racks stand side by side: those that the filters find, in their order, one face or both', async () => {
  const [small, large] = [await rack('Side 1', { u_height: 4 }), await rack('Side 2', { u_height: 6 })]
  const drawn = async (query: string) =>
    [
      ...(await page(`/dcim/rack-elevations/?q=Side&${query}`)).matchAll(/data-rack="(\d+)"[^>]*data-face="(\w+)"/g),
    ].map(([, id, face]) => `${id} ${face}`)
  assert.deepEqual(await drawn(''), [`${small.id} front`, `${large.id} front`])
  assert.deepEqual(await drawn('sort=-u_height&face=rear'), [`${large.id} rear`, `${small.id} rear`])
  assert.deepEqual(await drawn('u_height=4&face=both'), [`${small.id} front`, `${small.id} rear`])
  assert.deepEqual(await drawn('name=none'), [])
  const many = await page('/dcim/rack-elevations/?per_page=1000')
  assert.match(many, /aria-current="true">25</, 'a page draws 25 or 50')
})

test('who may only see sees no way to change; what one may not see is occupied without a name', async () => {
  const own = await rack('Guarded')
  const [open, secret] = [await device('open', flat, at(own, 1)), await device('secret', flat, at(own, 2))]
  await client.call('POST', '/api/users/users/', { username: 'viewer', password: 'Viewer-Passw0rd-1' })
  const user = (await client.call('GET', '/api/users/users/?username=viewer')).json.results[0].id
  const grant = (types: string[], actions: string[], constraints: object | null = null) =>
    make('users/permissions', { name: `p${Math.random()}`, object_types: types, actions, users: [user], constraints })
  await grant(['dcim.rack', 'dcim.site'], ['view'])
  await grant(['dcim.device'], ['view'], { name: 'open' })
  const viewer = await login(client, 'viewer', 'Viewer-Passw0rd-1')
  const text = await page(`/dcim/racks/${own.id}/`, viewer)
  assert.ok(text.includes('>open<') && !text.includes('secret') && text.includes('occupied'))
  assert.ok(!/data-rearrange|data-device|class="free"|data-place|data-reserve/.test(text))
  const sent = await viewer.post('/dcim/racks/place/', {
    device: String(open.id),
    rack: String(own.id),
    position: '5',
    face: 'front',
  })
  assert.equal(sent.status, 403)
  await grant(['dcim.device'], ['change'], { name: 'open' })
  assert.match(await page(`/dcim/racks/${own.id}/`, viewer), new RegExp(`data-device="${open.id}"`))
  const hidden = { device: String(secret.id), rack: String(own.id), position: '5', face: 'front' }
  assert.equal((await viewer.post('/dcim/racks/place/', hidden)).status, 404)
  assert.deepEqual(await place(secret.id), [own.id, 2, 'front', hall.id])
})

test('a rack says how much of its space, power and weight is used', async () => {
  const own = await rack('Full', { weight: 20, max_weight: 100, weight_unit: 'kg' })
  await device('a', tall, at(own, 1))
  await device('b', flat, at(own, 1 + 2))
  await device('c', flat, at(own, 3, 'rear'))
  await device('d', half, at(own, 4))
  await device('e', uncounted, at(own, 10))
  const host = await device('f', flat, { rack: own.id })
  await make('dcim/rack-reservations', { rack: own.id, units: [1, 9], user: 1, description: 'kept' })
  const bay = await make('dcim/module-bays', { device: host.id, name: 'bay' })
  const card = await make('dcim/module-types', { manufacturer: maker.id, model: 'Card', weight: 500, weight_unit: 'g' })
  await make('dcim/modules', { device: host.id, module_bay: bay.id, module_type: card.id })
  const panel = await make('dcim/power-panels', { name: 'P', site: site.id })
  const feed = (name: string) =>
    make('dcim/power-feeds', {
      name,
      power_panel: panel.id,
      rack: own.id,
      voltage: 100,
      amperage: 10,
      max_utilization: 50,
    })
  const [one, two] = [await feed('one'), await feed('two')]
  const port = (name: string, more: object = {}) => make('dcim/power-ports', { device: host.id, name, ...more })
  const cable = (a: string, from: { id: number }, b: string, to: { id: number }) =>
    make('dcim/cables', {
      a_terminations: [{ object_type: a, object_id: from.id }],
      b_terminations: [{ object_type: b, object_id: to.id }],
    })
  const [direct, inlet, behind] = [
    await port('direct', { allocated_draw: 200 }),
    await port('inlet'),
    await port('behind', { allocated_draw: 150 }),
  ]
  const outlet = await make('dcim/power-outlets', { device: host.id, name: 'outlet', power_port: inlet.id })
  await cable('dcim.powerfeed', one, 'dcim.powerport', direct)
  await cable('dcim.powerport', inlet, 'dcim.powerfeed', two)
  await cable('dcim.poweroutlet', outlet, 'dcim.powerport', behind)
  const text = await page(`/dcim/racks/${own.id}/`)
  const shown = (label: string) =>
    new RegExp(`<dt>${label}</dt><dd>(.*?)</dd>`, 's').exec(text)![1]!.replace(/<[^>]*>/g, '')
  assert.equal(shown('Space').trim(), '45 %', 'units 1 to 3, half of 4, and 9')
  assert.equal(shown('Power').trim(), '35 %', '350 of 1000')
  assert.equal(shown('Total weight'), '60.5 kg')
  assert.equal(shown('Maximum weight'), '100 kg')
  assert.equal(shown('Weight used').trim(), '60.5 %')
  assert.match(await page(`/dcim/devices/${host.id}/`), /<dt>Total weight<\/dt><dd>10\.5 kg<\/dd>/)
  const light = await device('weightless', half)
  assert.match(await page(`/dcim/devices/${light.id}/`), /<dt>Total weight<\/dt><dd><span class="none"/)
  const list = await page('/dcim/racks/?name=Full')
  assert.ok(list.includes('href="/dcim/rack-elevations/?name=Full"'))
  assert.match(list, /data-column="get_utilization">(?:<a[^>]*>)?Space/)
  assert.match(list, /45 %/)
})

test('a device and a reservation show where in the rack they are', async () => {
  const own = await rack('Marked')
  const [first, second] = [await device('first', flat, at(own, 1)), await device('second', flat, at(own, 2))]
  const bright = (text: string) => [...text.matchAll(/class="mounted bright" href="([^"]+)"/g)].map(([, href]) => href)
  assert.deepEqual(bright(await page(`/dcim/devices/${second.id}/`)), [`/dcim/devices/${second.id}/`])
  assert.deepEqual(bright(await page(`/dcim/devices/${first.id}/`)), [`/dcim/devices/${first.id}/`])
  const kept = await make('dcim/rack-reservations', { rack: own.id, units: [5], user: 1, description: 'kept' })
  const other = await make('dcim/rack-reservations', { rack: own.id, units: [7], user: 1, description: 'other' })
  for (const { id } of [kept, other]) {
    const text = await page(`/dcim/rack-reservations/${id}/`)
    assert.equal(text.match(/class="reserved bright"/g)?.length, 2, 'on each face')
    assert.equal(text.match(/class="reserved"/g)?.length, 2)
  }
})

test('the form of a device offers the free units of its rack, scripts or none', async () => {
  const own = await rack('Chosen', { u_height: 4 })
  await device('below', tall, at(own, 1))
  await device('behind', flat, at(own, 3, 'rear'))
  const moved = await device('chooses', flat, at(own, 4))
  const text = await page(`/dcim/devices/${moved.id}/edit/`)
  const offered = /<noscript> <select name="position"[\s\S]*?<\/noscript>/.exec(text)![0]
  const units = [...offered.matchAll(/<option value="(\d+)">([^<]*)/g)].map(([, , label]) => label)
  assert.deepEqual(units, ['U4, front and rear', 'U3, front'])
  assert.match(text, new RegExp(`data-choose-unit data-self="${moved.id}"`))
  const fields = { ...fieldsIn(text) }
  const sent = await admin.post(`/dcim/devices/${moved.id}/edit/`, { ...fields, position: ['4.0', '3'] })
  assert.equal(sent.status, 303, sent.text)
  assert.deepEqual(await place(moved.id), [own.id, 3, 'front', hall.id])
  assert.ok(!(await page('/dcim/devices/add/')).includes('<select name="position"'))
})
