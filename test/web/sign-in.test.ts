import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentWords } from '../../src/web/account/agents.ts'
import { loginKey } from '../../src/services/accounts.ts'
import { creating, serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const Password = 'Plain-User-Passw0rd'

test('sessions tell their browser; a superuser ends those of others, who end nobody’s but their own', async () => {
  const client = await serve()
  const { id } = await creating(client)('users/users', { username: 'ann', password: Password })
  await creating(client)('users/permissions', {
    name: 'users',
    object_types: ['users.user'],
    actions: ['view'],
    users: [id],
  })
  const [boss, ann] = [await login(client), await login(client, 'ann', Password)]
  const own = await ann.get('/user/sessions/')
  assert.match(own.text, /<th scope="row">This one<\/th><td>node<\/td><td>127\.0\.0\.1<\/td>/)
  const seen = await boss.get(`/users/users/${id}/sign-in/`)
  assert.match(seen.text, /Sessions <small>1</)
  const session = /name="id" value="(\d+)"/.exec(seen.text)![1]!
  assert.equal((await ann.get(`/users/users/${id}/sign-in/`)).status, 403)
  assert.equal((await ann.post('/users/users/1/sign-in/', { id: 'others' })).status, 403)
  const other = /Session (\d+)/.exec((await boss.get('/users/users/1/sign-in/')).text)![1]!
  await boss.post(`/users/users/${id}/sign-in/`, { id: other })
  assert.equal((await boss.get('/user/profile/')).status, 200, 'a session of another user is none of this one')
  assert.equal((await boss.post(`/users/users/${id}/sign-in/`, { id: session })).status, 303)
  assert.equal((await ann.get('/user/profile/')).status, 302)
})

test('logging in again in the same browser leaves no session behind', async () => {
  const client = await serve()
  const first = await login(client)
  const token = /csrftoken=([^;]+)/.exec(first.cookie)![1]!
  const again = await fetch(`${client.base}/login/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: first.cookie },
    body: new URLSearchParams({ username: 'admin', password: 'Cabinet-Test-Passw0rd', csrfmiddlewaretoken: token }),
  })
  assert.equal(again.status, 302)
  assert.equal((await first.get('/user/profile/')).status, 302)
})

test('a key of the command line logs in once, after a button, without a password', async () => {
  const client = await serve({ localLogin: false, oidcIssuer: 'https://nowhere.invalid', oidcClientId: 'x' })
  const key = loginKey(client.running.store, 'admin')
  const page = await fetch(`${client.base}/login/once/?key=${key}`)
  const token = /csrftoken=([^;]+)/.exec(page.headers.get('set-cookie')!)![1]!
  assert.match(await page.text(), /Log in as admin/)
  const enter = (csrfmiddlewaretoken = token) =>
    fetch(`${client.base}/login/once/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: `csrftoken=${token}` },
      body: new URLSearchParams({ key, csrfmiddlewaretoken }),
    })
  const asCookie = await fetch(`${client.base}/user/profile/`, {
    redirect: 'manual',
    headers: { cookie: `sessionid=${key}` },
  })
  assert.equal(asCookie.status, 302, 'the key itself is no session')
  assert.equal((await enter('another')).status, 403)
  const entered = await enter()
  assert.equal(entered.status, 302)
  const cookie = /sessionid=[^;]+/.exec(entered.headers.get('set-cookie')!)![0]
  assert.equal((await fetch(`${client.base}/user/profile/`, { redirect: 'manual', headers: { cookie } })).status, 200)
  assert.equal((await enter()).status, 403)
  assert.equal((await fetch(`${client.base}/login/once/?key=${key}`)).status, 403)
})

test('browsers in a few words', () => {
  for (const [agent, words] of [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 ' +
        'Safari/537.36 Edg/140.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 ' +
        'Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
        'CriOS/140.0 Mobile/15E148 Safari/604.1',
      'Chrome on iPhone',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['x'.repeat(300), 'x'.repeat(60)],
  ] as const)
    assert.equal(agentWords(agent), words)
})

test('below a path, who is led to log in comes back to what they asked for', async () => {
  const client = await serve({ basePath: '/inventory' })
  const wanted = ['/graphql/', '/dcim/sites/', '/api/dcim/sites/?q=a%26b', '/labels/?type=dcim.site&id=1&id=2']
  for (const path of wanted) {
    const sent = await fetch(`${client.base}/inventory${path}`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    })
    const form = await fetch(new URL(sent.headers.get('location')!, client.base))
    const token = /csrftoken=([^;]+)/.exec(form.headers.get('set-cookie')!)![1]!
    const next = /name="next" value="([^"]+)"/.exec(await form.text())![1]!.replaceAll('&amp;', '&')
    const entered = await fetch(`${client.base}/inventory/login/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: `csrftoken=${token}` },
      body: new URLSearchParams({
        username: 'admin',
        password: 'Cabinet-Test-Passw0rd',
        next,
        csrfmiddlewaretoken: token,
      }),
    })
    assert.equal(entered.headers.get('location'), `/inventory${path}`)
  }
})

test('a login that fails keeps who was typed and where it leads, and no password', async () => {
  const client = await serve()
  const form = await client.call('GET', '/login/', undefined, { authorization: '' })
  const token = /csrftoken=([^;]+)/.exec(form.headers.get('set-cookie')!)![1]!
  const refused = await fetch(`${client.base}/login/`, {
    method: 'POST',
    headers: { cookie: `csrftoken=${token}` },
    body: new URLSearchParams({
      username: 'nobody "here"',
      password: 'Not-it-12345',
      next: '/dcim/sites/?q=a',
      csrfmiddlewaretoken: token,
    }),
  })
  assert.equal(refused.status, 403)
  const text = await refused.text()
  assert.match(text, /name="username"[^>]* value="nobody &quot;here&quot;"/)
  assert.match(text, /name="next" value="\/dcim\/sites\/\?q=a"/)
  assert.doesNotMatch(text, /Not-it-12345/)
})

test('what fails on the way in is a page too', async () => {
  const client = await serve()
  const refused = await fetch(`${client.base}/login/`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'admin' }),
  })
  assert.equal(refused.status, 403)
  assert.match(await refused.text(), /<h1>Not allowed<\/h1>[\s\S]*Open it again[\s\S]*href="\/login\/">Log in</)
  const headers = { origin: 'http://elsewhere.invalid' }
  const foreign = await fetch(`${client.base}/login/`, { method: 'POST', headers, body: new URLSearchParams() })
  assert.equal(foreign.status, 403)
  assert.match(await foreign.text(), /<h1>Not allowed<\/h1>[\s\S]*name that in trusted_proxies/)
  const { raw } = client.running.store.db
  raw.exec("create temp trigger full before insert on main.users_session begin select raise(abort, 'broken'); end")
  await assert.rejects(login(client), /500/)
})
