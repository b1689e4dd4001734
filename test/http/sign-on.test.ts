import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'
import { Jar, realProvider, settings, signOnAs, wilfulProvider } from '../support/oidc.ts'

const whoIs = async (jar: Jar, base: string) => {
  const answer = await jar.ask(`${base}/api/authentication-check/`, { headers: { accept: 'application/json' } })
  return answer.status === 200 ? (((await answer.json()) as { username: string }).username as string) : ''
}

test('a real provider: the first sign-on makes the user, groups follow, one comes back to where one was', async () => {
  const accounts: Record<string, { preferred_username: string; groups?: string[] } & Record<string, unknown>> = {
    'sub-1': {
      preferred_username: 'ann',
      given_name: 'Ann',
      family_name: 'Müller',
      email: 'ann@example.com',
      email_verified: true,
      groups: ['net', 'root'],
    },
    'sub-2': { preferred_username: 'admin' },
  }
  const provider = await realProvider(accounts)
  const client = await serve(settings(provider.issuer, { oidcGroups: 'create', oidcSuperuserGroups: ['root'] }))
  const { base, call } = client
  provider.callbacks.push(`${base}/oauth/complete/oidc/`)
  const jar = new Jar()
  assert.match((await jar.follow(`${base}/login/`)).text, /href="\/oauth\/login\/oidc\/">Log in with OpenID</)
  const done = await signOnAs(jar, client, 'sub-1', '/dcim/sites/?q=x')
  assert.deepEqual([done.url, done.status], [`${base}/dcim/sites/?q=x`, 200])
  assert.equal(await whoIs(jar, base), 'ann')
  const users = (await call('GET', '/api/users/users/?username=ann')).json.results
  assert.equal(users[0].display, 'ann (Ann Müller)')
  assert.equal(users[0].email, 'ann@example.com')
  assert.deepEqual(
    users[0].groups.map((group: any) => group.name),
    ['net', 'root'],
  )
  assert.match(done.text, /\/users\/users\//, 'the menu of a superuser')
  const sessions = await jar.follow(`${base}/user/sessions/`)
  assert.match(sessions.text, /by OpenID/)

  accounts['sub-1'] = { ...accounts['sub-1']!, preferred_username: 'ann.renamed', groups: ['net'] }
  const again = new Jar()
  await signOnAs(again, client, 'sub-1')
  assert.equal(await whoIs(again, base), 'ann', 'known by what does not change')
  assert.deepEqual(
    (await call('GET', '/api/users/users/?username=ann')).json.results[0].groups.map((group: any) => group.name),
    ['net'],
  )
  assert.equal((await again.ask(`${base}/users/users/`)).status, 403, 'no superuser any more')

  const refused = await signOnAs(new Jar(), client, 'sub-2')
  assert.equal(refused.status, 403)
  assert.match(refused.text, /There is an account admin here already/)
  const denied = await signOnAs(new Jar(), client, 'nobody')
  assert.equal(denied.status, 400)
  assert.match(denied.text, /OpenID did not let you in/)
  assert.doesNotMatch(denied.text, /no such person/)

  const token = again.cookies.get(new URL(base).host)!.get('csrftoken')!
  const out = await again.follow(`${base}/logout/`, {
    method: 'POST',
    body: new URLSearchParams({ csrfmiddlewaretoken: token }),
  })
  assert.match(out.text, /You are logged out here\. <a href="\/oauth\/logout\/oidc\/">Log out of OpenID too</)
  assert.equal(await whoIs(again, base), '')
  const away = await again.ask(`${base}/oauth/logout/oidc/`)
  assert.ok(away.headers.get('location')!.startsWith(`${provider.issuer}/session/end?`))
})

test('behind a proxy and below a path the provider leads back to the address that browsers know', async () => {
  const provider = await wilfulProvider()
  const client = await serve(settings(provider.issuer, { basePath: '/cabinet', trustedProxies: ['127.0.0.1'] }))
  const jar = new Jar()
  const headers = {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'inventory.example.com',
    'x-forwarded-for': '192.0.2.1',
  }
  const answer = await jar.ask(`${client.base}/cabinet/oauth/login/oidc/?next=/dcim/sites/`, { headers })
  const asked = new URL(answer.headers.get('location')!).searchParams
  assert.equal(asked.get('redirect_uri'), 'https://inventory.example.com/cabinet/oauth/complete/oidc/')
  assert.equal(asked.get('code_challenge_method'), 'S256')
  const [cookie] = answer.headers.getSetCookie().filter((line) => line.startsWith('signon='))
  assert.match(cookie!, /Max-Age=600; Path=\/cabinet\/oauth\/; HttpOnly; Secure; SameSite=Lax$/)
  provider.state.claims = { sub: '1', preferred_username: 'ann' }
  const code = 'a-code'
  provider.state.codes.set(code, { nonce: asked.get('nonce')!, challenge: asked.get('code_challenge')! })
  const query = new URLSearchParams({ code, state: asked.get('state')! })
  const back = await jar.ask(`${client.base}/cabinet/oauth/complete/oidc/?${query}`, { headers })
  assert.equal(back.headers.get('location'), '/cabinet/dcim/sites/')
  assert.match(back.headers.getSetCookie().join('\n'), /sessionid=.*HttpOnly; Secure/)
})

test('nobody takes over an account: not by name, e-mail, another provider, or letters that look alike', async () => {
  const provider = await wilfulProvider()
  const client = await serve(settings(provider.issuer, { oidcTakeExisting: true }))
  const { base, call } = client
  const create = creating(client)
  const Password = 'Plain-User-Passw0rd'
  await call('PATCH', '/api/users/users/1/', { email: 'boss@example.com' })
  await create('users/users', { username: 'ann', password: Password, email: 'ann@example.com' })
  const come = async (claims: object, userinfo: object = {}) => {
    Object.assign(provider.state, { claims, userinfo })
    const jar = new Jar()
    const { query } = await provider.begin(jar, client)
    const end = await jar.follow(`${base}/oauth/complete/oidc/?${query}`)
    return { who: await whoIs(jar, base), status: end.status, text: end.text }
  }
  const boss = await come({ sub: 'a', preferred_username: 'admin', email: 'boss@example.com', email_verified: true })
  assert.deepEqual([boss.who, boss.status], ['', 403])
  assert.match(boss.text, /There is an account admin here already.*“cabinet user link”: admin &#39;a&#39;\./)
  assert.equal((await come({ sub: 'a', preferred_username: 'ADMIN' })).status, 403)
  assert.equal(
    (await come({ sub: 'a', preferred_username: 'Ann' })).status,
    403,
    'nor one that is taken in other letters',
  )
  const mailed = await come({ sub: 'b', preferred_username: 'eve', email: 'boss@example.com', email_verified: true })
  assert.equal(mailed.who, 'eve', 'an e-mail address names nobody')
  assert.equal((await come({ sub: 'c', preferred_username: 'аdmin' })).who, 'аdmin', 'another user, however it looks')
  assert.equal((await come({ sub: 'd', preferred_username: 'ann' })).who, 'ann', 'a plain account, as it is configured')
  assert.equal((await come({ sub: 'e', preferred_username: 'ann' })).status, 403, 'and only once')
  const { id } = await create('users/users', { username: 'gus', password: Password })
  client.running.store.db.run("insert into users_secondfactor (user_id, secret, created) values (?, 'x', '2026')", id)
  const asked = await come({ sub: '$(reboot)', preferred_username: 'gus' })
  assert.equal(asked.status, 403, 'nor who has a second factor')
  assert.doesNotMatch(asked.text, /reboot/)
  assert.equal((await come({ sub: 'f', preferred_username: 'fay' }, { sub: 'd' })).who, '', 'userinfo of somebody else')
  assert.equal((await come({ sub: 'd', preferred_username: 'admin' })).who, 'ann', 'who is known stays who they are')
  const strict = await serve(settings(provider.issuer))
  await creating(strict)('users/users', { username: 'ann', password: Password })
  provider.state.claims = { sub: 'd', preferred_username: 'ann' }
  const jar = new Jar()
  const { query } = await provider.begin(jar, strict)
  assert.equal((await jar.follow(`${strict.base}/oauth/complete/oidc/?${query}`)).status, 403)
  assert.equal((await jar.ask(`${strict.base}/oauth/complete/oidc/?${query}`)).status, 400)
})

test('a way back counts once, for the browser that began it, and leads to this server only', async () => {
  const provider = await wilfulProvider()
  provider.state.claims = { sub: '1', preferred_username: 'ann' }
  const client = await serve(settings(provider.issuer))
  const { base } = client
  const host = new URL(base).host
  const complete = (jar: Jar, query: string) => jar.follow(`${base}/oauth/complete/oidc/?${query}`)
  const [jar, thief] = [new Jar(), new Jar()]
  const { query } = await provider.begin(jar, client)
  const cookie = jar.cookies.get(host)!.get('signon')!
  const stolen = await complete(thief, query)
  assert.equal(stolen.status, 400)
  assert.match(stolen.text, /began in another browser, or too long ago/)
  const own = await provider.begin(thief, client)
  const mixed = await complete(thief, query)
  assert.match(mixed.text, /began in another browser/, 'the state of another browser')
  assert.ok(own.query)
  thief.cookies.get(host)!.set('sessionid', 'chosen-by-the-attacker')
  jar.cookies.get(host)!.set('sessionid', 'chosen-by-the-attacker')
  assert.equal((await complete(jar, query)).status, 200)
  const session = jar.cookies.get(host)!.get('sessionid')
  assert.notEqual(session, 'chosen-by-the-attacker')
  assert.equal(await whoIs(thief, base), '')
  assert.equal(jar.cookies.get(host)!.get('signon'), undefined)
  const asked = provider.asked.length
  const replay = new Jar()
  replay.cookies.set(host, new Map([['signon', cookie]]))
  const again = await complete(replay, query)
  assert.match(again.text, /was used already/)
  assert.equal(provider.asked.length, asked, 'and the provider is not asked')
  for (const wrong of ['x', '1.AAAA', `${cookie.slice(0, -2)}AA`, `9${cookie}`]) {
    replay.cookies.set(host, new Map([['signon', wrong]]))
    assert.equal((await complete(replay, query)).status, 400, wrong)
  }
  for (const next of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/%09/evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    `/${'a'.repeat(9000)}`,
  ]) {
    const one = new Jar()
    const begun = await provider.begin(one, client, next)
    const back = await one.ask(`${base}/oauth/complete/oidc/?${begun.query}`)
    assert.equal(new URL(back.headers.get('location')!, base).origin, base, next)
  }
  const fresh = new Jar()
  const begun = await provider.begin(fresh, client)
  const odd = new URLSearchParams(begun.query)
  odd.append('state', 'x')
  assert.equal((await complete(fresh, odd.toString())).status, 400, 'two states')
})

test('nobody else waits for a provider that does not answer', async () => {
  const provider = await wilfulProvider()
  const client = await serve(settings(provider.issuer, { oidcTimeout: 60 }))
  const asked = new Promise<ServerResponse>((resolve) => {
    provider.state.answers = { discovery: resolve }
  })
  const begun = provider.begin(new Jar(), client)
  const held = await asked
  for (let i = 0; i < 5; i++) assert.equal((await fetch(`${client.base}/healthz`)).status, 200)
  assert.equal(held.socket?.destroyed, false, 'the sign-on still waits')
  held.socket!.destroy()
  assert.equal((await begun).answer.status, 400)
})

test('what a provider does wrong is told in words, and one that does not answer is given up', async () => {
  const provider = await wilfulProvider()
  const client = await serve(settings(provider.issuer, { oidcTimeout: 1, oidcGroups: 'match' }))
  const { base } = client
  const good = { sub: '1', preferred_username: 'ann' }
  const come = async (answers: typeof provider.state.answers, claims: Record<string, unknown> = good) => {
    Object.assign(provider.state, { answers, claims })
    const jar = new Jar()
    const begun = await provider.begin(jar, client)
    if (!begun.query) return { status: begun.answer.status, text: await begun.answer.text() }
    const end = await jar.follow(`${base}/oauth/complete/oidc/?${begun.query}`)
    assert.equal(await whoIs(jar, base), end.status === 200 ? 'ann' : '')
    return end
  }
  const send =
    (text: string, type = 'application/json', status = 200) =>
    (response: ServerResponse) => {
      response.writeHead(status, { 'content-type': type })
      response.end(text)
    }
  const hang = () => undefined
  const given = await come({ discovery: hang })
  assert.equal(given.status, 400)
  assert.match(given.text, /OpenID did not answer within 1 seconds/)
  assert.match((await come({ discovery: send('<html>', 'text/html') })).text, /answer that cannot be read/)
  assert.match(
    (await come({ discovery: send('{"issuer": "https://other.example"}') })).text,
    /sign-on with OpenID failed/,
  )
  assert.equal((await come({})).status, 200)
  for (const name of ['token', 'userinfo'] as const) {
    assert.match((await come({ [name]: hang })).text, /did not answer within/, name)
    assert.match((await come({ [name]: send('not JSON') })).text, /cannot be read/, name)
    assert.match((await come({ [name]: send('<html>', 'text/html') })).text, /cannot be read/, name)
    assert.match(
      (await come({ [name]: send(`{"sub":"1","x":"${'x'.repeat(10_000_000)}"}`) })).text,
      /more of you than can be read/,
      name,
    )
    assert.equal((await come({ [name]: send('{"error":"server_error"}', 'application/json', 500) })).status, 400, name)
    assert.equal((await come({ [name]: (response: ServerResponse) => response.socket!.destroy() })).status, 400, name)
  }
  const drip = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 100)
    response.on('close', () => clearInterval(timer))
  }
  assert.match((await come({ token: drip })).text, /did not answer within/)
  const now = Math.floor(Date.now() / 1000)
  for (const [wrong, status] of [
    [{ nonce: 'another' }, 400],
    [{ aud: 'another client' }, 400],
    [{ iss: 'https://other.example' }, 400],
    [{ exp: now - 3600 }, 400],
    [{ sub: 17 }, 400],
    [{ preferred_username: undefined }, 400],
    [{ preferred_username: ['ann'] }, 400],
    [{ preferred_username: 'a b' }, 403],
    [{ preferred_username: 'x'.repeat(5000) }, 403],
    [
      {
        email: 'x'.repeat(5000),
        given_name: 'x'.repeat(5000),
        groups: Array.from({ length: 5000 }, (_, i) => `g${i}`),
      },
      200,
    ],
    [{ groups: { a: 1 }, email: {}, given_name: 3 }, 200],
  ] as const)
    assert.equal((await come({}, { ...good, ...wrong })).status, status, JSON.stringify(wrong).slice(0, 80))
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  const claims = JSON.stringify({ iss: provider.issuer, aud: 'cabinet-test', ...good })
  const forged = `${none}.${Buffer.from(claims).toString('base64url')}.`
  const token = { access_token: 'a', token_type: 'Bearer', id_token: forged }
  assert.equal((await come({ token: send(JSON.stringify(token)) })).status, 400)
  assert.equal((await come({ jwks: send('{"keys":[]}') })).status, 200, 'keys that are known already')
})

test('only members of some groups come in, where asked; claims may be within others or in the token', async () => {
  const provider = await wilfulProvider()
  const client = await serve(
    settings(provider.issuer, {
      oidcGroupsClaim: 'realm_access.roles',
      oidcAllowedGroups: ['staff'],
      oidcCreateUsers: true,
    }),
  )
  const come = async (claims: Record<string, unknown>) => {
    provider.state.claims = { sub: '1', preferred_username: 'ann', ...claims }
    const jar = new Jar()
    const { query } = await provider.begin(jar, client)
    return jar.follow(`${client.base}/oauth/complete/oidc/?${query}`)
  }
  assert.match((await come({ realm_access: { roles: ['guests'] } })).text, /in none of the groups that may sign on/)
  assert.equal((await come({ groups: ['staff'] })).status, 400)
  assert.equal((await come({ realm_access: { roles: ['staff'] } })).status, 200)
  const { id } = (await client.call('GET', '/api/users/users/?username=ann')).json.results[0]
  await client.call('PATCH', `/api/users/users/${id}/`, { is_active: false })
  assert.match((await come({ realm_access: { roles: ['staff'] } })).text, /not active/)
})

test('passwords can be switched off: the form and both doors are gone, the provider stays', async () => {
  const provider = await wilfulProvider()
  const client = await serve(settings(provider.issuer, { localLogin: false, oidcName: 'The Office' }))
  const jar = new Jar()
  const page = await jar.follow(`${client.base}/login/`)
  assert.match(page.text, /Log in with The Office/)
  assert.doesNotMatch(page.text, /type="password"/)
  const csrfmiddlewaretoken = jar.cookies.get(new URL(client.base).host)!.get('csrftoken')!
  const body = new URLSearchParams({ username: 'admin', password: 'Cabinet-Test-Passw0rd', csrfmiddlewaretoken })
  assert.equal((await jar.ask(`${client.base}/login/`, { method: 'POST', body })).status, 403)
  const given = { username: 'admin', password: 'Cabinet-Test-Passw0rd' }
  assert.equal((await client.call('POST', '/api/users/tokens/provision/', given, { authorization: '' })).status, 403)
  assert.equal((await client.call('GET', '/api/status/')).status, 200, 'tokens go on')
  const off = await serve()
  assert.equal((await fetch(`${off.base}/oauth/login/oidc/`)).status, 404)
})
