import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frontEnd, nicEnd, plant, rearEnd } from './support/plant.ts'
import { creating, serve } from './support/server.ts'
import { fieldsIn, login } from './support/session.ts'

const client = await serve()
const { make, get, site, device, port, nic, join, panel } = await plant(client)
const browser = await login(client)
let serial = 0
const nics = async (count: number): Promise<number[]> => {
  const owner = await device(`box ${++serial}`)
  return Promise.all(Array.from({ length: count }, (_, i) => nic(owner, `eth${i}`)))
}
const ends = (side: 'a' | 'b', ids: readonly number[], type = 'dcim.interface') => ({
  [`${side}_terminations_type`]: type,
  [`${side}_terminations_id`]: ids.map(String),
})
const peersOf = async (id: number): Promise<number[]> =>
  (await get(`dcim/interfaces/${id}/`)).link_peers.map((each: { id: number }) => each.id)
/** What a page offers in the ports of one end. */
const offered = (page: string, side: 'a' | 'b'): number[] => {
  const select = new RegExp(`<select[^>]* name="${side}_terminations_id"[\\s\\S]*?</select>`).exec(page)![0]
  return [...select.matchAll(/<option value="(\d+)"/g)].map(([, id]) => Number(id))
}

/** A user with a password and what they may do: kinds of object, actions, constraints. */
async function limited(name: string, grants: readonly (readonly [string[], string[], object?])[]) {
  const created = creating(client)
  const user = (await created('users/users', { username: name, password: 'Cabinet-Test-Passw0rd' })).id
  for (const [i, [object_types, actions, constraints = null]] of grants.entries())
    await created('users/permissions', { name: `${name} ${i}`, object_types, actions, constraints, users: [user] })
  return login(client, name)
}

test('a free port leads to a form that begins with it, and whose other end begins where it is', async () => {
  const rack = (await make('dcim/racks', { name: 'R1', site: site.id })).id as number
  const [one, two] = [await device('near', { rack }), await device('far', { rack })]
  const [a, b, taken, other] = [await nic(one), await nic(two), await nic(two, 'eth1'), (await nics(1))[0]!]
  await join(nicEnd(taken), nicEnd(await nic(one, 'eth1')))
  const virtual = await nic(two, 'vlan1', { type: 'virtual' })
  const tab = await browser.get(`/dcim/devices/${one.id}/interfaces/`)
  const link = new RegExp(`href="(/dcim/cables/add/\\?[^"]*a_terminations_id=${a}&[^"]*)"`).exec(tab.text)![1]!
  const form = await browser.get(link.replaceAll('&amp;', '&'))
  assert.equal(form.status, 200)
  const fields = fieldsIn(form.text)
  assert.deepEqual(
    [fields.a_terminations_type, fields.a_terminations_id, fields.a_device, fields.b_site, fields.b_rack],
    [['dcim.interface'], [String(a)], [String(one.id)], [String(site.id)], [String(rack)]],
  )
  const free = offered(form.text, 'b')
  assert.ok(free.includes(b), 'free and near')
  for (const each of [a, taken, other, virtual]) assert.ok(!free.includes(each), 'taken, elsewhere or virtual')
  const sent = await browser.post('/dcim/cables/add/', {
    ...ends('a', [a]),
    ...ends('b', [b]),
    status: 'connected',
    label: 'first',
    _back: `/dcim/devices/${one.id}/interfaces/`,
  })
  assert.deepEqual([sent.status, sent.location], [303, `/dcim/devices/${one.id}/interfaces/`])
  assert.deepEqual(await peersOf(a), [b])
  assert.match(
    (await browser.get(`/dcim/devices/${one.id}/interfaces/`)).text,
    new RegExp(`href="/dcim/interfaces/${a}/trace/"`),
  )
})

test('a blank form leads from a kind and a device to its ports without scripts', async () => {
  const owner = await device('narrowed')
  const [wanted] = [await port('console-ports', owner, 'con0')]
  const server = await port('console-server-ports', await device('server'), 'tty0')
  assert.equal((await browser.get('/dcim/cables/add/')).status, 200)
  const drawn = await browser.post('/dcim/cables/add/', {
    a_terminations_type: 'dcim.consoleport',
    a_device: 'narrowed', // typed where no picker was
    b_terminations_type: 'dcim.interface',
    label: 'kept',
    _redraw: '1',
  })
  assert.equal(drawn.status, 200)
  assert.deepEqual(offered(drawn.text, 'a'), [wanted])
  assert.match(drawn.text, /value="kept"/)
  assert.deepEqual(fieldsIn(drawn.text).b_terminations_type, ['dcim.consoleserverport'], 'what goes with it')
  assert.ok(offered(drawn.text, 'b').includes(server))
})

test('what is occupied, of the wrong kind, missing or not there is refused at its field, and nothing typed is lost', async () => {
  const [a, b, c, d] = await nics(4)
  await join(nicEnd(a!), nicEnd(b!))
  const outlet = await port('power-outlets', await device('pdu'), 'out')
  const refused: [object, RegExp][] = [
    [{ ...ends('a', [a!]), ...ends('b', [c!]) }, /already has a cable/],
    [{ ...ends('a', [c!]), ...ends('b', [outlet], 'dcim.poweroutlet') }, /Incompatible termination types/],
    [{ ...ends('a', [c!]) }, /id="e-b_terminations">Choose what the cable ends at/],
    [{ ...ends('a', [c!]), ...ends('b', [999999]) }, /id="e-b_terminations">There is no such port/],
    [{ ...ends('a', [c!]), ...ends('b', [d!], 'dcim.site') }, /There is no such port/],
    [{ ...ends('a', [c!]), ...ends('b', [c!]) }, /cannot connect an object to itself/],
  ]
  for (const [fields, why] of refused) {
    const sent = await browser.post('/dcim/cables/add/', { ...fields, status: 'connected', label: 'typed <b>' })
    assert.equal(sent.status, 400, JSON.stringify(fields))
    assert.match(sent.text, why)
    assert.match(sent.text, /value="typed &lt;b&gt;"/)
  }
  assert.deepEqual(await peersOf(c!), [])
})

test('several ends and a profile are made and changed by the form', async () => {
  const [trunk, one, two, three, four, other] = await nics(6)
  const sent = await browser.post('/dcim/cables/add/', {
    ...ends('a', [trunk!]),
    ...ends('b', [one!, two!, three!, four!]),
    status: 'connected',
    profile: 'breakout-1c4p-4c1p',
  })
  assert.equal(sent.status, 303, sent.text)
  const cable = (await get(`dcim/interfaces/${trunk}/`)).cable.id as number
  assert.equal((await peersOf(trunk!)).length, 4)
  const form = await browser.get(`/dcim/cables/${cable}/edit/`)
  const fields = fieldsIn(form.text)
  assert.deepEqual(fields.b_terminations_id, [one, two, three, four].map(String))
  const changed = await browser.post(`/dcim/cables/${cable}/edit/`, {
    ...fields,
    b_terminations_id: [one, two, other].map(String),
  })
  assert.equal(changed.status, 303, changed.text)
  assert.deepEqual(new Set(await peersOf(trunk!)), new Set([one, two, other]))
  assert.equal((await get(`dcim/interfaces/${three}/`)).cable, null)
  assert.equal((await browser.post(`/dcim/cables/${cable}/edit/`, fields)).status, 409, 'somebody changed it meanwhile')
})

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

test('ends that may not be viewed are not told, and what may not be done is not offered', async () => {
  const [open, secret, free, hidden] = await nics(4)
  await client.call('PATCH', `/api/dcim/interfaces/${secret}/`, { name: 'secret-port' })
  await client.call('PATCH', `/api/dcim/interfaces/${hidden}/`, { name: 'secret-free' })
  await join(nicEnd(open!), nicEnd(secret!), { label: 'visible' })
  const reader = await limited('reader', [
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
  const writer = await limited('writer', [
    [['dcim.interface'], ['view', 'change'], { id__in: [open, free] }],
    [['dcim.cable'], ['view', 'add']],
  ])
  const half = await limited('halfwriter', [
    [['dcim.interface'], ['view'], { id__in: [free, hidden] }],
    [['dcim.interface'], ['change'], { id: free }],
    [['dcim.cable'], ['view', 'add']],
  ])
  const rows = (await half.get('/dcim/interfaces/')).text
  const connects = [...rows.matchAll(/a_terminations_id=(\d+)[^"]*" aria-label="Connect/g)].map(([, id]) => Number(id))
  assert.deepEqual(connects, [free], 'ports that may be changed')
  const form = await writer.get(`/dcim/cables/add/?a_terminations_type=dcim.interface&a_terminations_id=${free}`)
  assert.ok(!form.text.includes('secret-free'), 'not among the free ports')
  const sent = await writer.post('/dcim/cables/add/', {
    ...ends('a', [free!]),
    ...ends('b', [hidden!]),
    status: 'connected',
  })
  assert.equal(sent.status, 400)
  assert.match(sent.text, /There is no such port/)
  assert.ok(!sent.text.includes('secret-free'))
})

test('many ports are joined with many in their order, after a preview, all of them or none', async () => {
  const left = await panel('west', 3)
  const far = await device('east')
  const inside = await Promise.all([0, 1, 2].map((i) => nic(far, `port${i}`)))
  const begin = { pk: left.fronts.map(String), _back: '/dcim/front-ports/' }
  const form = await browser.post('/dcim/front-ports/connect/', begin)
  assert.equal(form.status, 200)
  assert.match(form.text, /<h1>Connect 3 front ports/)
  const at = { ...begin, b_terminations_type: 'dcim.interface', b_device: String(far.id), status: 'planned', label: '' }
  const narrowed = await browser.post('/dcim/front-ports/connect/', { ...at, _redraw: '1' })
  const ticked = [...narrowed.text.matchAll(/name="b_pk" value="(\d+)" checked/g)].map(([, id]) => Number(id))
  assert.deepEqual(ticked, inside, 'as many of its first free ports')
  const few = await browser.post('/dcim/front-ports/connect/', {
    ...at,
    b_pk: inside.slice(1).map(String),
    _preview: '1',
  })
  assert.equal(few.status, 400)
  assert.match(few.text, /choose as many/)
  const chosen = { ...at, b_pk: inside.map(String) }
  const preview = await browser.post('/dcim/front-ports/connect/', { ...chosen, _preview: '1' })
  assert.equal(preview.status, 200)
  assert.match(preview.text, /west › front 1<\/td><td>east › port0<[\s\S]*west › front 3<\/td><td>east › port2</)
  assert.equal((await get(`dcim/interfaces/${inside[0]}/`)).cable, null, 'a preview makes nothing')
  await join(nicEnd(inside[2]!), nicEnd((await nics(1))[0]!))
  const refused = await browser.post('/dcim/front-ports/connect/', { ...chosen, _apply: '1' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Nothing was connected[\s\S]*port2<\/td><td class="error">[^<]*already has a cable/)
  assert.equal((await get(`dcim/interfaces/${inside[0]}/`)).cable, null, 'none of them')
  const free = { ...chosen, pk: left.fronts.slice(0, 2).map(String), b_pk: inside.slice(0, 2).map(String), _apply: '1' }
  const made = await browser.post('/dcim/front-ports/connect/', free)
  assert.deepEqual([made.status, made.location], [303, '/dcim/front-ports/'])
  assert.deepEqual(
    await Promise.all(inside.slice(0, 2).map(async (id) => (await peersOf(id))[0])),
    left.fronts.slice(0, 2),
  )
  assert.equal((await get(`dcim/interfaces/${inside[0]}/`)).cable.id > 0, true)
  assert.equal((await browser.post('/dcim/sites/connect/', { pk: String(site.id) })).status, 404)
})

test('chosen ports are disconnected after a question, by who may delete cables', async () => {
  const [a, b, c, d] = await nics(4)
  const first = (await join(nicEnd(a!), nicEnd(b!), { label: 'gone <1>' })).id as number
  const second = (await join(nicEnd(c!), nicEnd(d!), { label: 'kept' })).id as number
  const pk = [a, c].map(String)
  const partly = await limited('partly', [
    [['dcim.interface'], ['view', 'change']],
    [['dcim.cable'], ['view', 'delete'], { id: first }],
  ])
  const asked = await partly.post('/dcim/interfaces/disconnect/', { pk, _back: '/dcim/interfaces/' })
  assert.equal(asked.status, 200)
  assert.match(asked.text, /gone &lt;1&gt;/)
  assert.match(asked.text, /1 cable stays/)
  assert.equal((await get(`dcim/cables/${first}/`)).id, first, 'a question deletes nothing')
  const done = await partly.post('/dcim/interfaces/disconnect/', { pk, _back: '/dcim/interfaces/', _apply: '1' })
  assert.deepEqual([done.status, done.location], [303, '/dcim/interfaces/'])
  assert.equal((await client.call('GET', `/api/dcim/cables/${first}/`)).status, 404)
  assert.equal((await get(`dcim/cables/${second}/`)).id, second)
  const none = await limited('none', [[['dcim.interface'], ['view', 'change']]])
  assert.equal((await none.post('/dcim/interfaces/disconnect/', { pk, _apply: '1' })).status, 403)
  assert.equal((await get(`dcim/cables/${second}/`)).id, second)
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
  const reader = await limited('half', [[['dcim.interface'], ['view'], { id: a }]])
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
    '3 devices, 4 cables',
    'hidden-port',
  ])
    assert.ok(map.text.includes(part), part)
  const several = /href="#(cable-\d+)"/.exec(map.text)![1]!
  assert.ok(map.text.includes(`id="${several}"`), 'several cables lead to where they are told')
  assert.match((await browser.get('/dcim/map/?name=nobody')).text, /No devices match/)
  assert.equal((await browser.get('/dcim/map/?site_id=none')).status, 400)
  const reader = await limited('mapper', [
    [['dcim.device'], ['view'], { site: place }],
    [['dcim.cable'], ['view']],
    [['dcim.interface'], ['view'], { device__site: place }],
  ])
  const seen = await reader.get('/dcim/map/')
  assert.equal(seen.status, 200)
  assert.match(seen.text, /3 devices, 4 cables/)
  assert.ok(!seen.text.includes('hidden-port') && !seen.text.includes('elsewhere'))
  assert.equal((await (await limited('blind', [[['dcim.device'], ['view']]])).get('/dcim/map/')).status, 403)
})

test('432 ports of one device are offered, listed and mapped', async () => {
  const rack = (await make('dcim/racks', { name: 'Big', site: site.id })).id as number
  const [big, other] = [await device('big', { rack }), await device('small', { rack })]
  const ports = Array.from({ length: 432 }, (_, i) => ({ device: big.id, name: `p${i}`, type: '10gbase-x-sfpp' }))
  assert.equal((await client.call('POST', '/api/dcim/interfaces/', ports)).status, 201)
  const from = await nic(other)
  const form = await browser.get(`/dcim/cables/add/?a_terminations_type=dcim.interface&a_terminations_id=${from}`)
  assert.equal(offered(form.text, 'b').length, 432)
  const many = await browser.post('/dcim/interfaces/connect/', { _all: '1', _query: `device_id=${big.id}` })
  assert.match(many.text, /<h1>Connect 432 interfaces/)
})
