import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelNamed } from '../../src/engine/catalog.ts'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { login, loginAs } from '../support/session.ts'

const client = await serve()
const { call } = client
const browser = await login(client)
const make = new Maker(call)
const Png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('a journal is written, read, changed and deleted on the page of an object', async () => {
  const site = await make.fresh('dcim.site')
  const at = `/dcim/sites/${site}/journal/`
  assert.match((await browser.get(at)).text, /Nobody has written here yet/)
  const empty = await browser.post(at, { kind: 'warning', comments: '' })
  assert.equal(empty.status, 400)
  assert.match(empty.text, /class="error" id="e-comments"/)
  assert.match(empty.text, /<option value="warning" selected>/, 'what was chosen is kept')
  const hostile = '**bold** <script>alert(1)</script>\r\nmore'
  assert.equal((await browser.post(at, { kind: 'warning', comments: hostile })).location, at)
  const shown = (await browser.get(at)).text
  assert.match(shown, /<strong>bold<\/strong> &lt;script&gt;/)
  assert.match(shown, /badge odd">Warning/)
  assert.match(shown, /Journal <small>1<\/small>/)
  const entry = (await call('GET', `/api/extras/journal-entries/?assigned_object_id=${site}`)).json.results[0]
  assert.equal(entry.created_by, 1)
  assert.ok(entry.comments.endsWith('</script>\nmore'), 'lines end as they were typed')
  const edit = /href="(\/extras\/journal-entries\/\d+\/edit\/\?[^"]+)"/.exec(shown)![1]!
  const changed = await browser.post(edit, {
    _back: at,
    kind: 'info',
    comments: 'Better',
    assigned_object_type: 'dcim.site',
    assigned_object_id: String(site),
  })
  assert.equal(changed.location, at, changed.text.slice(0, 500))
  const gone = await browser.post(`/extras/journal-entries/${entry.id}/delete/`, { _back: at })
  assert.equal(gone.location, at)
  assert.equal((await browser.post(at, { kind: 'none', comments: 'x' })).status, 400)
})

test('images are attached, shown with the object, and refused where they are none', async () => {
  const site = await make.fresh('dcim.site')
  const at = `/dcim/sites/${site}/image-attachments/`
  const refused = await browser.post(at, { name: 'x', image: new Blob(['no image']) })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /id="e-image"/)
  assert.equal((await browser.post(at, { name: 'Front', image: new Blob([Png]) })).location, at)
  for (const path of [at, `/dcim/sites/${site}/`])
    assert.match((await browser.get(path)).text, /<img src="\/media\/image-attachments\/[^"]+" alt="Front"/)
})

test('contacts of an object are added from its page', async () => {
  const [site, contact, role] = [
    await make.fresh('dcim.site'),
    await make.fresh('tenancy.contact', { email: 'a@example.org' }),
    await make.fresh('tenancy.contactrole'),
  ]
  const at = `/dcim/sites/${site}/contacts/`
  const add = /href="([^"]*contact-assignments\/add\/[^"]*)"/
    .exec((await browser.get(at)).text)![1]!
    .replaceAll('&amp;', '&')
  const added = await browser.post(add, {
    _back: at,
    object_type: 'dcim.site',
    object_id: String(site),
    contact: String(contact),
    role: String(role),
  })
  assert.equal(added.location, at, added.text.slice(0, 500))
  const shown = (await browser.get(at)).text
  assert.match(shown, /mailto:a@example.org/)
  assert.match(shown, /Contacts <small>1<\/small>/)
})

test('the changelog of an object tells of it and of what belongs to it', async () => {
  const device = await make.fresh('dcim.device')
  await make.fresh('dcim.interface', { device, name: 'belongs0' })
  await make.fresh('dcim.interface', { name: 'elsewhere0' })
  await call('PATCH', `/api/dcim/devices/${device}/`, { serial: 'S1', changelog_message: 'because <b>' })
  const shown = (await browser.get(`/dcim/devices/${device}/changelog/`)).text
  assert.match(shown, /belongs0/)
  assert.match(shown, /because &lt;b&gt;/)
  assert.doesNotMatch(shown, /elsewhere0/)
  assert.equal((await browser.get('/extras/bookmarks/1/changelog/')).status, 404)
})

test('tabs and their counts tell what the user may see, and forms of them do what the user may do', async () => {
  const site = await make.fresh('dcim.site')
  const write = (kind: string) =>
    call('POST', '/api/extras/journal-entries/', {
      assigned_object_type: 'dcim.site',
      assigned_object_id: site,
      kind,
      comments: `a ${kind}`,
    })
  await write('info')
  await write('danger')
  const reader = await loginAs(client, 'tab-reader', [
    [['dcim.site'], ['view']],
    [['extras.journalentry'], ['view'], { kind: 'info' }],
  ])
  const page = (await reader.get(`/dcim/sites/${site}/`)).text
  assert.match(page, /Journal <small>1<\/small>/)
  for (const absent of ['Changelog', 'Images', 'Contacts']) assert.doesNotMatch(page, new RegExp(`>${absent}`))
  const journal = (await reader.get(`/dcim/sites/${site}/journal/`)).text
  assert.match(journal, /a info/)
  assert.doesNotMatch(journal, /a danger|Write an entry|\/edit\//)
  const refused = await reader.post(`/dcim/sites/${site}/journal/`, { kind: 'info', comments: 'x' })
  assert.equal(refused.status, 403)
  for (const tab of ['changelog', 'contacts', 'image-attachments'])
    assert.equal((await reader.get(`/dcim/sites/${site}/${tab}/`)).status, 403, tab)
  assert.equal((await reader.get(`/dcim/sites/${site}/constructor/`)).status, 404)
  assert.equal((await reader.get('/dcim/sites/99999/journal/')).status, 404)
})

test('a bookmark and a subscription are set and taken off', async () => {
  const site = await make.fresh('dcim.site')
  const at = `/dcim/sites/${site}/`
  for (const [name, api, off] of [
    ['bookmark', 'bookmarks', 'Bookmarked'],
    ['subscribe', 'subscriptions', 'Subscribed'],
  ] as const) {
    assert.match((await browser.get(at)).text, new RegExp(`action="${at}${name}/"`))
    assert.equal((await browser.post(`${at}${name}/`, {})).location, at)
    assert.match((await browser.get(at)).text, new RegExp(`aria-pressed="true">.*${off}`))
    assert.equal((await call('GET', `/api/extras/${api}/`)).json.count, 1)
    assert.equal((await browser.post(`${at}${name}/`, {})).location, at)
    assert.equal((await call('GET', `/api/extras/${api}/`)).json.count, 0)
    const forged = await fetch(`${client.base}${at}${name}/`, { method: 'POST', headers: { cookie: browser.cookie } })
    assert.ok(forged.status >= 400)
  }
  assert.equal((await browser.post('/dcim/sites/99999/bookmark/', {})).status, 404)
  const other = await make.fresh('dcim.site')
  const reader = await loginAs(client, 'mark-reader', [[['dcim.site'], ['view'], { id: other }]])
  assert.equal((await reader.post(`/dcim/sites/${other}/bookmark/`, {})).status, 303, 'everybody has bookmarks')
  assert.equal((await reader.post(`${at}bookmark/`, {})).status, 404)
})

test('what is filled from a data file is synchronised by a button', async () => {
  const site = await make.fresh('dcim.site')
  assert.equal((await browser.post(`/dcim/sites/${site}/sync/`, {})).status, 404)
  const source = await make.fresh('core.datasource', { source_url: 'file:///nowhere', type: 'local' })
  assert.match((await browser.get(`/core/data-sources/${source}/`)).text, />Sync</)
  assert.equal((await browser.post(`/core/data-sources/${source}/sync/`, {})).status, 303)
  assert.ok((await call('GET', '/api/core/jobs/')).json.count >= 1)
})

test('several that are filled from data sources are synchronised from their list', async () => {
  const sources = await Promise.all(
    ['one', 'two'].map((name) => make.fresh('core.datasource', { name, source_url: 'file:///nowhere', type: 'local' })),
  )
  const pk = sources.map(String)
  assert.match((await browser.get('/core/data-sources/')).text, /formaction="[^"]*\/sync\/"/)
  const jobs = async () => (await call('GET', '/api/core/jobs/')).json.count as number
  const before = await jobs()
  const sent = await browser.post('/core/data-sources/sync/', { pk })
  assert.deepEqual([sent.status, sent.location], [303, '/core/data-sources/'])
  assert.equal(await jobs(), before + 2)
  const context = await make.fresh('extras.configcontext')
  const none = await fetch(`${client.base}/extras/config-contexts/sync/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: browser.cookie, 'x-csrftoken': /csrftoken=([^;]+)/.exec(browser.cookie)![1]! },
    body: new URLSearchParams({ pk: String(context) }),
  })
  assert.match(decodeURIComponent(none.headers.getSetCookie().join()), /"bad","0 config contexts.*come from no file/)
  assert.equal((await browser.post('/dcim/sites/sync/', { pk })).status, 404)
  const reader = await loginAs(client, 'sync-reader', [[['core.datasource'], ['view', 'change']]])
  assert.doesNotMatch((await reader.get('/core/data-sources/')).text, /formaction="[^"]*\/sync\/"/)
  assert.equal((await reader.post('/core/data-sources/sync/', { pk })).status, 403)
  assert.equal(await jobs(), before + 2)
})

test('tabs from which something is added or chosen stand there while nothing is on them', async () => {
  const tabs: Readonly<Record<string, readonly string[]>> = {
    'dcim.rack': ['nonracked_devices', 'reservations'],
    'ipam.prefix': ['prefixes', 'ipranges', 'ipaddresses'],
    'ipam.vlan': ['interfaces', 'vminterfaces'],
    'virtualization.cluster': ['virtualmachines', 'devices'],
    'virtualization.virtualmachine': ['interfaces', 'disks'],
  }
  for (const [name, expected] of Object.entries(tabs)) {
    const at = `/${modelNamed(name).path}/${await make.fresh(name)}/`
    const nav = /<nav class="tabs"[\s\S]*?<\/nav>/.exec((await browser.get(at)).text)![0]
    for (const tab of expected) assert.ok(nav.includes(`href="${at}${tab}/"`), `${name}: ${tab}`)
  }
  const cluster = await make.fresh('virtualization.cluster')
  assert.match((await browser.get(`/virtualization/clusters/${cluster}/devices/`)).text, /devices\/assign\/\?cluster=/)
})

test('ports are told with their device, feeds with their use, bays with modules, interfaces with IPs', async () => {
  const device = await make.fresh('dcim.device', { name: 'Fed' })
  const feed = await make.fresh('dcim.powerfeed', {
    voltage: 100,
    amperage: 10,
    max_utilization: 100,
    phase: 'single-phase',
  })
  const port = await make.fresh('dcim.powerport', { device, name: 'Input', allocated_draw: 250 })
  const ends = (type: string, id: number) => [{ object_type: type, object_id: id }]
  const cable = { a_terminations: ends('dcim.powerport', port), b_terminations: ends('dcim.powerfeed', feed) }
  assert.equal((await call('POST', '/api/dcim/cables/', cable)).status, 201)
  const fed = (await browser.get(`/dcim/power-feeds/${feed}/`)).text
  const value = (label: string) => new RegExp(`<dt>${label}</dt><dd>([\\s\\S]*?)</dd>`).exec(fed)![1]!
  assert.match(value('Connected to'), /\/dcim\/devices\/\d+\/">Fed<\/a> › <a[^>]*>Input</)
  assert.match(value('Utilization \\(allocated\\)'), /25 %/)

  const maker = await make.fresh('dcim.manufacturer', { name: 'Card maker' })
  const type = await make.fresh('dcim.moduletype', { manufacturer: maker, model: 'Line card' })
  const bay = await make.fresh('dcim.modulebay', { device, name: 'Slot 1' })
  const card = { device, module_bay: bay, module_type: type, status: 'planned', serial: 'S-77', asset_tag: 'A-77' }
  const module = await make.fresh('dcim.module', card)
  const slot = (await browser.get(`/dcim/module-bays/${bay}/`)).text
  for (const text of ['Card maker', 'Line card', 'S-77', 'A-77'])
    assert.match(slot, new RegExp(`<dd>(?:<a[^>]*>)?${text}`), text)
  const panel = /<h2>Installed module<\/h2><dl>(.*?)<\/dl>/s.exec(slot)![1]!
  const labels = [...panel.matchAll(/<dt>(.*?)<\/dt>/g)].map(([, label]) => label)
  assert.deepEqual(labels, ['Installed module', 'Manufacturer', 'Module type', 'Serial number', 'Asset tag'])
  const tabOfBays = (await browser.get(`/dcim/devices/${device}/modulebays/`)).text
  assert.match(tabOfBays, /data-column="installed_module.status">Module status/)
  assert.match(tabOfBays, /Planned/)

  await make.fresh('dcim.modulebay', { device, module, name: 'Slot 1.1' })
  const bays = (await browser.get('/dcim/module-bays/?name=Slot+1.1')).text
  assert.match(bays, /data-column="module.module_bay">Parent<.*?<td><a href="\/dcim\/module-bays\/\d+\/">Slot 1<\/a>/s)
  const offered = (await browser.get('/dcim/module-bays/columns/')).text
  const labelled = [...offered.matchAll(/name="column" value="([\w.]*module\.(?:status|serial))"[^>]*> ([^<]+)/g)]
  assert.deepEqual(
    labelled.map(([, path, label]) => [path, label!.trim()]),
    [
      ['installed_module.status', 'Module status'],
      ['module.status', 'Parent module status'],
      ['module.serial', 'Parent module serial number'],
      ['installed_module.serial', 'Installed module serial number'],
    ],
    'the module in the bay, and the one that the bay is in',
  )

  const own = await make.fresh('dcim.interface', { device, name: 'e1' })
  const assigned = { assigned_object_type: 'dcim.interface', assigned_object_id: own }
  const address = await make.fresh('ipam.ipaddress', { address: '192.0.2.77/24', ...assigned })
  const tab = (await browser.get(`/dcim/devices/${device}/interfaces/`)).text
  assert.ok(tab.includes(`<a href="/ipam/ip-addresses/${address}/">192.0.2.77/24</a>`))
})
