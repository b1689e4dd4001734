import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allModels } from '../../src/engine/catalog.ts'
import { hasPage } from '../../src/web/links.ts'
import { columnOf, columnPaths, columnsAmong } from '../../src/web/table.ts'
import { words } from '../../src/web/words.ts'
import { Maker } from '../support/maker.ts'
import { creating, serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const client = await serve()
const { call } = client
const created = creating(client)
const browser = await login(client)
const make = new Maker(call)
const csv = async (path: string) => (await browser.get(path)).text.trim().split('\n')
const heads = (page: string) => [...page.matchAll(/data-column="([^"]+)"/g)].map(([, path]) => path)

await created('extras/custom-fields', { name: 'shelf', type: 'integer', object_types: ['dcim.site'] })
await created('extras/custom-fields', {
  name: 'kept_by',
  type: 'object',
  related_object_type: 'tenancy.tenant',
  object_types: ['dcim.site'],
})
const tenant = (await created('tenancy/tenants', { name: 'Acme', slug: 'acme' })).id
const region = (await created('dcim/regions', { name: 'North', slug: 'north' })).id
for (const [i, status] of ['active', 'planned', 'retired'].entries())
  await created('dcim/sites', {
    name: `Site ${i}`,
    slug: `site-${i}`,
    status,
    region,
    facility: `F${i}`,
    description: i === 1 ? '=cmd()' : '',
    custom_fields: { shelf: i, kept_by: i === 2 ? tenant : null },
  })

test('a user chooses and orders columns, keeps them, and gets the usual ones back', async () => {
  const usual = heads((await browser.get('/dcim/sites/')).text)
  const form = await browser.get('/dcim/sites/columns/')
  assert.equal(form.status, 200)
  assert.match(form.text, /name="column" value="cf_shelf"/)
  const order = ['facility', 'name', 'cf_shelf', 'rack_count']
  const moved = await browser.post('/dcim/sites/columns/', { order, column: ['facility', 'name'], _move: 'name:up' })
  assert.equal(moved.status, 200)
  assert.ok(moved.text.indexOf('value="name"') < moved.text.indexOf('value="facility"'), 'moved, not kept yet')
  assert.deepEqual(heads((await browser.get('/dcim/sites/')).text), usual)
  const kept = await browser.post('/dcim/sites/columns/', { order, column: order, _back: '/dcim/sites/?status=active' })
  assert.deepEqual([kept.status, kept.location], [303, '/dcim/sites/?status=active'])
  const list = await browser.get('/dcim/sites/')
  assert.deepEqual(heads(list.text), order)
  assert.match(list.text, /<td class=number>2<td/, 'the custom field')
  assert.deepEqual((await call('GET', '/api/users/config/')).json.tables.SiteTable.columns, order)
  assert.equal((await browser.post('/dcim/sites/columns/', { order })).status, 400, 'none chosen')
  assert.equal((await browser.post('/dcim/sites/columns/', { _reset: '1' })).status, 303)
  assert.deepEqual(heads((await browser.get('/dcim/sites/')).text), usual)
})

test('a named configuration of a table is offered, used by its address and taken over', async () => {
  const body = { object_type: 'dcim.site', table: 'SiteTable', name: 'Short', columns: ['name', 'status'] }
  const { id } = await created('extras/table-configs', body)
  assert.deepEqual(heads((await browser.get(`/dcim/sites/?tableconfig_id=${id}`)).text), ['name', 'status'])
  assert.match(
    (await browser.get('/dcim/sites/columns/')).text,
    /name="_config" value="\d+">Use<\/button><b>Short<\/b>/,
  )
  assert.equal((await browser.post('/dcim/sites/columns/', { _config: String(id) })).status, 303)
  assert.deepEqual(heads((await browser.get('/dcim/sites/')).text), ['name', 'status'])
  await browser.post('/dcim/sites/columns/', { _reset: '1' })
})

test('the size of pages is kept for whoever chose it', async () => {
  assert.match((await browser.get('/dcim/sites/')).text, /value="50" aria-current="true"/)
  assert.equal((await browser.post('/dcim/sites/columns/', { per_page: '25' })).status, 303)
  assert.match((await browser.get('/dcim/racks/columns/')).text, /Columns of racks/)
  assert.match((await browser.get('/dcim/sites/')).text, /value="25" aria-current="true"/)
  await browser.post('/dcim/sites/columns/', { per_page: '50' })
})

test('each value of a filter can be taken away alone, and the panel asks for ranges and custom fields', async () => {
  const path = '/dcim/sites/?status=active&status=planned&cf_shelf__gte=0&name__isw=Site'
  const { text } = await browser.get(path)
  assert.match(
    text,
    /<span>Status: Active<\/span><a href="\/dcim\/sites\/\?cf_shelf__gte=0&amp;name__isw=Site&amp;status=planned"/,
  )
  assert.match(text, /<span>Shelf ≥: 0<\/span>/)
  assert.match(text, /id="f-cf_shelf__gte" name="cf_shelf__gte" type="number" value="0"/)
  assert.match(text, /id="f-cf_shelf__lte"/)
  assert.match(text, /<input type="hidden" name="name__isw" value="Site">/, 'what the panel does not ask for is kept')
  assert.match(text, /<select id="f-cf_kept_by"[^>]* data-source="\/api\/tenancy\/tenants\/"/)
  const kept = await browser.get(`/dcim/sites/?cf_kept_by=${tenant}`)
  assert.match(kept.text, /<span>Kept by: Acme<\/span>/)
  assert.match(kept.text, /id="count">1</)
  assert.equal((await browser.get('/dcim/sites/?status=no-such')).status, 400)
})

test('no list has two columns of one heading, or one of words run together', () => {
  const joined = allModels.flatMap(({ name, label }) => {
    const own = name.split('.')[1]!
    return label.includes(' ') && label.toLowerCase().replaceAll(' ', '') === own ? [own] : []
  })
  const runTogether = new RegExp(`\\b(?:${joined.join('|')})s?\\b`, 'i')
  for (const m of allModels.filter((each) => !each.internal && hasPage(each))) {
    const headings = columnPaths(m).map((path) => {
      const { head, label } = columnOf(m, path)!
      return head ?? label
    })
    assert.deepEqual(
      headings.filter((heading, i) => headings.indexOf(heading) < i || runTogether.test(heading)),
      [],
      m.name,
    )
  }
})

test('no panel has two rows of one label', () => {
  for (const m of allModels)
    for (const [title, paths] of Object.entries(m.pages?.panels ?? {})) {
      const labels = columnsAmong(m, words(paths)).map(({ head, label }) => head ?? label)
      assert.deepEqual(labels, [...new Set(labels)], `${m.name} ${title}`)
    }
})

test('headings say what is counted, and the unit that tells one from another', async () => {
  await make.fresh('vpn.ipsecproposal')
  await make.fresh('dcim.manufacturer')
  const head = async (path: string, columns: string[]) => {
    const { text } = await browser.get(path)
    return columns.map((name) => text.match(new RegExp(`data-column="${name}"[^>]*>(?:<[^>]*>)*([^<]+)`))?.[1])
  }
  assert.deepEqual(await head('/vpn/ipsec-proposals/', ['sa_lifetime_seconds', 'sa_lifetime_data']), [
    'SA lifetime (seconds)',
    'SA lifetime (KB)',
  ])
  assert.deepEqual(await head('/dcim/manufacturers/', ['devicetype_count']), ['Device types'])
})

test('filters that cannot be are named as people know them, and can be taken away', async () => {
  const list = await browser.get('/dcim/devices/?site_id=9999&status=active&name__regex=(')
  assert.equal(list.status, 400)
  assert.match(list.text, /<p>Site: Select a valid choice\. 9999 is not one of the available choices\.<\/p>/)
  assert.match(list.text, /<p>Name \(regex\): Enter a valid regular expression\.<\/p>/)
  assert.match(
    list.text,
    /<a href="\/dcim\/devices\/\?status=active&amp;name__regex=%28" aria-label="Remove Site: 9999">/,
  )
  assert.match(list.text, /<h1>Devices<\/h1>/)
  const map = await browser.get('/dcim/map/?site_id=9999')
  assert.equal(map.status, 400)
  assert.match(map.text, /<p>Site: Select a valid choice\./)
  assert.match(map.text, /href="\/dcim\/map\/">Without filters</)
  assert.equal((await browser.get('/dcim/devices/?at=nonsense')).text.includes('<h1>Devices</h1>'), false)
})

test('filters in force are saved under a name and offered again', async () => {
  const { text } = await browser.get('/dcim/sites/?status=planned&cf_shelf__gte=1')
  const href = /href="(\/extras\/saved-filters\/add\/[^"]+)">Save this filter/.exec(text)![1]!.replaceAll('&amp;', '&')
  const form = await browser.get(href)
  assert.equal(form.status, 200)
  assert.match(form.text, /<option value="dcim.site" selected>/)
  const parameters = new URLSearchParams(href.split('?')[1]).get('parameters')!
  assert.deepEqual(JSON.parse(parameters), { status: ['planned'], cf_shelf__gte: ['1'] })
  const fields = {
    name: 'Planned',
    slug: 'planned',
    object_types: 'dcim.site',
    parameters,
    weight: '100',
    enabled: 'true',
    shared: 'true',
  }
  assert.equal((await browser.post('/extras/saved-filters/add/', fields)).status, 303)
  const id = (await call('GET', '/api/extras/saved-filters/?slug=planned')).json.results[0].id
  const list = await browser.get(`/dcim/sites/?filter_id=${id}`)
  assert.match(list.text, /id="count">1</)
  assert.match(list.text, /<span>Saved filter: Planned<\/span>/)
  assert.ok(!(await browser.get('/dcim/racks/')).text.includes('<legend>Saved filters'))
})

test('what is searched for is a filter in force, and saved with the others', async () => {
  const saved = async (query: string) => {
    const { text } = await browser.get(`/dcim/sites/?${query}`)
    const [, href = ''] = /href="\/extras\/saved-filters\/add\/\?([^"]+)">Save this filter/.exec(text) ?? []
    return JSON.parse(new URLSearchParams(href.replaceAll('&amp;', '&')).get('parameters') ?? 'null')
  }
  assert.deepEqual(await saved('q=Site+1'), { q: ['Site 1'] })
  assert.deepEqual(await saved('q=Site&status=active&sort=name'), { q: ['Site'], status: ['active'] })
  const body = { name: 'Found', slug: 'found', object_types: ['dcim.site'] }
  const { id } = await created('extras/saved-filters', { ...body, parameters: { q: ['Site 1'], region: ['north'] } })
  assert.deepEqual(await saved(`filter_id=${id}&status=planned`), {
    status: ['planned'],
    q: ['Site 1'],
    region: ['north'],
  })
  const { text } = await browser.get(`/dcim/sites/?filter_id=${id}`)
  assert.match(text, /id="count">1</)
  assert.match(
    (await browser.get('/dcim/sites/?q=Site+1')).text,
    /<span>Find: Site 1<\/span><a href="\/dcim\/sites\/\??"/,
  )
  for (const query of [`filter_id=${id}`, 'filter=found']) {
    const { results } = (await call('GET', `/api/dcim/sites/?${query}`)).json
    assert.deepEqual(
      results.map(({ name }: { name: string }) => name),
      ['Site 1'],
      query,
    )
  }
})

test('a list is exported as it is shown, as it can be imported, and through a template', async () => {
  const shown = await csv('/dcim/sites/export/?_as=csv&_of=shown&status=planned')
  assert.match(shown[0]!, /^Name,Status,/)
  assert.equal(shown.length, 2)
  const all = await csv('/dcim/sites/export/?_as=csv&sort=-name')
  assert.match(all[0]!, /^id,name,slug,status/)
  assert.deepEqual(
    all.slice(1).map((line) => line.split(',')[1]),
    ['Site 2', 'Site 1', 'Site 0'],
  )
  assert.ok(all[2]!.includes("'=cmd()"), 'no formula')
  const json = JSON.parse((await browser.get('/dcim/sites/export/?_as=json&status=active')).text)
  assert.deepEqual([json.length, json[0].name, json[0].region], [1, 'Site 0', { slug: 'north' }])
  assert.match((await browser.get('/dcim/sites/export/?_as=yaml&_of=shown&status=active')).text, /^- name: Site 0\n/)
  assert.equal((await browser.get('/dcim/sites/export/?_as=exe')).status, 400)
  const template = {
    name: 'Names',
    object_types: ['dcim.site'],
    template_code: '{% for s in queryset %}{{ s.name }};{% endfor %}',
  }
  await created('extras/export-templates', template)
  assert.match(
    (await browser.get('/dcim/sites/export/?status=active')).text,
    /href="\/dcim\/sites\/\?status=active&amp;export=Names"/,
  )
  assert.equal((await browser.get('/dcim/sites/?status=active&export=Names')).text, 'Site 0;')
})

test('a count leads to what it counts', async () => {
  const { text } = await browser.get('/dcim/regions/')
  assert.match(text, new RegExp(`<td class=number><a href="/dcim/sites/\\?region_id=${region}">3</a>`))
})

test('an empty list says what to do', async () => {
  const none = await browser.get('/dcim/devices/')
  assert.match(none.text, /There are no devices yet/)
  assert.match(none.text, /What a device needs first: .*add a device type.*add a device role/s)
  assert.match((await browser.get('/dcim/sites/?q=nothing&status=active')).text, /No sites match “nothing”/)
  assert.match((await browser.get('/dcim/sites/?page=9')).text, /There is no such page/)
})

test('a list of 50 devices is small, and names are text in it', async () => {
  const [site, role, device_type] = [
    await make.shared('dcim.site'),
    await make.shared('dcim.devicerole'),
    await make.shared('dcim.devicetype'),
  ]
  const rack = await make.fresh('dcim.rack', { site, name: 'Rack 0001' })
  const devices = Array.from({ length: 50 }, (_, i) => ({
    name: i ? `access-switch-${i}.example` : '<script>alert(1)</script>',
    site,
    role,
    device_type,
    rack,
    tenant,
    status: 'active',
  }))
  await created('dcim/devices', devices)
  const { text } = await browser.get('/dcim/devices/')
  assert.match(text, /id="count">50</)
  assert.ok(text.includes('&lt;script&gt;') && !text.includes('<script>alert'))
  assert.ok(text.length <= 60_000, `${text.length} characters`)
  for (const path of ['/dcim/interfaces/', '/dcim/cables/', '/ipam/prefixes/'])
    assert.ok((await browser.get(path)).text.length <= 60_000, path)
})

test('an export tells of objects without a name, and one with ids is imported where it came from', async () => {
  assert.doesNotMatch((await browser.get('/dcim/interfaces/export/')).text, /Referred to without/)
  const device = await make.fresh('dcim.device', { name: null })
  const { id } = await created('dcim/interfaces', { device, name: 'eth0', type: '1000base-t' })
  const choice = (await browser.get(`/dcim/interfaces/export/?id=${id}`)).text
  assert.match(choice, /Referred to without a name of their own: 1\s/)
  assert.match((await csv(`/dcim/interfaces/export/?id=${id}&_as=csv`))[1]!, new RegExp(`\\?${device}\\b`))
  const { text } = await browser.get(`/dcim/interfaces/export/?id=${id}&_as=csv&_of=ids`)
  const { text: told } = await browser.post('/dcim/interfaces/import/', { text, format: 'csv' })
  assert.match(told, /1 as before/)
})

test('a list is led by what its objects are called where no column of theirs says that', async () => {
  const cells = async (path: string) => {
    const { text } = await browser.get(path)
    const row = /<tbody><tr[^>]*>(.*?)(?:<tr|<\/tbody>)/s.exec(text)![1]!
    const texts = row
      .split(/<t[hd][^>]*>/)
      .slice(1)
      .map((each) => each.replace(/<[^>]+>/g, '').trim())
    return heads(text).map((name, i) => `${name}: ${texts[i + 1]}`) // after the box that chooses the row
  }
  const device = await make.fresh('dcim.device', { name: 'led' })
  const bay = await make.fresh('dcim.modulebay', { device, name: 'Slot 7' })
  const type = await make.fresh('dcim.moduletype', { model: 'Card' })
  const module = await make.fresh('dcim.module', { device, module_bay: bay, module_type: type })
  assert.deepEqual((await cells('/dcim/modules/')).slice(0, 3), [
    `display: Slot 7: Card (${module})`,
    'device: led',
    'module_bay: Slot 7',
  ])
  const site = await make.fresh('dcim.site', { name: 'Harbour' })
  const entry = { assigned_object_type: 'dcim.site', assigned_object_id: site, comments: 'seen' }
  await make.fresh('extras.journalentry', entry)
  assert.deepEqual((await cells('/extras/journal-entries/')).slice(1, 4), [
    'created_by: admin',
    'assigned_object_type: Site',
    'assigned_object: Harbour',
  ])
  const contact = await make.fresh('tenancy.contact', { name: 'Ann' })
  await make.fresh('tenancy.contactassignment', { object_type: 'dcim.site', object_id: site, contact })
  assert.deepEqual((await cells('/tenancy/contact-assignments/')).slice(1, 4), [
    'object_type: Site',
    'object: Harbour',
    'contact: Ann',
  ])
})
