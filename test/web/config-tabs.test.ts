import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const client = await serve()
const { call } = client
const browser = await login(client)
const make = new Maker(call)

test('the context of a device is shown merged, with its own data and where it comes from', async () => {
  const [site, elsewhere] = [await make.fresh('dcim.site'), await make.fresh('dcim.site')]
  const context = (name: string, more: object) =>
    make.fresh('extras.configcontext', { name, data: { from: name }, ...more })
  await context('everywhere-ctx', { weight: 100 })
  await context('here-ctx', { weight: 200, sites: [site] })
  await context('elsewhere-ctx', { sites: [elsewhere] })
  await context('asleep-ctx', { is_active: false })
  const device = await make.fresh('dcim.device', { site, local_context_data: { own: '<b>' } })
  const page = (await browser.get(`/dcim/devices/${device}/configcontext/`)).text
  assert.match(page, /&quot;from&quot;: &quot;here-ctx&quot;/)
  assert.match(page, /&quot;own&quot;: &quot;&lt;b&gt;&quot;/)
  assert.match(page, /Source contexts <small>2<\/small>[\s\S]*everywhere-ctx[\s\S]*here-ctx/)
  assert.doesNotMatch(page, /elsewhere-ctx|asleep-ctx/)
  const machine = await make.fresh('virtualization.virtualmachine')
  assert.match((await browser.get(`/virtualization/virtual-machines/${machine}/configcontext/`)).text, /everywhere-ctx/)
})

test('the configuration of a device is rendered, by another template, downloaded, and faults are shown', async () => {
  const template = (name: string, template_code: string) => make.fresh('extras.configtemplate', { name, template_code })
  const own = await template('own-template', 'hostname {{ device.name }} <b>')
  const other = await template('other-template', 'other {{ device.name }}')
  const broken = await template('broken-template', '{{ device.name')
  const device = await make.fresh('dcim.device', { name: 'rendered1', config_template: own })
  const at = `/dcim/devices/${device}/render-config/`
  const page = (await browser.get(at)).text
  assert.match(page, /hostname rendered1 &lt;b&gt;/)
  assert.match(page, />own-template</)
  assert.match((await browser.get(`${at}?config_template_id=${other}`)).text, /other rendered1/)
  const faulty = (await browser.get(`${at}?config_template_id=${broken}`)).text
  assert.match(faulty, /role="alert">[^<]*broken-template/)
  for (const wrong of ['99999', 'x'])
    assert.match(
      (await browser.get(`${at}?config_template_id=${wrong}`)).text,
      /role="alert">There is no config template/,
    )
  const file = await call('GET', `${at}?export=1`)
  assert.equal(file.text, 'hostname rendered1 <b>')
  assert.match(file.headers.get('content-disposition')!, /attachment; filename="rendered1.txt"/)
  const bare = await make.fresh('dcim.device')
  assert.match((await browser.get(`/dcim/devices/${bare}/render-config/`)).text, /role="alert"/)
  const user = await call('POST', '/api/users/users/', { username: 'renders', password: 'Cabinet-Test-Passw0rd' })
  const grant = { name: 'r', object_types: ['dcim.device'], actions: ['view'], users: [user.json.id] }
  await call('POST', '/api/users/permissions/', grant)
  const reader = await login(client, 'renders')
  const refused = (await reader.get(at)).text
  assert.match(refused, /You may not render/)
  assert.doesNotMatch(refused, /hostname/)
})

test('jobs of a data source are a tab, and a job shows its log', async () => {
  const source = await make.fresh('core.datasource', { type: 'local', source_url: 'file:///nowhere/at/all' })
  await call('POST', `/api/core/data-sources/${source}/sync/`, {})
  const job = (await call('GET', '/api/core/jobs/')).json.results[0]
  assert.match((await browser.get(`/core/data-sources/${source}/`)).text, /jobs\/">Jobs <small>1/)
  assert.equal((await browser.get(`/core/data-sources/${source}/jobs/`)).status, 200)
  for (let i = 0; i < 100; i++) {
    const { status } = (await call('GET', `/api/core/jobs/${job.id}/`)).json
    if (['completed', 'failed', 'errored'].includes(status.value)) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const log = await browser.get(`/core/jobs/${job.id}/log/`)
  assert.equal(log.status, 200)
  assert.match(log.text, /<td><span class="badge [^"]+">|nothing down/)
})
