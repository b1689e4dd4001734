import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { login, loginAs } from '../support/session.ts'

const client = await serve()
const { call } = client
const browser = await login(client)
const make = new Maker(call)
const changesOf = async (type: string, id: number) =>
  (await call('GET', `/api/core/object-changes/?changed_object_type=${type}&changed_object_id=${id}&ordering=id`)).json
    .results as { id: number }[]

test('a change is shown field by field, with names for references, and between its neighbours', async () => {
  const [region, other] = [
    await make.fresh('dcim.region', { name: 'North' }),
    await make.fresh('dcim.region', { name: 'South' }),
  ]
  const field = { name: 'room_key', type: 'text', object_types: ['dcim.site'] }
  assert.equal((await call('POST', '/api/extras/custom-fields/', field)).status, 201)
  const site = await make.fresh('dcim.site', { region, comments: 'one\ntwo\nthree', custom_fields: { room_key: 'k1' } })
  const body = {
    region: other,
    status: 'planned',
    comments: 'one\n2 <b>\nthree',
    custom_fields: { room_key: 'k2' },
    changelog_message: 'moved',
  }
  assert.equal((await call('PATCH', `/api/dcim/sites/${site}/`, body)).status, 200)
  await call('PATCH', `/api/dcim/sites/${site}/`, { facility: 'F' })
  const [made, changed, last] = (await changesOf('dcim.site', site)).map(({ id }) => id)
  const page = (await browser.get(`/core/changelog/${changed}/`)).text
  const difference = /<table class="difference">[\s\S]*?<\/table>/.exec(page)![0]
  assert.match(difference, /<del><a href="\/dcim\/regions\/\d+\/">North<\/a><\/del>/)
  assert.match(difference, /<ins><a href="\/dcim\/regions\/\d+\/">South<\/a><\/ins>/)
  assert.match(difference, /<del>Active<\/del>[\s\S]*<ins>Planned<\/ins>/)
  assert.match(difference, /<del>− two\n<\/del><ins>\+ 2 &lt;b&gt;\n<\/ins>/)
  assert.match(difference, /Room key[\s\S]*k1[\s\S]*k2/)
  assert.doesNotMatch(difference, /Facility|Slug/)
  assert.match(page, /moved/)
  assert.match(page, new RegExp(`href="/core/changelog/${made}/">‹`))
  assert.match(page, new RegExp(`href="/core/changelog/${last}/">The change after`))
  const first = (await browser.get(`/core/changelog/${made}/`)).text
  assert.doesNotMatch(first, /The change before/)
  assert.doesNotMatch(/<table class="difference">[\s\S]*?<\/table>/.exec(first)![0], /Before/)
})

test('what one request changed stands together, also where the objects are gone', async () => {
  const sites = await call('POST', '/api/dcim/sites/', [
    { name: 'Twin 1', slug: 'twin-1' },
    { name: 'Twin 2', slug: 'twin-2' },
  ])
  const ids = sites.json.map((site: { id: number }) => site.id) as [number, number]
  const [change] = await changesOf('dcim.site', ids[0])
  const page = (await browser.get(`/core/changelog/${change!.id}/`)).text
  assert.match(page, /Other changes of this request <small>1<\/small>[\s\S]*Twin 2/)
  await call('DELETE', `/api/dcim/sites/${ids[0]}/`)
  const gone = (await changesOf('dcim.site', ids[0])).at(-1)!
  const last = await browser.get(`/core/changelog/${gone.id}/`)
  assert.equal(last.status, 200)
  assert.match(last.text, /<del>Twin 1<\/del>/)
})

test('a change names no object that its reader may not view', async () => {
  const region = await make.fresh('dcim.region', { name: 'Hidden region' })
  const site = await make.fresh('dcim.site', { region })
  const user = await call('POST', '/api/users/users/', { username: 'changes', password: 'Cabinet-Test-Passw0rd' })
  const grant = {
    name: 'c',
    object_types: ['core.objectchange', 'dcim.site'],
    actions: ['view'],
    users: [user.json.id],
  }
  assert.equal((await call('POST', '/api/users/permissions/', grant)).status, 201)
  const reader = await login(client, 'changes')
  const [change] = await changesOf('dcim.site', site)
  const page = (await reader.get(`/core/changelog/${change!.id}/`)).text
  assert.match(page, new RegExp(`#${region}`))
  assert.doesNotMatch(page, /Hidden region/)
})

test('the log leads to the objects that are still there, and that one may view', async () => {
  const [site, rack] = [
    await make.fresh('dcim.site', { name: 'Kept' }),
    await make.fresh('dcim.rack', { name: 'Gone' }),
  ]
  const tenant = await make.fresh('tenancy.tenant', { name: 'Hidden' })
  await call('DELETE', `/api/dcim/racks/${rack}/`)
  const shown = (await browser.get('/core/changelog/')).text
  assert.match(shown, new RegExp(`<td><a href="/dcim/sites/${site}/">Kept</a>`))
  assert.match(shown, new RegExp(`<td><a href="/tenancy/tenants/${tenant}/">Hidden</a>`))
  assert.match(shown, /<td>Gone(?:<|\n)/)
  const reader = await loginAs(client, 'log-reader', [[['core.objectchange', 'dcim.site'], ['view']]])
  const less = (await reader.get('/core/changelog/')).text
  assert.match(less, new RegExp(`<td><a href="/dcim/sites/${site}/">Kept</a>`))
  assert.match(less, /<td>Hidden(?:<|\n)/)
})

test('the log says whose a component is', async () => {
  const device = await make.fresh('dcim.device', { name: 'sw-1' })
  const port = await make.fresh('dcim.interface', { name: 'eth0', device })
  const machine = await make.fresh('virtualization.virtualmachine', { name: 'vm-1' })
  await make.fresh('virtualization.vminterface', { name: 'ens3', virtual_machine: machine })
  const shown = (await browser.get('/core/changelog/')).text
  assert.match(
    shown,
    new RegExp(`<a href="/dcim/devices/${device}/">sw-1</a> › <a href="/dcim/interfaces/${port}/">eth0</a>`),
  )
  assert.match(shown, />vm-1<\/a> › <a [^>]*>ens3</)
})

test('lists of a change are read as people write them', async () => {
  await call('POST', '/api/extras/tags/', { name: 'Blue <b>', slug: 'blue' })
  const group = await make.fresh('ipam.vlangroup', { vid_ranges: [[1, 10]] })
  const vid_ranges = [10, 20].map((last) => [last === 10 ? 1 : last, last])
  const body = { vid_ranges, tags: [{ slug: 'blue' }] }
  assert.equal((await call('PATCH', `/api/ipam/vlan-groups/${group}/`, body)).status, 200)
  const changed = (await changesOf('ipam.vlangroup', group)).at(-1)!
  const page = (await browser.get(`/core/changelog/${changed.id}/`)).text
  const difference = /<table class="difference">[\s\S]*?<\/table>/.exec(page)![0]
  assert.match(difference, /<del><ul class="items"><li>1-10<\/li><\/ul><\/del>/)
  assert.match(difference, /<ins><ul class="items"><li>1-10<\/li><li>20<\/li><\/ul><\/ins>/)
  assert.match(difference, /<li>Blue &lt;b&gt;<\/li>/)
})
