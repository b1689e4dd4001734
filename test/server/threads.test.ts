import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { modelNamed } from '../../src/engine/catalog.ts'
import { answerAlike } from '../support/alike.ts'
import { launch } from '../support/launch.ts'
import { png } from '../support/samples.ts'
import { AdminToken, creating, serve } from '../support/server.ts'
import { receive } from '../support/receiver.ts'

/** Threads that the server started. */
const threads: Worker[] = []
process.on('worker', (worker) => {
  threads.push(worker)
})

const shared = await serve({ workers: 2 })
const alone = await serve({ workers: 0 })
const create = creating(shared)

test('threads answer as the server alone does', () => answerAlike(shared, alone))

test('what was answered is seen by whoever asks next, whichever thread answers', async () => {
  const { id } = await create('dcim/sites', { name: 'Seen', slug: 'seen' })
  for (let i = 0; i < 60; i++) {
    const description = `version ${i}`
    assert.equal((await shared.call('PATCH', `/api/dcim/sites/${id}/`, { description })).status, 200)
    const looks = await Promise.all([
      shared.call('GET', `/api/dcim/sites/${id}/`),
      shared.call('GET', `/api/dcim/sites/?description=version+${i}`),
      shared.call('GET', `/api/dcim/sites/?slug=seen`),
    ])
    assert.equal(looks[0].json.description, description)
    assert.equal(looks[1].json.count, 1)
    assert.equal(looks[2].json.results[0].description, description)
  }
})

test('changes come whole: nobody sees a part of a transaction', async () => {
  const made = await shared.call(
    'POST',
    '/api/dcim/sites/',
    Array.from({ length: 300 }, (_, i) => ({ name: `Many ${i}`, slug: `many-${i}`, facility: 'a' })),
  )
  assert.equal(made.status, 201)
  let isDone = false
  const looking = (async () => {
    while (!isDone) {
      const { json } = await shared.call('GET', '/api/dcim/sites/?slug__isw=many-&limit=1000&fields=facility')
      const values = new Set(json.results.map((each: { facility: string }) => each.facility))
      assert.equal(json.count, 300)
      assert.equal(values.size, 1, [...values].join())
    }
  })()
  for (const facility of ['b', 'c', 'd']) {
    const body = made.json.map(({ id }: { id: number }) => ({ id, facility }))
    assert.equal((await shared.call('PATCH', '/api/dcim/sites/', body)).status, 200)
  }
  isDone = true
  await looking
})

test('a write in a thread tells its listeners, and keeps its files', async () => {
  const heard = await receive()
  const webhook = await create('extras/webhooks', { name: 'W', payload_url: heard.url })
  await create('extras/event-rules', {
    name: 'R',
    object_types: ['dcim.region'],
    event_types: ['object_created'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook.id,
  })
  const regions = Array.from({ length: 20 }, (_, i) => ({
    name: `R${i}`,
    slug: `r${i}`,
    description: 'x'.repeat(2000).slice(0, 190),
  }))
  assert.equal((await shared.call('POST', '/api/dcim/regions/', regions)).status, 201)
  await heard.until(20)
  const form = new FormData()
  form.append('object_type', 'dcim.site')
  form.append('object_id', '1')
  form.append('image', png(), 'photo.png')
  const image = await shared.call('POST', '/api/extras/image-attachments/', form)
  assert.equal(image.status, 201, image.text)
  const file = await fetch(image.json.image, { headers: { authorization: `Token ${AdminToken}` } })
  assert.equal(file.status, 200)
})

test('the use of a token is stored, although a thread saw it', async () => {
  const made = await create('users/tokens', { user: 1, version: 1 })
  const mine = { authorization: `Token ${made.token}` }
  assert.equal((await shared.call('GET', '/api/dcim/sites/', undefined, mine)).status, 200)
  for (let i = 0; i < 100; i++) {
    const { json } = await shared.call('GET', `/api/users/tokens/${made.id}/`)
    if (json.last_used) return
    await setTimeout(20)
  }
  assert.fail('nothing stored')
})

test('a body that breaks off changes nothing', async () => {
  const { port, hostname } = new URL(shared.base)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /api/dcim/sites/ HTTP/1.1\r\nhost: x\r\nauthorization: Token ${AdminToken}\r\n` +
      'content-type: application/json\r\ncontent-length: 90000\r\n\r\n[{"name": "Half", "slug": "half"}',
  )
  await setTimeout(300)
  socket.destroy()
  await setTimeout(100)
  assert.equal((await shared.call('GET', '/api/dcim/sites/?slug=half')).json.count, 0)
})

test('a thread that dies is replaced, and its requests are answered', async () => {
  const before = threads.length
  assert.ok(before >= 2)
  const asking = Array.from({ length: 40 }, (_, i) => shared.call('GET', `/api/dcim/sites/?limit=${i + 1}`))
  for (const thread of threads.slice()) void thread.terminate()
  for (const { status } of await Promise.all(asking)) assert.equal(status, 200)
  assert.equal((await shared.call('GET', '/api/dcim/sites/')).status, 200)
  assert.equal((await shared.call('POST', '/api/dcim/sites/', { name: 'After', slug: 'after' })).status, 201)
  assert.ok(threads.length > before)
})

test('a read that ends every thread which works on it does not come to the first one', async () => {
  const doomed = await serve({ workers: 1 })
  const { base, call } = doomed
  let ended = 0
  let most = 2
  process.on('worker', (worker) => {
    worker.on('message', (said) => {
      if (ended >= most || !('ready' in said)) return // when it has got its request
      ended++
      void worker.terminate()
    })
  })
  const lost = await call('GET', '/api/dcim/sites/')
  assert.deepEqual(
    [lost.status, lost.json],
    [503, { detail: 'The threads that worked on this request ended; ask for less at once.' }],
  )
  most = ended + 1
  const query = { query: '{ site_list { id } }' }
  assert.equal((await call('POST', '/graphql/', query)).status, 200, 'it had bad luck, and is answered by another')
  assert.equal(ended, most)
  assert.equal((await fetch(`${base}/healthz`)).status, 200)
})

test('what a thread makes as the first request of a server is known to the first thread', async () => {
  const fresh = await launch({ workers: 1 }, { count: 1, alone: true })
  try {
    const field = { name: 'shelf', type: 'text', object_types: ['dcim.site'] }
    fresh.running.store.customFields.of(modelNamed('dcim.site')) // as whatever looks at sites before has it
    assert.equal((await fresh.call('POST', '/api/extras/custom-fields/', field)).status, 201)
    const site = { name: 'Lab', slug: 'lab', custom_fields: { shelf: 'x' } }
    const { status, text } = await fresh.call('POST', '/api/dcim/sites/', site)
    assert.equal(status, 201, text)
  } finally {
    await fresh.close()
  }
})
