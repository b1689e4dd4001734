import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, mock, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { openDatabase } from '../../src/lib/addons.ts'
import { filesOf } from '../../src/store/data-folder.ts'
import { answerAlike } from '../support/alike.ts'
import { launch } from '../support/launch.ts'
import { raw } from '../support/raw.ts'
import { png } from '../support/samples.ts'
import { AdminToken, creating, serve } from '../support/server.ts'
import { until } from '../support/until.ts'

/** Threads that the servers started. */
const threads: Worker[] = []
process.on('worker', (worker) => {
  threads.push(worker)
})

/** A server of which two threads take the connections, and one that is alone. */
const shared = await launch({ maxConnectionsPerAddress: 60 }, { count: 2, alone: true })
const alone = await serve({ workers: 0 })
after(shared.close)
const { base, call, data } = shared
const create = creating(shared)
const authorization = `Token ${AdminToken}`

/** A client with one connection of its own. */
function client(to = base): {
  get: (path: string) => Promise<{ message: IncomingMessage; body: string }>
  close: () => void
} {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const get = async (path: string) => {
    const [message] = (await once(request(to + path, { agent, headers: { authorization } }).end(), 'response')) as [
      IncomingMessage,
    ]
    return { message, body: await text(message) }
  }
  return { get, close: () => agent.destroy() }
}

test('threads that take connections answer as the server alone does', () => answerAlike(shared, alone))

test('what was answered is seen by whoever asks next, over any connection', async () => {
  const clients = Array.from({ length: 12 }, () => client())
  const { id } = await create('dcim/sites', { name: 'Seen', slug: 'seen' })
  for (let i = 0; i < 80; i++) {
    const description = `version ${i}`
    assert.equal((await call('PATCH', `/api/dcim/sites/${id}/`, { description })).status, 200)
    const answers = await Promise.all(
      clients.map(({ get }, n) =>
        get(n % 2 ? `/api/dcim/sites/${id}/` : `/api/dcim/sites/?description=version+${i}&fields=description`),
      ),
    )
    for (const { body } of answers) assert.ok(body.includes(`"description":"${description}"`), body)
  }
  for (const { close } of clients) close()
})

test('what another process wrote is seen by who asks next', async () => {
  const clients = Array.from({ length: 6 }, () => client())
  const { id } = await create('dcim/sites', { name: 'Foreign', slug: 'foreign' })
  const other = openDatabase(filesOf(data).database)
  for (let i = 0; i < 30; i++) {
    other.prepare('update dcim_site set description = ? where id = ?').run(`foreign ${i}`, id)
    // A commit of the server's own after it hides nothing.
    if (i % 3 === 0) await call('PATCH', `/api/dcim/sites/${id}/`, { comments: `own ${i}` })
    for (const { body } of await Promise.all(clients.map(({ get }) => get(`/api/dcim/sites/${id}/`))))
      assert.equal(JSON.parse(body).description, `foreign ${i}`)
  }
  other.close()
  for (const { close } of clients) close()
})

test('what another process wrote is seen after a transaction of ours that changed nothing', async () => {
  const clients = Array.from({ length: 6 }, () => client())
  const { id } = await create('dcim/sites', { name: 'Nothing', slug: 'nothing' })
  const other = openDatabase(filesOf(data).database)
  const csrf = 'c'.repeat(32)
  for (let i = 0; i < 6; i++) {
    const all = () => Promise.all(clients.map(({ get }) => get(`/api/dcim/sites/${id}/`)))
    for (let n = 0; n < 3; n++) await all() // until threads answer by themselves
    const left = await fetch(`${base}/logout/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: `sessionid=ended${i}; csrftoken=${csrf}`, 'x-csrftoken': csrf },
    })
    assert.ok(left.status < 400, String(left.status))
    await left.text()
    if (i % 2) await all()
    other.prepare('update dcim_site set description = ? where id = ?').run(`after nothing ${i}`, id)
    for (const { body } of await all()) assert.equal(JSON.parse(body).description, `after nothing ${i}`)
  }
  other.close()
  for (const { close } of clients) close()
})

test('changes come whole: nobody sees a part of a transaction', async () => {
  const rows = Array.from({ length: 200 }, (_, i) => ({ name: `Many ${i}`, slug: `many-${i}`, facility: 'a' }))
  const made = await call('POST', '/api/dcim/sites/', rows)
  let isDone = false
  const looking = (async () => {
    while (!isDone) {
      const { json } = await call('GET', '/api/dcim/sites/?slug__isw=many-&limit=1000&fields=facility')
      const values = new Set(json.results.map((each: { facility: string }) => each.facility))
      assert.deepEqual([json.count, values.size], [200, 1], [...values].join())
    }
  })()
  for (const facility of ['b', 'c', 'd']) {
    const body = made.json.map(({ id }: { id: number }) => ({ id, facility }))
    assert.equal((await call('PATCH', '/api/dcim/sites/', body)).status, 200)
  }
  isDone = true
  await looking
})

test('bodies are handed on: files, what is too large, and what breaks off', async () => {
  const { id } = await create('dcim/sites', { name: 'Photo', slug: 'photo' })
  const form = new FormData()
  form.append('object_type', 'dcim.site')
  form.append('object_id', String(id))
  form.append('image', png(), 'photo.png')
  const image = await call('POST', '/api/extras/image-attachments/', form)
  assert.equal(image.status, 201, image.text)
  const file = await fetch(image.json.image, { headers: { authorization } })
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(await png().arrayBuffer()))
  const chunks = await raw(base)
  const head =
    `DELETE /api/dcim/sites/ HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n` +
    'content-type: application/json\r\n'
  const body = JSON.stringify([{ id }])
  chunks.send(`${head}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
  assert.match(await chunks.status(), / 204 /)
  const large = await raw(base)
  large.send(`${head.replace('DELETE', 'POST')}content-length: 99999999\r\n\r\n`)
  assert.match(await large.status(), / 413 /, 'before any of it comes')
  const broken = await raw(base)
  broken.send(`${head.replace('DELETE', 'POST')}content-length: 90\r\n\r\n[{"name": "Half", "slug": "half"}`)
  await setTimeout(200)
  broken.socket.destroy()
  await setTimeout(100)
  assert.equal((await call('GET', '/api/dcim/sites/?slug=half')).json.count, 0)
})

test('requests that a client sends before it is answered are all answered, in their order', async () => {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  const asking = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n`
  const paths = Array.from({ length: 30 }, (_, i) => `/api/dcim/sites/?limit=${i + 1}&offset=1&fields=id`)
  socket.write(paths.map((path) => `${asking(path)}\r\n`).join(''))
  socket.write(`${asking('/api/status/')}connection: close\r\n\r\n`)
  const said = await text(socket)
  const limits = [...said.matchAll(/"previous":"[^"]*limit=(\d+)/g)].map(([, limit]) => Number(limit))
  assert.deepEqual(
    limits,
    paths.map((_, i) => i + 1),
  )
  assert.match(said, /"python-version"/)
})

test('who leaves a stream is missed by the first thread', async () => {
  const leaving = new AbortController()
  const stream = await fetch(`${base}/api/core/object-changes/stream/`, {
    headers: { authorization, accept: 'text/event-stream' },
    signal: leaving.signal,
  })
  const reader = stream.body!.getReader()
  const site = await create('dcim/sites', { name: 'Told', slug: 'told' })
  let said = ''
  while (!said.includes(`"changed_object_id":${site.id}`)) said += new TextDecoder().decode((await reader.read()).value)
  const open = async () => Number(/^cabinet_requests_open (\d+)/m.exec((await call('GET', '/metrics')).text)![1])
  const before = await open()
  leaving.abort()
  await reader.closed.catch(() => undefined)
  await until(async () => (await open()) < before)
})

test('the requests of all threads are counted together', async () => {
  const counted = async () => {
    const { text: told } = await call('GET', '/metrics')
    return Number(/^cabinet_requests_total\{kind="list",endpoint="dcim\/racks".*\} (\d+)/m.exec(told)?.[1] ?? 0)
  }
  const before = await counted()
  const clients = Array.from({ length: 8 }, () => client())
  await Promise.all(clients.map(({ get }) => get('/api/dcim/racks/')))
  for (const { close } of clients) close()
  assert.equal(await counted(), before + 8)
})

test('an address has its bound over all threads', async () => {
  const connections = await Promise.all(Array.from({ length: 70 }, () => raw(base)))
  await until(async () => {
    const closed = await Promise.all(connections.map(({ rest }) => rest(1)))
    return closed.filter(({ isClosed }) => isClosed).length >= 10
  })
  for (const { socket } of connections) socket.destroy()
})

test('nobody else comes in by the door between the threads', async () => {
  const path = /@(cabinet-\S+)/.exec(readFileSync('/proc/net/unix', 'utf8'))![1]!
  for (const peer of ['', 'cabinet-peer: x 0 127.0.0.1\r\n']) {
    const socket = connect({ path: `\0${path}` })
    socket.write(`GET /api/status/ HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n${peer}\r\n`)
    assert.equal(await text(socket).catch(() => ''), '')
  }
})

test('a thread that dies takes its connections along, and no others; those that come next are answered', async () => {
  const clients = Array.from({ length: 16 }, () => client())
  await Promise.all(clients.map(({ get }) => get('/api/status/')))
  const running = threads.filter(({ threadId }) => threadId > 0)
  await running[0]!.terminate()
  const left = await Promise.allSettled(clients.map(({ get }) => get('/api/status/')))
  assert.ok(left.some(({ status }) => status === 'fulfilled'))
  for (let i = 0; i < 30; i++) assert.equal((await call('GET', '/api/dcim/sites/?limit=1')).status, 200)
  for (const { close } of clients) close()
})

test('connections are given to threads that have just come, and no request is lost by that', async () => {
  const mixed = await launch({}, { count: 1, alone: false })
  after(mixed.close)
  const clients = Array.from({ length: 10 }, () => client(mixed.base))
  const connections = new Set<unknown>()
  for (let i = 0; i < 30; i++) {
    const answers = await Promise.all(clients.map(({ get }) => get('/api/dcim/sites/')))
    for (const { message, body } of answers) {
      assert.match(body, /"count":0/)
      connections.add(message.socket)
    }
    await setTimeout(6)
  }
  const { text: told } = await mixed.call('GET', '/metrics')
  assert.match(told, /cabinet_threads\{role="accept"\} 1/)
  assert.ok(connections.size < 60, `${connections.size} connections: they are not moved for ever`)
  for (const { close } of clients) close()
})

test('connections that only write come to the first thread, and no request is lost by that', async () => {
  const mixed = await launch({}, { count: 1, alone: false })
  after(mixed.close)
  const headers = { authorization, 'content-type': 'application/json' }
  const clients = Array.from({ length: 16 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const write = async (agent: Agent, body: object) => {
    const asked = request(`${mixed.base}/api/dcim/sites/`, { method: 'POST', agent, headers })
    const [message] = (await once(asked.end(JSON.stringify(body)), 'response')) as [IncomingMessage]
    await text(message)
    return { status: message.statusCode, isLast: message.headers.connection === 'close' }
  }
  let closed = 0
  for (let i = 0; i < 320; i++) {
    const said = await Promise.all(clients.map((agent) => write(agent, {})))
    assert.ok(said.every(({ status }) => status === 400))
    const leaving = said.filter(({ isLast }) => isLast).length
    assert.ok(i < 290 || leaving === 0, `${leaving} were still told to connect again at their request number ${i}`)
    closed += leaving
  }
  assert.ok(closed > 0, 'those that came to the second thread were told to connect again')
  const made = await Promise.all(clients.map((agent, i) => write(agent, { name: `Writer ${i}`, slug: `writer-${i}` })))
  assert.ok(made.every(({ status, isLast }) => status === 201 && !isLast))
  for (const agent of clients) agent.destroy()
})

test('a thread that is to end waits until its clients have left, and answers them meanwhile', async () => {
  const before = threads.length
  const mixed = await launch({}, { count: 1, alone: true })
  after(mixed.close)
  const stays = client(mixed.base)
  await stays.get('/api/dcim/sites/')
  const thread = threads[before]!
  thread.postMessage({ retire: true })
  await setTimeout(100)
  const { message, body } = await stays.get('/api/dcim/sites/')
  assert.match(body, /"count":0/)
  assert.equal(message.headers.connection, 'close', 'it is to connect again')
  await once(thread, 'exit')
  stays.close()
})

test('a client that asks for much before it is answered takes one connection to the first thread', async () => {
  const connection = await raw(base)
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  const asked = 1500
  const path = (n: number) => (n === asked ? '/api/extras/tags/?limit=1' : `/api/no-such-${'x'.repeat(n % 40)}/`)
  const ask = (n: number) => `GET ${path(n)} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`
  connection.send(Array.from({ length: asked }, (_, n) => ask(n + 1)).join(''))
  let most = 0
  const looking = setInterval(() => (most = Math.max(most, open())), 1).unref()
  await until(() => connection.text().includes('"count":'))
  clearInterval(looking)
  assert.equal(connection.text().split('HTTP/1.1 404').length - 1, asked - 1)
  assert.ok(most - before < 20, `${most - before} more files were open`)
  connection.socket.destroy()
})

test('a read that tries a write is told in one line of the log, by the thread that answers it', async () => {
  const said: string[] = []
  const logged = mock.method(process.stdout, 'write', (text: string | Buffer, done?: unknown) => {
    said.push(String(text))
    if (typeof done === 'function') done()
    return true
  })
  const server = await launch({ logLevel: 'info' }, { count: 1, alone: true })
  try {
    const { id } = await creating(server)('dcim/sites', { name: 'Logged', slug: 'logged' })
    const { json } = await server.call('GET', `/api/core/object-changes/?changed_object_id=${id}`)
    const path = `/core/changelog/${json.results[0].id}/undo/`
    const times = 5
    for (let i = 0; i < times; i++) assert.equal((await server.call('GET', path)).status, 200)
    await setTimeout(200)
    const lines = said
      .join('')
      .split('\n')
      .filter((line) => line.includes(path))
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).status),
      Array(times).fill(200),
    )
  } finally {
    await server.close()
    logged.mock.restore()
  }
})
