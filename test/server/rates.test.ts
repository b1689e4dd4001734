import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Buckets } from '../../src/server/rates.ts'
import { raw } from '../support/raw.ts'
import { AdminToken, serve } from '../support/server.ts'

test('a bucket gives a minute of requests at once, then what comes back evenly, and says how long to wait', () => {
  let now = 0
  const buckets = new Buckets(6, () => now)
  for (let i = 0; i < 6; i++) assert.equal(buckets.take('a'), 0)
  assert.equal(buckets.take('a'), 10)
  assert.equal(buckets.take('b'), 0)
  now += 9999
  assert.equal(buckets.take('a'), 1)
  now += 1
  assert.equal(buckets.take('a'), 0)
  assert.equal(buckets.take('a'), 10)
  now += 3_600_000
  for (let i = 0; i < 6; i++) assert.equal(buckets.take('a'), 0)
  assert.notEqual(buckets.take('a'), 0)
})

test('any number of keys takes no more memory, and who asks all along is not forgotten for them', () => {
  const buckets = new Buckets(10_000, () => 0)
  for (let i = 0; i < 10_000; i++) assert.equal(buckets.take('mine'), 0)
  for (let i = 0; i < 200_000; i++) {
    buckets.take(`address ${i}`)
    if (i % 5000 === 0) assert.notEqual(buckets.take('mine'), 0)
  }
  assert.ok(buckets.count <= 20_000)
})

test('an address that asks too often gets 429 and when to come back; others, files, health checks do not', async () => {
  for (const workers of [0, 2]) {
    const { base, call, close } = await serve({ maxRequestsPerAddress: 3, trustedProxies: ['127.0.0.1'], workers })
    const from = (client: string, path = '/api/status/') => call('GET', path, undefined, { 'x-forwarded-for': client })
    for (let i = 0; i < 3; i++) assert.equal((await from('192.0.2.1')).status, 200)
    const refused = await from('192.0.2.1')
    assert.equal(refused.status, 429)
    assert.match(refused.headers.get('retry-after')!, /^(1\d|20)$/)
    assert.match(refused.json.detail, /^Too many requests\. Try again in \d+ seconds\.$/)
    assert.equal((await from('192.0.2.1, 198.51.100.1')).status, 200, 'the nearest that is no proxy counts')
    assert.equal((await from('198.51.100.2, 192.0.2.1')).status, 429, 'what a client says of itself does not')
    assert.equal((await from('192.0.2.1', '/healthz')).status, 200)
    assert.equal((await from('192.0.2.1', '/login/')).status, 429)
    for (let i = 0; i < 3; i++) assert.equal((await from(`2001:db8::${i}`)).status, 200)
    assert.equal((await from('2001:db8::ffff')).status, 429, 'one /64 is one address')
    for (let i = 0; i < 9; i++) assert.equal((await call('GET', '/api/status/')).status, 200, 'the proxy itself')
    const page = await fetch(`${base}/`, { headers: { 'x-forwarded-for': '192.0.2.1', accept: 'text/html' } })
    assert.match(await page.text(), /^Too many requests/)
    await close()
  }
})

test('a token used too often gets 429, however written and from wherever; a guess uses up nobody else’s', async () => {
  const { base, call } = await serve({ maxRequestsPerToken: 4, trustedProxies: ['127.0.0.1'] })
  const other = (await call('POST', '/api/users/tokens/', { user: 1 })).json
  const second = `Bearer nbt_${other.key}.${other.token}`
  const forms = [`Token ${AdminToken}`, `token   ${AdminToken}`, `BEARER\t${AdminToken} `]
  const status = async (authorization: string, client = '192.0.2.1') =>
    (await call('GET', '/api/status/', undefined, { authorization, 'x-forwarded-for': client })).status
  for (const [i, form] of forms.entries()) assert.equal(await status(form, `192.0.2.${i}`), 200)
  assert.equal(await status(forms[0]!), 429)
  for (let i = 0; i < 9; i++) assert.notEqual(await status(`Bearer nbt_${other.key}.${'x'.repeat(40)}`), 200)
  assert.equal(await status(second), 200)
  const twice = await raw(base)
  twice.send(
    `GET /api/status/ HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${'y'.repeat(40)}\r\n` +
      `Authorization: Token ${AdminToken}\r\nConnection: close\r\n\r\n`,
  )
  assert.doesNotMatch((await twice.rest()).text, /^HTTP\/1\.1 200/)
})

test('no bounds by default: nothing stands between a request and its answer', async () => {
  const { call } = await serve()
  for (let i = 0; i < 100; i++) assert.equal((await call('GET', '/healthz')).status, 200)
  const statuses = await Promise.all(Array.from({ length: 300 }, () => call('GET', '/api/status/')))
  assert.ok(statuses.every(({ status }) => status === 200))
})
