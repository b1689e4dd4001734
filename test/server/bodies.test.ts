import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { raw } from '../support/raw.ts'
import { AdminToken, serve } from '../support/server.ts'

const { base } = await serve()
const start = (method: string, ...headers: string[]) =>
  [`${method} /api/dcim/sites/ HTTP/1.1`, 'Host: x', 'Transfer-Encoding: chunked', ...headers, '', ''].join('\r\n')

for (const method of ['GET', 'POST'])
  test(`what is sent on after a ${method} was refused is read slowly`, async () => {
    const connection = await raw(base)
    const { socket } = connection
    connection.send(start(method))
    assert.match(await connection.status(), /403/)
    const piece = `ffff\r\n${'x'.repeat(0xffff)}\r\n`
    let isOver = false
    const pour = (): void => {
      while (!isOver && socket.write(piece));
      if (!isOver) socket.once('drain', pour)
    }
    pour()
    await setTimeout(500)
    isOver = true
    const taken = socket.bytesWritten - socket.writableLength
    assert.ok(taken < 32 * 1024 * 1024, `${taken} bytes`) // 25 reads, and what the system takes; without rest 500 MB
    if (method === 'POST') return // its connection is closed where its body does not end soon
    connection.send('0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    assert.match((await connection.rest(30_000)).text, /"status":"ok"/)
  })

test('a body in pieces of a byte is taken', async () => {
  const connection = await raw(base)
  const body = JSON.stringify({ name: 'Tiny', slug: 'tiny', comments: 'x'.repeat(20_000) })
  const headers = ['Content-Type: application/json', `Authorization: Token ${AdminToken}`, 'Connection: close']
  connection.send(start('POST', ...headers))
  connection.send([...body, ''].map((letter) => `${letter.length}\r\n${letter}\r\n`).join(''))
  const { text } = await connection.rest(30_000)
  assert.match(text, / 201 /)
  assert.ok(text.includes('x'.repeat(20_000)))
})
