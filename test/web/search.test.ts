import assert from 'node:assert/strict'
import { test } from 'node:test'
import { models } from '../../src/engine/catalog.ts'
import { hitOf, hitsSql, matchOf, searchedModels, searchedOf } from '../../src/engine/search.ts'
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
      .all<Parameters<typeof hitOf>[0]>(hitsSql, { query: matchOf('core-sw', 'beginning'), limit: 9, offset: 0 })
      .map((row) => hitOf(row)!.id)
  const before = hits()
  db.raw.exec('delete from search')
  assert.deepEqual(hits(), [])
  assert.ok(searching(running.store, false).problems.some((text) => /^dcim.device name: 2 entries/.test(text)))
  assert.ok(searching(running.store, true).repaired > 0)
  assert.deepEqual(searching(running.store, false).problems, [])
  assert.deepEqual(hits(), before)
})
