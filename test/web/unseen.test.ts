import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { creating, serve } from '../support/server.ts'
import { login, loginAs, type Session } from '../support/session.ts'

const client = await serve()
const make = creating(client)
const any = new Maker(client.call)
const site = (await make('dcim/sites', { name: 'Hidden', slug: 'hidden', comments: 'kept-secret', facility: 'F-9' })).id
const open = (await make('dcim/sites', { name: 'Open', slug: 'open', comments: 'told-freely', facility: 'F-1' })).id
await make('dcim/racks', { name: 'R1', site })
await make('dcim/racks', { name: 'R2', site: open })
const device = await any.fresh('dcim.device', { name: 'edge', site, serial: 'serial-9', asset_tag: 'tag-9' })
const port = await any.fresh('dcim.interface', { name: 'eth0', device })
const held = (address: string) =>
  make('ipam/ip-addresses', { address, assigned_object_type: 'dcim.interface', assigned_object_id: port })
await held('192.0.2.1/24')
await held('198.51.100.1/24')
const contact = (await make('tenancy/contacts', { name: 'Nina' })).id
const role = (await make('tenancy/contact-roles', { name: 'Owner', slug: 'owner' })).id
await make('tenancy/contact-assignments', { object_type: 'dcim.site', object_id: open, contact, role })
const policy = await any.fresh('vpn.ikepolicy', { preshared_key: 'pre-shared' })
await any.fresh('vpn.ipsecprofile', { name: 'profile', ike_policy: policy })

const admin = await login(client)
const few = await loginAs(client, 'few', [
  [['dcim.rack', 'dcim.interface', 'vpn.ipsecprofile'], ['view']],
  [['dcim.site'], ['view'], { name: 'Open' }],
  [['ipam.ipaddress'], ['view'], { address__startswith: '198' }],
])

/** Has a user's list show some columns. */
async function choose(user: Session, path: string, columns: readonly string[]): Promise<void> {
  assert.equal((await user.post(`${path}columns/`, { order: columns, column: columns })).status, 303)
}
/** Has the preferences say so, in which any path may stand. */
async function chooseAnyhow(table: string, columns: readonly string[]): Promise<void> {
  for (const username of ['few', 'admin']) {
    const { results } = (await client.call('GET', `/api/users/users/?username=${username}`)).json
    const { key, token } = await make('users/tokens', { user: results[0].id })
    const headers = { authorization: `Bearer nbt_${key}.${token}` }
    const body = { tables: { [table]: { columns } } }
    assert.equal((await client.call('PATCH', '/api/users/config/', body, headers)).status, 200)
  }
}

test('a column at the end of a path shows nothing of an object that one may not view but what others do', async () => {
  await chooseAnyhow('RackTable', ['name', 'site.name', 'site.comments', 'site.facility', 'site.region.comments'])
  for (const path of ['/dcim/racks/', '/dcim/racks/export/?_as=csv&_of=shown']) {
    const [all, some] = [await admin.get(path), await few.get(path)]
    if (path === '/dcim/racks/') {
      assert.match(all.text, /kept-secret[\s\S]*told-freely/)
      assert.match(some.text, /Hidden/, 'its name stands beside the rack anyway')
      assert.match(some.text, /told-freely/)
    }
    for (const secret of ['kept-secret', 'F-9']) assert.ok(!some.text.includes(secret), `${secret} ${path}`)
  }
})

test('nor do longer paths, and those to secrets of others', async () => {
  await chooseAnyhow('InterfaceTable', ['name', 'device.serial', 'device.asset_tag', 'device.site.comments'])
  assert.match((await admin.get('/dcim/interfaces/')).text, /serial-9[\s\S]*tag-9[\s\S]*kept-secret/)
  const { text } = await few.get('/dcim/interfaces/')
  assert.match(text, /eth0/)
  for (const secret of ['serial-9', 'tag-9', 'kept-secret']) assert.ok(!text.includes(secret), secret)
  await chooseAnyhow('IPSecProfileTable', ['name', 'ike_policy.preshared_key', 'ike_policy.name'])
  const shown = await few.get('/vpn/ipsec-profiles/')
  assert.match(shown.text, /profile/)
  assert.ok(!shown.text.includes('pre-shared'))
})

test('what refers to an object stands in its list only where one may view it', async () => {
  await choose(few, '/dcim/interfaces/', ['name', 'ip_addresses'])
  await choose(admin, '/dcim/interfaces/', ['name', 'ip_addresses'])
  assert.match((await admin.get('/dcim/interfaces/')).text, /192\.0\.2\.1[\s\S]*198\.51\.100\.1/)
  const { text } = await few.get('/dcim/interfaces/')
  assert.match(text, /198\.51\.100\.1/)
  assert.ok(!text.includes('192.0.2.1'))
  await choose(admin, '/dcim/sites/', ['name', 'contacts'])
  await choose(few, '/dcim/sites/', ['name', 'contacts'])
  assert.match((await admin.get('/dcim/sites/')).text, /Nina/)
  const sites = await few.get('/dcim/sites/')
  assert.match(sites.text, /Open/)
  assert.ok(!sites.text.includes('Nina'))
})

test('the page of an object keeps to that as well', async () => {
  const one = async (user: Session, path: string) => (await user.get(path)).text
  const parent = await any.fresh('dcim.devicetype', { subdevice_role: 'parent' })
  const child = await any.fresh('dcim.devicetype', { subdevice_role: 'child', u_height: 0, model: 'Blade-9' })
  const chassis = await any.fresh('dcim.device', { device_type: parent })
  const installed_device = await any.fresh('dcim.device', { device_type: child, name: 'blade' })
  const bay = await any.fresh('dcim.devicebay', { device: chassis, installed_device })
  const viewer = await loginAs(client, 'viewer', [[['dcim.devicebay'], ['view']]])
  assert.match(await one(admin, `/dcim/device-bays/${bay}/`), /blade[\s\S]*Blade-9/)
  const shown = await one(viewer, `/dcim/device-bays/${bay}/`)
  assert.match(shown, /blade/)
  assert.ok(!shown.includes('Blade-9'))
})

test('columns that nobody would choose are passed over', async () => {
  await any.fresh('dcim.region')
  for (const columns of [
    [`${'parent.'.repeat(6000)}description`],
    Array.from({ length: 700 }, (_, i) => `${'parent.'.repeat(i % 9)}${['slug', 'comments', 'created'][i % 3]}`),
    ['parent.constructor', 'toString', '__proto__', 'parent.__proto__.x', 'constructor.name', 'parent..name', '.'],
  ]) {
    await chooseAnyhow('RegionTable', columns)
    const { status, text } = await admin.get('/dcim/regions/')
    assert.equal(status, 200, columns[0]!.slice(0, 40))
    assert.ok(!text.includes('[native code]'))
  }
})

test('the access of a user is told to those who may view all permissions, and to the user', async () => {
  const held = await loginAs(client, 'held', [[['dcim.site'], ['view'], { name: 'whispered' }]])
  const { results } = (await client.call('GET', '/api/users/users/?username=held')).json
  const path = `/users/users/${results[0].id}/access/`
  const some = await loginAs(client, 'some', [
    [['users.user'], ['view']],
    [['users.objectpermission'], ['view'], { name: 'none of these' }],
  ])
  const all = await loginAs(client, 'all', [[['users.user', 'users.objectpermission'], ['view']]])
  assert.match((await all.get(path)).text, /whispered/)
  assert.match((await held.get('/user/profile/')).text, /whispered/)
  const shown = await some.get(path)
  assert.equal(shown.status, 200)
  assert.ok(!shown.text.includes('whispered'))
})

test('an export to be imported again names an object that one may not view by what others show of it', async () => {
  const group = (await make('ipam/vlan-groups', { name: 'Hidden VLANs', slug: 'hidden-vlans' })).id
  const vlan = (await make('ipam/vlans', { name: 'v7', vid: 7, group })).id
  await make('ipam/vlans', { name: 'v7', vid: 7 })
  const untagged_vlan = (await make('ipam/vlans', { name: 'v8', vid: 8, group })).id
  await client.call('PATCH', `/api/dcim/interfaces/${port}/`, { mode: 'tagged', tagged_vlans: [vlan], untagged_vlan })
  const parent = { parent_object_type: 'dcim.device', parent_object_id: device }
  await make('ipam/services', { name: 'ssh', protocol: 'tcp', ports: [22], ...parent })
  const grants = ['dcim.interface', 'ipam.service']
  const blind = await loginAs(client, 'blind', [[grants, ['view']]])
  const seeing = await loginAs(client, 'seeing', [[[...grants, 'dcim.device', 'ipam.vlan'], ['view']]])
  for (const [path, slugs] of [
    ['/dcim/interfaces/export/', ['hidden', 'hidden-vlans']],
    ['/ipam/services/export/', ['hidden']],
  ] as const) {
    for (const as of ['csv', 'json', 'yaml']) {
      for (const slug of slugs)
        assert.match((await seeing.get(`${path}?_as=${as}`)).text, new RegExp(`\\b${slug}\\b(?!-)`), `${slug} ${as}`)
      const { text } = await blind.get(`${path}?_as=${as}`)
      assert.doesNotMatch(text, /hidden/, `${path} ${as}`)
      assert.ok(text.includes(`?${device}`), text)
      assert.ok(!(await blind.get(`${path}?_as=${as}&_of=ids`)).text.includes('hidden'))
    }
    assert.match((await blind.get(path)).text, /Referred to without a name of their own/)
    assert.doesNotMatch((await seeing.get(path)).text, /Referred to without/)
  }
  const bays = await loginAs(client, 'bays', [
    [['dcim.interface'], ['view']],
    [['dcim.device'], ['view'], { name: 'x' }],
  ])
  assert.doesNotMatch((await bays.get('/dcim/interfaces/export/?_as=csv')).text, /hidden/)
})
