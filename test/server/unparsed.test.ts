import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { AdminToken as token, serve } from '../support/server.ts'

const { base, call } = await serve()

/** A connection that has sent something. */
function sending(bytes: string | Buffer) {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  socket.write(bytes)
  return socket
}

/** What a server answers to bytes. */
async function answerTo(...bytes: Parameters<typeof sending>) {
  const [head = '', body = ''] = (await text(sending(...bytes))).split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d+) /.exec(head)?.[1]), head, json: JSON.parse(body) }
}

test('what is no request is refused with the reason', async () => {
  const long = await answerTo(`GET /api/?q=${'x'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
  assert.equal(long.status, 431)
  assert.match(long.json.detail, /too long/)
  assert.match(long.head, /^content-type: application\/json\r$/m)
  assert.match(long.head, /^x-content-type-options: nosniff\r$/m)
  const junk = await answerTo('junk\r\n\r\n')
  assert.equal(junk.status, 400)
  assert.match(junk.json.detail, /^This is no request: .*method/i)
  const both = 'POST /api/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
  assert.equal((await answerTo(both)).status, 400)
  const control = await answerTo('GET /api/?q=\x7f HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.deepEqual([control.status, /percent-encoded/.test(control.json.detail)], [400, true])
})

test('a method that nobody knows is not allowed, as others are that an address does not take', async () => {
  for (const method of ['FOO', 'GETS', 'get', 'X-Y']) {
    const said = await answerTo(`${method} /api/dcim/sites/1/ HTTP/1.1\r\nHost: x\r\n\r\n`)
    assert.deepEqual([said.status, said.json], [405, { detail: `Method "${method}" not allowed.` }])
  }
  const known = await call('PROPFIND', '/api/dcim/sites/')
  assert.deepEqual([known.status, known.json], [405, { detail: 'Method "PROPFIND" not allowed.' }])
  assert.equal((await answerTo('FOO bar\r\n\r\n')).status, 400)
})

test('who does not say whom a request is for is told so, but for HTTP/1.0', async () => {
  const head = `GET /api/status/ HTTP/1.1\r\nAuthorization: Token ${token}\r\n`
  const without = await answerTo(`${head}\r\n`)
  assert.deepEqual([without.status, without.json], [400, { detail: 'The request has no header Host.' }])
  assert.match(without.head, /^connection: close\r?$/im)
  const old = await text(sending(`${head.replace('1.1', '1.0')}\r\n`))
  assert.match(old, /^HTTP\/1\.1 200 /)
})

test('a body that breaks off into junk is refused with the reason', async () => {
  const head = `Host: x\r\nAuthorization: Token ${token}\r\nContent-Type: application/json\r\n`
  const broken = `POST /api/dcim/sites/ HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\njunk\r\n`
  const said = await answerTo(broken)
  assert.equal(said.status, 400)
  assert.match(said.json.detail, /^This is no request: .*chunk/i)
})

test('what came before junk is answered, and then the connection ends', async () => {
  const { json: site } = await call('POST', '/api/dcim/sites/', { name: 'Gone', slug: 'gone' })
  const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${token}\r\nContent-Type: application/json\r\n\r\n`
  // A body without its length, as Node sends one with DELETE.
  const said = await text(sending(`DELETE /api/dcim/sites/${site.id}/ ${head}[{"id":1}]`))
  assert.match(said, /^HTTP\/1\.1 204 /)
  assert.match(said, /^connection: close\r$/im)
  assert.equal((await call('GET', `/api/dcim/sites/${site.id}/`)).status, 404)
  const ahead = Array.from({ length: 5 }, (_, i) => `GET /api/dcim/sites/?limit=${i + 1} ${head}`).join('')
  const all = await text(sending(`${ahead}junk\r\n\r\n`))
  assert.equal(all.match(/HTTP\/1\.1 200 OK\r/g)?.length, 5, all)
  assert.ok(!all.includes('no request'), all)
  const letters = await text(sending(`GET /api/dcim/sites/?name=é ${head}junk\r\n\r\n`))
  assert.match(letters, /^HTTP\/1\.1 200 /)
})

test('letters of an address that are not ASCII may come as they are', async () => {
  const { json: site } = await call('POST', '/api/dcim/sites/', { name: 'Köln-東京', slug: 'koeln' })
  const headers = `Host: x\r\nAuthorization: Token ${token}`
  const found = await answerTo(`GET /api/dcim/sites/?name=Köln-東京 HTTP/1.1\r\n${headers}\r\n\r\n`)
  assert.equal(found.status, 200)
  assert.deepEqual(
    found.json.results.map(({ id }: { id: number }) => id),
    [site.id],
  )
  assert.match(found.head, /^connection: close\r?$/im)
  const latin = await answerTo(Buffer.from(`GET /api/dcim/sites/?name=\xe9 HTTP/1.1\r\n${headers}\r\n\r\n`, 'latin1'))
  assert.ok(latin.status < 500, latin.head)
  const unknown = await answerTo('GET /api/dcim/sites/?name=é HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.equal(unknown.status, 403)
})

test('what follows such an address is read like any request', async () => {
  const body = JSON.stringify({ name: 'Großer Ort', slug: 'gross', comments: 'x'.repeat(200_000) })
  const socket = sending(
    `POST /api/dcim/sites/?x=ü HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
  )
  socket.write(body)
  const said = await text(socket)
  assert.match(said, /^HTTP\/1\.1 201 /)
  assert.equal(JSON.parse(said.slice(said.indexOf('\r\n\r\n'))).comments.length, 200_000)
  const again = await answerTo('GET /api/?q=ü HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n')
  assert.equal(again.status, 400)
  assert.match(again.json.detail, /^This is no request: /)
})

test('a client that goes away after such an address harms nobody', async () => {
  for (const end of ['HTTP/1.1\r\nHost: x\r\n', `HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${token}\r\n\r\n`]) {
    const socket = sending(`GET /api/dcim/sites/?q=ü ${end}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
    socket.resetAndDestroy()
  }
  assert.equal((await call('GET', '/api/status/')).status, 200)
})
