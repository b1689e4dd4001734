import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { forgetSteps } from '../../src/store/journal.ts'
import { moment } from '../support/moment.ts'
import { Maker } from '../support/maker.ts'
import { AdminToken, creating, serve } from '../support/server.ts'

const client = await serve({ pastCopies: 2 })
const { call, data, running } = client
const create = creating(client)
const make = new Maker(call)
const pause = () => new Promise((resolve) => setTimeout(resolve, 10))
const at = (path: string, when: string) => call('GET', `${path}${path.includes('?') ? '&' : '?'}at=${when}`)
const requestOf = (reply: { headers: Headers }): string => reply.headers.get('x-request-id')!

test('lists, filters, counts, details, elevations and traces are shown as they were', async () => {
  const site = await create('dcim/sites', { name: 'Old', slug: 'old', description: 'first' })
  const rack = await create('dcim/racks', { name: 'R1', site: site.id })
  const device = await make.fresh('dcim.device', {
    site: site.id,
    rack: rack.id,
    position: 5,
    face: 'front',
    location: undefined,
  })
  const end = async () => [
    { object_type: 'dcim.interface', object_id: await make.fresh('dcim.interface', { type: '1000base-t' }) },
  ]
  const [a, b] = [await end(), await end()]
  const cable = await create('dcim/cables', { a_terminations: a, b_terminations: b })
  const paths = [
    '/api/dcim/sites/?q=Old',
    `/api/dcim/sites/${site.id}/`,
    '/api/dcim/devices/?site=old',
    `/api/dcim/racks/${rack.id}/elevation/?face=front`,
    `/api/dcim/interfaces/${a[0]!.object_id}/trace/`,
    '/api/core/object-changes/?limit=5',
    '/api/dcim/sites/?limit=1&offset=0',
  ]
  const then = await Promise.all(paths.map(async (path) => (await call('GET', path)).json))
  const when = await moment()
  const renamed = await call('PATCH', `/api/dcim/sites/${site.id}/`, {
    name: 'New',
    slug: 'new',
    description: 'second',
  })
  await call('DELETE', `/api/dcim/cables/${cable.id}/`)
  await call('DELETE', `/api/dcim/devices/${device}/`)
  for (const [i, path] of paths.entries()) {
    const shown = await at(path, when)
    assert.equal(shown.status, 200, shown.text)
    assert.equal(shown.headers.get('shown-at'), when.replace('Z', '000Z'))
    const next = JSON.stringify(shown.json)
      .replaceAll(`at=${encodeURIComponent(when)}&`, '')
      .replaceAll(`at=${when}&`, '')
    assert.deepEqual(JSON.parse(next), then[i], path)
  }
  const after = await at(`/api/dcim/sites/${site.id}/`, requestOf(renamed))
  assert.equal(after.json.name, 'New')
  assert.equal((await at(`/api/dcim/devices/${device}/`, requestOf(renamed))).status, 200, 'the device went after that')
  assert.equal((await at(`/api/dcim/devices/${device}/`, '-0s')).status, 404)
  assert.equal((await call('GET', `/api/dcim/sites/${site.id}/`)).json.name, 'New', 'today is as it is')
})

test('permissions are those of today', async () => {
  const site = await create('dcim/sites', { name: 'Secret', slug: 'secret' })
  const user = (await call('POST', '/api/users/users/', { username: 'few', password: 'Cabinet-Test-Passw0rd' })).json
  const key = (await call('POST', '/api/users/tokens/', { user: user.id, version: 1 })).json
  const granted = await create('users/permissions', {
    name: 'p',
    actions: ['view'],
    object_types: ['dcim.site'],
    users: [user.id],
  })
  const when = await moment()
  await call('PATCH', `/api/dcim/sites/${site.id}/`, { description: 'x' })
  const path = `/api/dcim/sites/${site.id}/?at=${when}`
  const mine = (headers = { authorization: `Token ${key.token ?? key.key}` }) => call('GET', path, undefined, headers)
  assert.equal((await mine()).json.description, '')
  await call('DELETE', `/api/users/permissions/${granted.id}/`)
  assert.equal((await mine()).status, 403)
  await create('users/permissions', { name: 'q', actions: ['view'], object_types: ['dcim.site'], users: [user.id] })
  assert.equal((await mine()).status, 200)
  await call('DELETE', `/api/users/tokens/${key.id}/`)
  assert.equal((await mine()).status, 403)
  assert.equal((await call('GET', path, undefined, { authorization: '' })).status, 403)
})

test('a bounded number of states is kept, and none past the end of the server', async () => {
  const moments: string[] = []
  for (let i = 0; i < 4; i++) {
    moments.push(await moment())
    await create('dcim/regions', { name: `R${i}`, slug: `r${i}` })
  }
  for (const [i, when] of moments.entries()) {
    assert.equal((await at('/api/dcim/regions/', when)).json.count, i)
    assert.equal((await at('/api/dcim/regions/', when)).json.count, i, 'a second look')
  }
  await pause()
  const copies = readdirSync(join(data, 'past')).filter((name) => name.endsWith('.db'))
  assert.ok(copies.length <= 2, copies.join())
  const [x, y] = await Promise.all(
    moments.slice(0, 2).flatMap((when) => [at('/api/dcim/regions/', when), at('/api/dcim/regions/?q=R', when)]),
  )
  assert.deepEqual([x!.json.count, y!.json.count], [0, 0])
})

test('what is no moment, or none that can be seen, is refused; so are writes', async () => {
  const of = async (when: string) => {
    const reply = await at('/api/dcim/sites/', when)
    return [reply.status, String(reply.json.at)]
  }
  assert.match(String(await of('2001-01-01')), /^400,One can look back to 20/)
  assert.match(String(await of('-9999w')), /^400,One can look back to 20/)
  assert.match(String(await of('2999-01-01')), /^400,This moment has not come/)
  for (const wrong of ['', 'yesterday', '7d', '-7x', '%27', '1'])
    assert.match(String(await of(wrong)), /^400,Give a moment/, wrong)
  assert.match(String(await of('00000000-0000-0000-0000-000000000000')), /^400,There is no such request/)
  const before = running.store.db.get('select count(*) as n from dcim_site')
  for (const [method, path] of [
    ['POST', '/api/dcim/sites/?at=-1s'],
    ['PATCH', '/api/dcim/sites/1/?at=-1s'],
    ['DELETE', '/api/dcim/sites/1/?limit=1&at=2020-01-01'],
  ] as const) {
    const reply = await call(method, path, { name: 'Past', slug: 'past' }, { authorization: `Token ${AdminToken}` })
    assert.deepEqual([reply.status, Object.keys(reply.json)], [400, ['at']])
  }
  assert.deepEqual(running.store.db.get('select count(*) as n from dcim_site'), before)
  assert.ok(existsSync(join(data, 'cabinet.db')))
})

test('every moment that is none, at the edges too, is a 400 that names at', async () => {
  const { time, request_id: id } = running.store.db.get<{ time: string; request_id: string }>(
    'select time, request_id from history_step order by id limit 1 offset 1',
  )!
  const first = running.store.db.get<{ time: string }>('select time from history_step order by id limit 1')!.time
  const never = ['--7d', '-1.5d', '-7D', '-d', '+7d', '-99999999999999999999d', 'before-', 'before-x', 'NaN', '\0', '%']
  const noTime = [
    '2016-12-31T23:59:60Z',
    '2026-02-30',
    '2026-11-22T24:00:00Z',
    '2026-11-22T05:00:00+99:99',
    '2026-W47-7',
  ]
  const farAway = [
    '10000-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    '-000001-01-01',
    '0000-01-01',
    '9999-12-31T23:59:59Z',
  ]
  const tooEarly = ['-999999999w', '-000000007w', '0001-01-01T00:00:00Z', `${first.slice(0, 19)}+14:00`]
  const noRequest = ['00000000-0000-0000-0000-000000000000', 'before-00000000-0000-0000-0000-000000000000']
  for (const when of [...never, ...noTime, ...farAway, ...tooEarly, ...noRequest, '9'.repeat(5000)]) {
    const shown = await at('/api/dcim/sites/', encodeURIComponent(when))
    assert.deepEqual([shown.status, Object.keys(shown.json)], [400, ['at']], when)
    assert.equal((await at('/dcim/sites/', encodeURIComponent(when))).status, 400, when)
  }
  const justBefore = `${first.slice(0, 23)}${String(Number(first.slice(23, 26)) - 1).padStart(3, '0')}Z`
  if (!first.endsWith('000Z')) assert.equal((await at('/api/dcim/sites/', justBefore)).status, 400)
  for (const when of [first, time, `before-${id}`, id.toUpperCase(), `${first.slice(0, 26)}+00:00`, '-0s', '-0w'])
    assert.equal((await at('/api/dcim/sites/', encodeURIComponent(when))).status, 200, when)
})

test('what is of today alone is not shown of another moment: a 400 that says so', async () => {
  const { id } = await create('core/kits', { name: 'van' })
  const when = await moment()
  await create('dcim/regions', { name: 'Later', slug: 'later' })
  for (const path of ['object-changes/stream', `kits/${id}/clone`, `kits/${id}/clone/${id}-${'0'.repeat(24)}.clone`])
    for (const asked of [when, '-0s', 'nonsense']) {
      const { status, json } = await at(`/api/core/${path}/`, asked)
      assert.deepEqual([status, Object.keys(json ?? {})], [400, ['at']], `${path} ${asked}`)
    }
  const query = await call('POST', `/graphql/?at=${when}`, { query: '{ site_list { name } }' })
  assert.deepEqual([query.status, query.text], [400, 'The past can be seen, not changed.'])
})

test('what housekeeping has begun to forget cannot be looked back to', async () => {
  const region = await create('dcim/regions', { name: 'Kept', slug: 'kept' })
  const old = await moment()
  for (let i = 0; i < 5; i++) await call('PATCH', `/api/dcim/regions/${region.id}/`, { description: `later ${i}` })
  const end = await moment()
  await call('PATCH', `/api/dcim/regions/${region.id}/`, { description: 'now' })
  const { store } = running
  const forget = () => store.commit.now(() => forgetSteps(store.db, end.replace('Z', '000Z'), 1)).isAll
  const seen = new Set<string>()
  for (let isAll = false; !isAll; ) {
    isAll = forget()
    const before = (await at(`/api/dcim/regions/${region.id}/`, old)).json
    seen.add(String(before.at ?? `described as "${before.description}"`).replace(/ to .*/, ''))
    assert.equal((await at(`/api/dcim/regions/${region.id}/`, end)).json.description, 'later 4')
  }
  assert.deepEqual([...seen], ['described as ""', 'One can look back'])
  assert.equal((await at('/api/dcim/regions/?slug=kept', end)).json.count, 1)
})
