import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as plain, type Server } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { send } from '../../src/lib/send.ts'

const listen = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}
const sending = {
  method: 'POST',
  headers: {},
  body: Buffer.from('x'),
  timeout: 500,
  verify: true,
  denied: ['169.254.0.0/16'],
}

const folder = mkdtempSync(join(tmpdir(), 'cabinet-tls-'))
after(() => rmSync(folder, { recursive: true }))
const hasCertificate = (() => {
  try {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-keyout',
        'key.pem',
        '-out',
        'cert.pem',
        '-days',
        '2',
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=DNS:localhost',
      ],
      { cwd: folder, stdio: 'ignore' },
    )
    return true
  } catch {
    return false // no openssl here
  }
})()

test('a certificate is checked against the CA given, or not at all', { skip: !hasCertificate }, async () => {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name)))
  const secure = createServer({ key, cert }, (_, response) => void response.end('hello'))
  const url = `https://localhost:${await listen(secure as unknown as Server)}/`
  await assert.rejects(send({ ...sending, url }), /self-signed/)
  assert.deepEqual(await send({ ...sending, url, ca: cert }), { status: 200, text: 'hello' })
  assert.deepEqual(await send({ ...sending, url, verify: false }), { status: 200, text: 'hello' })
  // A connection made without checks is not used for this.
  await assert.rejects(send({ ...sending, url }), /self-signed/)
})

test('denied networks are not called, by address or by name', async () => {
  let calls = 0
  const port = await listen(plain((_, response) => void response.end(String(++calls))))
  const denied = ['127.0.0.0/8', '::1/128', '169.254.0.0/16']
  for (const host of [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
  ])
    await assert.rejects(send({ ...sending, denied, url: `http://${host}:${port}/` }), /must not be called/, host)
  assert.equal(calls, 0)
  assert.equal((await send({ ...sending, url: `http://localhost:${port}/` })).text, '1')
})

test('redirects are answers, long answers are cut, silence and trickles end', async () => {
  const server = plain((request, response) => {
    if (request.url === '/redirect') response.writeHead(302, { location: '/' }).end()
    else if (request.url === '/long') for (let i = 0; i < 100; i++) response.write('y'.repeat(10_000))
    else if (request.url === '/trickle') {
      const timer = setInterval(() => response.write('z'), 50)
      response.on('close', () => clearInterval(timer))
    }
  })
  const base = `http://127.0.0.1:${await listen(server)}`
  assert.equal((await send({ ...sending, url: `${base}/redirect` })).status, 302)
  assert.equal((await send({ ...sending, url: `${base}/long` })).text.length, 4096)
  for (const path of ['/silence', '/trickle'])
    await assert.rejects(send({ ...sending, url: base + path }), /no answer within 0.5 seconds/)
  await assert.rejects(send({ ...sending, url: 'http://127.0.0.1:1/' }), /ECONNREFUSED/)
  await assert.rejects(async () => send({ ...sending, url: 'file:///etc/hostname' }), /neither http/)
})
