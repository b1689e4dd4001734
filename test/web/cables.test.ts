import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nicEnd, plant } from '../support/plant.ts'
import { serve } from '../support/server.ts'
import { fieldsIn, login, loginAs } from '../support/session.ts'

const client = await serve()
const { make, get, site, device, port, nic, nics, join, panel } = await plant(client)
const browser = await login(client)
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

test('the other end begins where its kind may be, and around that where nothing is free', async () => {
  const hall = (await make('dcim/locations', { name: 'Hall 1', slug: 'hall-1', site: site.id })).id as number
  const rack = (await make('dcim/racks', { name: 'H1R1', site: site.id, location: hall })).id as number
  const owner = await device('in the hall', { rack, location: hall })
  const [own, elsewhere] = [await nic(owner), (await nics(1))[0]!]
  const provider = (await make('circuits/providers', { name: 'Carrier', slug: 'carrier' })).id as number
  const sort = (await make('circuits/circuit-types', { name: 'Fibre', slug: 'fibre' })).id as number
  const circuit = (await make('circuits/circuits', { cid: 'C-1', provider, type: sort })).id as number
  const placed = { termination_type: 'dcim.site', termination_id: site.id }
  const end = (await make('circuits/circuit-terminations', { circuit, term_side: 'A', ...placed })).id as number
  const power = await port('power-ports', owner, 'psu')
  const panel = (await make('dcim/power-panels', { name: 'PP1', site: site.id })).id as number
  const feed = (await make('dcim/power-feeds', { name: 'F1', power_panel: panel })).id as number

  const begun = (kind: string, id: number) => `/dcim/cables/add/?a_terminations_type=${kind}&a_terminations_id=${id}`
  const whereIn = (page: string) => {
    const { b_site, b_location, b_rack } = fieldsIn(page)
    return [b_site, b_location, b_rack].map((each) => each?.[0] || '')
  }
  const form = (await browser.get(begun('dcim.interface', own))).text
  assert.deepEqual(whereIn(form), [String(site.id), '', ''], 'nothing else is free in the rack, or in the hall')
  assert.ok(offered(form, 'b').includes(elsewhere))

  const other = await nic(await device('beside', { rack, location: hall }))
  const near = (await browser.get(begun('dcim.interface', own))).text
  assert.deepEqual(whereIn(near), [String(site.id), String(hall), String(rack)])
  assert.deepEqual(
    offered(near, 'b').filter((id) => id !== own),
    [other],
  )
  const redrawn = { ...fieldsIn(near), b_terminations_type: 'circuits.circuittermination', _redraw: '1' }
  const circuits = (await browser.post('/dcim/cables/add/', redrawn)).text
  assert.deepEqual([whereIn(circuits)[1], offered(circuits, 'b')], ['', [end]])
  const chosen = { ...fieldsIn(circuits), b_location: String(hall), _redraw: '1' }
  assert.deepEqual(offered((await browser.post('/dcim/cables/add/', chosen)).text, 'b'), [], 'as somebody chose')

  const fed = { ...fieldsIn((await browser.get(begun('dcim.powerport', power))).text), _redraw: '1' }
  const feeds = (await browser.post('/dcim/cables/add/', { ...fed, b_terminations_type: 'dcim.powerfeed' })).text
  assert.deepEqual(offered(feeds, 'b'), [feed])
  const there = (await make('dcim/power-panels', { name: 'PP2', site: site.id, location: hall })).id as number
  const inHall = (await make('dcim/power-feeds', { name: 'F2', power_panel: there })).id as number
  const hallOnly = { ...fieldsIn(feeds), b_location: String(hall), _redraw: '1' }
  assert.deepEqual(offered((await browser.post('/dcim/cables/add/', hallOnly)).text, 'b'), [inHall])
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

test('an end that is occupied, of the wrong kind or not there is refused there; nothing typed is lost', async () => {
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

test('ports that may not be viewed or changed are not offered', async () => {
  const [open, free, hidden] = await nics(3)
  await client.call('PATCH', `/api/dcim/interfaces/${hidden}/`, { name: 'secret-free' })
  const writer = await loginAs(client, 'writer', [
    [['dcim.interface'], ['view', 'change'], { id__in: [open, free] }],
    [['dcim.cable'], ['view', 'add']],
  ])
  const half = await loginAs(client, 'halfwriter', [
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
  const partly = await loginAs(client, 'partly', [
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
  const none = await loginAs(client, 'none', [[['dcim.interface'], ['view', 'change']]])
  assert.equal((await none.post('/dcim/interfaces/disconnect/', { pk, _apply: '1' })).status, 403)
  assert.equal((await get(`dcim/cables/${second}/`)).id, second)
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

test('a cable tells its type in the words of its choices, on its page and in the list', async () => {
  const [a, b] = (await nics(2)) as [number, number]
  const cable = await join(nicEnd(a), nicEnd(b), { type: 'dac-passive' })
  for (const page of [`/dcim/cables/${cable.id}/`, `/dcim/cables/?id=${cable.id}`]) {
    const { text } = await browser.get(page)
    assert.match(text, /Direct Attach Copper \(Passive\)</, page)
    assert.doesNotMatch(text, />dac-passive</, page)
  }
})

test('a list of cables says which devices they connect', async () => {
  const [one, two] = [await device('left end'), await device('right end')]
  const cable = await join(nicEnd(await nic(one, 'port1')), nicEnd(await nic(two, 'port2')))
  const { text } = await browser.get(`/dcim/cables/?id=${cable.id}`)
  for (const [name, port] of [
    ['left end', 'port1'],
    ['right end', 'port2'],
  ])
    assert.match(text, new RegExp(`>${name}</a> › <a [^>]*>${port}</a>`))
})

test('a list of cables shows the racks and sites of both ends where somebody wants them', async () => {
  const racks = await Promise.all(
    ['Left rack', 'Right rack', 'Third rack'].map((name) => make('dcim/racks', { name, site: site.id })),
  )
  const [left, right] = [
    await device('in left', { rack: racks[0].id }),
    await device('in right', { rack: racks[1].id }),
  ]
  const cable = await join(nicEnd(await nic(left)), nicEnd(await nic(right)))
  const columns = ['id', 'device_a', 'rack_a', 'rack_b', 'site_b']
  assert.equal((await browser.post('/dcim/cables/columns/', { order: columns, column: columns })).status, 303)
  const rows = async () =>
    (await browser.get(`/dcim/cables/?id=${cable.id}`)).text.match(/<tbody>[\s\S]*?<\/tbody>/)![0]
  const before = await rows()
  for (const name of ['in left', 'Left rack', 'Right rack', site.name]) assert.ok(before.includes(`>${name}</a>`), name)
  assert.ok(!before.includes('>in right</a>'))
  assert.equal((await client.call('PATCH', `/api/dcim/devices/${right.id}/`, { rack: racks[2].id })).status, 200)
  const after = await rows()
  assert.ok(after.includes('>Third rack</a>') && !after.includes('>Right rack</a>'), 'the device moved')
  await browser.post('/dcim/cables/columns/', { _reset: '1' })
})
