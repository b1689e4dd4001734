import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { defaults } from '../../src/config.ts'
import { allModels } from '../../src/engine/catalog.ts'
import { openAgain } from '../../src/store/open.ts'
import { admin, run, type Server, scratch, start } from '../support/cli.ts'
import { Doer } from '../support/history.ts'
import type { Client } from '../support/launch.ts'
import { Random, seedOf } from '../support/random.ts'
import { AdminToken } from '../support/server.ts'

/**
 * A source and a kit as two processes; with CABINET_TEST_EXECUTABLE, two executables. CABINET_TEST_CHANGES: how much
 * each side changes; CABINET_TEST_SEED repeats a run.
 */
const seed = seedOf()
const random = new Random(seed)
const changes = Number(process.env.CABINET_TEST_CHANGES) || 12

interface Side extends Server {
  data: string
  token: string
  /** Sends a request that must go well; of a GET, what is given is the query. */
  ask: (method: string, path: string, given?: object) => Promise<any>
  doer: Doer
}

async function serving(data: string, token = `Token ${AdminToken}`, without = /^$/): Promise<Side> {
  const server = await start(data, { env: { ...admin, CABINET_WORKERS: '0' } })
  const place = { file: join(data, 'cabinet.db'), uploads: join(data, 'uploads'), config: { ...defaults(), data } }
  const store = openAgain(place, { writes: false, threads: 1 })
  after(() => store.db.raw.close())
  const call: Client['call'] = async (method, path, body) => {
    const isForm = body instanceof FormData
    const reply = await fetch(server.base + path, {
      method,
      headers: {
        authorization: token,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await reply.text()
    const json = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined
    return { status: reply.status, headers: reply.headers, text, json }
  }
  const sure: Side['ask'] = async (method, path, given) => {
    const query = method === 'GET' && given ? `?${new URLSearchParams(given as Record<string, string>)}` : ''
    const reply = await call(method, `/api/${path}/${query}`, query ? undefined : given)
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }
  return { ...server, data, token, ask: sure, doer: new Doer({ call, running: { store } }, random, { without }) }
}

/** The lab that both sides know. */
async function lab({ ask: make }: Side): Promise<void> {
  await make('POST', 'dcim/sites', { name: 'Lab', slug: 'lab' })
  await make('POST', 'dcim/racks', { name: 'R1', site: { name: 'Lab' } })
  await make('POST', 'dcim/manufacturers', { name: 'Acme', slug: 'acme' })
  await make('POST', 'dcim/device-types', { manufacturer: { name: 'Acme' }, model: 'Switch', slug: 'switch' })
  await make('POST', 'dcim/device-roles', { name: 'Access', slug: 'access' })
  await make('POST', 'extras/tags', [
    { name: 'Blue', slug: 'blue' },
    { name: 'Red', slug: 'red' },
  ])
  const { id } = await make('POST', 'dcim/devices', device('sw-core'))
  const ports = [1, 2, 3, 4].map((n) => ({ device: id, name: `p${n}`, type: '1000base-t' }))
  await make('POST', 'dcim/interfaces', ports)
}

const device = (name: string, more: object = {}): object => ({
  name,
  site: { name: 'Lab' },
  device_type: { model: 'Switch' },
  role: { name: 'Access' },
  ...more,
})

/**
 * What somebody does by hand on one side: the same rack unit, field, port and address that the other side wants too.
 */
async function byHand({ ask: make }: Side, isHere: boolean): Promise<void> {
  const name = isHere ? 'field' : 'office'
  const core = (await make('GET', 'dcim/devices', { name: 'sw-core' })).results[0]
  const ports = (await make('GET', 'dcim/interfaces', { device_id: core.id })).results as { id: number; name: string }[]
  const port = (wanted: string) => [
    { object_type: 'dcim.interface', object_id: ports.find((each) => each.name === wanted)!.id },
  ]
  await make('POST', 'dcim/devices', device(`sw-${name}`, { rack: { name: 'R1' }, position: 10, face: 'front' }))
  await make('PATCH', `dcim/devices/${core.id}`, {
    serial: name,
    [isHere ? 'asset_tag' : 'comments']: name,
    tags: [{ name: isHere ? 'Blue' : 'Red' }],
  })
  const b_terminations = port(isHere ? 'p2' : 'p3')
  await make('POST', 'dcim/cables', { a_terminations: port('p1'), b_terminations, label: name })
  await make('POST', 'ipam/ip-addresses', { address: '192.0.2.1/24', dns_name: `${name}.example.com` })
  const { object_id } = port('p4')[0]!
  if (isHere) await make('DELETE', `dcim/interfaces/${object_id}`)
  else await make('PATCH', `dcim/interfaces/${object_id}`, { description: 'to the roof' })
}

/** Conflicts that these two leave. */
const ByHand = [
  'dcim.cable taken',
  'dcim.device changed',
  'dcim.device taken',
  'dcim.interface deleted here',
  'ipam.ipaddress refused',
]

/** Everything that a side lists, by endpoint. */
async function lists({ ask: get, base }: Side): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>()
  for (const m of allModels) {
    if (!m.path || m.changeLogged === false || (m.app === 'users' && !/owner/.test(m.name))) continue
    const { count, results } = await get('GET', m.path, { limit: 0, ordering: 'id' })
    const text = JSON.stringify({ count, results })
      .replaceAll(base, '')
      .replace(/"last_updated":"[^"]*"/g, '')
    found.set(m.path, text.split('},{'))
  }
  return found
}

test(`two processes: cloned, changed on both sides, pushed, settled in the file (seed ${seed})`, async (t) => {
  const source = await serving(scratch())
  await source.doer.begin()
  for (let i = 0; i < 12; i++) await source.doer.one()
  await lab(source)
  const data = join(scratch(), 'kit')
  const command = async (...args: string[]) => {
    const said = await run([...args, '--data', data], { env: { CABINET_SOURCE_TOKEN: AdminToken } })
    return { code: said.code, text: said.stdout + said.stderr }
  }
  const cloned = await command('clone', source.base, '--name', 'van')
  assert.equal(cloned.code, 0, cloned.text)
  const added = await run(['token', 'add', 'admin', '--data', data])
  const token = added.stdout.trim().replace(/^Authorization: /, '')
  assert.match(token, /^\w+ \S+$/)
  const kit = await serving(data, token, /^users\.(?!owner)/)
  const listed: string[] = []
  const settle = async (wanted: readonly string[]): Promise<void> => {
    const file = join(data, 'conflicts.json')
    let pushed = await command('push')
    for (let tries = 0; pushed.code !== 0; tries++) {
      assert.ok(tries < 20 && existsSync(file), pushed.text)
      const { conflicts } = JSON.parse(readFileSync(file, 'utf8'))
      for (const { take, object_type, kind } of conflicts) if (!take) listed.push(`${object_type} ${kind}`)
      const decided = conflicts.map((each: any, i: number) => ({
        ...each,
        take: each.take ?? ['ours', 'theirs'][i % 2],
      }))
      writeFileSync(file, JSON.stringify({ conflicts: decided }))
      pushed = await command('push')
    }
    for (const kind of wanted) assert.ok(listed.includes(kind), `${kind} is not among ${listed.join(', ')}`)
  }
  for (const side of [kit, source]) await byHand(side, side === kit)
  await settle(ByHand) // before anything else happens to these objects
  for (const side of [kit, source])
    for (let done = 5; done < changes; ) {
      const before = side.doer.step
      await side.doer.one()
      if (side.doer.step > before) done++
    }
  await settle([])
  assert.match((await command('status')).text, /here: no objects changed\nthere: no objects changed\nno conflicts/)
  const [there, here] = [await lists(source), await lists(kit)]
  for (const [path, list] of there) assert.deepEqual(here.get(path), list, path)
  for (const side of [source, kit]) {
    await side.end('SIGTERM')
    const checked = await run(['check', '--data', side.data])
    assert.equal(checked.code, 0, checked.stdout + checked.stderr)
  }
  t.diagnostic(
    `seed ${seed}: ${changes} changes on each side, ${listed.length} conflicts ` +
      `(${[...new Set(listed)].join(', ')}), ${there.size} lists equal`,
  )
})
