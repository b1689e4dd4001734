import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { creating, serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const client = await serve({ maxBulkItems: 40 })
const { call } = client
const browser = await login(client)
const make = new Maker(call)
const created = creating(client)
const read = async (path: string): Promise<any> => (await call('GET', `/api/${path}`)).json
const tag = (await created('extras/tags', { name: 'Kept', slug: 'kept' })).id as number
const other = (await created('extras/tags', { name: 'Old', slug: 'old' })).id as number
await created('extras/custom-fields', { name: 'shelf', type: 'text', object_types: ['dcim.site'] })
const tenant = (await created('tenancy/tenants', { name: 'Acme', slug: 'acme' })).id as number
let serial = 0
const site = async (more: object = {}): Promise<number> => {
  serial++
  return (await created('dcim/sites', { name: `S${serial}`, slug: `s${serial}`, ...more })).id
}
const pks = (ids: readonly number[]) => ({ pk: ids.map(String) })

test('what bulk edit sets is set in all, what it empties is empty, and the rest stays', async () => {
  const ids = [
    await site({ tenant, facility: 'F1', tags: [other] }),
    await site({ tenant, facility: 'F2', description: 'mine' }),
  ]
  const form = await browser.post('/dcim/sites/edit/', pks(ids))
  assert.equal(form.status, 200)
  assert.match(form.text, /<h1>Edit 2 sites<\/h1>/)
  assert.ok(!/name="(?:slug|name)"/.test(form.text), 'what is unique is not offered')
  const sent = await browser.post('/dcim/sites/edit/', {
    ...pks(ids),
    _apply: '1',
    _empty: ['tenant', 'description'],
    status: 'planned',
    cf_shelf: 'left',
    add_tags: [String(tag)],
    remove_tags: [String(other)],
    changelog_message: 'moved together',
  })
  assert.equal(sent.status, 303, sent.text)
  for (const [i, id] of ids.entries()) {
    const shown = await read(`dcim/sites/${id}/`)
    assert.deepEqual(
      [
        shown.status.value,
        shown.tenant,
        shown.description,
        shown.facility,
        shown.custom_fields.shelf,
        shown.tags.map((each: { slug: string }) => each.slug),
      ],
      ['planned', null, '', `F${i + 1}`, 'left', ['kept']],
    )
    const [change] = (
      await read(`core/object-changes/?changed_object_type=dcim.site&changed_object_id=${id}&ordering=-id`)
    ).results
    assert.deepEqual([change.action.value, change.message], ['update', 'moved together'])
  }
})

test('one object that refuses keeps all from being changed, and is named with what is wrong', async () => {
  const region = (await created('dcim/regions', { name: 'Upper', slug: 'upper' })).id as number
  const child = (await created('dcim/regions', { name: 'Lower <b>', slug: 'lower', parent: region })).id as number
  const sent = await browser.post('/dcim/regions/edit/', {
    ...pks([region, child]),
    _apply: '1',
    parent: String(child),
    description: 'typed',
  })
  assert.equal(sent.status, 400)
  assert.match(sent.text, /Nothing was changed/)
  assert.match(sent.text, /parent: [^<]*<span class="of">\(Upper, Lower &lt;b&gt;\)/)
  assert.match(sent.text, /value="typed"/, 'what was typed is kept')
  assert.equal((await read(`dcim/regions/${region}/`)).description, '')
})

test('all that match are found by their query again, and a different number is asked about again', async () => {
  for (let i = 0; i < 3; i++) await site({ facility: 'everywhere' })
  const form = await browser.post('/dcim/sites/edit/', { _all: '1', _query: 'facility=everywhere' })
  assert.match(form.text, /<h1>Edit 3 sites<\/h1>/)
  assert.ok(!/name="pk"/.test(form.text))
  await site({ facility: 'everywhere' })
  const body = { _all: '1', _query: 'facility=everywhere', _apply: '1', description: 'all' }
  const asked = await browser.post('/dcim/sites/edit/', { ...body, _count: '3' })
  assert.match(asked.text, /has changed meanwhile: these are now 4 sites/)
  assert.equal((await read('dcim/sites/?description=all')).count, 0)
  assert.equal((await browser.post('/dcim/sites/edit/', { ...body, _count: '4' })).status, 303)
  assert.equal((await read('dcim/sites/?description=all')).count, 4)
})

test('more than may be changed at once are refused with how many they are', async () => {
  for (let i = 0; i < 41; i++) await created('extras/tags', { name: `T${i}`, slug: `t${i}` })
  for (const work of ['edit', 'rename', 'delete']) {
    const refused = await browser.post(`/extras/tags/${work}/`, { _all: '1', _query: 'name__isw=T' })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /These are 41 tags\. No more than 40 can be worked on at once/)
  }
})

test('names are replaced by text or by pattern after a preview', async () => {
  const device = await make.fresh('dcim.device')
  const port = async (name: string) =>
    (await created('dcim/interfaces', { device, name, type: '1000base-t' })).id as number
  const ids = [await port('Gi1'), await port('Gi2'), await port('mgmt')]
  const post = (more: object) => browser.post('/dcim/interfaces/rename/', { ...pks(ids), ...more })
  const preview = await post({ find: '^Gi(\\d)$', replace: '<i>\\1', use_pattern: '1' })
  assert.equal(preview.status, 200)
  assert.match(preview.text, /<td>Gi1<\/td><td>&lt;i&gt;1<\/td>/)
  assert.match(preview.text, /Rename 2</)
  assert.equal((await read(`dcim/interfaces/${ids[0]}/`)).name, 'Gi1')
  assert.equal((await post({ find: '(', replace: 'x', use_pattern: '1' })).status, 400)
  const clash = await post({ find: '\\d', replace: '', use_pattern: '1', _apply: '1' })
  assert.equal(clash.status, 400)
  assert.match(clash.text, /Nothing was changed/)
  assert.equal((await post({ find: 'Gi', replace: 'Te$1', _apply: '1' })).status, 303)
  assert.deepEqual(
    (await read(`dcim/interfaces/?device_id=${device}`)).results.map((each: { name: string }) => each.name),
    ['Te$11', 'Te$12', 'mgmt'],
  )
})

test('before many are deleted it is said what goes with them and what prevents it', async () => {
  const [busy, free] = [await site(), await site()]
  const rack = await make.fresh('dcim.rack', { site: busy, name: 'R <1>' })
  const role = await make.fresh('dcim.devicerole')
  const asked = await browser.post('/dcim/sites/delete/', pks([busy, free]))
  assert.match(asked.text, /This cannot be deleted:<\/b> one object depends on it/)
  assert.match(asked.text, new RegExp(`/dcim/racks/${rack}/">R &lt;1&gt;`))
  const refused = await browser.post('/dcim/sites/delete/', { ...pks([busy, free]), _apply: '1' })
  assert.equal(refused.status, 409)
  assert.equal((await call('GET', `/api/dcim/sites/${free}/`)).status, 200, 'none went')
  const device = await make.fresh('dcim.device', { role, site: free })
  await created('dcim/interfaces', { device, name: 'eth0', type: '1000base-t' })
  const goes = await browser.post('/dcim/devices/delete/', pks([device]))
  assert.match(goes.text, /What goes with it<\/h2><ul class="counts"><li><span>Interfaces<\/span> <b>1<\/b>/)
  assert.equal((await browser.post('/dcim/devices/delete/', { ...pks([device]), _apply: '1' })).status, 303)
  assert.equal((await call('GET', `/api/dcim/devices/${device}/`)).status, 404)
})

test('what keeps an object is counted once, however it depends on it, and told once', async () => {
  const own = await site()
  const location = await make.fresh('dcim.location', { site: own })
  const rack = await make.fresh('dcim.rack', { site: own, location, name: 'Held' })
  const detail = (await call('DELETE', `/api/dcim/sites/${own}/`)).json.detail
  assert.match(detail, /^Unable to delete object. 1 dependent objects were found: Held/)
  const refused = await browser.post(`/dcim/sites/${own}/delete/`, {})
  assert.equal(refused.status, 409)
  assert.match(refused.text, /This cannot be deleted:<\/b> one object depends on it/)
  assert.ok(refused.text.includes(`/dcim/racks/${rack}/">Held`))
  assert.doesNotMatch(refused.text, /Unable to delete object|class="danger primary"/)
})

test('who may see one site works on its rows alone, in lists, pickers and all that match', async () => {
  const [own, foreign] = [await site({ facility: 'shared' }), await site({ facility: 'shared', description: 'secret' })]
  const racks = [
    await make.fresh('dcim.rack', { site: own, name: 'Own rack' }),
    await make.fresh('dcim.rack', { site: foreign, name: 'Foreign rack' }),
  ]
  const user = (await created('users/users', { username: 'local', password: 'Cabinet-Local-Passw0rd' })).id as number
  const grant = (name: string, object_types: string[], actions: string[], constraints: object) =>
    created('users/permissions', { name, object_types, actions, constraints, users: [user], enabled: true })
  await grant('own sites', ['dcim.site'], ['view', 'change', 'delete'], { id: own })
  await grant('own racks', ['dcim.rack'], ['view'], { site_id: own })
  const local = await login(client, 'local', 'Cabinet-Local-Passw0rd')
  const list = await local.get('/dcim/racks/')
  assert.ok(list.text.includes('Own rack') && !list.text.includes('Foreign rack'))
  assert.ok(!/Edit chosen|Delete chosen/.test(list.text))
  assert.ok(!(await local.get(`/dcim/racks/?site_id=${foreign}`)).text.includes('S'.concat(String(serial), ' ')))
  const named = await local.get(`/dcim/racks/?site_id=${foreign}&site_id=${own}`)
  assert.ok(!named.text.includes(`>S${serial}<`), 'a picker does not name what may not be seen')
  const sites = await local.get('/dcim/sites/')
  assert.ok(!sites.text.includes(`/dcim/sites/${foreign}/`))
  const all = { _all: '1', _query: 'facility=shared' }
  assert.match((await local.post('/dcim/sites/edit/', all)).text, /<h1>Edit 1 site<\/h1>/)
  assert.equal((await local.post('/dcim/sites/edit/', { ...all, _apply: '1', description: 'changed' })).status, 303)
  assert.equal((await read(`dcim/sites/${foreign}/`)).description, 'secret')
  assert.equal((await read(`dcim/sites/${own}/`)).description, 'changed')
  assert.equal((await local.post('/dcim/sites/delete/', { ...pks([foreign]), _apply: '1' })).status, 303)
  assert.equal((await call('GET', `/api/dcim/sites/${foreign}/`)).status, 200)
  const moved = await local.post('/dcim/sites/rename/', { ...all, find: 'S', replace: 'X', _apply: '1' })
  assert.equal(moved.status, 303)
  assert.equal((await read(`dcim/sites/${foreign}/`)).name, `S${serial}`)
  assert.equal((await local.post('/dcim/racks/edit/', { ...pks(racks), _apply: '1', description: 'x' })).status, 403)
  assert.equal((await local.post('/dcim/racks/delete/', pks(racks))).status, 403)
})

test('a form without the token of its browser changes nothing', async () => {
  const id = await site()
  for (const work of ['edit', 'rename', 'delete']) {
    const answer = await fetch(`${client.base}/dcim/sites/${work}/`, {
      method: 'POST',
      headers: { cookie: browser.cookie },
      body: new URLSearchParams({ pk: String(id), _apply: '1', description: 'x', find: 'S', replace: 'T' }),
    })
    assert.equal(answer.status, 403)
  }
  assert.equal((await read(`dcim/sites/${id}/`)).description, '')
})

test('what objects refer to is added to and taken from, and networks get another length', async () => {
  const [one, two, three] = await Promise.all(
    [1, 2, 3].map((vid) => make.fresh('ipam.vlan', { vid: 3000 + vid, name: `v${vid}` })),
  )
  const device = await make.fresh('dcim.device')
  const port = (name: string, tagged_vlans: unknown[]) =>
    make.fresh('dcim.interface', { device, name, mode: 'tagged', tagged_vlans })
  const [a, b] = [await port('m0', [one]), await port('m1', [one, two])]
  const form = (await browser.post('/dcim/interfaces/edit/', { pk: [String(a), String(b)] })).text
  for (const name of ['tagged_vlans', 'add_tagged_vlans', 'remove_tagged_vlans', 'add_tags', 'remove_tags', 'add_vdcs'])
    assert.match(form, new RegExp(`name="${name}"`), name)
  assert.match(form, /name="_in_untagged_vlan_vlan_group" data-source="\/api\/ipam\/vlan-groups\/"/)
  assert.match(form, /name="_in_lag_device" data-source="\/api\/dcim\/devices\/"/)
  const both = { pk: [String(a), String(b)], _apply: '1' }
  const changed = { ...both, add_tagged_vlans: String(three), remove_tagged_vlans: String(one) }
  assert.equal((await browser.post('/dcim/interfaces/edit/', changed)).status, 303)
  const vlansOf = async (id: number) =>
    ((await call('GET', `/api/dcim/interfaces/${id}/`)).json.tagged_vlans as { id: number }[]).map((each) => each.id)
  assert.deepEqual([await vlansOf(a), await vlansOf(b)], [[three], [two, three]])
  const twice = await browser.post('/dcim/interfaces/edit/', { ...changed, tagged_vlans: String(two) })
  assert.equal(twice.status, 400)
  assert.match(twice.text, /id="e-add_tagged_vlans">This is set as a whole/)

  const prefix = await make.fresh('ipam.prefix', { prefix: '10.77.0.0/24' })
  const address = await make.fresh('ipam.ipaddress', { address: '10.77.0.9/24' })
  const lengthen = (path: string, id: number, name: string, length: string) =>
    browser.post(`/ipam/${path}/edit/`, { pk: String(id), _apply: '1', [name]: length })
  assert.equal((await lengthen('prefixes', prefix, 'prefix_length', '25')).status, 303)
  assert.equal((await call('GET', `/api/ipam/prefixes/${prefix}/`)).json.prefix, '10.77.0.0/25')
  assert.equal((await lengthen('ip-addresses', address, 'mask_length', '28')).status, 303)
  assert.equal((await call('GET', `/api/ipam/ip-addresses/${address}/`)).json.address, '10.77.0.9/28')
  assert.equal((await lengthen('prefixes', prefix, 'prefix_length', '99')).status, 400)
  assert.equal((await lengthen('prefixes', prefix, 'prefix_length', 'x')).status, 400)
})

test('what others wrote meanwhile stays: lists that are added to, and names', async () => {
  const [asn, rir] = [(n: number) => created('ipam/asns', { asn: n, rir }), await make.fresh('ipam.rir', {})]
  const [first, second] = [(await asn(65001)).id, (await asn(65002)).id]
  const id = await site()
  const { commit } = client.running.store
  commit.hold()
  const patched = call('PATCH', `/api/dcim/sites/${id}/`, { asns: [first], name: 'Renamed' })
  await new Promise((resolve) => setTimeout(resolve, 100))
  const edited = browser.post('/dcim/sites/edit/', { ...pks([id]), _apply: '1', add_asns: [String(second)] })
  const renaming = browser.post('/dcim/sites/rename/', { ...pks([id]), _apply: '1', find: 'S', replace: 'Z' })
  await new Promise((resolve) => setTimeout(resolve, 100))
  commit.release()
  assert.equal((await patched).status, 200)
  assert.equal((await edited).status, 303)
  assert.equal((await renaming).status, 409)
  const now = await read(`dcim/sites/${id}/`)
  assert.deepEqual(now.asns.map((each: { asn: number }) => each.asn).sort(), [65001, 65002])
  assert.equal(now.name, 'Renamed')
})

test('what has another name than `name` is renamed by that: circuit IDs, models, SSIDs', async () => {
  const maker = (await created('dcim/manufacturers', { name: 'Maker', slug: 'maker' })).id
  const provider = (await created('circuits/providers', { name: 'P', slug: 'p' })).id
  const type = (await created('circuits/circuit-types', { name: 'T', slug: 't' })).id
  for (const [path, member, body] of [
    ['dcim/device-types', 'model', { manufacturer: maker, model: 'Old 1', slug: 'old-1' }],
    ['circuits/circuits', 'cid', { provider, type, cid: 'Old 1' }],
    ['wireless/wireless-lans', 'ssid', { ssid: 'Old 1' }],
  ] as const) {
    const { id } = await created(path, body)
    assert.match((await browser.get(`/${path}/`)).text, /Rename chosen/)
    const sent = await browser.post(`/${path}/rename/`, { ...pks([id]), find: 'Old', replace: 'New', _apply: '1' })
    assert.equal(sent.status, 303, path)
    assert.equal((await read(`${path}/${id}/`))[member], 'New 1')
  }
})
