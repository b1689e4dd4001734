import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { codingOf, compressing } from '../../src/server/compress.ts'
import { serve } from '../support/server.ts'

const Long = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, name: `device ${id} ü` })))
/** Answers by path, as the application does: a head, then the body with the end. */
const listener = compressing(
  ({ url, method }, outgoing) => {
    const type = url === '/picture' ? 'image/png' : 'application/json'
    const headers = { 'Content-Type': type, vary: 'Cookie', etag: 'W/"1"' }
    if (url === '/parts') {
      outgoing.writeHead(200, headers)
      outgoing.flushHeaders()
      outgoing.write(Long.slice(0, 4000))
      outgoing.end(Long.slice(4000))
    } else if (url === '/nothing') outgoing.writeHead(204, {}).end()
    else if (method === 'HEAD') outgoing.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(Long) }).end()
    else if (url === '/short') outgoing.writeHead(200, headers).end('{}')
    else outgoing.writeHead(200, headers).end(url === '/bytes' ? Buffer.from(Long) : Long)
  },
  () => false,
)
const server = createServer(listener).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())

async function ask(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  port = (server.address() as AddressInfo).port,
) {
  const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false }).end()
  const [answer] = await once(asked, 'response')
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  return {
    status: answer.statusCode as number,
    headers: answer.headers as Record<string, string>,
    body: Buffer.concat(parts),
  }
}

test('a large text goes compressed to who takes it, with headers that say so', async () => {
  for (const path of ['/', '/bytes']) {
    for (const [accepted, coding, unpack] of [
      ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
      ['gzip;q=1.0, zstd;q=0.5', 'gzip', gunzipSync],
      ['GZIP', 'gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await ask(path, { 'accept-encoding': accepted })
      assert.deepEqual(
        [headers['content-encoding'], headers.vary, headers.etag],
        [coding, 'Cookie, Accept-Encoding', 'W/"1"'],
      )
      assert.equal(headers['content-length'], String(body.length))
      assert.equal(unpack(body).toString(), Long)
      assert.ok(body.length < Long.length / 3)
    }
  }
})

test('who does not take it, short answers, pictures, parts and answers to cookies stay as they are', async () => {
  for (const [path, headers, vary] of [
    ['/', {}, 'Cookie, Accept-Encoding'],
    ['/', { 'accept-encoding': 'br, gzip;q=0' }, 'Cookie, Accept-Encoding'],
    ['/', { 'accept-encoding': 'identity' }, 'Cookie, Accept-Encoding'],
    ['/short', { 'accept-encoding': 'gzip' }, 'Cookie, Accept-Encoding'],
    ['/picture', { 'accept-encoding': 'gzip' }, 'Cookie'],
    ['/parts', { 'accept-encoding': 'gzip' }, 'Cookie'],
    ['/', { 'accept-encoding': 'gzip', cookie: 'sessionid=1' }, 'Cookie'],
  ] as const) {
    const answer = await ask(path, headers as Record<string, string>)
    assert.equal(answer.headers['content-encoding'], undefined, path)
    assert.equal(answer.headers.vary, vary, path)
    assert.equal(answer.body.toString(), path === '/short' ? '{}' : Long)
  }
  assert.equal((await ask('/nothing', { 'accept-encoding': 'gzip' })).status, 204)
})

test('HEAD names no length that GET would not have', async () => {
  const plain = await ask('/', {}, 'HEAD')
  assert.equal(plain.headers['content-length'], String(Buffer.byteLength(Long)))
  const packed = await ask('/', { 'accept-encoding': 'gzip' }, 'HEAD')
  assert.equal(packed.headers['content-length'], undefined)
  assert.equal(packed.headers.vary, 'Cookie, Accept-Encoding')
})

test('a coding is chosen by weight, and an unknown one never', () => {
  for (const [accepted, coding] of [
    [undefined, undefined],
    ['', undefined],
    ['*', 'gzip'],
    ['*;q=0', undefined],
    ['zstd;q=0, *', 'gzip'],
    ['gzip;q=nonsense', undefined],
    ['br', undefined],
    ['gzip;q=0.5, zstd;q=0.5', 'zstd'],
  ] as const)
    assert.equal(codingOf(accepted), coding, accepted)
})

test('clients on the same machine get their answers as they are', async () => {
  const { running } = await serve()
  const { headers } = await ask('/login/', { 'accept-encoding': 'gzip, zstd' }, 'GET', running.port)
  assert.equal(headers['content-encoding'], undefined)
  assert.doesNotMatch(headers.vary!, /accept-encoding/i)
})
