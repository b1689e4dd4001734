import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { fieldsIn, login } from '../support/session.ts'

const client = await serve()
const { call } = client
const browser = await login(client)
const make = new Maker(call)
const field = async (body: object) => {
  const made = await call('POST', '/api/extras/custom-fields/', { object_types: ['dcim.site'], ...body })
  assert.equal(made.status, 201, made.text)
}
const panel = (page: string, title: string) =>
  new RegExp(`<section class="panel"><h2>${title}</h2>[\\s\\S]*?</section>`).exec(page)?.[0]

test('custom fields stand in their groups, under their labels, each shown as its type wants', async () => {
  const set = await make.fresh('extras.customfieldchoiceset', { extra_choices: [['hi', 'High']] })
  const contact = await make.fresh('tenancy.contact', { name: 'Ada' })
  await field({ name: 'rank', label: 'Rank of it', type: 'select', choice_set: set, group_name: 'Order' })
  await field({ name: 'page', type: 'url', group_name: 'Order' })
  await field({ name: 'who', type: 'object', related_object_type: 'tenancy.contact' })
  await field({ name: 'notes', type: 'longtext' })
  await field({ name: 'rarely', type: 'text', ui_visible: 'if-set' })
  await field({ name: 'secretly', type: 'text', ui_visible: 'hidden' })
  await field({ name: 'fixed', type: 'text', ui_editable: 'no', default: 'kept' })
  await field({ name: 'unseen', type: 'text', ui_editable: 'hidden' })
  await field({ name: 'preset', type: 'text', default: 'from before' })
  const site = await make.fresh('dcim.site', {
    custom_fields: { rank: 'hi', page: 'javascript:alert(1)', who: contact, notes: '**deep** <i>', secretly: 'hush' },
  })
  const page = (await browser.get(`/dcim/sites/${site}/`)).text
  const order = panel(page, 'Order')!
  assert.match(order, /Rank of it<\/dt><dd>High/)
  assert.doesNotMatch(order, /href="javascript:/)
  const others = panel(page, 'Custom fields')!
  assert.match(others, /<a href="\/tenancy\/contacts\/\d+\/">Ada<\/a>/)
  assert.match(others, /<strong>deep<\/strong> &lt;i&gt;/)
  assert.match(others, /Fixed<\/dt><dd>kept/)
  assert.doesNotMatch(page, /Rarely|Secretly|hush/)
  await call('PATCH', `/api/dcim/sites/${site}/`, { custom_fields: { rarely: 'now' } })
  assert.match((await browser.get(`/dcim/sites/${site}/`)).text, /Rarely<\/dt><dd>now/)

  const form = (await browser.get('/dcim/sites/add/')).text
  assert.match(form, /<legend>Order<\/legend>[\s\S]*Rank of it/)
  assert.match(form, /<option value="hi">High</)
  assert.doesNotMatch(form, /name="cf_fixed|cf_unseen|Unseen/)
  assert.match(form, /Fixed<\/span><div class="told"[^>]*>kept</)
  const made = await browser.post('/dcim/sites/add/', { ...fieldsIn(form), name: 'By form', slug: 'by-form' })
  assert.equal(made.status, 303, made.text.slice(0, 300))
  const values = (await call('GET', '/api/dcim/sites/?slug=by-form')).json.results[0].custom_fields
  assert.deepEqual([values.fixed, values.preset], ['kept', 'from before'], 'a form keeps what is not asked for')
})

test('a custom field that pages do not edit is told in forms, and kept by bulk edit and import', async () => {
  const [site] = (await call('GET', '/api/dcim/sites/?slug=by-form')).json.results
  await call('PATCH', `/api/dcim/sites/${site.id}/`, { custom_fields: { fixed: 'by script', unseen: 'too' } })
  const form = (await browser.get(`/dcim/sites/${site.id}/edit/`)).text
  assert.match(form, /Fixed<\/span><div class="told"[^>]*>by script</)
  const refused = await browser.post(`/dcim/sites/${site.id}/edit/`, { ...fieldsIn(form), slug: '', cf_fixed: 'typed' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Fixed<\/span><div class="told"[^>]*>by script</)
  const saved = await browser.post(`/dcim/sites/${site.id}/edit/`, { ...fieldsIn(form), cf_fixed: 'typed' })
  assert.equal(saved.status, 303)
  const bulk = (await browser.post('/dcim/sites/edit/', { pk: String(site.id) })).text
  assert.match(bulk, /name="cf_preset"/)
  assert.doesNotMatch(bulk, /cf_fixed|cf_unseen/)
  const values = async () => (await call('GET', `/api/dcim/sites/${site.id}/`)).json.custom_fields
  assert.deepEqual([(await values()).fixed, (await values()).unseen], ['by script', 'too'])

  assert.doesNotMatch((await browser.get('/dcim/sites/import/')).text, /cf_fixed|cf_unseen/)
  const table = (fixed: string) => ({ text: `id,cf_fixed,cf_preset\n${site.id},${fixed},now`, _apply: '1' })
  const wrong = await browser.post('/dcim/sites/import/', table('typed'))
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /<code>cf_fixed<\/code>: this field is not edited in pages/)
  assert.equal((await browser.post('/dcim/sites/import/', table('by script'))).status, 303)
  assert.deepEqual([(await values()).fixed, (await values()).preset], ['by script', 'now'])
  const fresh = { text: 'name,slug,cf_unseen\nNew,new-one,x', _apply: '1' }
  assert.match((await browser.post('/dcim/sites/import/', fresh)).text, /cf_unseen<\/code>: this field is not edited/)
})

test('lists offer custom fields under their labels but those that are hidden, and choices by theirs', async () => {
  const columns = (await browser.get('/dcim/sites/columns/')).text
  assert.match(columns, /value="cf_rank"> Rank of it</)
  assert.match(columns, /value="cf_rarely"/)
  assert.doesNotMatch(columns, /cf_secretly/)
  await browser.post('/dcim/sites/columns/', { column: ['name', 'cf_rank'], order: ['name', 'cf_rank'] })
  const list = (await browser.get('/dcim/sites/')).text
  assert.match(list, /<td>High/)
  assert.match(list, /<label for="f-cf_rank">Rank of it</)
  assert.doesNotMatch(list, /cf_secretly/)
  await browser.post('/dcim/sites/columns/', { _reset: '1' })
})

test('a clone takes over the custom fields that are cloneable', async () => {
  await field({ name: 'taken', type: 'text', is_cloneable: true })
  const site = await make.fresh('dcim.site', { custom_fields: { taken: 'along', preset: 'left' } })
  const fields = fieldsIn((await browser.get(`/dcim/sites/add/?_clone=${site}`)).text)
  assert.deepEqual([fields.cf_taken, fields.cf_preset], [['along'], ['from before']])
})

test('custom links are buttons with the texts and addresses of their templates, and run nothing', async () => {
  const link = (name: string, link_text: string, link_url: string, more = {}) =>
    make.fresh('extras.customlink', { name, link_text, link_url, object_types: ['dcim.site'], ...more })
  await link('plain', 'See {{ object.name }}', 'https://example.org/?q={{ object.slug }}', { new_window: true })
  await link('absent', '{% if object.facility %}Facility{% endif %}', 'https://example.org/')
  await link('grouped', 'In a group <b>', '/path', { group_name: 'More' })
  await link('script', 'Run', 'javascript:alert({{ object.id }})')
  await link('faulty', '{{ object.', 'https://example.org/')
  await link('asleep', 'Asleep', 'https://example.org/', { enabled: false })
  const site = await make.fresh('dcim.site', { name: 'Linked', slug: 'linked' })
  const page = (await browser.get(`/dcim/sites/${site}/`)).text
  assert.match(
    page,
    /<a class="button [^"]*" href="https:\/\/example.org\/\?q=linked"[^>]*target="_blank" rel="noreferrer">See Linked/,
  )
  assert.match(page, /<summary class="button">More<\/summary>[\s\S]*In a group &lt;b&gt;/)
  assert.match(page, /⚠ faulty/)
  assert.match(page, /⚠ script/)
  assert.doesNotMatch(page, />Facility<\/a>|Asleep|href="javascript:/)
})

test('tags lead to the objects that have them, kinds of objects to their lists', async () => {
  const tag = await make.fresh('extras.tag', { name: 'Blue', slug: 'blue' })
  const site = await make.fresh('dcim.site', { tags: [tag] })
  assert.match((await browser.get(`/dcim/sites/${site}/`)).text, /<a class="tag" href="\/dcim\/sites\/\?tag=blue">/)
  const template = await make.fresh('extras.exporttemplate', {
    object_types: ['dcim.site'],
    template_code: '<b>{{ x }}',
  })
  const page = (await browser.get(`/extras/export-templates/${template}/`)).text
  assert.match(page, /<a href="\/dcim\/sites\/">Site<\/a>/)
  assert.match(panel(page, 'Template')!, /<pre class="code"><code>&lt;b&gt;/)
})

test('members of a virtual chassis are shown with each of them', async () => {
  const chassis = await make.fresh('dcim.virtualchassis')
  const a = await make.fresh('dcim.device', { name: 'vc-a', virtual_chassis: chassis, vc_position: 1 })
  await make.fresh('dcim.device', { name: 'vc-b', virtual_chassis: chassis, vc_position: 2 })
  const alone = await make.fresh('dcim.device')
  assert.match((await browser.get(`/dcim/devices/${a}/`)).text, /Virtual chassis members <small>2<\/small>/)
  assert.doesNotMatch((await browser.get(`/dcim/devices/${alone}/`)).text, /Virtual chassis members/)
  assert.match((await browser.get(`/dcim/virtual-chassis/${chassis}/`)).text, /Members <small>2<\/small>[\s\S]*vc-b/)
})
