import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { fieldsIn, login } from '../support/session.ts'

const client = await serve()
const { call } = client
const browser = await login(client)
const make = new Maker(call)
const names = async (path: string) =>
  (await call('GET', `/api/${path}`)).json.results.map((each: { name: string }) => each.name) as string[]

test('a device gets a row of interfaces by one form, with a label each', async () => {
  const device = await make.fresh('dcim.device')
  const page = (await browser.get(`/dcim/devices/${device}/`)).text
  const add = /href="(\/dcim\/interfaces\/add\/\?[^"]+)"/.exec(page)![1]!.replaceAll('&amp;', '&')
  assert.match((await browser.get(add)).text, /Several at once/)
  const back = `/dcim/devices/${device}/interfaces/`
  const fields = { _back: back, device: String(device), type: '1000base-t', enabled: 'true' }
  const made = await browser.post(add, { ...fields, name: 'Gi1/0/[1-24]', label: 'p[01-24]', description: 'all' })
  assert.equal(made.location, back, made.text.slice(0, 300))
  const all = (await call('GET', `/api/dcim/interfaces/?device_id=${device}`)).json.results
  assert.equal(all.length, 24)
  assert.deepEqual([all[23].name, all[23].label, all[23].description], ['Gi1/0/24', 'p24', 'all'])
  assert.match((await browser.get(back)).text, /Gi1\/0\/24/)
})

test('what is wrong with a pattern is told at its field, and nothing is made', async () => {
  const device = await make.fresh('dcim.device')
  await make.fresh('dcim.interface', { device, name: 'e3' })
  const fields = { device: String(device), type: '1000base-t' }
  const cases = [
    [{ name: 'e[3-1]' }, 'name', 'e' /* ends before it begins */],
    [{ name: 'e[1-99999]' }, 'name', 'more than'],
    [{ name: 'e[1-4]', label: 'l[1-3]' }, 'label', 'there are 4 names'],
    [{ name: 'e[1-4]', mtu: 'many' }, 'mtu', ''],
    [{ name: `${'x'.repeat(62)}[1-4]-long` }, 'name', 'no more than 64'],
  ] as const
  for (const [more, field, text] of cases) {
    const refused = await browser.post('/dcim/interfaces/add/', { ...fields, ...more })
    assert.equal(refused.status, 400, JSON.stringify(more))
    const error = new RegExp(`id="e-${field}">([^<]*)`).exec(refused.text)?.[1]
    assert.ok(error?.includes(text), `${JSON.stringify(more)}: ${error}`)
    assert.ok(refused.text.includes(`value="${more.name}"`), 'what was typed is kept')
  }
  const taken = await browser.post('/dcim/interfaces/add/', { ...fields, name: 'e[1-4]' })
  assert.equal(taken.status, 400)
  assert.match(taken.text, /e3: /)
  assert.deepEqual(await names(`dcim/interfaces/?device_id=${device}`), ['e3'])
})

test('front ports take positions of a rear port one after the other, bays their positions', async () => {
  const device = await make.fresh('dcim.device')
  const rear = await make.fresh('dcim.rearport', { device, type: '8p8c', positions: 4 })
  const made = await browser.post('/dcim/front-ports/add/', {
    device: String(device),
    name: 'F[1-4]',
    type: '8p8c',
    positions: '1',
    rear_ports: [1, 2, 3, 4].map((position) => `${rear}:${position}`),
  })
  assert.equal(made.status, 303, /class="error"[^<]*<|role="alert".*/.exec(made.text)?.[0])
  const ports = (await call('GET', `/api/dcim/front-ports/?device_id=${device}`)).json.results
  assert.deepEqual(
    ports.map((port: { rear_ports: { rear_port_position: number }[] }) => port.rear_ports[0]!.rear_port_position),
    [1, 2, 3, 4],
  )
  await browser.post('/dcim/module-bays/add/', { device: String(device), name: 'Slot [a-b]', position: '[1-2]' })
  const bays = (await call('GET', `/api/dcim/module-bays/?device_id=${device}`)).json.results
  assert.deepEqual(
    bays.map((bay: { position: string }) => bay.position),
    ['1', '2'],
  )
})

test('types of modules keep {module} in the names of their templates', async () => {
  const type = await make.fresh('dcim.moduletype')
  const page = (await browser.get(`/dcim/module-types/${type}/`)).text
  assert.match(page, /interface-templates\/add\/\?module_type=/)
  const made = await browser.post('/dcim/interface-templates/add/', {
    module_type: String(type),
    name: 'Gi{module}/[1-2]',
    type: '1000base-t',
  })
  assert.equal(made.status, 303)
  assert.deepEqual(await names(`dcim/interface-templates/?module_type_id=${type}`), ['Gi{module}/1', 'Gi{module}/2'])
})

test('components are added to many devices of a list, all or none', async () => {
  const [a, b, c] = [await make.fresh('dcim.device'), await make.fresh('dcim.device'), await make.fresh('dcim.device')]
  assert.match((await browser.get('/dcim/devices/')).text, /formaction="\/dcim\/devices\/components\/"/)
  const chosen = { _kind: 'dcim.powerport', pk: [String(a), String(b)], _back: '/dcim/devices/' }
  const form = await browser.post('/dcim/devices/components/', chosen)
  assert.equal(form.status, 200)
  assert.match(form.text, /Add power ports to 2 devices/)
  assert.doesNotMatch(form.text, /name="device"/)
  const made = await browser.post('/dcim/devices/components/', { ...chosen, _apply: '1', name: 'PSU[1-2]' })
  assert.equal(made.location, '/dcim/devices/', made.text.slice(0, 300))
  assert.deepEqual(await names(`dcim/power-ports/?device_id=${a}&device_id=${b}&device_id=${c}`), [
    'PSU1',
    'PSU2',
    'PSU1',
    'PSU2',
  ])
  const one = { ...chosen, pk: String(c), _apply: '1', name: 'Spare' }
  assert.equal((await browser.post('/dcim/devices/components/', one)).location, '/dcim/devices/')
  const both = { ...chosen, pk: [String(b), String(c)], _apply: '1', name: 'PSU2' }
  const refused = await browser.post('/dcim/devices/components/', both)
  assert.equal(refused.status, 400)
  assert.match(refused.text, /PSU2: /)
  assert.deepEqual(await names(`dcim/power-ports/?device_id=${c}`), ['Spare'])
  assert.equal((await browser.post('/dcim/devices/components/', { ...chosen, _kind: 'dcim.site' })).status, 404)
  assert.equal((await browser.post('/dcim/devices/components/', { ...chosen, _apply: '1' })).status, 400)
})

test('who may not add components of a kind is not offered them, and refused', async () => {
  const device = await make.fresh('dcim.device')
  const user = await call('POST', '/api/users/users/', { username: 'series', password: 'Cabinet-Test-Passw0rd' })
  const grant = { name: 'series', object_types: ['dcim.device', 'dcim.interface'], actions: ['view'] }
  await call('POST', '/api/users/permissions/', { ...grant, users: [user.json.id] })
  const reader = await login(client, 'series')
  assert.doesNotMatch((await reader.get(`/dcim/devices/${device}/`)).text, /interfaces\/add\//)
  const body = { device: String(device), name: 'x[1-2]', type: '1000base-t' }
  assert.equal((await reader.post('/dcim/interfaces/add/', body)).status, 403)
  const many = { _kind: 'dcim.interface', pk: String(device), _apply: '1', ...body }
  assert.ok((await reader.post('/dcim/devices/components/', many)).status >= 403)
})

test('a button shows what a pattern makes before anything is made', async () => {
  const device = await make.fresh('dcim.device')
  const made = (page: string) => [...page.matchAll(/<li>([^<]*)(?: <small>([^<]*)<\/small>)?<\/li>/g)]
  const seriesOf = (page: string) => /<div id="series"[\s\S]*?<\/div>/.exec(page)![0]
  const fields = { device: String(device), type: '1000base-t', name: 'Gi1/0/[1-24]', label: 'p[01-24]', mtu: '9000' }
  const page = await browser.post('/dcim/interfaces/add/', { ...fields, _redraw: '1' })
  assert.equal(page.status, 200)
  const names = made(seriesOf(page.text))
  assert.deepEqual([names.length, names[23]![1], names[23]![2]], [24, 'Gi1/0/24', 'p24'])
  assert.match(page.text, /name="mtu"[^>]*value="9000"/)
  assert.equal((await call('GET', `/api/dcim/interfaces/?device_id=${device}`)).json.count, 0)
  const many = seriesOf((await browser.get('/dcim/interfaces/add/?name=e[1-900]')).text)
  assert.match(many, /<b>900<\/b> are made[\s\S]*<li>and 840 more</)
  assert.match(seriesOf((await browser.get('/dcim/interfaces/add/?name=e[9-1]')).text), /class="error"/)
  assert.doesNotMatch(seriesOf((await browser.get('/dcim/interfaces/add/?name=e1')).text), /made/)
  const chosen = { _kind: 'dcim.powerport', pk: String(device), _apply: '1', _redraw: '1', name: 'PSU[1-2]' }
  const form = await browser.post('/dcim/devices/components/', chosen)
  assert.equal(made(seriesOf(form.text)).length, 2)
  assert.match(form.text, /value="PSU\[1-2\]"/)
})

test('what a front port leads to is chosen among the positions that are free beside it', async () => {
  const device = await make.fresh('dcim.device', { name: 'Panel A' })
  const other = await make.fresh('dcim.device')
  const rear = await make.fresh('dcim.rearport', { device, name: 'R1', type: '8p8c', positions: 4 })
  const far = await make.fresh('dcim.rearport', { device: other, name: 'Q1', type: '8p8c', positions: 1 })
  const offered = (page: string) =>
    [
      .../<select id="f-rear_ports"[\s\S]*?<\/select>/.exec(page)![0].matchAll(/<option value="[^"]*"[^>]*>([^<]*)/g),
    ].map(([, label]) => label)
  assert.deepEqual(offered((await browser.get('/dcim/front-ports/add/')).text), [], 'no device yet')
  const page = await browser.get(`/dcim/front-ports/add/?device=${device}`)
  assert.deepEqual(offered(page.text), ['R1:1', 'R1:2', 'R1:3', 'R1:4'])
  assert.match(page.text, /<noscript><button name="_redraw"[^>]*>Show the rear ports/)
  const typed = await browser.post('/dcim/front-ports/add/', { device: ['', 'Panel A'], _redraw: '1' })
  assert.equal(offered(typed.text).length, 4, 'the device was typed')

  const fields = { device: String(device), name: 'F1', type: '8p8c', positions: '2' }
  const added = await browser.post('/dcim/front-ports/add/', { ...fields, rear_ports: [`${rear}:3`, `${rear}:2`] })
  assert.equal(added.status, 303, added.text.slice(0, 300))
  const read = async () => (await call('GET', `/api/dcim/front-ports/?device_id=${device}&name=F1`)).json.results[0]
  const port = await read()
  assert.deepEqual(port.rear_ports, [
    { position: 1, rear_port: rear, rear_port_position: 3 },
    { position: 2, rear_port: rear, rear_port_position: 2 },
  ])
  const at = `/dcim/front-ports/${port.id}/edit/`
  const form = (await browser.get(at)).text
  assert.deepEqual(offered(form), ['R1:3', 'R1:2', 'R1:1', 'R1:4'], 'its own first, in their order')
  assert.deepEqual(fieldsIn(form).rear_ports, [`${rear}:3`, `${rear}:2`])
  assert.equal((await browser.post(at, { ...fieldsIn(form), rear_ports: `${rear}:4`, positions: '1' })).status, 303)
  assert.deepEqual((await read()).rear_ports, [{ position: 1, rear_port: rear, rear_port_position: 4 }])

  const few = { ...fields, positions: '1', name: 'G[1-2]', rear_ports: [`${rear}:1`, `${rear}:2`, `${rear}:3`] }
  const refused = await browser.post('/dcim/front-ports/add/', few)
  assert.match(refused.text, /id="e-rear_ports">3 are chosen, but there are 2 names/)
  const taken = await browser.post('/dcim/front-ports/add/', { ...fields, name: 'H', rear_ports: `${rear}:4` })
  assert.match(taken.text, /id="e-rear_ports">Position 4 of rear port R1 is mapped already/)
  const moved = await browser.post(at, { ...fieldsIn(form), device: String(other), _redraw: '1' })
  assert.deepEqual(offered(moved.text), ['Q1:1'], String(far))
  const tab = (await browser.get(`/dcim/devices/${device}/frontports/`)).text
  assert.match(tab, new RegExp(`<li><a href="/dcim/rear-ports/${rear}/">R1:4</a></li>`))
  assert.match((await browser.get(`/dcim/devices/${device}/rearports/`)).text, />F1:1<\/a>/)
  const many = { _kind: 'dcim.frontport', pk: [String(device), String(other)], _back: '/dcim/devices/' }
  assert.doesNotMatch((await browser.post('/dcim/devices/components/', many)).text, /rear_ports/)
})

test('templates of front ports choose among the rear ports of their type, one position for each', async () => {
  const type = await make.fresh('dcim.moduletype')
  const rear = await make.fresh('dcim.rearporttemplate', { module_type: type, device_type: null, positions: 2 })
  const page = (await browser.get(`/dcim/front-port-templates/add/?module_type=${type}`)).text
  const values = [...page.matchAll(/<option value="(\d+:\d+)"/g)].map(([, value]) => value!)
  assert.deepEqual(values, [`${rear}:1`, `${rear}:2`])
  const made = await browser.post('/dcim/front-port-templates/add/', {
    module_type: String(type),
    name: 'F[1-2]',
    type: '8p8c',
    positions: '1',
    rear_ports: values,
  })
  assert.equal(made.status, 303, made.text.slice(0, 300))
  const ports = (await call('GET', `/api/dcim/front-port-templates/?module_type_id=${type}`)).json.results
  assert.deepEqual(
    ports.map((port: { rear_ports: { rear_port_position: number }[] }) => port.rear_ports[0]!.rear_port_position),
    [1, 2],
  )
})

test('addresses, prefixes and VLANs are made many at once by a pattern', async () => {
  const shown = async (path: string, member: string) =>
    (await call('GET', `/api/${path}`)).json.results.map((each: Record<string, unknown>) => each[member])
  assert.match((await browser.get('/ipam/ip-addresses/add/')).text, /Several at once: 10\.1\.1\.\[5-9\]\/24/)
  const addresses = { address: '10.1.1.[5-9]/24', dns_name: 'h[5-9].example', status: 'active' }
  const refused = await browser.post('/ipam/ip-addresses/add/', { ...addresses, primary_for_parent: 'true' })
  assert.match(refused.text, /id="e-primary_for_parent">[^<]*One address alone/)
  assert.equal((await browser.post('/ipam/ip-addresses/add/', addresses)).status, 303)
  const made = [5, 6, 7, 8, 9]
  assert.deepEqual(
    await shown('ipam/ip-addresses/?parent=10.1.1.0/24', 'address'),
    made.map((i) => `10.1.1.${i}/24`),
  )
  assert.deepEqual(
    await shown('ipam/ip-addresses/?parent=10.1.1.0/24', 'dns_name'),
    made.map((i) => `h${i}.example`),
  )
  assert.equal((await browser.post('/ipam/prefixes/add/', { prefix: '10.8.[0-3].0/24', status: 'active' })).status, 303)
  assert.equal((await shown('ipam/prefixes/?within=10.8.0.0/16', 'prefix')).length, 4)
  const form = await browser.get('/ipam/vlans/add/')
  assert.match(form.text, /<input id="f-vid" name="vid" required[^>]*>/)
  assert.doesNotMatch(/<input id="f-vid"[^>]*>/.exec(form.text)![0], /type="number"/)
  const vlans = { vid: '[100-109]', name: 'Office [1-10]', status: 'active' }
  assert.equal((await browser.post('/ipam/vlans/add/', vlans)).status, 303)
  assert.deepEqual(await shown('ipam/vlans/?vid__gte=100&vid__lte=101', 'name'), ['Office 1', 'Office 2'])
  const wrong = await browser.post('/ipam/vlans/add/', { ...vlans, vid: '[4090-4099]' })
  assert.match(wrong.text, /id="e-vid">4095: /)
})
