import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAddress, parseAddress } from '../../src/lib/ip.ts'
import { creating, serve } from '../support/server.ts'
import { Random, seedOf } from '../support/random.ts'
import { Maker } from '../support/maker.ts'
import { type Fields, fieldsIn, login } from '../support/session.ts'

const client = await serve()
const { call } = client
const make = creating(client)
const maker = new Maker(call)
const admin = await login(client)

/** Rows of a tab over all its pages: what is there, and what is said to be free, each by the text that names it. */
async function rowsOf(path: string, session = admin): Promise<{ there: string[]; free: string[] }> {
  const [there, free]: [string[], string[]] = [[], []]
  for (let page = 1; page < 40; page++) {
    const { status, text } = await session.get(`${path}?per_page=25&page=${page}`)
    assert.equal(status, 200)
    for (const [row] of text.matchAll(/<tr[ >][\s\S]*?(?=<tr[ >]|<\/tbody>)/g)) {
      const said = row.replace(/<[^>]+>/g, ' ')
      if (row.startsWith('<tr class="free"'))
        free.push(/([\d.:a-f]+(?: – [\d.:a-f]+|\/\d+)?)(?: free)?\s/.exec(said.replace(/[\d,]+ free:/, ''))![1]!)
      else if (/<th scope=row>/.test(row))
        there.push(/<th scope=row>(?:<span[^>]*>[^<]*<\/span>)?<a[^>]*>([^<]+)/.exec(row)![1]!)
    }
    if (!text.includes('rel="next"')) return { there, free }
  }
  throw new Error('no end of pages')
}

const available = async (path: string, what: string): Promise<string[]> =>
  (await call('GET', `/api/${path}/available-${what}/?limit=1000`)).json.map(
    (each: { prefix?: string; address?: string }) => each.prefix ?? each.address,
  )

/** The single addresses of "10.0.0.1 – 10.0.0.3". */
function spread(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const [from, to = from] = name.split(' – ') as [string, string?]
    const number = (text: string) => BigInt(`0x${Buffer.from(parseAddress(text)!.bytes).toString('hex')}`)
    const { family, length } = parseAddress(from)!
    const found: string[] = []
    for (let n = number(from); n <= number(to!); n++) {
      const bytes = Buffer.from(n.toString(16).padStart(family === 4 ? 8 : 32, '0'), 'hex')
      found.push(formatAddress({ family, bytes, length }).split('/')[0]!)
    }
    return found
  })
}

test('rows and what is free between them are a prefix exactly, and what the API calls available', async (t) => {
  const seed = seedOf()
  t.diagnostic(`seed ${seed}`)
  const random = new Random(seed)
  const tops = ['10.7.0.0/24', '10.8.0.0/25', '2001:db8:7::/120', '2001:db8:8::/56']
  for (const [i, top] of tops.entries()) {
    const vrf = i % 2 ? (await make('ipam/vrfs', { name: `V${i}`, enforce_unique: false })).id : null
    const { id } = await make('ipam/prefixes', {
      prefix: top,
      vrf,
      is_pool: random.chance(0.5),
      status: random.pick(['active', 'container']),
    })
    const { family, bytes, length } = parseAddress(top)!
    const width = family === 4 ? 32 : 128
    const inside = (bits: number) => {
      const own = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
      const step = 1n << BigInt(width - bits)
      const at = own + BigInt(random.below(2 ** Math.min(bits - length, 30))) * step
      return formatAddress({
        family,
        bytes: Buffer.from(at.toString(16).padStart(width / 4, '0'), 'hex'),
        length: bits,
      })
    }
    const children = new Set(
      Array.from({ length: 40 }, () => inside(length + 1 + random.below(Math.min(8, width - length)))),
    )
    await call(
      'POST',
      '/api/ipam/prefixes/',
      [...children].map((prefix) => ({ prefix, vrf })),
    )
    const shown = await rowsOf(`/ipam/prefixes/${id}/prefixes/`)
    assert.deepEqual(new Set(shown.there), children)
    assert.deepEqual(shown.free, await available(`ipam/prefixes/${id}`, 'prefixes'), top)
    if (width - length > 8) continue
    const hosts = new Set(Array.from({ length: 60 }, () => inside(width).split('/')[0]!))
    await call(
      'POST',
      '/api/ipam/ip-addresses/',
      [...hosts].map((host) => ({ address: `${host}/${length}`, vrf })),
    )
    const kept = inside(width - 2)
    const last = spread([`${kept.split('/')[0]} – ${kept.split('/')[0]}`]).at(-1)!
    await call('POST', '/api/ipam/ip-ranges/', {
      start_address: `${last}/${length}`,
      end_address: `${last}/${length}`,
      vrf,
      mark_populated: true,
    })
    const addresses = await rowsOf(`/ipam/prefixes/${id}/ipaddresses/`)
    assert.deepEqual(new Set(addresses.there.map((each) => each.split('/')[0])), hosts)
    assert.deepEqual(
      spread(addresses.free),
      (await available(`ipam/prefixes/${id}`, 'ips')).map((each) => each.split('/')[0]),
      top,
    )
  }
})

test('what is taken is the next free, or what lies at the place; many at once, of the length asked for', async () => {
  const { id } = await make('ipam/prefixes', { prefix: '10.20.0.0/16', status: 'container' })
  const tab = `/ipam/prefixes/${id}/prefixes/`
  const children = async () =>
    (await call('GET', '/api/ipam/prefixes/?within=10.20.0.0/16&fields=prefix')).json.results.map(
      (each: { prefix: string }) => each.prefix,
    )
  const first = await admin.post(tab, { length: '24', count: '2' })
  assert.deepEqual([first.status, first.location], [303, tab])
  await admin.post(tab, { length: '23', count: '1' })
  await admin.post(tab, { length: '25', count: '1', at: '10.20.8.0' })
  assert.deepEqual(await children(), ['10.20.0.0/24', '10.20.1.0/24', '10.20.2.0/23', '10.20.8.0/25'])
  const wrong: Record<string, string>[] = [
    { length: '15' },
    { length: '24', count: '0' },
    { length: '24', count: '9999' },
    { length: 'x' },
    { length: '24', at: '2001::1' },
  ]
  for (const fields of wrong) {
    const refused = await admin.post(tab, fields)
    assert.deepEqual([refused.status, /role="alert"/.test(refused.text)], [400, true], JSON.stringify(fields))
  }
  assert.equal((await admin.post(tab, { length: '17', count: '2' })).status, 409, 'one /17 is left')
  assert.equal((await children()).length, 4)
  const child = (await make('ipam/prefixes', { prefix: '10.20.9.0/29' })).id
  const ips = `/ipam/prefixes/${child}/ipaddresses/`
  await admin.post(ips, { count: '2' })
  await admin.post(ips, { count: '1', at: '10.20.9.5' })
  assert.deepEqual((await rowsOf(ips)).there, ['10.20.9.1/29', '10.20.9.2/29', '10.20.9.5/29'])
  assert.equal((await admin.post(ips, { count: '4' })).status, 409)
})

test('what is offered to be taken is there, and what is not is told with how much there is', async () => {
  const { id } = await make('ipam/prefixes', { prefix: '10.221.0.0/24', status: 'container' })
  for (const prefix of ['10.221.0.0/26', '10.221.0.128/26']) await make('ipam/prefixes', { prefix })
  const tab = `/ipam/prefixes/${id}/prefixes/`
  const offered = async () => /name="length"[^>]* value="(\d+)"/.exec((await admin.get(tab)).text)?.[1]
  assert.equal(await offered(), '26')
  const told = async (at: string, fields: Record<string, string>) => {
    const { status, text } = await admin.post(at, fields)
    return [status, /role="alert"><ul><li>([^<]*)/.exec(text)?.[1]]
  }
  const largest = 'the largest free block is a /26.'
  assert.deepEqual(await told(tab, { length: '25' }), [409, `No /25 is free: ${largest}`])
  assert.deepEqual(await told(tab, { length: '26', count: '3' }), [409, 'Only 2 of /26 are free.'])
  const later = { length: '25', at: '10.221.0.192' }
  assert.deepEqual(await told(tab, later), [409, `No /25 is free from 10.221.0.192 on: ${largest}`])
  assert.equal((await admin.post(tab, { length: '26', count: '2' })).status, 303)
  assert.deepEqual(await told(tab, { length: '26' }), [409, 'Nothing is free.'])
  const small = (await make('ipam/prefixes', { prefix: '10.221.9.0/30' })).id
  assert.deepEqual(await told(`/ipam/prefixes/${small}/ipaddresses/`, { count: '3' }), [409, 'Only 2 are free.'])
})

test('two who take the next free at once get different ones', async () => {
  const { id } = await make('ipam/prefixes', { prefix: '10.21.0.0/24' })
  const tab = `/ipam/prefixes/${id}/ipaddresses/`
  const answers = await Promise.all(Array.from({ length: 8 }, () => admin.post(tab, { count: '3' })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(8).fill(303),
  )
  const { there } = await rowsOf(tab)
  assert.deepEqual([there.length, new Set(there).size], [24, 24])
})

test('VLAN ids and AS numbers stand with their gaps, within the ranges of their group', async () => {
  const group = await make('ipam/vlan-groups', {
    name: 'G',
    slug: 'g',
    vid_ranges: [
      [5, 9],
      [20, 22],
    ],
  })
  for (const vid of [6, 20])
    await make('ipam/vlans', {
      vid,
      name: `v${vid}`,
      group: group.id,
      site: vid === 6 ? (await make('dcim/sites', { name: 'S', slug: 's' })).id : null,
    })
  const vlans = await rowsOf(`/ipam/vlan-groups/${group.id}/vlans/`)
  assert.deepEqual(vlans.free, ['5', '7 – 9', '21 – 22'])
  const { text } = await admin.get(`/ipam/vlan-groups/${group.id}/vlans/`)
  assert.match(text, new RegExp(`/ipam/vlans/add/\\?vid=7&amp;group=${group.id}&`))
  const rir = await make('ipam/rirs', { name: 'R', slug: 'r' })
  const range = await make('ipam/asn-ranges', { name: 'A', slug: 'a', rir: rir.id, start: 100, end: 105 })
  const tab = `/ipam/asn-ranges/${range.id}/asns/`
  await admin.post(tab, { count: '1', at: '102' })
  await admin.post(tab, { count: '1' })
  assert.deepEqual((await rowsOf(tab)).free, ['101', '103 – 105'])
})

test('who may see some prefixes sees those, no others as free, and takes nothing that they may not add', async () => {
  const user = await make('users/users', { username: 'nora', password: 'Nora-Passw0rd-1' })
  const grant = (object_types: string[], actions: string[], constraints: unknown) =>
    make('users/permissions', {
      name: `${object_types} ${actions}`,
      object_types,
      actions,
      constraints,
      users: [user.id],
    })
  await grant(['ipam.prefix'], ['view'], [{ description: 'theirs' }])
  await grant(['ipam.ipaddress'], ['view', 'add'], [{ description: 'theirs' }])
  const top = await make('ipam/prefixes', { prefix: '10.22.0.0/24', description: 'theirs' })
  await make('ipam/prefixes', { prefix: '10.22.0.0/26', description: 'theirs' })
  await make('ipam/prefixes', { prefix: '10.22.0.128/26' })
  await make('ipam/ip-addresses', { address: '10.22.0.1/24' })
  const nora = await login(client, 'nora', 'Nora-Passw0rd-1')
  const prefixes = `/ipam/prefixes/${top.id}/prefixes/`
  assert.deepEqual(await rowsOf(prefixes, nora), { there: ['10.22.0.0/26'], free: ['10.22.0.64/26', '10.22.0.192/26'] })
  assert.ok(!/Take/.test((await nora.get(prefixes)).text), 'nothing is offered')
  assert.equal((await nora.post(prefixes, { length: '28' })).status, 403)
  const ips = `/ipam/prefixes/${top.id}/ipaddresses/`
  assert.deepEqual(await rowsOf(ips, nora), { there: [], free: ['10.22.0.2 – 10.22.0.254'] })
  assert.equal((await nora.post(ips, { count: '1' })).status, 403, 'it would not be one of theirs')
  assert.equal((await call('GET', '/api/ipam/ip-addresses/?parent=10.22.0.0/24')).json.count, 1)
  assert.equal((await nora.get(`/ipam/prefixes/${top.id + 2}/prefixes/`)).status, 404)
})

test('an address is found on the page where it stands, or in the free block around it', async () => {
  const { id } = await make('ipam/prefixes', { prefix: '10.23.0.0/22' })
  await call(
    'POST',
    '/api/ipam/ip-addresses/',
    Array.from({ length: 120 }, (_, i) => ({ address: `10.23.${i >> 6}.${(i & 63) * 2 + 1}/22` })),
  )
  const found = async (path: string) => {
    const { text } = await admin.get(path)
    return [...text.matchAll(/<tr class="[^"]*found"[\s\S]*?(?=<tr[ >]|<\/tbody>)/g)].map(([row]) =>
      row
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 24),
    )
  }
  assert.match((await found(`/ipam/prefixes/${id}/ipaddresses/?per_page=25&near=10.23.1.21`))[0]!, /10\.23\.1\.21\/22/)
  assert.match(
    (await found(`/ipam/prefixes/${id}/ipaddresses/?per_page=25&near=10.23.1.20`))[0]!,
    /1 free: 10\.23\.1\.20/,
  )
  await make('ipam/prefixes', { prefix: '10.23.1.0/24' })
  assert.match((await found(`/ipam/prefixes/${id}/prefixes/?near=10.23.2.9`))[0]!, /10\.23\.2\.0\/23 free/)
  assert.match((await admin.get(`/ipam/prefixes/${id}/prefixes/?near=10.23.1.9`)).text, />10\.23\.1\.0\/24<\/a>/)
  assert.match((await admin.get(`/ipam/prefixes/${id}/ipaddresses/?near=11.0.0.1`)).text, /does not lie in here/)
  assert.match(
    (await admin.get(`/ipam/prefixes/${id}/ipaddresses/?near=%3Cb%3E`)).text,
    /&lt;b&gt; does not lie in here/,
  )
})

test('use of prefixes, aggregates, ranges: containers by prefixes, others by addresses and full ranges', async () => {
  const rir = await make('ipam/rirs', { name: 'U', slug: 'u' })
  const use = async (path: string) => Number(/([\d.]+) %<\/span>/.exec((await admin.get(path)).text)![1])
  const aggregate = await make('ipam/aggregates', { prefix: '10.24.0.0/16', rir: rir.id })
  const container = await make('ipam/prefixes', { prefix: '10.24.0.0/20', status: 'container' })
  for (const prefix of ['10.24.0.0/24', '10.24.0.0/25', '10.24.4.0/23']) await make('ipam/prefixes', { prefix })
  const leaf = await make('ipam/prefixes', { prefix: '10.24.8.0/24' })
  const pool = await make('ipam/prefixes', { prefix: '10.24.9.0/24', is_pool: true })
  const full = await make('ipam/prefixes', { prefix: '10.24.10.0/24', mark_utilized: true })
  for (const address of ['10.24.8.1/24', '10.24.8.10/24', '10.24.9.1/24']) await make('ipam/ip-addresses', { address })
  const part = { start_address: '10.24.8.10/24', end_address: '10.24.8.19/24' }
  const range = await make('ipam/ip-ranges', part)
  const at = (path: string, { id }: { id: number }) => use(`/ipam/${path}/${id}/`)
  assert.equal(await at('aggregates', aggregate), 6.3)
  assert.equal(await at('prefixes', container), 37.5)
  assert.equal(await at('prefixes', leaf), 0.8)
  assert.equal(await at('prefixes', pool), 0.4)
  assert.equal(await at('prefixes', full), 100)
  assert.equal(await at('ip-ranges', range), 10)
  await call('PATCH', `/api/ipam/ip-ranges/${range.id}/`, { mark_utilized: true })
  assert.deepEqual([await at('prefixes', leaf), await at('ip-ranges', range)], [4.3, 100])
})

test('the form of an address makes it primary for its device, by the rules and permissions of that', async () => {
  const [device, machine] = [await maker.fresh('dcim.device'), await maker.fresh('virtualization.virtualmachine')]
  const port = await maker.fresh('dcim.interface', { device })
  const card = await maker.fresh('virtualization.vminterface', { virtual_machine: machine })
  const of = async (path: string) => (await call('GET', `/api/${path}/`)).json
  const assigned = { assigned_object_type: 'dcim.interface', assigned_object_id: String(port) }
  const add = (fields: Fields, session = admin) =>
    session.post('/ipam/ip-addresses/add/', { status: 'active', ...fields })
  const made = await add({ address: '10.30.0.1/24', ...assigned, primary_for_parent: 'true', oob_for_parent: 'true' })
  assert.equal(made.status, 303, made.text)
  const shown = await of(`dcim/devices/${device}`)
  assert.deepEqual([shown.primary_ip4.address, shown.oob_ip.address], ['10.30.0.1/24', '10.30.0.1/24'])
  const { id } = shown.primary_ip4
  const edit = (await admin.get(`/ipam/ip-addresses/${id}/edit/`)).text
  assert.match(edit, /id="f-primary_for_parent"[^>]* checked/)
  assert.match(edit, new RegExp(`name="_within_assigned_object"[^>]*>.*<option value="${device}" selected>`))
  const changed = await admin.post(`/ipam/ip-addresses/${id}/edit/`, { ...fieldsIn(edit), oob_for_parent: [] })
  assert.equal(changed.status, 303)
  const after = await of(`dcim/devices/${device}`)
  assert.deepEqual([after.primary_ip4.id, after.oob_ip], [id, null])
  const { json: log } = await call(
    'GET',
    `/api/core/object-changes/?changed_object_type=dcim.device&changed_object_id=${device}&action=update`,
  )
  assert.equal(log.count, 2, 'the device has a change record of each')
  const six = {
    address: '2001:db8:30::1/64',
    assigned_object_type: 'virtualization.vminterface',
    assigned_object_id: String(card),
  }
  assert.match((await add({ ...six, oob_for_parent: 'true' })).text, /Virtual machines have no out-of-band address/)
  assert.equal((await add({ ...six, primary_for_parent: 'true' })).status, 303)
  assert.equal((await of(`virtualization/virtual-machines/${machine}`)).primary_ip6.address, six.address)
  const alone = await add({ address: '10.30.0.9/24', primary_for_parent: 'true' })
  assert.deepEqual([alone.status, /id="e-primary_for_parent"/.test(alone.text)], [400, true])
  assert.equal((await call('GET', '/api/ipam/ip-addresses/?address=10.30.0.9')).json.count, 0, 'nothing was written')
  const user = await make('users/users', { username: 'otto', password: 'Otto-Passw0rd-1' })
  const types = { object_types: ['ipam.ipaddress', 'dcim.interface', 'dcim.device'], users: [user.id] }
  await make('users/permissions', { name: 'sees', ...types, actions: ['view'] })
  await make('users/permissions', { name: 'adds', ...types, object_types: ['ipam.ipaddress'], actions: ['add'] })
  const otto = await login(client, 'otto', 'Otto-Passw0rd-1')
  const refused = await add({ address: '10.30.0.10/24', ...assigned, primary_for_parent: 'true' }, otto)
  assert.deepEqual([refused.status, /You may not change/.test(refused.text)], [400, true])
  assert.equal((await add({ address: '10.30.0.10/24', ...assigned }, otto)).status, 303)
})

test('an interface leads to the form of the next free address of a prefix, named by id or as written', async () => {
  const prefix = await make('ipam/prefixes', { prefix: '10.31.0.0/31' })
  const at = (query: string, session = admin) => session.get(`/ipam/prefixes/next-free/?${query}`)
  const known = 'assigned_object_type=dcim.interface&assigned_object_id=7&_back=%2Fdcim%2Finterfaces%2F7%2F'
  for (const named of [prefix.id, '10.31.0.0/31', `&prefix=${prefix.id}`]) {
    const { status, location } = await at(`prefix=${named}&${known}`)
    assert.equal(status, 303)
    const query = new URL(location!, client.base).searchParams
    assert.deepEqual(
      ['address', 'assigned_object_type', 'assigned_object_id', '_back'].map((name) => query.get(name)),
      ['10.31.0.0/31', 'dcim.interface', '7', '/dcim/interfaces/7/'],
    )
  }
  for (const address of ['10.31.0.0/31', '10.31.0.1/31']) await make('ipam/ip-addresses', { address })
  assert.equal((await at(`prefix=${prefix.id}&${known}`)).location, '/dcim/interfaces/7/', 'nothing is left')
  assert.equal((await at(`prefix=${prefix.id}&_back=//evil.example/`)).location, '/ipam/prefixes/')
  assert.equal((await at('')).location, '/ipam/prefixes/')
  assert.equal((await at('prefix=99999')).status, 404)
  const user = await make('users/users', { username: 'pia', password: 'Pia-Passw0rd-1' })
  const types = { object_types: ['ipam.ipaddress', 'ipam.prefix'], users: [user.id] }
  await make('users/permissions', {
    name: 'some',
    ...types,
    actions: ['view', 'add'],
    constraints: { description: 'x' },
  })
  assert.equal((await at(`prefix=${prefix.id}`, await login(client, 'pia', 'Pia-Passw0rd-1'))).status, 404)
})

test('a service begins as its template says, for whoever may view that', async () => {
  const template = await make('ipam/service-templates', { name: 'SSH', protocol: 'tcp', ports: [22, 2222] })
  const device = await maker.fresh('dcim.device')
  const parent = `parent_type=dcim.device&parent_id=${device}`
  const form = (await admin.get(`/ipam/services/add/?${parent}&_template=${template.id}`)).text
  const fields = fieldsIn(form)
  assert.deepEqual([fields.name, fields.protocol, fields.ports], [['SSH'], ['tcp'], ['22, 2222']])
  assert.match(form, /<label for="f-_template">Application service template<\/label>/)
  assert.equal((await admin.post('/ipam/services/add/', fields)).status, 303)
  const { json } = await call('GET', '/api/ipam/services/')
  assert.deepEqual([json.count, json.results[0].ports, json.results[0].parent.id], [1, [22, 2222], device])
  assert.equal((await admin.get(`/ipam/services/add/?_template=99999`)).status, 200)
})

test('a template fills in the form that is there: what was typed stays but where it says otherwise', async () => {
  const template = await make('ipam/service-templates', { name: 'DNS', protocol: 'udp', ports: [53] })
  const device = await maker.fresh('dcim.device')
  const begun = fieldsIn((await admin.get(`/ipam/services/add/?parent_type=dcim.device&parent_id=${device}`)).text)
  const typed = { ...begun, name: 'resolver', description: 'of the lab', changelog_message: 'by hand' }
  const chosen = { ...typed, _template: `${template.id}`, _redraw: 'template' }
  const { status, text } = await admin.post('/ipam/services/add/', chosen)
  assert.equal(status, 200)
  const { _redraw, ...fields } = fieldsIn(text)
  assert.deepEqual([fields.name, fields.protocol, fields.ports], [['DNS'], ['udp'], ['53']])
  assert.deepEqual([fields.description, fields.changelog_message], [['of the lab'], ['by hand']])
  assert.deepEqual([fields.parent_type, fields.parent_id], [['dcim.device'], [`${device}`]])
  assert.match(text, /<form class="form"[^>]*>(?:<input[^>]*>)*<button hidden>/)
  assert.equal((await admin.post('/ipam/services/add/', fields)).status, 303)
  const { results } = (await call('GET', `/api/ipam/services/?device_id=${device}`)).json
  assert.deepEqual([results[0].name, results[0].description], ['DNS', 'of the lab'])
})

test('steps of a tree begin below the object on whose page they stand', async () => {
  const ids = []
  for (const prefix of ['10.200.0.0/16', '10.200.0.0/20', '10.200.0.0/24'])
    ids.push((await make('ipam/prefixes', { prefix })).id)
  const stepsOn = async (path: string) =>
    [...(await admin.get(path)).text.matchAll(/<th scope=row>(?:<span class="depth"[^>]*>([^<]*)<\/span>)?<a/g)].map(
      ([, steps]) => steps ?? '',
    )
  assert.deepEqual(await stepsOn(`/ipam/prefixes/${ids[0]}/prefixes/?show=assigned`), ['', '· '])
  assert.deepEqual(await stepsOn(`/ipam/prefixes/${ids[1]}/prefixes/?show=assigned`), [''])
  const page = (await admin.get(`/ipam/prefixes/${ids[1]}/`)).text
  assert.match(page, /<h2>Parent prefixes <small>1<\/small><\/h2>/, 'nothing is added around it')
  const north = await make('dcim/regions', { name: 'N', slug: 'n' })
  const below = await make('dcim/regions', { name: 'M', slug: 'm', parent: north.id })
  await make('dcim/regions', { name: 'L', slug: 'l', parent: below.id })
  assert.deepEqual(await stepsOn(`/dcim/regions/${below.id}/`), [''])
  assert.deepEqual(await stepsOn('/dcim/regions/'), ['', '· ', '· · '])
})

test('what is taken at once has the tenant and the scope that the form would be filled with', async () => {
  const [tenant, site] = [await maker.fresh('tenancy.tenant'), await maker.fresh('dcim.site')]
  const scope = { scope_type: 'dcim.site', scope_id: site }
  const { id } = await make('ipam/prefixes', { prefix: '10.77.0.0/24', tenant, ...scope })
  const taken = await admin.post(`/ipam/prefixes/${id}/prefixes/`, { length: '26', count: '1' })
  assert.equal(taken.status, 303, taken.text.slice(0, 300))
  const [prefix] = (await call('GET', '/api/ipam/prefixes/?within=10.77.0.0/24')).json.results
  assert.deepEqual([prefix.tenant.id, prefix.scope_type, prefix.scope_id], [tenant, 'dcim.site', site])
  assert.equal((await admin.post(`/ipam/prefixes/${id}/ipaddresses/`, { at: '10.77.0.9', count: '1' })).status, 303)
  const [address] = (await call('GET', '/api/ipam/ip-addresses/?parent=10.77.0.0/24')).json.results
  assert.deepEqual([address.address, address.tenant.id], ['10.77.0.9/24', tenant])
})
