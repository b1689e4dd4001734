import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allModels, fieldsOf } from '../../src/engine/catalog.ts'
import { Maker } from '../support/maker.ts'
import { plant } from '../support/plant.ts'
import { serve } from '../support/server.ts'
import { login, loginAs } from '../support/session.ts'

const client = await serve()
const { make, get, device, nic } = await plant(client)
const browser = await login(client)
const maker = new Maker(client.call, 1000)
/** Where the page of an object leads to choose more for one of its tables. */
const chooser = (page: string): string | undefined =>
  /href="([^"]*\/assign\/\?[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')

test('devices become members of a chassis in the order in which they are chosen, at free positions', async () => {
  const { id } = await make('dcim/virtual-chassis', { name: 'Stack' })
  const [one, two, three] = [await device('one'), await device('two'), await device('three')]
  await client.call('PATCH', `/api/dcim/devices/${one.id}/`, { virtual_chassis: id, vc_position: 2 })
  const at = chooser((await browser.get(`/dcim/virtual-chassis/${id}/`)).text)!
  const form = await browser.get(at)
  assert.equal(form.status, 200)
  assert.match(form.text, /Choose devices for Stack/)
  assert.match(form.text, /that have no virtual chassis yet/)
  assert.match(form.text, /name="_first"[^>]* value="3"/, 'the next free position')
  assert.match(form.text, /data-narrow='[^']*"virtual_chassis_id":"=null"/)
  const sent = await browser.post(at, { pk: [String(three.id), String(two.id)], _first: '1' })
  assert.deepEqual([sent.status, sent.location], [303, `/dcim/virtual-chassis/${id}/`])
  const positions = await Promise.all(
    [one, two, three].map(async (each) => (await get(`dcim/devices/${each.id}/`)).vc_position),
  )
  assert.deepEqual(positions, [2, 3, 1])
  const { text } = await browser.get(`/dcim/virtual-chassis/${id}/`)
  const members = text.slice(text.indexOf('Members'))
  const places = ['three', 'one', 'two'].map((name) => members.indexOf(`>${name}</a>`))
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
    'in the order of their positions',
  )
  assert.match(members, /data-column="vc_position"/)
})

test('a member is edited and taken out of its chassis in its row, unless it is the master', async () => {
  const { id } = await make('dcim/virtual-chassis', { name: 'Left' })
  const [first, second] = [await device('stays'), await device('leaves')]
  for (const [i, { id: member }] of [first, second].entries())
    await client.call('PATCH', `/api/dcim/devices/${member}/`, { virtual_chassis: id, vc_position: i, vc_priority: 9 })
  await client.call('PATCH', `/api/dcim/virtual-chassis/${id}/`, { master: first.id })
  const page = (await browser.get(`/dcim/virtual-chassis/${id}/`)).text
  assert.ok(page.includes(`href="/dcim/devices/${second.id}/edit/?_back=.`))
  const form = new RegExp(`<form method="post" action="([^"]+)">(?:(?!</form>)[\\s\\S])*value="${second.id}"`).exec(
    page,
  )!
  const at = form[1]!.replaceAll('&amp;', '&')
  const sent = await browser.post(at, { pk: String(second.id) })
  assert.deepEqual([sent.status, sent.location], [303, `/dcim/virtual-chassis/${id}/`])
  const {
    virtual_chassis: chassis,
    vc_position: place,
    vc_priority: priority,
  } = await get(`dcim/devices/${second.id}/`)
  assert.deepEqual([chassis, place, priority], [null, null, null])
  await browser.post(at, { pk: String(first.id) })
  assert.match((await browser.get(`/dcim/virtual-chassis/${id}/`)).text, /stays/)
  assert.equal((await get(`dcim/devices/${first.id}/`)).virtual_chassis.id, id)
  const reader = await loginAs(client, 'members', [[['dcim.device', 'dcim.virtualchassis'], ['view']]])
  assert.doesNotMatch((await reader.get(`/dcim/virtual-chassis/${id}/`)).text, /release\//)
  assert.equal((await reader.post(at, { pk: String(first.id) })).status, 403)
})

test('what cannot be is refused with its reason, and nothing is changed', async () => {
  const other = await make('dcim/virtual-chassis', { name: 'Other' })
  const { id } = await make('dcim/virtual-chassis', { name: 'Wanted' })
  const [master, free] = [await device('its master'), await device('free one')]
  const patched = { virtual_chassis: other.id, vc_position: 1 }
  await client.call('PATCH', `/api/dcim/devices/${master.id}/`, patched)
  await client.call('PATCH', `/api/dcim/virtual-chassis/${other.id}/`, { master: master.id })
  const at = `/dcim/devices/assign/?virtual_chassis=${id}`
  const pk = [String(free.id), String(master.id)]
  const refused = await browser.post(at, { pk, _first: '1' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Nothing was changed[\s\S]*its master/)
  assert.match(refused.text, /<option value="\d+" selected>free one/, 'what was chosen is there still')
  assert.equal((await get(`dcim/devices/${free.id}/`)).virtual_chassis, null)
  for (const [fields, text] of [
    [{ _first: '1' }, /Choose some devices/],
    [{ pk, _first: 'x' }, /A number is required/],
    [{ _all: '1', _first: '1' }, /Choose some devices/],
    [{ pk, _first: '254' }, /255|Nothing was changed/],
  ] as const) {
    const answer = await browser.post(at, fields as never)
    assert.equal(answer.status, 400)
    assert.match(answer.text, text)
  }
  for (const query of ['', '?virtual_chassis=987654', '?virtual_chassis=x', '?site=1', '?constructor=1', '?id=1'])
    assert.equal((await browser.get(`/dcim/devices/assign/${query}`)).status, 404, query)
})

test('members of a bundle of interfaces are looked for in its chassis', async () => {
  const owner = await device('bundled')
  const [bundle, member] = [await nic(owner, 'Po1', { type: 'lag' }), await nic(owner, 'eth1')]
  const [at, none] = await Promise.all(
    [bundle, member].map(async (id) => chooser((await browser.get(`/dcim/interfaces/${id}/`)).text)),
  )
  assert.match(at!, new RegExp(`^/dcim/interfaces/assign/\\?lag=${bundle}&`))
  assert.doesNotMatch(none ?? '', /lag=/, 'another interface takes none')
  const form = await browser.get(at!)
  assert.match(form.text, new RegExp(`data-narrow='[^']*"virtual_chassis_member_id":"=${owner.id}"`))
  assert.equal((await browser.post(at!, { pk: ['', 'eth1'] })).status, 303, 'typed where there are no scripts')
  assert.equal((await get(`dcim/interfaces/${member}/`)).lag.id, bundle)
})

test('only who may change the objects chooses, and only among those', async () => {
  const { id } = await make('virtualization/clusters', {
    name: 'C',
    type: (await make('virtualization/cluster-types', { name: 'T', slug: 't' })).id,
  })
  const [mine, hidden] = [await device('mine'), await device('hidden')]
  const reader = await loginAs(client, 'reader', [[['dcim.device', 'virtualization.cluster'], ['view']]])
  assert.equal(chooser((await reader.get(`/virtualization/clusters/${id}/devices/`)).text), undefined)
  const at = `/dcim/devices/assign/?cluster=${id}`
  assert.equal((await reader.get(at)).status, 403)
  assert.equal((await reader.post(at, { pk: String(mine.id) })).status, 403)
  const writer = await loginAs(client, 'one-owner', [
    [['dcim.device'], ['view', 'change'], { id: mine.id }],
    [['virtualization.cluster'], ['view']],
  ])
  assert.ok(chooser((await writer.get(`/virtualization/clusters/${id}/devices/`)).text))
  const none = await writer.post(at, { pk: String(hidden.id) })
  assert.equal(none.status, 400)
  assert.ok(!none.text.includes('hidden one') && !none.text.includes('>hidden<'))
  assert.equal((await writer.post(at, { pk: [String(hidden.id), String(mine.id)] })).status, 303)
  assert.equal((await get(`dcim/devices/${mine.id}/`)).cluster.id, id)
  assert.equal((await get(`dcim/devices/${hidden.id}/`)).cluster, null)
  const blind = await loginAs(client, 'blind', [[['dcim.device'], ['view', 'change']]])
  assert.equal((await blind.get(at)).status, 404, 'the cluster is not theirs to see')
})

test('every table of objects that may come and go has its form', async () => {
  let count = 0
  for (const owner of allModels) {
    const tables = [...(owner.pages?.tables ?? []), ...Object.values(owner.pages?.tabs ?? {})]
    for (const table of tables) {
      if (table === true) continue
      const m = allModels.find(({ name }) => name === table[0])!
      const field = /^(\w+)_id$/.exec(table[1])?.[1]
      const [, own] = fieldsOf(m).find(([name]) => name === field) ?? []
      if (own?.target?.model !== owner.name || own.required || own.target.onDelete === 'cascade') continue
      if (m.methods && !m.methods.includes('PATCH')) continue
      const id = await maker.fresh(owner.name)
      const { status, text } = await browser.get(`/${m.path}/assign/?${field}=${id}`)
      assert.equal(status, 200, `${m.name} ${field}`)
      assert.match(text, /<select [^>]*name="pk"[^>]* multiple/, m.name)
      count++
    }
  }
  assert.ok(count > 8, `${count} forms`)
})
