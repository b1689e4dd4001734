import assert from 'node:assert/strict'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { defaults } from '../../src/config.ts'
import { finish, listen, serverOf } from '../../src/server/listening.ts'
import { raw } from '../support/raw.ts'
import { until } from '../support/until.ts'

/** Where a server answers by this listener. */
async function answering(listener: RequestListener): Promise<string> {
  const config = { ...defaults(), listen: '127.0.0.1:0' }
  const server = serverOf(config, listener)
  const { port } = await listen(server, config)
  after(() => {
    server.closeAllConnections()
    return finish(server)
  })
  return `http://127.0.0.1:${port}`
}

/** A server that answers when it is told to, and its requests that are not answered. */
async function holding() {
  const open: [IncomingMessage, ServerResponse][] = []
  return { open, base: await answering((incoming, outgoing) => void open.push([incoming, outgoing])) }
}

const get = (n: number) => `GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`
const post = (n: number) => `POST /${n} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n${String(n).padStart(3, '0')}`

test('requests of one connection are answered one after the other, with their bodies', async () => {
  const { open, base } = await holding()
  const connection = await raw(base)
  const asked = 600
  for (let n = 0; n < asked; n += 2) connection.send(get(n) + post(n + 1))
  for (let n = 0; n < asked; n++) {
    await until(() => open.length > 0, Boolean, 0)
    assert.equal(open.length, 1)
    const [incoming, outgoing] = open.shift()!
    assert.equal(incoming.url, `/${n}`)
    assert.equal(await text(incoming), n % 2 ? String(n).padStart(3, '0') : '')
    outgoing.end(`answer ${n}.`)
  }
  await until(() => connection.text().includes(`answer ${asked - 1}.`))
  const answers = [...connection.text().matchAll(/answer (\d+)\./g)].map(([, n]) => Number(n))
  assert.deepEqual(
    answers,
    Array.from({ length: asked }, (_, n) => n),
  )
})

test('who does not take an answer is not answered more', async () => {
  const { open, base } = await holding()
  const connection = await raw(base)
  connection.socket.pause()
  connection.send(get(1) + get(2))
  await until(() => open.length > 0)
  open[0]![1].end(Buffer.alloc(32 * 1024 * 1024))
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(open.length, 1)
  connection.socket.resume()
  await until(() => open.length === 2)
})

test('others are answered in between', async () => {
  const asked: string[] = []
  const base = await answering(({ url }, outgoing) => {
    asked.push(url!)
    outgoing.end('answer')
  })
  const [one, other] = [await raw(base), await raw(base)]
  one.send(get(1).repeat(1000))
  other.send(get(2))
  await until(() => asked.length === 1001)
  assert.ok(asked.indexOf('/2') < 100, `after ${asked.indexOf('/2')}`)
})

test('what waits is bounded, and forgotten with its connection', async () => {
  const { open, base } = await holding()
  const ask = async () => {
    const connection = await raw(base)
    let isClosed = false
    connection.socket.once('close', () => (isClosed = true))
    for (let n = 0; n < 30; n++) connection.send(get(n).repeat(100))
    return { connection, isClosed: () => isClosed }
  }
  const all: Awaited<ReturnType<typeof ask>>[] = []
  // Each has as many as come in one piece read, and no more.
  await until(
    async () => all.push(await ask()),
    () => all.some(({ isClosed }) => isClosed()),
    20,
  )
  assert.ok(all.length > 3, `${all.length} connections`)
  for (const { connection } of all) connection.socket.destroy()
  let rounds = 0
  await until(
    () => {
      for (const [, outgoing] of open.splice(0)) outgoing.end() // who left is noticed as they are answered
      return ++rounds
    },
    () => rounds > 10,
    20,
  )
  const next = await ask()
  await until(() => open.length > 0)
  open[0]![1].end('answer')
  await until(() => next.connection.text().includes('answer'))
  assert.equal(next.isClosed(), false)
})
