import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from 'uqr'
import { models } from '../../src/engine/catalog.ts'
import { takeKit } from '../support/kit.ts'
import { creating, serve } from '../support/server.ts'
import { login } from '../support/session.ts'
import { hasPage } from '../../src/web/links.ts'

const client = await serve()
const make = creating(client)
const site = await make('dcim/sites', { name: 'North', slug: 'north' })
const maker = await make('dcim/manufacturers', { name: 'Acme', slug: 'acme' })
const role = await make('dcim/device-roles', { name: 'Server', slug: 'server' })
const type = await make('dcim/device-types', { manufacturer: maker.id, model: 'Box', slug: 'box' })
const rack = await make('dcim/racks', { name: 'R1', site: site.id, facility_id: 'F7' })
const device = (name: string, more: object = {}) =>
  make('dcim/devices', { name, device_type: type.id, role: role.id, site: site.id, ...more })
const one = await device('<i>one', { rack: rack.id, position: 3, face: 'front', asset_tag: 'A&1', serial: 'S1' })
const two = await device('two')
const [left, right] = await Promise.all(
  [one, two].map(({ id }) => make('dcim/interfaces', { device: id, name: 'eth0', type: '1000base-t' })),
)
const end = ({ id }: { id: number }) => [{ object_type: 'dcim.interface', object_id: id }]
const cable = await make('dcim/cables', { a_terminations: end(left), b_terminations: end(right), label: 'C-1' })

const admin = await login(client)
const page = async (query: string, status = 200, by = admin) => {
  const answer = await by.get(`/labels/?${query}`)
  assert.equal(answer.status, status, query)
  return answer.text
}
const texts = (html: string) => [...html.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)
const addresses = (html: string) => [...html.matchAll(/data-address="([^"]+)"/g)].map(([, address]) => address)

test('a label says what an object is and where, and its code leads there', async () => {
  const html = await page(`type=dcim.device&id=${two.id}&id=${one.id}`)
  assert.deepEqual(texts(html), ['two', 'North', '&lt;i&gt;one (A&amp;1)', 'North · R1 (F7)', 'U3', 'A&amp;1 · S1'])
  const address = `${client.base}/dcim/devices/${one.id}/`
  assert.deepEqual(addresses(html), [`${client.base}/dcim/devices/${two.id}/`, address])
  assert.deepEqual(texts(await page(`type=dcim.cable&id=${cable.id}`)).slice(1), [
    '&lt;i&gt;one (A&amp;1) eth0',
    'two eth0',
    'C-1',
  ])
  const drawn = /data-address="[^"]+"[^>]*><path [^>]*d="([^"]+)"/.exec(
    await page(`type=dcim.device&id=${one.id}`),
  )![1]!
  const { data, size } = encode(address, { ecc: 'M', border: 2 })
  const black = new Set<string>()
  for (const [, x, y, width] of drawn.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g))
    for (let i = 0; i < Number(width); i++) black.add(`${Number(x) + i} ${y}`)
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) assert.equal(black.has(`${x} ${y}`), data[y]![x], `module ${x} ${y}`)
})

test('sizes are in the query, are kept as a preference, and are refused where they cannot be', async () => {
  const query = `type=dcim.device&id=${one.id}&id=${two.id}`
  const places = (html: string) => [...html.matchAll(/<g transform="translate\(([^)]+)\)"/g)].map(([, at]) => at)
  const own = 'width=50&height=20&columns=2&rows=3&left=5&top=7&across=1&down=2'
  assert.deepEqual(places(await page(`${query}&${own}`)), ['5 7', '56 7'])
  assert.deepEqual(places(await page(`${query}&${own}&skip=1`)), ['56 7', '5 29'])
  const roll = await page(`${query}&paper=roll&width=62&height=29`)
  assert.equal(roll.match(/class="sheet" width="62mm" height="29mm"/g)?.length, 2)
  for (const wrong of ['columns=4', 'rows=9', 'width=x', 'height=1e9', 'columns=1.5', 'paper=a0', 'skip=24', 'top=-1'])
    assert.match(await page(`${query}&${wrong}`, 400), /role="alert"/, wrong)
  const fields = { ...Object.fromEntries(new URLSearchParams(own)), paper: 'a4', skip: '0', id: String(one.id) }
  const shown = await admin.post('/labels/?type=dcim.device', { ...fields, _show: '1' })
  assert.equal(shown.status, 303)
  assert.ok(!shown.location!.includes('csrf'))
  assert.deepEqual(places(await page(query)), ['7.2 12.9', '73.2 12.9'], 'not kept by showing')
  assert.equal((await admin.post('/labels/?type=dcim.device', { ...fields, _keep: '1' })).status, 303)
  assert.deepEqual(places(await page(query)), ['5 7', '56 7'])
  assert.equal((await client.call('GET', '/api/users/config/')).json.labels.width, 50)
  const bad = await admin.post('/labels/?type=dcim.device', { ...fields, columns: '20', _keep: '1' })
  assert.equal((await admin.get(bad.location!)).status, 400)
  assert.deepEqual(places(await page(query)), ['5 7', '56 7'])
})

test('the style of a sheet says its size and takes nothing else', async () => {
  const style = await admin.get('/labels/sheet.css?width=210&height=297')
  assert.match(style.text, /^@page\{size:210mm 297mm;margin:0\}/)
  for (const wrong of ['width=210', 'width=1;}&height=5', 'width=9999&height=5'])
    assert.equal((await admin.get(`/labels/sheet.css?${wrong}`)).status, 404, wrong)
})

test('objects chosen in a list have labels, also by who may only view them; others are absent', async () => {
  const chosen = await admin.post('/labels/?type=dcim.device', { pk: [String(two.id), String(one.id)] })
  assert.equal(chosen.status, 303)
  assert.equal(addresses((await admin.get(chosen.location!)).text).length, 2)
  const all = await admin.post('/labels/?type=dcim.device', { _all: '1', _query: 'name=two' })
  assert.deepEqual(addresses((await admin.get(all.location!)).text), [`${client.base}/dcim/devices/${two.id}/`])
  const tags = Array.from({ length: 260 }, (_, i) => ({ name: `tag ${i}`, slug: `tag-${i}` }))
  assert.equal((await client.call('POST', '/api/extras/tags/', tags)).status, 201)
  assert.equal((await admin.post('/labels/?type=extras.tag', { _all: '1' })).status, 400)
  assert.match(
    (await admin.get(`/dcim/devices/${one.id}/`)).text,
    new RegExp(`href="/labels/\\?type=dcim.device&amp;id=${one.id}"`),
  )
  await client.call('POST', '/api/users/users/', { username: 'viewer', password: 'Viewer-Passw0rd-1' })
  const user = (await client.call('GET', '/api/users/users/?username=viewer')).json.results[0].id
  await make('users/permissions', {
    name: 'p',
    object_types: ['dcim.device'],
    actions: ['view'],
    users: [user],
    constraints: { name: 'two' },
  })
  const viewer = await login(client, 'viewer', 'Viewer-Passw0rd-1')
  assert.match((await viewer.get('/dcim/devices/')).text, /formaction="\/labels\/\?type=dcim.device"/)
  const both = await page(`type=dcim.device&id=${one.id}&id=${two.id}`, 200, viewer)
  assert.deepEqual(addresses(both), [`${client.base}/dcim/devices/${two.id}/`])
  await page(`type=dcim.rack&id=${rack.id}`, 403, viewer)
  for (const none of ['type=nothing', 'type=__proto__', '']) await page(none, 404)
})

test('every model that has pages has labels', async () => {
  for (const m of Object.values(models)) if (!m.internal && hasPage(m)) await page(`type=${m.name}&id=1`)
})

test('a label printed in a kit leads to the source, where the object keeps its id', async () => {
  const kit = await takeKit(client, { name: 'van' })
  try {
    const made = await creating(kit)('dcim/sites', { name: 'Field', slug: 'field' })
    const { get } = await login(kit, 'admin', kit.password)
    const { text } = await get(`/labels/?type=dcim.site&id=${made.id}`)
    assert.deepEqual(addresses(text), [`${client.base}/dcim/sites/${made.id}/`])
  } finally {
    await kit.close()
  }
})
