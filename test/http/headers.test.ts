import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '../../src/server/app.ts'
import { ownPath } from '../../src/web/login.ts'
import { Maker } from '../support/maker.ts'
import { raw } from '../support/raw.ts'
import { serve } from '../support/server.ts'

const { call, base, running } = await serve({ trustedProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'] })
const make = new Maker(call)
const html = { accept: 'text/html' }

test('a login leads to this server only', () => {
  for (const [given, wanted] of [
    ['/api/dcim/sites/?q=a%20b&x=1', '/api/dcim/sites/?q=a%20b&x=1'],
    ['/%09/evil.com', '/%09/evil.com'],
    ['/\t/evil.com', '/'],
    ['/\n/evil.com', '/'],
    ['/\r\n//evil.com', '/'],
    ['//evil.com', '/'],
    ['/\\evil.com', '/'],
    ['\\\\evil.com', '/'],
    ['/.//evil.com', '/evil.com'],
    ['/x/..//evil.com', '/evil.com'],
    ['/x/../\\evil.com', '/evil.com'],
    ['https://evil.com/', '/'],
    ['javascript:alert(1)', '/'],
    ['evil', '/'],
    ['/€', '/%E2%82%AC'],
    ['/\ud800', '/%EF%BF%BD'],
    ['', '/'],
    [undefined, '/'],
  ])
    assert.equal(ownPath(given), wanted, JSON.stringify(given))
})

test('a login with any such path is a redirect to this server', async () => {
  for (const next of ['/\t/evil.com', '/€', '/.//evil.com', 'http://evil.com', '/\u0000', '/%09/evil.com']) {
    const reply = await fetch(`${base}/login/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: 'csrftoken=0123456789abcdef' },
      body: new URLSearchParams({
        username: 'admin',
        password: 'Cabinet-Test-Passw0rd',
        csrfmiddlewaretoken: '0123456789abcdef',
        next,
      }),
    })
    assert.equal(reply.status, 302, next)
    assert.equal(new URL(reply.headers.get('location')!, base).origin, base, next)
    await reply.text()
  }
})

test('the form repeats nothing as HTML', async () => {
  const reply = await call('GET', `/login/?next=${encodeURIComponent('/"><script>alert(1)</script>')}`, undefined, {
    authorization: '',
    cookie: `csrftoken="><script>alert(2)</script>`,
  })
  assert.equal(reply.status, 200)
  assert.ok(!reply.text.includes('alert(2)'))
  assert.ok(!reply.text.includes('<script>'))
  assert.match(reply.headers.get('set-cookie')!, /^csrftoken=[\w-]{32};/)
})

test('a form with a token that is no text changes nothing, nor one whose session ended meanwhile', async () => {
  const token = '0123456789abcdef'
  const entered = await fetch(`${base}/login/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: `csrftoken=${token}` },
    body: new URLSearchParams({ username: 'admin', password: 'Cabinet-Test-Passw0rd', csrfmiddlewaretoken: token }),
  })
  const cookie = `csrftoken=${token}; sessionid=${/sessionid=([^;]+)/.exec(entered.headers.get('set-cookie')!)![1]}`
  const site = (given: string) => new URLSearchParams({ name: 'Form', slug: 'form', csrfmiddlewaretoken: given })
  const type = 'application/x-www-form-urlencoded'
  const post = (given: string) =>
    fetch(`${base}/dcim/sites/add/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, 'content-type': type },
      body: site(given),
    })
  for (const wrong of ['\u00e9'.repeat(token.length), '\u{1F4A9}', '', 'x'])
    assert.equal((await post(wrong)).status, 403)
  const body = site(token).toString()
  const late = await raw(base)
  late.send(
    `POST /dcim/sites/add/ HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nContent-Type: ${type}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n`,
  )
  await new Promise((resolve) => setTimeout(resolve, 100))
  const left = await call('POST', '/logout/', `csrfmiddlewaretoken=${token}`, {
    authorization: '',
    cookie,
    'content-type': type,
  })
  assert.equal(left.status, 302)
  late.send(body)
  assert.match(await late.status(), / (302|403) /)
  assert.equal((await call('GET', '/api/dcim/sites/?slug=form')).json.count, 0)
})

test('a form of another site is refused whatever its token', async () => {
  for (const [headers, status] of [
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: base, 'sec-fetch-site': 'same-origin' }, 302],
  ] as const) {
    const reply = await call('POST', '/logout/', 'csrfmiddlewaretoken=0123456789abcdef', {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: 'csrftoken=0123456789abcdef',
      ...headers,
    })
    assert.equal(reply.status, status, JSON.stringify(headers))
  }
})

test('every page runs files of this server only, which may be kept for ever', async () => {
  const rack = await make.fresh('dcim.rack')
  for (const path of [
    '/login/',
    '/',
    '/dcim/racks/',
    `/dcim/racks/${rack}/`,
    `/dcim/racks/${rack}/edit/`,
    '/dcim/racks/99999/',
    '/api/',
    '/api/dcim/sites/',
    `/api/dcim/racks/${rack}/`,
    '/api/dcim/sites/99999/',
    '/api/schema/swagger-ui/',
  ]) {
    const page = await call('GET', path, undefined, html)
    assert.match(page.headers.get('content-type')!, /^text\/html/, path)
    const policy = page.headers.get('content-security-policy')!
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /, path)
    assert.doesNotMatch(policy, /unsafe/, path)
    assert.match(page.headers.get('cache-control') ?? '', /private|no-store|max-age/, path)
    assert.doesNotMatch(page.text, /<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|javascript:/i, path)
    for (const [, file] of page.text.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)) {
      const loaded = await call('GET', new URL(file!, base + path).pathname)
      assert.equal(loaded.status, 200, file)
      if (file!.startsWith('/assets/')) assert.match(loaded.headers.get('cache-control')!, /immutable/)
    }
  }
  const drawing = await call('GET', `/api/dcim/racks/${rack}/elevation/?render=svg`)
  assert.match(drawing.headers.get('content-security-policy')!, /^default-src 'none'; .*frame-ancestors 'self'$/)
  assert.equal((await call('GET', '/assets/none.js')).status, 404)
})

test('all answers have the headers that keep browsers from harm, and an id', async () => {
  for (const [method, path] of [
    ['GET', '/healthz'],
    ['GET', '/nope/'],
    ['GET', '/'],
    ['GET', '/api/dcim/sites'],
    ['GET', '/api/dcim/sites/'],
    ['DELETE', '/api/status/'],
    ['GET', '/login/'],
    ['POST', '/login/'],
    ['GET', '/dcim/sites/'],
    ['GET', '/media/none.png'],
  ] as const) {
    const { headers } = await call(method, path)
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN', path)
    assert.match(headers.get('x-request-id')!, /^[0-9a-f-]{36}$/, path)
  }
  const asked = async (changes: object) =>
    (await createApp(running.store, { ...running.store.config, ...changes }).request('http://x/healthz')).headers.get(
      'strict-transport-security',
    )
  assert.equal(await asked({}), null)
  assert.equal(await asked({ tlsCertificate: 'x.pem' }), 'max-age=31536000')
  assert.equal(await asked({ tlsCertificate: 'x.pem', hstsSeconds: 0 }), null)
})

test('health is for everybody', async () => {
  const reply = await call('GET', '/healthz', undefined, { authorization: '' })
  assert.deepEqual([reply.status, reply.json], [200, { status: 'ok' }])
  assert.equal((await call('GET', '/api/status/', undefined, { authorization: '' })).status, 403)
})

test('the client is the nearest address that is no trusted proxy', async () => {
  const made = (await call('POST', '/api/users/tokens/', { user: 1, allowed_ips: ['192.0.2.0/24'] })).json
  const authorization = `Bearer nbt_${made.key}.${made.token}`
  const seenAs = async (given: string) => {
    const reply = await call('GET', '/api/status/', undefined, { authorization, 'x-forwarded-for': given })
    return reply.status === 200 ? 'allowed' : /Source IP (\S+) is/.exec(reply.json.detail)?.[1]
  }
  for (const [given, wanted] of [
    ['192.0.2.7', 'allowed'],
    ['192.0.2.7, 198.51.100.9', '198.51.100.9'],
    ['198.51.100.9, 192.0.2.7, 10.1.2.3', 'allowed'],
    ['192.0.2.7, 198.51.100.9, 10.1.2.3, fd00::1', '198.51.100.9'],
    ['192.0.2.7:1234', 'allowed'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['192.0.2.7, nonsense', '127.0.0.1'],
    ['192.0.2.7, ', '127.0.0.1'],
    ['10.0.0.1, 10.0.0.2', '10.0.0.1'],
  ])
    assert.equal(await seenAs(given!), wanted, given)
})

test('links follow the trusted proxy, and nothing that is no host', async () => {
  const link = async (headers: Record<string, string>) =>
    new URL((await call('GET', '/api/', undefined, headers)).json.dcim).origin
  assert.equal(
    await link({ 'x-forwarded-host': 'cabinet.example', 'x-forwarded-proto': 'https' }),
    'https://cabinet.example',
  )
  assert.equal(await link({ 'x-forwarded-host': 'evil.example, cabinet.example' }), 'http://cabinet.example')
  assert.equal(await link({ 'x-forwarded-host': 'a b"<>', 'x-forwarded-proto': 'javascript' }), base)
})

test('a page without its last slash leads to the one with it, and its query', async () => {
  for (const path of ['/login', '/search', '/user/profile', '/core/system', '/dcim/rack-elevations', '/dcim/sites']) {
    const { status, headers } = await call('GET', `${path}?q=a%20b`, undefined, html)
    assert.equal(status, 302, path)
    assert.equal(headers.get('location'), `${path}/?q=a+b`)
  }
  assert.equal((await call('GET', '/nowhere', undefined, html)).status, 404)
})
