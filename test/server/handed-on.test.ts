import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { launch } from '../support/launch.ts'
import { Random, seedOf } from '../support/random.ts'
import { raw } from '../support/raw.ts'
import { AdminToken, creating, serve } from '../support/server.ts'

/** A server whose connections another thread takes, and one that is alone: what clients say reaches both alike. */
const timeouts = { headerTimeout: 2, bodyTimeout: 2 }
const shared = await launch(timeouts, { count: 1, alone: true })
const alone = await serve({ ...timeouts, workers: 0 })
after(shared.close)
const both = [shared, alone]
for (const server of both) {
  await creating(server)('dcim/sites', { name: 'One', slug: 'one' })
  await creating(server)('extras/tags', { name: 'Next', slug: 'next' })
}

const authorization = `Authorization: Token ${AdminToken}`
const json = 'Content-Type: application/json'
const body = '{"name":"a"}'
const chunked = (end = '0\r\n\r\n') => `c\r\n${body}\r\n${end}`

/** What a server answers to these bytes, without what is another each time. */
async function answer({ base }: { base: string }, bytes: string): Promise<string> {
  const connection = await raw(base)
  connection.send(Buffer.from(bytes, 'latin1'))
  const { text } = await connection.rest()
  return text
    .replace(
      /^(x-request-id|date|set-cookie|etag|keep-alive|connection|transfer-encoding|content-length):.*\r\n/gim,
      '',
    )
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'time')
    .replace(/value="[\w-]{32}"/g, 'of a form')
    .replaceAll(base, '')
    .replace(/\r\n\r\n[\s\S]*/, (content) => content.replace(/\r\n[0-9a-f]*\r\n/g, '')) // pieces
}

/** Asserts that both answer alike, and that who asks next is answered what they asked for. */
async function assertAlike(bytes: string): Promise<void> {
  const [one, other] = await Promise.all(both.map((server) => answer(server, bytes)))
  assert.equal(one, other, JSON.stringify(bytes))
  for (const { call } of both) {
    const next = await call('PATCH', '/api/extras/tags/1/', { description: `after ${count}` })
    assert.equal(next.status, 200, `after ${JSON.stringify(bytes)}: ${next.text}`)
  }
}

/** The bytes of a request; numbered, so that no thread has answered one like it. */
let count = 0
function request(method: string, path: string, headers: readonly string[], content = '', version = '1.1'): string {
  const target = path.includes('?') ? `${path}&limit=${++count}` : path
  return `${method} ${target} HTTP/${version}\r\n${['Connection: close', ...headers].join('\r\n')}\r\n\r\n${content}`
}

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'CONNECT']
const paths = [
  '/api/dcim/sites/?',
  '/api/dcim/sites/1/?',
  '/api/dcim/nothing/?',
  '/no-such-page?',
  '/graphql/?',
  '/healthz',
  '//elsewhere.example/api/dcim/sites/?',
  'http://elsewhere.example/api/dcim/sites/?',
  '/api/dcim/sites/?q=\xe4\xb8\xad',
  '/api/dcim/sites/?q=\xff\xfe',
  '/api/dcim/sites/?q=\x7f',
  '/api/dcim/sites/?q="<>\\^`{|}#b',
  '*',
]
const headers = [
  'Authorization: Token no',
  'Accept: text/html',
  'Accept: application/json',
  'Accept-Encoding: gzip',
  'If-None-Match: *',
  'Connection: upgrade, authorization',
  'Upgrade: websocket',
  'Expect: 100-continue',
  'Expect: nothing',
  'TE: trailers',
  'Trailer: x',
  'Cookie: a=1',
  'Cookie: b=2',
  'Host: other',
  'Host: a b',
  'Forwarded: for=1.2.3.4',
  'X-Forwarded-For: 1.2.3.4',
  'cabinet-peer: x 1 1.2.3.4',
  'X-Odd: \xe4\xff\x80',
  'X-Odd: a\tb',
  'X-Odd: a\x01b',
  'X Odd: a',
  'X-Empty:',
  'Folded: a\r\n b',
  "x!#$%&'*+.^`|~: 1",
  '__proto__: 1',
  'constructor: 2',
  `X-Long: ${'x'.repeat(64_000)}`,
]
const contents: [string[], string][] = [
  [[], ''],
  [[], body],
  [['Content-Length: 0'], ''],
  [[`Content-Length: ${body.length}`], body],
  [['Content-Length: 12', 'Content-Length: 12'], body],
  [['Content-Length: 12', 'Content-Length: 13'], body],
  [['Content-Length: 12', 'Transfer-Encoding: chunked'], chunked()],
  [['Content-Length: -1'], body],
  [['Transfer-Encoding: chunked'], chunked()],
  [['Transfer-Encoding: chunked'], chunked('0\r\nx: 1\r\n\r\n')],
  [['Transfer-Encoding: gzip, chunked'], chunked()],
  [['Transfer-Encoding: identity'], body],
]

test('requests of all methods, with a body or none, are answered as a server alone does', async () => {
  for (const method of methods)
    for (const path of paths.slice(0, 5))
      for (const [said, content] of contents.filter(([, text]) => text === '' || text.includes(body)).slice(0, 4))
        await assertAlike(request(method, path, ['Host: x', authorization, json, ...said], content))
})

test('what is no usual request is answered as a server alone does', async () => {
  for (const path of paths) await assertAlike(request('GET', path, ['Host: x', authorization]))
  for (const header of headers)
    await assertAlike(request('GET', '/api/dcim/sites/?', ['Host: x', authorization, header]))
  for (const [said, content] of contents)
    await assertAlike(request('POST', '/api/dcim/sites/?', ['Host: x', authorization, json, ...said], content))
  for (const method of ['GET', 'POST'])
    for (const version of ['1.0', '0.9', '2.0'])
      for (const host of [[], ['Host: x']])
        await assertAlike(request(method, '/api/dcim/sites/?', [...host, authorization], '', version))
})

test('a body that does not come is waited for, and nothing else is taken for it', async () => {
  for (const method of ['GET', 'POST'])
    for (const said of ['Content-Length: 20', 'Transfer-Encoding: chunked'])
      await assertAlike(request(method, '/api/dcim/sites/?', ['Host: x', authorization, json, said], 'c\r\n'))
})

test('requests drawn at random are answered as a server alone does', async () => {
  const random = new Random(seedOf())
  for (let i = 0; i < 500; i++) {
    const said = ['Host: x', authorization, json].filter(() => random.chance(0.9))
    while (random.chance(0.5)) said.push(random.pick(headers))
    const [framing, content] = random.pick(contents)
    const bytes = request(
      random.pick(methods),
      random.pick(paths),
      random.shuffled([...said, ...framing]),
      content,
      random.chance(0.1) ? '1.0' : '1.1',
    )
    await assertAlike(bytes)
  }
})

test('a load balancer that speaks HTTP/1.0 and names no host is told that the server is well', async () => {
  for (const { base } of both) {
    const connection = await raw(base)
    connection.send('GET /healthz HTTP/1.0\r\n\r\n')
    assert.match(await connection.status(), / 200 /)
  }
})

test('a body that comes late and in parts is taken whole; who leaves before its end has written nothing', async () => {
  const made: string[] = []
  for (const [i, server] of both.entries())
    for (const pause of [1, 20, 120])
      for (const leaves of [false, true]) {
        const name = `Late ${i} ${pause} ${leaves}`
        const content = JSON.stringify({
          name,
          slug: name.toLowerCase().replaceAll(' ', '-'),
          comments: 'x'.repeat(9000),
        })
        const bytes = request('POST', '/api/dcim/sites/', [
          'Host: x',
          authorization,
          json,
          `Content-Length: ${content.length}`,
        ])
        const connection = await raw(server.base)
        connection.send(bytes)
        for (const part of [content.slice(0, 10), content.slice(10, 5000)]) {
          await setTimeout(pause)
          connection.send(part)
        }
        await setTimeout(pause)
        if (leaves) connection.socket.destroy()
        else {
          connection.send(content.slice(5000))
          assert.match(await connection.status(), / 201 /, name)
          made.push(name)
        }
      }
  for (const { call } of both) {
    const { json: found } = await call('GET', '/api/dcim/sites/?name__isw=Late&limit=100&fields=name')
    for (const { name } of found.results) assert.ok(made.includes(name), name)
  }
  assert.equal(made.length, 6)
})
