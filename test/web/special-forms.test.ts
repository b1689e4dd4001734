import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { creating, serve } from '../support/server.ts'
import { fieldsIn, login, loginAs } from '../support/session.ts'

const client = await serve()
const { call } = client
const make = creating(client)
const maker = new Maker(call)
const browser = await login(client)
const one = async (path: string) => (await call('GET', `/api/${path}`)).json.results[0]

test('choices are typed with their labels and colours, one a line, and imported so', async () => {
  const at = '/extras/custom-field-choices/'
  const lines = 'low:Low:green\r\nhigh:High one:red\r\nplain\r\nodd:Odd:one'
  const added = await browser.post(`${at}add/`, { name: 'Levels', extra_choices: lines })
  assert.equal(added.status, 303, /class="error"[^>]*>[^<]*/.exec(added.text)?.[0])
  const set = await one('extras/custom-field-choice-sets/?name=Levels')
  assert.deepEqual(set.extra_choices, [
    ['low', 'Low'],
    ['high', 'High one'],
    ['plain', 'plain'],
    ['odd', 'Odd:one'],
  ])
  assert.deepEqual(set.choice_colors, { low: 'green', high: 'red' })
  const fields = fieldsIn((await browser.get(`${at}${set.id}/edit/`)).text)
  assert.equal(fields.extra_choices![0], 'low:Low:green\nhigh:High one:red\nplain\nodd:Odd:one')
  assert.equal((fields.choice_colors ?? [''])[0], '')
  const fewer = { ...fields, extra_choices: 'low:Low\nplain:plain:teal' }
  assert.equal((await browser.post(`${at}${set.id}/edit/`, fewer)).status, 303)
  assert.deepEqual((await one('extras/custom-field-choice-sets/?name=Levels')).choice_colors, { plain: 'teal' })

  const based = {
    name: 'Lands',
    base_choices: 'ISO_3166',
    extra_choices: 'XX:Nowhere:gray',
    choice_colors: '{"NO": "red"}',
  }
  assert.equal((await browser.post(`${at}add/`, based)).status, 303)
  const lands = await one('extras/custom-field-choice-sets/?name=Lands')
  assert.deepEqual(lands.choice_colors, { NO: 'red', XX: 'gray' })
  const again = fieldsIn((await browser.get(`${at}${lands.id}/edit/`)).text)
  assert.deepEqual(JSON.parse(again.choice_colors![0]!), { NO: 'red' })
  const form = (await browser.get(`${at}add/`)).text
  assert.doesNotMatch(/<textarea id="f-extra_choices"[^>]*>/.exec(form)![0], /required/)
  assert.equal((await browser.post(`${at}add/`, { name: 'Ports', base_choices: 'UN_LOCODE' })).status, 303)
  const none = await browser.post(`${at}add/`, { name: 'Nothing' })
  assert.equal(none.status, 400)
  assert.match(none.text, /Must define base or extra choices/)
  // A label that ends like a colour is told as JSON, and comes back as it was.
  const sly = await make('extras/custom-field-choice-sets', { name: 'Sly', extra_choices: [['a', 'Signal:red']] })
  const kept = fieldsIn((await browser.get(`${at}${sly.id}/edit/`)).text)
  assert.equal((await browser.post(`${at}${sly.id}/edit/`, kept)).status, 303)
  const same = await one('extras/custom-field-choice-sets/?name=Sly')
  assert.deepEqual([same.extra_choices, same.choice_colors], [[['a', 'Signal:red']], {}])

  const table = 'name,extra_choices\nSizes,"s:Small:blue,l:Large"\nPairs,"[[""x"", ""X:red""]]"'
  assert.match((await browser.get(`${at}import/`)).text, /extra_choices[\s\S]*value:label:colour/)
  const imported = await browser.post(`${at}import/`, { text: table, _apply: '1' })
  assert.equal(imported.status, 303, /class="error"[^>]*>[^<]*/.exec(imported.text)?.[0])
  const sizes = await one('extras/custom-field-choice-sets/?name=Sizes')
  assert.deepEqual(sizes.extra_choices, [
    ['s', 'Small'],
    ['l', 'Large'],
  ])
  assert.deepEqual(sizes.choice_colors, { s: 'blue' })
  assert.deepEqual((await one('extras/custom-field-choice-sets/?name=Pairs')).extra_choices, [['x', 'X:red']])
})

test('a new FHRP group gets its virtual address by the same form, or neither is made', async () => {
  const vrf = await make('ipam/vrfs', { name: 'Blue' })
  const fields = { protocol: 'vrrp3', group_id: '7', name: 'gate', ip_vrf: String(vrf.id), ip_status: 'reserved' }
  const wrong = await browser.post('/ipam/fhrp-groups/add/', { ...fields, ip_address: '10.9.0.300/24' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /id="e-ip_address"/)
  assert.match(wrong.text, /value="10\.9\.0\.300\/24"/)
  assert.equal((await call('GET', '/api/ipam/fhrp-groups/')).json.count, 0)
  assert.equal((await browser.post('/ipam/fhrp-groups/add/', { ...fields, ip_address: '10.9.0.1/24' })).status, 303)
  const [group, address] = [await one('ipam/fhrp-groups/'), await one('ipam/ip-addresses/')]
  assert.equal(address.address, '10.9.0.1/24')
  assert.deepEqual(
    [
      address.vrf.id,
      address.status.value,
      address.role.value,
      address.assigned_object_type,
      address.assigned_object_id,
    ],
    [vrf.id, 'reserved', 'vrrp', 'ipam.fhrpgroup', group.id],
  )
  assert.doesNotMatch((await browser.get(`/ipam/fhrp-groups/${group.id}/edit/`)).text, /ip_address/)
  const without = { protocol: 'hsrp', group_id: '8' }
  assert.equal((await browser.post('/ipam/fhrp-groups/add/', without)).status, 303)
  const user = await make('users/users', { username: 'fhrp', password: 'Cabinet-Test-Passw0rd' })
  const grant = { name: 'fhrp', object_types: ['ipam.fhrpgroup'], actions: ['view', 'add'], users: [user.id] }
  await make('users/permissions', grant)
  const limited = await login(client, 'fhrp')
  const refused = await limited.post('/ipam/fhrp-groups/add/', { ...without, group_id: '9', ip_address: '10.9.0.2/24' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /You may not add addresses/)
  assert.equal((await call('GET', '/api/ipam/ip-addresses/')).json.count, 1)
})

test('a new virtual chassis gets its members by the same form, all or none', async () => {
  const [a, b, c, taken] = await Promise.all(
    ['a', 'b', 'c', 'taken'].map((name) => maker.fresh('dcim.device', { name })),
  )
  const other = await maker.fresh('dcim.virtualchassis', { name: 'Other' })
  await call('PATCH', `/api/dcim/devices/${taken}/`, { virtual_chassis: other, vc_position: 1 })
  const at = '/dcim/virtual-chassis/add/'
  const form = (await browser.get(at)).text
  assert.match(form, /name="members"[^>]*data-narrow='[^']*"virtual_chassis_id":"=null"/)
  const count = async () => (await call('GET', '/api/dcim/virtual-chassis/?name=Stack')).json.count
  const fields = { name: 'Stack', initial_position: '1' }
  for (const [more, text] of [
    [{ members: [`${a}`, `${taken}`] }, /taken: it is a member of another virtual chassis/],
    [{ members: [`${a}`, '987654'] }, /There is no device 987654/],
    [{ members: [`${a}`], initial_position: 'x' }, /A number is required/],
    [{ members: [`${a}`, `${b}`], initial_position: '255' }, /255|256/],
  ] as const) {
    const wrong = await browser.post(at, { ...fields, ...more })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, text)
    assert.equal(await count(), 0)
  }
  const members = [`${b}`, 'c', `${a}`] // one was typed where no script draws the picker
  assert.equal((await browser.post(at, { ...fields, master: `${a}`, members })).status, 303)
  const { id } = await one('dcim/virtual-chassis/?name=Stack')
  const places = async () => {
    const { results } = (await call('GET', `/api/dcim/devices/?virtual_chassis_id=${id}&ordering=vc_position`)).json
    return results.map((each: { id: number; vc_position: number }) => [each.id, each.vc_position])
  }
  assert.deepEqual(await places(), [
    [a, 1],
    [b, 2],
    [c, 3],
  ])
  assert.doesNotMatch((await browser.get(`/dcim/virtual-chassis/${id}/edit/`)).text, /initial_position/)
  const limited = await loginAs(client, 'chassis', [
    [['dcim.virtualchassis'], ['view', 'add']],
    [['dcim.device'], ['view']],
  ])
  const free = await maker.fresh('dcim.device', { name: 'free' })
  const refused = await limited.post(at, { ...fields, name: 'Theirs', members: [`${free}`] })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /free: you may not change it/)
  assert.equal((await limited.post(at, { ...fields, name: 'Theirs' })).status, 303)
})

test('the form of a data source asks for what its type needs, and never shows a secret', async () => {
  const at = '/core/data-sources/'
  const fields = { name: 'Asked', type: 'git', source_url: 'http://127.0.0.1:9/x.git' }
  const git = { branch: 'main', username: 'reader', password: 'hush-hush' }
  assert.equal(
    (await browser.post(`${at}add/`, { ...fields, ...git, aws_access_key_id: 'not of this type' })).status,
    303,
  )
  const source = () => one('core/data-sources/?name=Asked')
  const { id, parameters } = await source()
  assert.deepEqual(parameters, git)
  const form = async () => {
    const { text } = await browser.get(`${at}${id}/edit/`)
    assert.doesNotMatch(text, /hush-hush/)
    return fieldsIn(text)
  }
  const saved = async (more: object) => {
    const answer = await browser.post(`${at}${id}/edit/`, { ...(await form()), ...more })
    assert.equal(answer.status, 303, answer.text.slice(0, 300))
    return (await source()).parameters
  }
  assert.deepEqual(await saved({}), git, 'a form that is sent as it was shown changes nothing')
  assert.deepEqual(await saved({ branch: '', password: 'other-hush' }), { username: 'reader', password: 'other-hush' })
  assert.deepEqual(await saved({ password__clear: 'true' }), { username: 'reader' })
  await call('PATCH', `/api/core/data-sources/${id}/`, { parameters: { username: 'reader', depth: 1 } })
  assert.deepEqual(
    await saved({ description: 'x' }),
    { username: 'reader', depth: 1 },
    'what it does not ask for stays',
  )
  assert.deepEqual(
    await saved({
      type: 'amazon-s3',
      source_url: 'http://127.0.0.1:9/b',
      aws_access_key_id: 'K',
      aws_secret_access_key: 'S',
    }),
    { aws_access_key_id: 'K', aws_secret_access_key: 'S' },
  )
  assert.equal(await saved({ type: 'local', source_url: '/srv/none' }), null)
  assert.equal((await call('DELETE', `/api/core/data-sources/${id}/`)).status, 204)
})

test('the form of a module type asks for what its profile wants to know', async () => {
  const manufacturer = String(await maker.fresh('dcim.manufacturer'))
  const schema = {
    required: ['class', 'size'],
    properties: {
      class: { type: 'string', enum: ['DDR4', 'DDR5'], title: 'Memory class', default: 'DDR5' },
      size: { type: 'integer', title: 'Size (GB)', minimum: 1, description: 'Of one module.' },
      volts: { type: 'number' },
      ecc: { type: 'boolean', title: 'ECC' },
      note: { type: 'string' },
      modes: { type: 'array', items: { enum: ['a', 'b'] } },
      parts: { type: 'array', items: { type: 'string' } },
      more: { type: 'object' },
    },
  }
  const profile = String(await maker.fresh('dcim.moduletypeprofile', { name: 'RAM', schema }))
  const at = '/dcim/module-types/'
  const fields = { manufacturer, model: 'M1', profile }
  assert.doesNotMatch((await browser.get(`${at}add/`)).text, /attr_/)
  const asked = await browser.post(`${at}add/`, { ...fields, _redraw: '1' })
  assert.equal(asked.status, 200)
  assert.match(asked.text, /<option value="DDR5" selected/, 'the usual value')
  assert.match(asked.text, /for="f-attr_size">Size \(GB\) <span class="must"/)
  const bad = await browser.post(`${at}add/`, { ...fields, attr_class: 'DDR5', attr_size: '0', attr_more: '{' })
  assert.equal(bad.status, 400)
  assert.match(bad.text, /do not satisfy the schema/)
  assert.match(bad.text, /name="attr_size"[^>]* value="0"/)
  assert.equal((await browser.post(`${at}add/`, fields)).status, 400, 'what is demanded is lacking')
  const given = {
    ...{ attr_class: 'DDR4', attr_size: '16', attr_volts: '1.2', attr_ecc: 'false', attr_note: '16' },
    ...{ attr_modes: ['a', 'b'], attr_parts: 'x, y', attr_more: '{"k": [1]}' },
  }
  const made = await browser.post(`${at}add/`, { ...fields, ...given })
  assert.equal(made.status, 303, made.text.slice(0, 300))
  const type = async () => one('dcim/module-types/?model=M1')
  const { id, attributes } = await type()
  const all = {
    ...{ class: 'DDR4', size: 16, volts: 1.2, ecc: false, note: '16' },
    ...{ modes: ['a', 'b'], parts: ['x', 'y'], more: { k: [1] } },
  }
  assert.deepEqual(attributes, all)
  const form = async () => fieldsIn((await browser.get(`${at}${id}/edit/`)).text)
  const saved = async (more: object) => {
    const answer = await browser.post(`${at}${id}/edit/`, { ...(await form()), ...more })
    assert.equal(answer.status, 303, answer.text.slice(0, 300))
    return (await type()).attributes
  }
  const records = async () =>
    (await call('GET', `/api/core/object-changes/?changed_object_type=dcim.moduletype&changed_object_id=${id}`)).json
      .count
  const before = await records()
  assert.deepEqual(await saved({}), all)
  assert.equal(await records(), before, 'a form that is sent as it was shown changes nothing')
  const { volts: _volts, more: _more, ...rest } = all
  assert.deepEqual(await saved({ attr_volts: '', attr_more: '', attr_ecc: 'true' }), { ...rest, ecc: true })
  const other = { properties: { rpm: { type: 'integer', title: 'RPM', default: 900 } } }
  const fan = String(await maker.fresh('dcim.moduletypeprofile', { name: 'Blower', schema: other }))
  const redrawn = await browser.post(`${at}${id}/edit/`, { ...(await form()), profile: fan, _redraw: '1' })
  assert.match(redrawn.text, /name="attr_rpm"/)
  assert.doesNotMatch(redrawn.text, /name="attr_size"/)
  assert.deepEqual(await saved({ profile: fan, attr_rpm: '1200' }), { rpm: 1200 })
  assert.equal(await saved({ profile: '' }), null)
})

test('bays are filled from their rows: a device by the form of the bay, a module by a new one', async () => {
  const type = await maker.fresh('dcim.devicetype', { subdevice_role: 'parent', u_height: 4 })
  const chassis = await maker.fresh('dcim.device', { name: 'chassis', device_type: type })
  const bays = []
  for (const name of ['Bay 1', 'Bay 2', 'Bay 3'])
    bays.push(await maker.fresh('dcim.devicebay', { device: chassis, name, enabled: name !== 'Bay 3' }))
  const blades = await maker.fresh('dcim.devicetype', { subdevice_role: 'child', u_height: 0 })
  const site = (await one(`dcim/devices/?id=${chassis}`)).site.id
  const blade = await maker.fresh('dcim.device', { name: 'blade', device_type: blades, site })
  const links = async (path: string) =>
    [...(await browser.get(path)).text.matchAll(/href="([^"]*)" aria-label="Install in ([^"]*)"/g)].map(
      ([, href, name]) => [name!, href!.replaceAll('&amp;', '&')] as const,
    )
  const tab = await links(`/dcim/devices/${chassis}/devicebays/`)
  assert.deepEqual(
    tab.map(([name]) => name),
    ['Bay 1', 'Bay 2'],
    'a bay that is not enabled takes nothing',
  )
  const [[, href]] = tab as [[string, string]]
  const form = await browser.get(href)
  assert.match(form.text, /name="installed_device"[^>]*data-narrow='[^']*"parent_bay_id":"=null"/)
  assert.equal((await browser.post(href, { ...fieldsIn(form.text), installed_device: `${blade}` })).status, 303)
  assert.equal((await one(`dcim/device-bays/?id=${bays[0]}`)).installed_device.id, blade)
  assert.deepEqual(
    (await links('/dcim/device-bays/')).map(([name]) => name),
    ['Bay 2'],
  )
  const moduleBay = await maker.fresh('dcim.modulebay', { device: chassis, name: 'Slot 1' })
  const [[name, add]] = (await links(`/dcim/devices/${chassis}/modulebays/`)) as [[string, string]]
  assert.equal(name, 'Slot 1')
  const fields = fieldsIn((await browser.get(add)).text)
  assert.deepEqual([fields.device, fields.module_bay], [[`${chassis}`], [`${moduleBay}`]])
  assert.deepEqual(fields.replicate_components, ['true'], 'what its type has comes with a module, as by the API')
  assert.equal(fields.adopt_components, undefined)
  const module_type = await maker.fresh('dcim.moduletype')
  const made = await browser.post(add, { ...fields, module_type: `${module_type}`, status: 'active' })
  assert.equal(made.status, 303, made.text.slice(0, 300))
  assert.deepEqual(await links('/dcim/module-bays/'), [])
  const viewer = await loginAs(client, 'bays', [[['dcim.devicebay', 'dcim.device'], ['view']]])
  assert.doesNotMatch((await viewer.get('/dcim/device-bays/')).text, /Install in/)
})

test('tags of objects whose answers do not show them are imported, and their change records name them', async () => {
  for (const name of ['in', 'out']) await make('extras/tags', { name, slug: name })
  const at = 'ipam/vlan-translation-policies'
  const table = async (text: string) => {
    const read = await browser.post(`/${at}/import/`, { text, format: 'csv', _apply: '1' })
    assert.equal(read.status, 303, read.text.slice(0, 300))
    const [{ changed_object_id, postchange_data }] = (
      await call('GET', '/api/core/object-changes/?changed_object_type=ipam.vlantranslationpolicy&limit=1')
    ).json.results
    return [changed_object_id, postchange_data.tags] as [number, string[]]
  }
  const [id, tags] = await table('name,tags\nImported,"in,out"')
  assert.deepEqual(tags, ['in', 'out'])
  assert.deepEqual(await table(`id,tags\n${id},out`), [id, ['out']])
  // The API takes what is to be added alone, as ever.
  await call('PATCH', `/api/${at}/${id}/`, { tags: [{ name: 'in' }], description: 'changed' })
  assert.equal((await call('GET', `/api/${at}/?tag=in`)).json.count, 0)
  assert.equal((await call('DELETE', `/api/${at}/${id}/`)).status, 204)
})

test('tags of objects whose answers do not show them: form, page, list, bulk edit', async () => {
  const tagOf = async (name: string): Promise<number> => (await make('extras/tags', { name, slug: name })).id
  const [yes, no] = [await tagOf('tag-one'), await tagOf('tag-two')]
  const policy = (await make('ipam/vlan-translation-policies', { name: 'other' })).id
  for (const [path, type, fields] of [
    ['ipam/vlan-translation-policies', 'ipam.vlantranslationpolicy', { name: 'tagged' }],
    [
      'ipam/vlan-translation-rules',
      'ipam.vlantranslationrule',
      { policy: `${policy}`, local_vid: '7', remote_vid: '8' },
    ],
    ['core/data-sources', 'core.datasource', { name: 'tagged', type: 'local', source_url: '/srv/none' }],
  ] as const) {
    const made = await browser.post(`/${path}/add/`, { ...fields, tags: [`${yes}`] })
    assert.equal(made.status, 303, path)
    const { id } = await one(`${path}/?tag=tag-one`)
    const tagged = async () => {
      const { results } = (await call('GET', `/api/extras/tagged-objects/?object_id=${id}`)).json
      const own = (results as { object_type: string; tag: { name: string } }[]).filter(
        (each) => each.object_type === type,
      )
      return own.map(({ tag }) => tag.name)
    }
    const panel = (await browser.get(`/${path}/${id}/`)).text
    assert.match(panel, /<p class="stamps">Created <time datetime="20\d\d-/)
    assert.match(panel, /<h2>Tags<\/h2><p class="tags"><a class="tag"[^>]*>.*tag-one<\/a>/)
    const form = async () => fieldsIn((await browser.get(`/${path}/${id}/edit/`)).text)
    const save = async (more: object) => {
      assert.equal((await browser.post(`/${path}/${id}/edit/`, { ...(await form()), ...more })).status, 303)
      return tagged()
    }
    assert.deepEqual((await form()).tags, [`${yes}`])
    assert.deepEqual(await save({}), ['tag-one'], 'a form that is sent as it was shown changes nothing')
    assert.deepEqual(await save({ tags: [`${no}`] }), ['tag-two'])
    await browser.post(`/${path}/edit/`, { pk: `${id}`, _apply: '1', add_tags: [`${yes}`], remove_tags: [`${no}`] })
    assert.deepEqual(await tagged(), ['tag-one'])
    await browser.post(`/${path}/columns/`, {
      column: ['id', 'tags', 'last_updated'],
      order: ['id', 'tags', 'last_updated'],
    })
    const list = (await browser.get(`/${path}/?sort=-last_updated`)).text
    assert.ok(list.includes(`<a href="/${path}/${id}/">`), 'the list leads to its page')
    assert.match(list, /data-column="tags">Tags[\s\S]*tag-one[\s\S]*<td><time datetime="20/)
  }
  const context = (await make('extras/config-contexts', { name: 'C', data: { a: 1 }, tags: ['tag-one'] })).id
  const bulk = await browser.post('/extras/config-contexts/edit/', { pk: `${context}` })
  assert.match(bulk.text, /<h1>Edit 1 config context/)
  assert.doesNotMatch(bulk.text, /Add tags/, 'its tags say whom it is for')
})
