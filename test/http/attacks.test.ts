import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { raw } from '../support/raw.ts'
import { AdminToken, serve } from '../support/server.ts'

const { call, base } = await serve({
  headerTimeout: 1,
  bodyTimeout: 1,
  maxConnectionsPerAddress: 40,
  maxBytesInFlight: 400_000,
})
const make = new Maker(call)
const token = async () => {
  const { id, key, token: text } = (await call('POST', '/api/users/tokens/', { user: 1 })).json
  return { id, authorization: `Bearer nbt_${key}.${text}` }
}
const head = (method: string, path: string, lines: readonly string[]) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`
const post = (length: number, authorization = `Token ${AdminToken}`) =>
  head('POST', '/api/dcim/sites/', [
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
  ])

test('those without credentials send 16 kB at most', async () => {
  for (const [path, type] of [
    ['/login/', 'application/x-www-form-urlencoded'],
    ['/login/', 'multipart/form-data; boundary=x'],
    ['/logout/', 'application/x-www-form-urlencoded'],
    ['/api/users/tokens/provision/', 'application/json'],
    ['/api/users/tokens/provision/', 'multipart/form-data; boundary=x'],
  ] as const) {
    const told = await raw(base)
    told.send(head('POST', path, [`Content-Type: ${type}`, 'Content-Length: 16385']))
    assert.match(await told.status(), / 413 /, `${path} ${type}`)
    const chunked = await raw(base)
    chunked.send(head('POST', path, [`Content-Type: ${type}`, 'Transfer-Encoding: chunked']))
    for (let i = 0; i < 5; i++) chunked.send(`1000\r\n${'x'.repeat(4096)}\r\n`)
    assert.match(await chunked.status(), / 413 /, `${path} ${type} in chunks`)
    assert.ok((await chunked.rest(5000)).isClosed, 'and the connection goes')
  }
})

test('heads and bodies that take too long are ended', async () => {
  const [slowHead, slowBody, slowLogin] = [await raw(base), await raw(base), await raw(base)]
  slowHead.send('GET /api/ HTTP/1.1\r\nHost: local')
  slowBody.send(`${post(100)}{"name"`)
  slowLogin.send(
    `${head('POST', '/login/', ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 99'])}username=`,
  )
  for (const [name, connection] of Object.entries({ slowHead, slowBody, slowLogin })) {
    assert.match(await connection.status(), / 408 /, name)
    assert.ok((await connection.rest(8000)).isClosed, name)
  }
})

test('a body that breaks off, and one in single bytes', async () => {
  const broken = await raw(base)
  broken.send(`${post(100)}{"name"`)
  broken.socket.end()
  await broken.rest(3000)
  const body = '{"name":"Bytes","slug":"bytes"}'
  const bytes = await raw(base)
  bytes.send(
    head('POST', '/api/dcim/sites/', [
      `Authorization: Token ${AdminToken}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ]),
  )
  for (const byte of body) bytes.send(`1\r\n${byte}\r\n`)
  bytes.send('0\r\n\r\n')
  assert.match(await bytes.status(), / 201 /)
  bytes.socket.destroy()
  assert.equal((await call('GET', '/api/dcim/sites/?slug=bytes')).json.count, 1)
})

test('all bodies together take only so many bytes, which come free again', async () => {
  const filler = `{"name":"${'x'.repeat(299_000)}`
  const [first, second] = [await raw(base), await raw(base)]
  first.send(`${post(350_000)}${filler}`)
  await new Promise((resolve) => setTimeout(resolve, 200))
  second.send(`${post(350_000)}${filler}`)
  assert.match(await second.status(), / 503 /)
  assert.match((await second.rest(5000)).text, /retry-after: /i)
  assert.match(await first.status(), / 408 /)
  await first.rest(5000)
  const third = await call('POST', '/api/dcim/sites/', { name: 'x', slug: 'y', comments: 'z'.repeat(300_000) })
  assert.equal(third.status, 201)
})

test('an address has so many connections, and those of others are not taken', async () => {
  const before = await Promise.all(Array.from({ length: 60 }, () => raw(base)))
  await new Promise((resolve) => setTimeout(resolve, 300))
  const closed = (await Promise.all(before.map((each) => each.rest(1)))).filter(({ isClosed }) => isClosed)
  assert.ok(closed.length >= 20 && closed.length < 60, `${closed.length} closed`)
  for (const { socket } of before) socket.destroy()
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal((await call('GET', '/api/status/')).status, 200)
})

test('a token that ends while the body comes changes nothing', async () => {
  const { id, authorization } = await token()
  const body = '{"name":"Late","slug":"late"}'
  const request = await raw(base)
  request.send(post(body.length, authorization) + body.slice(0, 10))
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal((await call('DELETE', `/api/users/tokens/${id}/`)).status, 204)
  request.send(body.slice(10))
  assert.match(await request.status(), / 403 /)
  assert.equal((await call('GET', '/api/dcim/sites/?slug=late')).json.count, 0)
})

test('so does a permission', async () => {
  const user = await make.fresh('users.user', { username: 'eve' })
  const permission = await make.fresh('users.objectpermission', {
    object_types: ['dcim.site'],
    actions: ['add', 'view'],
    users: [user],
  })
  const { key, token: text } = (await call('POST', '/api/users/tokens/', { user })).json
  const body = '{"name":"Later","slug":"later"}'
  const request = await raw(base)
  request.send(post(body.length, `Bearer nbt_${key}.${text}`) + body.slice(0, 10))
  await new Promise((resolve) => setTimeout(resolve, 100))
  await call('PATCH', `/api/users/permissions/${permission}/`, { actions: ['view'] })
  request.send(body.slice(10))
  assert.match(await request.status(), / 403 /)
  assert.equal((await call('GET', '/api/dcim/sites/?slug=later')).json.count, 0)
})

test('bytes that are no text, in every place of a head, are refused and not stumbled over', async () => {
  for (const lines of [
    ['Authorization: Token \xff\xfe'],
    ['Authorization: Bearer nbt_\xe9\xe9\xe9.\xff'],
    ['Cookie: sessionid=\xff; csrftoken=\xe9'],
    ['Cookie: sessionid=%ff%00; csrftoken=%zz'],
    ['Accept: \xff/\xe9'],
    ['X-Forwarded-For: \xff'],
  ]) {
    const connection = await raw(base)
    connection.send(Buffer.from(head('GET', '/api/dcim/sites/', [...lines, 'Connection: close']), 'latin1'))
    assert.match(await connection.status(), / (403|406) /, lines.join())
  }
  for (const [cookie, header] of [
    ['\xe9', 'e'],
    ['a', '\xe9'],
    ['\xe9\xe9', '\xe9\xe9'],
  ]) {
    const connection = await raw(base)
    const lines = [`Cookie: csrftoken=${cookie}`, `X-CSRFToken: ${header}`, 'Content-Length: 0', 'Connection: close']
    connection.send(Buffer.from(head('POST', '/login/', lines), 'latin1'))
    assert.match(await connection.status(), / 403 /)
  }
  const noHost = await raw(base)
  noHost.send('GET /api/ HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n')
  const { text } = await noHost.rest()
  assert.match(text, /^HTTP\/1\.1 400 .*x-content-type-options: nosniff/is)
})
