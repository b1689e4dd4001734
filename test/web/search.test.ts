import assert from 'node:assert/strict'
import { test } from 'node:test'
import { models } from '../../src/engine/catalog.ts'
import { hitOf, hitsSql, matchOf, searchedModels, searchedOf, searchIndexing } from '../../src/engine/search.ts'
import { searching } from '../../src/services/search-checks.ts'
import { creating, serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const client = await serve()
const { call, running } = client
const make = creating(client)
const browser = await login(client)
const search = async (text: string, by = browser) =>
  (await by.get(`/search/?q=${encodeURIComponent(text)}`)).text.split('<main')[1]!
const finds = (page: string, href: string) => page.includes(`<a href="${href}">`)

const site = await make('dcim/sites', { name: 'Übersee Nord', slug: 'nord', description: 'the <b>cold</b> one' })
const other = await make('dcim/sites', { name: 'South', slug: 'south' })
const maker = await make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
const type = await make('dcim/device-types', { manufacturer: maker.id, model: 'Box', slug: 'box' })
const role = await make('dcim/device-roles', { name: 'Role', slug: 'role' })
const device = await make('dcim/devices', {
  name: 'core-sw-17',
  site: site.id,
  device_type: type.id,
  role: role.id,
  serial: 'XK99-ABC',
})
const hidden = await make('dcim/devices', { name: 'core-sw-18', site: other.id, device_type: type.id, role: role.id })

test('objects are found by parts of what they say, whatever the case and the marks of letters', async () => {
  for (const text of ['core-sw-17', 'SW-17', 'k99-a', 'co'])
    assert.ok(finds(await search(text), `/dcim/devices/${device.id}/`), text)
  assert.ok(finds(await search('ubersee'), `/dcim/sites/${site.id}/`))
  assert.ok(!finds(await search('sw-99'), `/dcim/devices/${device.id}/`))
  assert.match(await search('no such thing'), /Nothing was found/)
  assert.ok(!(await search('<b>cold')).includes('<b>cold'), 'what was typed and what is found are text')
})

test('the index follows every write in its transaction', async () => {
  const changing = await make('dcim/sites', { name: 'Before', slug: 'changing' })
  await call('PATCH', `/api/dcim/sites/${changing.id}/`, { name: 'Afterwards' })
  assert.ok(!finds(await search('Before'), `/dcim/sites/${changing.id}/`))
  assert.ok(finds(await search('Afterwards'), `/dcim/sites/${changing.id}/`))
  const refused = await call('POST', '/api/dcim/sites/', [
    { name: 'Half made', slug: 'half' },
    { name: 'Half made too', slug: 'nord' },
  ])
  assert.equal(refused.status, 400)
  assert.match(await search('Half made'), /Nothing was found/)
  await call('DELETE', `/api/dcim/sites/${changing.id}/`)
  assert.ok(!finds(await search('Afterwards'), `/dcim/sites/${changing.id}/`))
})

test('the whole of a name comes before its beginning, and that before a part of it', async () => {
  const ids: number[] = []
  for (const name of ['zz rack1 old', 'rack12', 'rack1'])
    ids.push((await make('dcim/sites', { name, slug: name.replaceAll(' ', '-') })).id)
  const page = await search('rack1')
  const places = ids.map((id) => page.indexOf(`/dcim/sites/${id}/`))
  assert.ok(places[2]! < places[1]! && places[1]! < places[0]!, String(places))
})

test('hardware addresses are found in any spelling, addresses where they lie', async () => {
  const mac = await make('dcim/mac-addresses', { mac_address: '00:1A:2B:3C:4D:5E' })
  for (const text of ['001a.2b3c.4d5e', '00-1a-2b-3c-4d-5e', '001A2B3C4D5E', '2b:3c:4d'])
    assert.ok(finds(await search(text), `/dcim/mac-addresses/${mac.id}/`), text)
  const wide = await make('ipam/prefixes', { prefix: '10.20.0.0/16' })
  const narrow = await make('ipam/prefixes', { prefix: '10.20.30.0/24' })
  const page = await search('10.20.30.40')
  assert.ok(page.indexOf(`/ipam/prefixes/${narrow.id}/`) < page.indexOf(`/ipam/prefixes/${wide.id}/`))
  assert.ok(page.includes('/ipam/ip-addresses/add/?address=10.20.30.40'))
  assert.ok(finds(await search('free address in 10.20.30.0/24'), `/ipam/prefixes/${narrow.id}/ipaddresses/`))
  assert.ok(finds(await search('add devi'), '/dcim/devices/add/'))
})

test('the command that says exactly what was typed comes first', async () => {
  for (const kind of ['site', 'rack', 'device', 'cable', 'prefix', 'tenant', 'VLAN'])
    assert.match(
      (await browser.get(`/search/suggestions/?q=add+${kind}`)).text,
      new RegExp(`^<li[^>]*><a[^>]*href="[^"]*/add/"[^>]*><b>Add ${kind}</b>`),
    )
})

test('only what the user may view is found, also among the suggestions', async () => {
  const user = await make('users/users', { username: 'north', password: 'North-Passw0rd-1' })
  await make('users/permissions', {
    name: 'north',
    object_types: ['dcim.device'],
    actions: ['view'],
    users: [user.id],
    constraints: { site__slug: 'nord' },
  })
  const north = await login(client, 'north', 'North-Passw0rd-1')
  for (const page of [await search('core-sw', north), (await north.get('/search/suggestions/?q=core-sw')).text]) {
    assert.ok(page.includes(`/dcim/devices/${device.id}/`))
    assert.ok(!page.includes(`/dcim/devices/${hidden.id}/`) && !page.includes('core-sw-18'))
  }
  assert.ok(!(await search('Nord', north)).includes(`/dcim/sites/${site.id}/`))
})

test('secrets are in no index, and an index that was lost is made anew', () => {
  assert.ok(searchedModels.length > 80)
  for (const m of searchedModels)
    for (const { name } of searchedOf(m)) assert.ok(!models[m.name]!.fields[name].options.secret, `${m.name} ${name}`)
  const { db } = running.store
  const hits = () =>
    db
      .all<Parameters<typeof hitOf>[0]>(hitsSql, { ...matchOf('core-sw', 'beginning'), limit: 9, offset: 0 })
      .map((row) => hitOf(row)!.id)
  const before = hits()
  const entries = () => db.get<{ n: number }>('select count(*) as n from search_docsize')!.n
  const indexed = entries()
  for (const step of searchIndexing.steps) db.raw.exec(step)
  assert.ok(before.length > 0 && entries() > indexed, 'some waited')
  assert.deepEqual(hits(), before)
  db.raw.exec('delete from search')
  assert.deepEqual(hits(), [])
  assert.ok(searching(running.store, false).problems.some((text) => /^dcim.device name: 2 entries/.test(text)))
  assert.ok(searching(running.store, true).repaired > 0)
  assert.deepEqual(searching(running.store, false).problems, [])
  assert.deepEqual(hits(), before)
})

test('custom fields are searched as much as they count, follow every change, and are checked', async () => {
  const field = (body: object) => make('extras/custom-fields', { object_types: ['dcim.site'], ...body })
  const set = await make('extras/custom-field-choice-sets', {
    name: 'Rings',
    extra_choices: [
      ['copperring', 'Copper'],
      ['fibrering', 'Fibre'],
    ],
  })
  const code = await field({ name: 'code', label: 'Cost code', type: 'text', search_weight: 90, default: 'kp-default' })
  const mute = await field({ name: 'mute', type: 'text', search_weight: 0 })
  await field({ name: 'rings', type: 'multiselect', choice_set: set.id })
  const values = { code: 'kp-4711', mute: 'hushhush', rings: ['copperring', 'fibrering'] }
  const own = await make('dcim/sites', { name: 'Valued', slug: 'valued', custom_fields: values })
  const href = `/dcim/sites/${own.id}/`
  for (const text of ['kp-4711', 'KP-47', '4711', 'fibrering']) assert.ok(finds(await search(text), href), text)
  assert.match(await search('kp-4711'), /<td>Cost code<\/td>/)
  assert.ok(!finds(await search('hushhush'), href), 'a weight of 0 is not searched')
  await call('PATCH', `/api/extras/custom-fields/${mute.id}/`, { search_weight: 500 })
  assert.ok(finds(await search('hushhush'), href))
  assert.ok(finds(await search('kp-default'), `/dcim/sites/${site.id}/`), 'what a new field fills in is found')

  const named = await make('dcim/sites', { name: 'kp-4711', slug: 'named' })
  const first = await search('kp-4711')
  assert.ok(first.indexOf(href) < first.indexOf(`/dcim/sites/${named.id}/`), '90 counts more than 100')
  await call('PATCH', `/api/extras/custom-fields/${code.id}/`, { search_weight: 200 })
  const last = await search('kp-4711')
  assert.ok(last.indexOf(href) > last.indexOf(`/dcim/sites/${named.id}/`))

  await call('PATCH', `/api/extras/custom-fields/${code.id}/`, { name: 'cost_code' })
  assert.ok(finds(await search('kp-4711'), href), 'a field may be renamed')
  await call('PATCH', `/api/dcim/sites/${own.id}/`, { custom_fields: { cost_code: 'kp-0815' } })
  assert.ok(!finds(await search('kp-4711'), href) && finds(await search('kp-0815'), href))
  const { store } = running
  assert.deepEqual(searching(store, false).problems, [])
  store.db.raw.exec('delete from search where rowid < 0')
  assert.ok(searching(store, false).problems.some((text) => /^dcim.site custom fields: \d+ entries/.test(text)))
  searching(store, true)
  assert.deepEqual(searching(store, false).problems, [])
  assert.ok(finds(await search('kp-0815'), href))
  const user = await make('users/users', { username: 'blind', password: 'Blind-Passw0rd-1' })
  await make('users/permissions', { name: 'blind', object_types: ['dcim.device'], actions: ['view'], users: [user.id] })
  assert.ok(!finds(await search('kp-0815', await login(client, 'blind', 'Blind-Passw0rd-1')), href))

  await call('PATCH', `/api/extras/custom-fields/${mute.id}/`, { object_types: ['dcim.device'] })
  assert.ok(!finds(await search('hushhush'), href))
  await call('DELETE', `/api/extras/custom-fields/${code.id}/`)
  assert.ok(!finds(await search('kp-0815'), href))
  assert.deepEqual(searching(store, false).problems, [])
  await call('DELETE', `/api/dcim/sites/${own.id}/`)
  assert.deepEqual(searching(store, false).problems, [])
})

test('among equals, what one changed last is suggested first', async () => {
  const ids: number[] = []
  for (let i = 0; i < 12; i++)
    ids.push((await make('dcim/sites', { name: `equals ${i}`, slug: `equals-${i}`, description: 'x' })).id)
  const suggested = async (by = browser) => {
    const { text } = await by.get('/search/suggestions/?q=equals')
    return [...text.matchAll(/href="\/dcim\/sites\/(\d+)\//g)].map(([, id]) => Number(id))
  }
  assert.deepEqual((await suggested())[0], ids[11])
  await call('PATCH', `/api/dcim/sites/${ids[3]}/`, { description: 'changed' })
  assert.deepEqual((await suggested()).slice(0, 2), [ids[3], ids[11]])
  const other = await make('users/users', { username: 'other', password: 'Other-Passw0rd-1' })
  await make('users/permissions', { name: 'other', object_types: ['dcim.site'], actions: ['view'], users: [other.id] })
  assert.deepEqual((await suggested(await login(client, 'other', 'Other-Passw0rd-1')))[0], ids[0])
})
