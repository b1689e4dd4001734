import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'

/** Filters of texts find exactly what a comparison with every row finds, though an index tells them where to look. */
const { call, running } = await serve()
const create = creating({ call })

const long = 'long text '.repeat(250)
const texts = [
  'Core switch',
  'CORE-SWITCH 12',
  'core_switch%12',
  'Café münchen',
  'cafe\u0301 Mu\u0308nchen',
  'CAFÉ',
  'Kelvin \u212aelvin',
  'Straße STRASSE',
  'İstanbul istanbul',
  'say "hello" OR (NOT core)',
  'back\\slash',
  "o'neill",
  'a b',
  'ab',
  'a',
  '10.1.2.3',
  '110.1.2.3',
  '10.12',
  `${long}needle at the end`,
  `needle first ${long}`,
  `${long}café`,
  '日本語テキスト',
  '',
]
const needles = [
  ...[
    'core',
    'CORE',
    'switch 12',
    '%12',
    '_switch',
    'caf',
    'café',
    'CAFÉ',
    'cafe',
    'kelvin',
    'elv',
    'strasse',
    'straße',
  ],
  ...[
    'istanbul',
    '"hello"',
    'OR',
    'NOT core',
    'back\\s',
    "o'n",
    'a',
    'ab',
    'a b',
    '10.1',
    '10.1.',
    '.3',
    '10.12',
    'needle',
  ],
  ...['at the end', 'needle first', 'long text', '日本語', '本', 'zzzz', 'fe', 'e M'],
]
const isAscii = (text: string) => [...text].every((letter) => letter < '\x80')
/** SQLite folds the letters of ASCII; texts beyond are folded whole. */
const folded = (text: string, needle: string) =>
  isAscii(needle) ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text.toLowerCase()
const holds: Record<string, (text: string, needle: string) => boolean> = {
  ic: (text, needle) => text.includes(needle),
  isw: (text, needle) => text.startsWith(needle),
  iew: (text, needle) => text.endsWith(needle),
  ie: (text, needle) => text === needle,
}
const stored = texts.map((text) => text.trim())
const found = async (path: string, query: Record<string, string>): Promise<number[]> => {
  const reply = await call(
    'GET',
    `/api/${path}/?${new URLSearchParams({ ...query, fields: 'id', limit: '0', ordering: 'id' })}`,
  )
  assert.equal(reply.status, 200, reply.text)
  assert.equal(reply.json.count, reply.json.results.length)
  return reply.json.results.map(({ id }: { id: number }) => id)
}

test('each lookup of a text, and its opposite', async () => {
  const made = new Map<string, number>()
  for (const [i, text] of stored.entries())
    if (text && text.length < 100)
      made.set(text, (await create('dcim/manufacturers', { name: text, slug: `m-${i}`, description: text })).id)
  for (const needle of needles)
    for (const how of Object.keys(holds)) {
      const wanted = [...made]
        .filter(([text]) => holds[how]!(folded(text, needle), folded(needle, needle)))
        .map(([, id]) => id)
      const others = [...made.values()].filter((id) => !wanted.includes(id))
      for (const name of ['name', 'description']) {
        assert.deepEqual(
          await found('dcim/manufacturers', { [`${name}__${how}`]: needle }),
          wanted,
          `${name}__${how}=${needle}`,
        )
        assert.deepEqual(
          await found('dcim/manufacturers', { [`${name}__n${how}`]: needle }),
          others,
          `${name}__n${how}=${needle}`,
        )
      }
    }
})

test('a search finds what stands in long texts, beyond what the index holds of them', async () => {
  await call(
    'POST',
    '/api/dcim/sites/',
    stored.map((comments, i) => ({ name: `S${i}`, slug: `s${i}`, comments })),
  )
  const sites = await found('dcim/sites', {})
  for (const needle of needles) {
    const sought = folded(needle, needle)
    const wanted = sites.filter((_id, i) =>
      [stored[i]!, `S${i}`, `s${i}`].some((text) => folded(text, needle).includes(sought)),
    )
    assert.deepEqual(await found('dcim/sites', { q: needle }), wanted, needle)
  }
})

test('what was written is found at once, and no longer when it changed or went', async () => {
  const { id } = await create('dcim/sites', { name: 'Fresh unheard', slug: 'fresh' })
  assert.deepEqual(await found('dcim/sites', { q: 'unheard' }), [id])
  const below = await create('dcim/locations', { name: 'Room', slug: 'room', site: id })
  const rack = await create('dcim/racks', { name: 'Rack', site: id, location: below.id })
  await create('dcim/rack-reservations', { rack: rack.id, units: [1], user: 1, description: 'Mine' })
  assert.equal((await found('dcim/rack-reservations', { q: 'rack' })).length, 1) // by the name of another object
  assert.equal((await found('dcim/rack-reservations', { q: 'unheard' })).length, 0)
  await call('PATCH', `/api/dcim/sites/${id}/`, { name: 'Fresh renamed' })
  assert.deepEqual(await found('dcim/sites', { q: 'unheard' }), [])
  assert.deepEqual(await found('dcim/sites', { name__ic: 'RENAMED' }), [id])
  const { id: gone } = await create('dcim/sites', { name: 'Passing', slug: 'passing' })
  assert.deepEqual(await found('dcim/sites', { name__isw: 'pass' }), [gone])
  await call('DELETE', `/api/dcim/sites/${gone}/`)
  assert.deepEqual(await found('dcim/sites', { name__isw: 'pass' }), [])
})

test('addresses by how their text begins', async () => {
  const made: Record<string, number> = {}
  for (const address of ['10.1.0.1/24', '10.10.0.1/24', '10.2.0.1/24', '100.1.0.1/24', 'fd00:10::1/64', '10.1.0.9/24'])
    made[address] = (await create('ipam/ip-addresses', { address })).id
  for (const q of ['10.1', '10.1.', '10', '1', '10.1.0.1/24', 'fd00:10', 'FD00', '0.1', '::1'])
    assert.deepEqual(
      await found('ipam/ip-addresses', { q }),
      Object.entries(made)
        .filter(([address]) => address.startsWith(q.toLowerCase()))
        .map(([, id]) => id),
      q,
    )
})

test('a text that most rows hold, and one that few of many do', async () => {
  const { id: type } = await create('dcim/device-types', {
    manufacturer: (await create('dcim/manufacturers', { name: 'Many', slug: 'many' })).id,
    model: 'Many',
    slug: 'many',
  })
  const rows = Array.from({ length: 600 }, (_, i) => ({
    device_type: type,
    name: `common ${i % 50 ? 'name' : 'rarer'} ${i}`,
    type: 'virtual',
  }))
  assert.equal((await call('POST', '/api/dcim/interface-templates/', rows)).status, 201)
  assert.equal((await found('dcim/interface-templates', { name__ic: 'common' })).length, 600)
  // As in a table of so many rows.
  running.store.db.run("insert into sqlite_sequence (name, seq) values ('ipam_vlan', 40000)")
  const made = rows.map(({ name }, i) => ({ name: `vlan ${name}`, vid: 1 + i }))
  assert.equal((await call('POST', '/api/ipam/vlans/', made)).status, 201)
  assert.equal((await found('ipam/vlans', { q: 'common' })).length, 600)
  assert.equal((await found('ipam/vlans', { q: 'rarer' })).length, 12)
  assert.equal((await found('ipam/vlans', { name__nic: 'rarer' })).length, 588)
})

test('names of which there are few, on many rows', async () => {
  const manufacturer = (await create('dcim/manufacturers', { name: 'Few', slug: 'few' })).id
  const device_type = (await create('dcim/device-types', { manufacturer, model: 'Few', slug: 'few' })).id
  const role = (await create('dcim/device-roles', { name: 'Few', slug: 'few' })).id
  const site = (await create('dcim/sites', { name: 'Few', slug: 'few' })).id
  const names = ['eth0', 'Eth1', 'eth10', 'eth1/2', 'MGMT', 'Uplink é', 'uplink É', 'xe-0_0', 'xe-0%0', 'a']
  const made: { id: number; name: string }[] = []
  for (let n = 0; n < 25; n++) {
    const device = (await create('dcim/devices', { name: `Few ${n}`, device_type, role, site })).id
    made.push(
      ...(await create(
        'dcim/interfaces',
        names.map((name) => ({ device, name, type: 'virtual' })),
      )),
    )
  }
  const check = async () => {
    for (const needle of ['eth', 'ETH1', 'eth1/', 'mg', 'é', 'É', '_', '%', 'a', 'link', 'none', '0'])
      for (const how of Object.keys(holds)) {
        const wanted = made
          .filter(({ name }) => holds[how]!(folded(name, needle), folded(needle, needle)))
          .map(({ id }) => id)
        assert.deepEqual(await found('dcim/interfaces', { [`name__${how}`]: needle }), wanted, `${how} ${needle}`)
        if (how === 'ic') assert.deepEqual(await found('dcim/interfaces', { q: needle }), wanted, `q ${needle}`)
      }
    for (const name of ['eth1', 'Eth1', 'uplink É', 'none'])
      assert.deepEqual(
        await found('dcim/interfaces', { name }),
        made.filter((each) => each.name === name).map(({ id }) => id),
        name,
      )
    const digits = made.filter(({ name }) => /^eth\d+$/.test(name)).map(({ id }) => id)
    assert.deepEqual(await found('dcim/interfaces', { name__regex: '^eth\\d+$' }), digits)
  }
  await check()
  const [first] = made
  await call('PATCH', `/api/dcim/interfaces/${first!.id}/`, { name: 'eth1/99' })
  made[0] = { id: first!.id, name: 'eth1/99' }
  await check()
})

test('a point of a pattern stands for the end of a line', async () => {
  const { json } = await call('POST', '/api/dcim/sites/', {
    name: 'Lines',
    slug: 'lines',
    description: '1 Main Street\nSpringfield',
  })
  assert.deepEqual(await found('dcim/sites', { description__regex: 'Street.Spring' }), [json.id])
  assert.deepEqual(await found('dcim/sites', { description__iregex: 'street.+FIELD$' }), [json.id])
  assert.deepEqual(await found('dcim/sites', { description__regex: '^Spring' }), [])
})
