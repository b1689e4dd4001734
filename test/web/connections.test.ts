import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frontEnd, nicEnd, plant, rearEnd } from '../support/plant.ts'
import { serve } from '../support/server.ts'
import { login, loginAs } from '../support/session.ts'

const client = await serve()
const { make, get, site, device, port, nic, nics, join, panel } = await plant(client)
const browser = await login(client)

test('a trace is drawn and told step by step from every kind of end', async () => {
  const [a, b] = await nics(2)
  const { box, rear, fronts } = await panel('left', 2)
  const right = await panel('right', 2)
  await join(nicEnd(a!), frontEnd(fronts[0]!), { label: 'in <1>', color: 'f44336' })
  await join(rearEnd(rear), rearEnd(right.rear))
  await join(frontEnd(right.fronts[0]!), nicEnd(b!))
  const [other] = await nics(1)
  await join(nicEnd(other!), frontEnd(fronts[1]!))
  const trace = async (path: string): Promise<string> => {
    const page = await browser.get(`/${path}/trace/`)
    assert.equal(page.status, 200, path)
    return page.text
  }
  const whole = await trace(`dcim/interfaces/${a}`)
  assert.match(whole, /<svg[^>]*aria-label="Trace"/)
  assert.match(whole, /in &#60;1&#62;/)
  assert.equal(whole.match(/<th scope="row">\d<\/th>/g)!.length, 3)
  assert.match(whole, /Reachable/)
  assert.match(await trace(`dcim/front-ports/${fronts[0]}`), new RegExp(`/dcim/interfaces/${b}/`))
  const through = await trace(`dcim/rear-ports/${rear}`)
  const ways = [...through.matchAll(/cablepath_id=(\d+)"/g)].map(([, id]) => id)
  assert.ok(ways.length >= 3, 'more than one way leads through')
  assert.match(await trace(`dcim/rear-ports/${rear}`), new RegExp(`/dcim/devices/${box.id}/`))
  assert.match(
    (await browser.get(`/dcim/rear-ports/${rear}/trace/?cablepath_id=${ways.at(-1)}`)).text,
    new RegExp(`cablepath_id=${ways.at(-1)}" aria-current="true"`),
  )
  const pdu = await device('power')
  const [outlet, inlet] = [
    await port('power-outlets', pdu, 'o1'),
    await port('power-ports', await device('fed'), 'psu'),
  ]
  await join(['dcim.poweroutlet', outlet], ['dcim.powerport', inlet])
  const feeder = await port('power-ports', pdu, 'in')
  const supply = (await make('dcim/power-panels', { name: 'P1', site: site.id })).id as number
  const feed = (await make('dcim/power-feeds', { name: 'F1', power_panel: supply })).id as number
  await join(['dcim.powerfeed', feed], ['dcim.powerport', feeder])
  const [con, tty] = [await port('console-ports', pdu, 'con'), await port('console-server-ports', pdu, 'tty')]
  await join(['dcim.consoleport', con], ['dcim.consoleserverport', tty])
  const provider = (await make('circuits/providers', { name: 'P', slug: 'p' })).id as number
  const type = (await make('circuits/circuit-types', { name: 'T', slug: 't' })).id as number
  const circuit = (await make('circuits/circuits', { cid: 'C1', provider, type })).id as number
  const side = (
    await make('circuits/circuit-terminations', {
      circuit,
      term_side: 'A',
      termination_type: 'dcim.site',
      termination_id: site.id,
    })
  ).id as number
  const [last] = await nics(1)
  await join(['circuits.circuittermination', side], nicEnd(last!))
  for (const path of [
    `dcim/power-outlets/${outlet}`,
    `dcim/power-ports/${inlet}`,
    `dcim/power-feeds/${feed}`,
    `dcim/console-ports/${con}`,
    `dcim/console-server-ports/${tty}`,
    `circuits/circuit-terminations/${side}`,
  ])
    assert.match(await trace(path), /<svg[\s\S]*Step by step/)
  assert.match(await trace(`dcim/interfaces/${(await nics(1))[0]}`), /Nothing is connected here/)
  assert.equal((await browser.get(`/dcim/sites/${site.id}/trace/`)).status, 404)
})

test('cables side by side are told and drawn each between its own ends', async () => {
  const [source, one, two] = (await nics(3)) as [number, number, number]
  const [left, right] = [await panel('duplex left', 3), await panel('duplex right', 3)]
  await join(nicEnd(source), left.fronts.map(frontEnd))
  await join(rearEnd(left.rear), rearEnd(right.rear))
  await join(frontEnd(right.fronts[0]!), nicEnd(one), { label: 'strand one' })
  await join(frontEnd(right.fronts[1]!), nicEnd(two), { label: 'strand two', status: 'planned' })
  const page = await browser.get(`/dcim/interfaces/${source}/trace/`)
  const rows = [...page.text.matchAll(/<tr><th scope="row">3<\/th>(.*?)<\/tr>/gs)].map(([, cells]) =>
    [...cells!.matchAll(/href="(\/dcim\/(?:front-ports|cables|interfaces)\/\d+\/)"/g)].map(([, href]) => href),
  )
  const cableOf = async (id: number) => `/dcim/cables/${(await get(`dcim/interfaces/${id}/`)).cable.id}/`
  assert.deepEqual(rows, [
    [`/dcim/front-ports/${right.fronts[0]}/`, await cableOf(one), `/dcim/interfaces/${one}/`],
    [`/dcim/front-ports/${right.fronts[1]}/`, await cableOf(two), `/dcim/interfaces/${two}/`],
    [`/dcim/front-ports/${right.fronts[2]}/`],
  ])
  assert.match(page.text, /strand two<\/a><div class="of">Planned/)
  const svg = (await client.call('GET', `/api/dcim/interfaces/${source}/trace/?render=svg`)).text
  for (const drawing of [page.text, svg]) {
    assert.equal(drawing.match(/<text[^>]*>strand (?:one|two)<\/text>/g)!.length, 2)
    assert.equal(drawing.match(/no further connection/g)!.length, 1)
  }
  const json = await get(`dcim/interfaces/${source}/trace/`)
  assert.deepEqual([json[2][0].length, json[2][1].label, json[2][2].length], [3, 'strand one', 2], 'as NetBox has it')
})

test('the page of a port says how it is connected, and that of a cable where it ends', async () => {
  const [a, b] = await nics(2)
  const cable = (await join(nicEnd(a!), nicEnd(b!), { label: 'patch' })).id as number
  const shown = (await browser.get(`/dcim/interfaces/${a}/`)).text
  assert.match(shown, new RegExp(`<h2>Connection</h2>[\\s\\S]*/dcim/cables/${cable}/[\\s\\S]*/dcim/interfaces/${b}/`))
  assert.match(shown, new RegExp(`href="/dcim/interfaces/${a}/trace/"[\\s\\S]*/dcim/cables/${cable}/delete/`))
  const page = (await browser.get(`/dcim/cables/${cable}/`)).text
  for (const part of [
    '<h2>A end</h2>',
    '<h2>B end</h2>',
    '<h2>Drawing</h2>',
    `/dcim/sites/${site.id}/`,
    'aria-label="Trace"',
  ])
    assert.ok(page.includes(part), part)
})

test('ends that may not be viewed are not told', async () => {
  const [open, secret, free] = await nics(3)
  await client.call('PATCH', `/api/dcim/interfaces/${secret}/`, { name: 'secret-port' })
  await join(nicEnd(open!), nicEnd(secret!), { label: 'visible' })
  const reader = await loginAs(client, 'reader', [
    [['dcim.interface'], ['view'], { id__in: [open, free] }],
    [['dcim.cable', 'dcim.device'], ['view']],
  ])
  for (const path of [`/dcim/interfaces/${open}/`, `/dcim/interfaces/${open}/trace/`]) {
    const page = await reader.get(path)
    assert.equal(page.status, 200)
    assert.match(page.text, /[Nn]ot shown to you/)
    assert.ok(!page.text.includes('secret-port'), path)
  }
  const cable = (await get(`dcim/interfaces/${open}/`)).cable.id as number
  const cablePage = (await reader.get(`/dcim/cables/${cable}/`)).text
  assert.ok(/not shown to you/.test(cablePage))
  assert.ok(!cablePage.includes('secret-port'))
  assert.equal((await reader.get(`/dcim/interfaces/${secret}/trace/`)).status, 404)
  const list = (await reader.get('/dcim/interfaces/')).text
  assert.ok(!/>(?:Connect|Disconnect)</.test(list), 'neither offered')
  assert.equal((await reader.get('/dcim/cables/add/')).status, 403)
})

test('lists of connections show both ends of complete paths, and only what may be viewed', async () => {
  const [a, b, open] = await nics(3)
  await join(nicEnd(a!), nicEnd(b!), { status: 'planned' })
  const { fronts } = await panel('dead end', 1)
  await join(nicEnd(open!), frontEnd(fronts[0]!))
  const name = (await get(`dcim/interfaces/${a}/`)).device.name as string
  const list = await browser.get(`/dcim/interface-connections/?device=${encodeURIComponent(name)}`)
  assert.equal(list.status, 200)
  const rows = list.text.match(/<tr><td>/g)!
  assert.equal(rows.length, 2, 'both directions, and no dead end')
  assert.match(list.text, /Not in service/)
  for (const kind of ['console', 'power']) {
    const page = await browser.get(`/dcim/${kind}-connections/`)
    assert.equal(page.status, 200)
    assert.match(page.text, /<tr><td>/)
  }
  assert.equal((await browser.get('/dcim/other-connections/')).status, 404)
  await client.call('PATCH', `/api/dcim/interfaces/${b}/`, { name: 'unseen-port' })
  const reader = await loginAs(client, 'half', [[['dcim.interface'], ['view'], { id: a }]])
  const half = await reader.get('/dcim/interface-connections/')
  assert.match(half.text, /not shown to you/)
  assert.ok(!half.text.includes('unseen-port'))
  assert.equal((await reader.get('/dcim/power-connections/')).status, 403)
})

test('an interface shows its radio, its virtual circuit, and the interfaces that belong to it', async () => {
  const [one, two] = [await device('radio one'), await device('radio two')]
  const air = { type: 'ieee802.11ac', rf_role: 'ap', rf_channel: '2.4g-1-2412-22' }
  const lan = (await make('wireless/wireless-lans', { ssid: 'Guests <1>' })).id as number
  const [a, b] = [
    await nic(one, 'wlan0', { ...air, wireless_lans: [lan] }),
    await nic(two, 'wlan0', { ...air, tx_power: 17 }),
  ]
  const link = (await make('wireless/wireless-links', { interface_a: a, interface_b: b, ssid: 'bridge' })).id as number
  const shown = (await browser.get(`/dcim/interfaces/${a}/`)).text
  assert.match(shown, /<h2>Wireless<\/h2>[\s\S]*radio two[\s\S]*<td>17<\/td>/)
  assert.match(shown, /<h2>Wireless LANs<\/h2>[\s\S]*Guests &lt;1&gt;/)
  assert.match((await browser.get(`/dcim/interfaces/${a}/trace/`)).text, /bridge/)
  const radios = (await browser.get(`/wireless/wireless-links/${link}/`)).text
  assert.match(radios, /<h2>Interface A<\/h2>[\s\S]*radio one[\s\S]*<h2>Interface B<\/h2>[\s\S]*radio two/)
  const lag = await nic(one, 'ae0', { type: 'lag' })
  await nic(one, 'ge1', { lag })
  const parent = await nic(one, 'ge2')
  const child = await nic(one, 'ge2.100', { type: 'virtual', parent })
  assert.match((await browser.get(`/dcim/interfaces/${lag}/`)).text, /LAG members <small>1<\/small>[\s\S]*ge1/)
  assert.match(
    (await browser.get(`/dcim/interfaces/${parent}/`)).text,
    /Child interfaces <small>1<\/small>[\s\S]*ge2\.100/,
  )
  assert.ok(!/LAG members|Bridged/.test((await browser.get(`/dcim/interfaces/${parent}/`)).text))
  assert.match(
    (await browser.get(`/dcim/interfaces/${child}/`)).text,
    /virtual-circuit-terminations\/add\/\?interface=/,
  )
  const provider = (await make('circuits/providers', { name: 'V', slug: 'v' })).id as number
  const network = (await make('circuits/provider-networks', { name: 'VN', provider })).id as number
  const type = (await make('circuits/virtual-circuit-types', { name: 'VT', slug: 'vt' })).id as number
  const circuit = (await make('circuits/virtual-circuits', { cid: 'VC-1', provider_network: network, type }))
    .id as number
  await make('circuits/virtual-circuit-terminations', { virtual_circuit: circuit, interface: child, role: 'peer' })
  assert.match((await browser.get(`/dcim/interfaces/${child}/`)).text, /<h2>Virtual circuit<\/h2>[\s\S]*VC-1[\s\S]*VN/)
})

test('a map shows devices by rack and the cables between them, by any filter, and names no hidden end', async () => {
  const place = (await make('dcim/sites', { name: 'Mapped', slug: 'mapped' })).id as number
  const rack = (await make('dcim/racks', { name: 'R <1>', site: place })).id as number
  const [one, two, alone] = [
    await device('map <one>', { site: place, rack }),
    await device('map two', { site: place }),
    await device('map alone', { site: place }),
  ]
  const cable = (await join(nicEnd(await nic(one)), nicEnd(await nic(two)), { color: 'ff9800', status: 'planned' })).id
  for (const name of ['x1', 'x2'])
    await join(nicEnd(await nic(two, name)), nicEnd(await nic(alone, name, { description: 'far' })))
  await join(nicEnd(await nic(one, 'last')), nicEnd(await nic(alone, 'last')))
  const away = await nic(await device('elsewhere'), 'hidden-port')
  await join(nicEnd(await nic(alone, 'out')), nicEnd(away))
  const map = await browser.get(`/dcim/map/?site_id=${place}`)
  assert.equal(map.status, 200)
  for (const part of [
    '<svg',
    'map &#60;one&#62;',
    `href="/dcim/devices/${two.id}/"`,
    `href="/dcim/racks/${rack}/"`,
    `href="/dcim/cables/${cable}/"`,
    '#ff9800',
    'stroke-dasharray',
    '3 devices, 5 cables',
    'hidden-port',
  ])
    assert.ok(map.text.includes(part), part)
  const several = /href="#(cable-\d+)"/.exec(map.text)![1]!
  assert.ok(map.text.includes(`id="${several}"`), 'several cables lead to where they are told')
  const drawn = map.text.slice(map.text.indexOf('aria-label="Map"'), map.text.indexOf('<section class="panel wide">'))
  const single = drawn.lastIndexOf('href="/dcim/cables/')
  assert.ok(single > 0 && single < drawn.indexOf('href="#cable-'), 'how many a line stands for is drawn over others')
  assert.match((await browser.get('/dcim/map/?name=nobody')).text, /No devices match/)
  assert.equal((await browser.get('/dcim/map/?site_id=none')).status, 400)
  const reader = await loginAs(client, 'mapper', [
    [['dcim.device'], ['view'], { site: place }],
    [['dcim.cable'], ['view']],
    [['dcim.interface'], ['view'], { device__site: place }],
  ])
  const seen = await reader.get('/dcim/map/')
  assert.equal(seen.status, 200)
  assert.match(seen.text, /3 devices, 5 cables/)
  assert.ok(!seen.text.includes('hidden-port') && !seen.text.includes('elsewhere'))
  assert.equal((await (await loginAs(client, 'blind', [[['dcim.device'], ['view']]])).get('/dcim/map/')).status, 403)
})
