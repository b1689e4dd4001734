import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allModels, modelNamed } from '../../src/engine/catalog.ts'
import { filtersOf } from '../../src/engine/filters.ts'
import { hasPage } from '../../src/web/links.ts'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { fieldsIn, login } from '../support/session.ts'

const client = await serve()
const make = new Maker(client.call)
const admin = await login(client)
const get = async (path: string) => (await client.call('GET', `/api/${path}`)).json
const user = (await client.call('POST', '/api/users/users/', { username: 'ann', password: 'Cabinet-Test-Passw0rd' }))
  .json.id
const grant = (name: string, constraints: object | null, actions: string[], types: string[]) =>
  client.call('POST', '/api/users/permissions/', { name, actions, constraints, object_types: types, users: [user] })

test('who saves over the change of somebody else is shown both, also after a refusal', async () => {
  const id = await make.fresh('dcim.device', { name: 'Ours', serial: 'old' })
  const at = `/dcim/devices/${id}/edit/`
  const serial = async () => (await get(`dcim/devices/${id}/`)).serial
  const [first, second] = [fieldsIn((await admin.get(at)).text), fieldsIn((await admin.get(at)).text)]
  assert.equal((await admin.post(at, { ...first, serial: 'first' })).status, 303)
  const bad = await admin.post(at, { ...second, serial: 'second', local_context_data: '{' })
  assert.equal(bad.status, 400)
  const shown = await admin.post(at, { ...fieldsIn(bad.text), local_context_data: '' })
  assert.equal(shown.status, 409, 'what was typed is judged by what was seen')
  assert.match(shown.text, /<td>first<\/td><td>second<\/td>/)
  assert.equal(await serial(), 'first')
  assert.equal((await admin.post(at, fieldsIn(shown.text))).status, 303)
  assert.equal(await serial(), 'second')
})

test('what was typed for an object that somebody deleted is offered as a new one, to who may add it', async () => {
  const id = await make.fresh('dcim.device', { name: 'Gone', serial: 'old' })
  const at = `/dcim/devices/${id}/edit/`
  const form = { ...fieldsIn((await admin.get(at)).text), serial: 'typed' }
  await grant('devices', null, ['view', 'change'], ['dcim.device'])
  const ann = await login(client, 'ann')
  const hers = fieldsIn((await ann.get(at)).text)
  assert.equal((await client.call('DELETE', `/api/dcim/devices/${id}/`)).status, 204)
  assert.equal((await ann.post(at, hers)).status, 404)
  assert.equal((await admin.get(at)).status, 404)
  const offered = await admin.post(at, form)
  assert.equal(offered.status, 409)
  assert.match(offered.text, /<form class="form" method="post" action="\/dcim\/devices\/add\/"/)
  const added = await admin.post('/dcim/devices/add/', fieldsIn(offered.text))
  assert.equal(added.status, 303)
  const { count, results } = await get('dcim/devices/?name=Gone')
  assert.deepEqual([count, results[0].serial, results[0].id > id], [1, 'typed', true])
})

test('a form tells nobody of objects that they may not view, and refuses what they may not set', async () => {
  const [mine, other] = [
    await make.fresh('dcim.site', { name: 'Mine', slug: 'mine' }),
    await make.fresh('dcim.site', { name: 'Very secret', slug: 'other' }),
  ]
  await grant('sites', { slug: 'mine' }, ['view'], ['dcim.site'])
  await grant('racks', { site__slug: 'mine' }, ['view', 'add', 'change'], ['dcim.rack'])
  const ann = await login(client, 'ann')
  const preset = async (id: number) => fieldsIn((await ann.get(`/dcim/racks/add/?site=${id}`)).text).site
  assert.deepEqual(await preset(mine), [String(mine)])
  assert.deepEqual(await preset(other), [''])
  assert.deepEqual(await preset(99_999), [''], 'as if it were not there')
  const blank = fieldsIn((await ann.get('/dcim/racks/add/')).text)
  const refused = await ann.post('/dcim/racks/add/', { ...blank, name: 'r', site: String(other) })
  assert.equal(refused.status, 403)
  assert.ok(!refused.text.includes('Very secret'))
  assert.deepEqual(fieldsIn(refused.text).name, ['r'], 'nothing typed is lost')
  assert.equal((await get('dcim/racks/?name=r')).count, 0)
  const rack = await make.fresh('dcim.rack', { site: mine, name: 'moved' })
  const form = fieldsIn((await ann.get(`/dcim/racks/${rack}/edit/`)).text)
  assert.equal((await ann.post(`/dcim/racks/${rack}/edit/`, { ...form, site: String(other) })).status, 403)
  assert.equal((await get(`dcim/racks/${rack}/`)).site.id, mine)
  const stale = { ...form, _etag: 'W/"old"', site: String(other) }
  const both = await ann.post(`/dcim/racks/${rack}/edit/`, stale)
  assert.equal(both.status, 409)
  assert.match(both.text, new RegExp(`<td>Mine</td><td>#${other}</td>`))
  assert.ok(!both.text.includes('Very secret'), 'nor where both versions are shown')
})

test('secrets are never in a form, stay where nothing is typed, and can be taken away', async () => {
  const id = await make.fresh('extras.webhook', { secret: 'hush-hush' })
  const at = `/extras/webhooks/${id}/edit/`
  const { text } = await admin.get(at)
  assert.ok(!text.includes('hush-hush'))
  const secret = () => get(`extras/webhooks/${id}/`).then((json) => json.secret)
  assert.equal((await admin.post(at, fieldsIn(text))).status, 303)
  assert.equal(await secret(), 'hush-hush')
  const cleared = { ...fieldsIn((await admin.get(at)).text), secret__clear: 'true' }
  assert.equal((await admin.post(at, cleared)).status, 303)
  assert.equal(await secret(), '')
})

test('what is typed where no script draws a picker is a slug or else a name, in whatever case', async () => {
  const site = await make.fresh('dcim.site', { name: 'FRA1', slug: 'fra1' })
  await make.fresh('dcim.site', { name: 'fra1', slug: 'other-fra1' })
  const rack = { status: 'active', width: '19', u_height: '42', starting_unit: '1' }
  for (const [text, how] of [
    ['FRA1', 'by its name'],
    ['fra1', 'by its slug'],
    [String(site), 'by its id'],
  ] as const) {
    const added = await admin.post('/dcim/racks/add/', { ...rack, name: `R ${text}`, site: ['', text] })
    assert.equal(added.status, 303, /class="error"[^>]*>[^<]*/.exec(added.text)?.[0])
    assert.equal((await get(`dcim/racks/?name=R ${text}`)).results[0].site.id, site, how)
  }
  const unknown = await admin.post('/dcim/racks/add/', { ...rack, name: 'R none', site: ['', 'FRA2'] })
  assert.equal(unknown.status, 400)
  assert.match(unknown.text, /id="e-site"/)
})

test('lists, lines and moments are typed as people write them', async () => {
  const site = await make.fresh('dcim.site')
  const rack = await make.fresh('dcim.rack', { site, u_height: 40 })
  const at = '/dcim/rack-reservations/add/'
  const made = await admin.post(at, {
    rack: String(rack),
    units: '1-3, 7',
    user: '1',
    description: 'x',
    status: 'active',
  })
  assert.equal(made.status, 303, made.text.slice(0, 3000))
  const [reservation] = (await get('dcim/rack-reservations/')).results
  assert.deepEqual(reservation.units, [1, 2, 3, 7])
  assert.deepEqual(fieldsIn((await admin.get(`/dcim/rack-reservations/${reservation.id}/edit/`)).text).units, [
    '1-3, 7',
  ])
  const group = await make.fresh('ipam.vlangroup', {
    vid_ranges: [
      [1, 10],
      [20, 20],
    ],
  })
  assert.deepEqual(fieldsIn((await admin.get(`/ipam/vlan-groups/${group}/edit/`)).text).vid_ranges, ['1-10, 20'])
  const wrong = await admin.post(`/ipam/vlan-groups/${group}/edit/`, {
    name: 'x',
    slug: 'x',
    vid_ranges: '10-20, 30,40-45,5000',
  })
  assert.match(wrong.text, /class="error" id="e-vid_ranges">5000: A range has/)
  for (const [path, words] of [
    [`/ipam/vlan-groups/${group}/`, ['1-10', '20']],
    [`/dcim/rack-reservations/${reservation.id}/`, ['1-3', '7']],
    ['/dcim/rack-reservations/', ['1-3', '7']],
  ] as const)
    assert.ok((await admin.get(path)).text.includes(words.map((word) => `<li>${word}</li>`).join('')), path)
  const many = await make.fresh('ipam.servicetemplate', { ports: [1, 3, 5, 7, 9, 11, 13] })
  assert.match((await admin.get('/ipam/service-templates/')).text, /<li>9<\/li><li class="more">\+2<\/li>/)
  assert.match((await admin.get(`/ipam/service-templates/${many}/`)).text, /<li>11<\/li><li>13<\/li><\/ul>/)
  const set = { name: 'Sizes', extra_choices: 's:Small, really\r\nl:Large: very\r\nm', order_alphabetically: [] }
  assert.equal((await admin.post('/extras/custom-field-choices/add/', set)).status, 303)
  const [choices] = (await get('extras/custom-field-choice-sets/?name=Sizes')).results
  assert.deepEqual(choices.extra_choices, [
    ['s', 'Small, really'],
    ['l', 'Large: very'],
    ['m', 'm'],
  ])
  const lines = await admin.post('/dcim/sites/add/', { name: 'L', slug: 'l', status: 'active', comments: 'a\r\nb' })
  assert.equal(lines.status, 303)
  assert.equal((await get('dcim/sites/?slug=l')).results[0].comments, 'a\nb')
})

test('lines of a text stay as they are in forms with files too, and the first one where it is empty', async () => {
  const maker = await make.fresh('dcim.manufacturer')
  const form = fieldsIn((await admin.get('/dcim/device-types/add/')).text)
  const lines = { comments: 'a\n\nb', front_image: new Blob([]) }
  const sent = { ...form, manufacturer: String(maker), model: 'M', slug: 'm', ...lines }
  assert.equal((await admin.post('/dcim/device-types/add/', sent)).status, 303)
  assert.equal((await get('dcim/device-types/?slug=m')).results[0].comments, 'a\n\nb')
  const table = { text: 'name,slug,comments\nT,t,"a\n\nb"', file: new Blob([]), format: 'csv' }
  assert.equal((await admin.post('/dcim/sites/import/', { ...table, _apply: '1' })).status, 303)
  const { id, comments } = (await get('dcim/sites/?slug=t')).results[0]
  assert.equal(comments, 'a\n\nb')
  const again = await admin.post('/dcim/sites/import/', {
    ...table,
    text: `id,${table.text.replace('T,', `${id},T,`)}`,
  })
  assert.match(again.text, /1 as before/)

  await client.call('POST', '/api/extras/custom-fields/', {
    name: 'long',
    type: 'longtext',
    object_types: ['dcim.site'],
  })
  const long = '\n\n  drawn\nhere'
  await client.call('PATCH', `/api/dcim/sites/${id}/`, { custom_fields: { long } })
  const { text } = await admin.get(`/dcim/sites/${id}/edit/`)
  const area = /<textarea [^>]*name="cf_long"[^>]*>\n?([^<]*)<\/textarea>/.exec(text)![1] // as browsers read it
  assert.equal(area, long)
})

test('a number in hexadecimal is none, in forms and imports as in the API', async () => {
  await client.call('POST', '/api/extras/custom-fields/', {
    name: 'many',
    type: 'integer',
    object_types: ['dcim.site'],
  })
  const site = { name: 'Hex', slug: 'hex', status: 'active' }
  for (const [name, text] of [
    ['latitude', '0x1F'],
    ['longitude', '0b1'],
    ['cf_many', '0x1F'],
  ] as const) {
    const sent = await admin.post('/dcim/sites/add/', { ...site, [name]: text })
    assert.equal(sent.status, 400, name)
    assert.match(sent.text, name === 'cf_many' ? /Value must be an integer/ : new RegExp(`id="e-${name}"`))
    const table = `name,slug,status,${name}\nHex,hex,active,${text}`
    assert.equal((await admin.post('/dcim/sites/import/', { text: table, format: 'csv' })).status, 400, name)
  }
  const good = await admin.post('/dcim/sites/add/', { ...site, latitude: '+1.5e1', longitude: '.5', cf_many: '12' })
  assert.equal(good.status, 303)
  const [{ latitude, longitude, custom_fields: custom }] = (await get('dcim/sites/?slug=hex')).results
  assert.deepEqual([latitude, longitude, custom.many], [15, 0.5, 12])
})

test('what pickers offer is asked for by filters that there are, with values of fields that there are', () => {
  for (const m of allModels)
    for (const [name, query] of Object.entries(m.pages?.offers ?? {})) {
      const control = m.fields[name]?.control?.(name)
      assert.equal(control?.as, 'pick', `${m.name} ${name}`)
      const target = modelNamed((control as { model: string }).model)
      for (const [parameter, value] of new URLSearchParams(query)) {
        assert.ok(filtersOf(target).has(parameter), `${target.name} ${parameter}`)
        if (!value.startsWith('$') || value === '$id') continue
        const [other, model] = value.slice(1).split(':')
        assert.ok(other! in m.fields, `${m.name} ${value}`)
        if (model) assert.ok(modelNamed(model), `${m.name} ${value}`)
      }
    }
})

test('forms offer the kinds of object that one looks for there, and save others that the API was given', async () => {
  const kindsIn = (page: string, name: string) => {
    const select = new RegExp(`<select[^>]* name="${name}_type"[\\s\\S]*?</select>`).exec(page)![0]
    return [...select.matchAll(/<option value="([^"]+)"/g)].map(([, kind]) => kind)
  }
  const [port, machinePort] = ['dcim.interface', 'virtualization.vminterface']
  for (const [path, name, kinds] of [
    ['vpn/l2vpn-terminations', 'assigned_object', [port, 'ipam.vlan', machinePort]],
    ['vpn/tunnel-terminations', 'termination', [port, machinePort]],
    ['ipam/fhrp-group-assignments', 'interface', [port, machinePort]],
  ] as const)
    assert.deepEqual(kindsIn((await admin.get(`/${path}/add/`)).text, name), kinds, path)
  const site = { termination_type: 'dcim.site', termination_id: await make.fresh('dcim.site') }
  const id = await make.fresh('vpn.tunneltermination', site)
  const at = `/vpn/tunnel-terminations/${id}/edit/`
  const saved = await admin.post(at, { ...fieldsIn((await admin.get(at)).text), role: 'hub' })
  assert.equal(saved.status, 303, saved.text.slice(0, 300))
  const { role, termination_type: type } = await get(`vpn/tunnel-terminations/${id}/`)
  assert.deepEqual([role.value, type], ['hub', 'dcim.site'])
})

test('a form that is refused says above it what is wrong, by links to the fields', async () => {
  const found: string[] = []
  for (const m of allModels.filter((each) => hasPage(each) && (each.methods ?? ['POST']).includes('POST'))) {
    const { status, text } = await admin.post(`/${m.displayUrl || m.path}/add/`, { changelog_message: 'x'.repeat(300) })
    const [alert = ''] = /<div class="message bad" role="alert">[\s\S]*?<\/div>/.exec(text) ?? []
    const ids = [...alert.matchAll(/<a href="#([^"]+)">[^<]+<\/a>: [^<]/g)].map(([, id]) => id!)
    const dead = ids.filter((id) => !text.includes(`id="${id}"`))
    if (status !== 400 || ids.length === 0 || dead.length) found.push(`${m.name}: ${status} ${ids} ${dead}`)
  }
  assert.deepEqual(found, [])
  const [id, rack] = [await make.fresh('dcim.device', { name: 'Told' }), await make.fresh('dcim.rack')]
  const fields = fieldsIn((await admin.get(`/dcim/devices/${id}/edit/`)).text)
  const refused = await admin.post(`/dcim/devices/${id}/edit/`, { ...fields, local_context_data: '{bad' })
  assert.match(refused.text, /role="alert">[\s\S]*<a href="#f-local_context_data">Local context data<\/a>: [^<]*JSON/)
  const many = await admin.post('/dcim/racks/edit/', { pk: String(rack), _apply: '1', outer_width: 'wide' })
  assert.match(many.text, /role="alert">[\s\S]*id="e-outer_width"/)
  const token = await admin.post('/user/api-tokens/add/', { allowed_ips: 'nonsense' })
  assert.match(token.text, /role="alert">[\s\S]*<a href="#f-allowed_ips">Allowed IPs<\/a>: /)
})
