import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { serve } from '../support/server.ts'

const { base } = await serve()

/** What a server answers to bytes. */
async function answerTo(bytes: string | Buffer): Promise<{ status: number; head: string; json: { detail: string } }> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d+) /.exec(head)?.[1]), head, json: JSON.parse(body) }
}

test('what is no request is refused with the reason', async () => {
  const raw = await answerTo('GET /api/dcim/sites/?q=Zürich HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.equal(raw.status, 400)
  assert.match(raw.json.detail, /percent-encoded/)
  assert.match(raw.head, /^content-type: application\/json\r$/m)
  assert.match(raw.head, /^x-content-type-options: nosniff\r$/m)
  const long = await answerTo(`GET /api/?q=${'x'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
  assert.equal(long.status, 431)
  assert.match(long.json.detail, /too long/)
  const junk = await answerTo('junk\r\n\r\n')
  assert.equal(junk.status, 400)
  assert.match(junk.json.detail, /^This is no request: .*method/i)
  const both = 'POST /api/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
  assert.equal((await answerTo(both)).status, 400)
})

test('junk after a request does not come into its answer', async () => {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  socket.write('GET /api/status/ HTTP/1.1\r\nHost: x\r\n\r\njunk\r\n\r\n')
  const said = await text(socket).catch(() => '')
  assert.ok(!said.includes('no request'), said)
})
