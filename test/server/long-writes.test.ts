import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { answerAlike } from '../support/alike.ts'
import { type Client, launch } from '../support/launch.ts'
import { png } from '../support/samples.ts'
import { creating, serve } from '../support/server.ts'
import { login } from '../support/session.ts'

/** Threads that the servers started for writes; a slow machine has more of others. */
const threads: Worker[] = []
process.on('worker', (worker) => {
  if (worker.threadName === 'writer') threads.push(worker)
})

/**
 * A server whose first thread gives a write away that takes longer, in the middle of it; `count`: so many others take
 * the connections, and hand writes to the first.
 */
async function giving(longWrite: number, count = 0) {
  const server = await launch({ workers: 1 }, { count, alone: count > 0, longWrite })
  after(server.close)
  return server
}
const always = await giving(-1)
const handed = await giving(-1, 1)

/** Asserts that whatever is written is answered as a server alone does, which has seen the same. */
async function writeAlike(always: Client): Promise<void> {
  const alone = await serve({ workers: 0 })
  await answerAlike(always, alone)
  const steps: [method: string, path: string, body?: unknown][] = [
    ['POST', '/api/dcim/sites/', { name: 'One', slug: 'one', tags: [{ name: 'New' }] }],
    ['POST', '/api/dcim/sites/', { name: 'One', slug: 'one' }],
    ['POST', '/api/dcim/sites/', [{ name: 'A', slug: 'a' }, { name: 'B' }]],
    [
      'POST',
      '/api/dcim/sites/',
      [
        { name: 'A', slug: 'a' },
        { name: 'B', slug: 'b' },
      ],
    ],
    ['POST', '/api/dcim/sites/', '{"name":'],
    ['PATCH', '/api/dcim/sites/2/', { description: 'é'.repeat(100) }],
    ['PATCH', '/api/dcim/sites/99/', { description: 'x' }],
    ['PUT', '/api/dcim/sites/2/', { name: 'One', slug: 'one' }],
    ['PATCH', '/api/dcim/sites/', [{ id: 2, facility: 'f' }]],
    ['POST', '/api/ipam/prefixes/', { prefix: '10.0.0.0/30' }],
    ['POST', '/api/ipam/prefixes/1/available-ips/', { description: 'first' }],
    ['POST', '/api/ipam/prefixes/1/available-ips/', [{}, {}, {}]],
    ['DELETE', '/api/dcim/sites/2/', {}],
    ['DELETE', '/api/dcim/sites/2/'],
    ['DELETE', '/api/dcim/sites/', [{ id: 3 }, { id: 4 }]],
    ['OPTIONS', '/api/dcim/sites/'],
  ]
  const moving = /"\d{4}-\d\d-\d\dT[\d:.]+Z?"|"request_id":"[^"]*"/g
  const settled = (text: string, base: string) => text.replaceAll(base, '').replaceAll(moving, '…')
  for (const [method, path, body] of steps) {
    const [one, other] = [await always.call(method, path, body), await alone.call(method, path, body)]
    assert.equal(one.status, other.status, `${method} ${path}: ${one.text}`)
    assert.equal(settled(one.text, always.base), settled(other.text, alone.base), `${method} ${path}`)
  }
  const log = '/api/core/object-changes/?limit=100&exclude=id'
  const [mine, theirs] = [await always.call('GET', log), await alone.call('GET', log)]
  assert.equal(settled(mine.text, always.base), settled(theirs.text, alone.base), 'each is in the change log once')
}

test('whatever is written, it is answered as a server alone does', async () => {
  const before = threads.length
  await writeAlike(always)
  assert.equal(threads.length, before + 1, 'another thread wrote')
})

test('so it is where the thread that has the connection does not write either', async () => {
  const before = threads.length
  await writeAlike(handed)
  assert.equal(threads.length, before + 1)
})

test('and where the first thread knows at once that it is not to do it', async () => {
  const server = await launch({ workers: 1 }, { count: 1, alone: true, sharesAll: true })
  after(server.close)
  await writeAlike(server)
})

test('forms of pages are answered, files are kept once', async () => {
  const { post } = await login(always)
  assert.equal((await post('/dcim/regions/add/', { name: 'R', slug: 'r' })).status, 303)
  assert.equal((await post('/dcim/regions/add/', { name: 'R', slug: 'r' })).status, 400)
  assert.equal((await always.call('GET', '/api/dcim/regions/')).json.count, 1)
  const form = new FormData()
  form.append('object_type', 'dcim.site')
  form.append('object_id', '1')
  form.append('image', png(), 'a.png')
  assert.equal((await always.call('POST', '/api/extras/image-attachments/', form)).status, 201)
  assert.equal((await always.call('GET', '/api/extras/image-attachments/')).json.count, 1)
})

for (const [by, longWrite, count] of [
  ['its time', 5, 900],
  ['the number of rows', 100_000, 1100],
] as const)
  test(`what takes much along is deleted by another thread, told by ${by}; quick writes are not`, async () => {
    const server = await giving(longWrite)
    const create = creating(server)
    const before = threads.length
    const { id } = await create('dcim/manufacturers', { name: 'M', slug: 'm' })
    const type = await create('dcim/device-types', { manufacturer: id, model: 'T', slug: 't' })
    for (let from = 0; from < count; from += 50) {
      const ports = Array.from({ length: 50 }, (_, i) => ({
        device_type: type.id,
        name: `p${from + i}`,
        type: 'virtual',
      }))
      await create('dcim/interface-templates', ports)
    }
    const there = threads.length
    assert.equal((await server.call('DELETE', `/api/dcim/device-types/${type.id}/`)).status, 204)
    if (by === 'the number of rows') assert.equal(there, before)
    assert.equal(threads.length, before + 1)
    assert.equal((await server.call('GET', '/api/dcim/interface-templates/')).json.count, 0)
    const told = await server.call('GET', '/api/core/object-changes/?action=delete&changed_object_type=dcim.devicetype')
    assert.equal(told.json.count, 1)
  })

test('a list of many objects of which nothing is known goes to another thread at once, a short one not', async () => {
  const server = await giving(100_000)
  const { id } = await creating(server)('ipam/prefixes', { prefix: 'fd00::/64' })
  const take = async (count: number): Promise<void> => {
    const path = `/api/ipam/prefixes/${id}/available-ips/`
    const { status, json } = await server.call('POST', path, Array(count).fill({}))
    assert.equal(status, 201)
    assert.equal(json.length, count)
  }
  const before = threads.length
  for (const few of [1, 2, 3, 4]) await take(few) // which say nothing of many
  await take(200)
  assert.equal(threads.length, before, 'some')
  await take(201)
  assert.equal(threads.length, before + 1, 'many')
  assert.equal((await server.call('GET', '/api/ipam/ip-addresses/')).json.count, 411)
})

test('to delete some objects counts as to bring many: what goes with them may be much', async () => {
  const server = await giving(100_000)
  const names = Array.from({ length: 45 }, (_, i) => ({ name: `T${i}`, slug: `t${i}` }))
  const made: { id: number }[] = await creating(server)('extras/tags', names)
  const remove = async (some: { id: number }[]): Promise<void> => {
    const given = some.map(({ id }) => ({ id }))
    assert.equal((await server.call('DELETE', '/api/extras/tags/', given)).status, 204)
  }
  const before = threads.length
  for (const tag of made.splice(0, 4)) await remove([tag])
  await remove(made.slice(0, 20))
  assert.equal(threads.length, before, 'some')
  await remove(made.slice(20))
  assert.equal(threads.length, before + 1, 'many')
  assert.equal((await server.call('GET', '/api/extras/tags/')).json.count, 0)
})
