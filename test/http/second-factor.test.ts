import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { stepOf } from '../../src/services/second-factor.ts'
import { seal, unseal } from '../../src/lib/sealed.ts'
import { type Client, creating, serve } from '../support/server.ts'
import { login, type Session } from '../support/session.ts'

const Password = 'Plain-User-Passw0rd'
const Csrf = 'abcdefghijklmnopqrstuvwx'

/** The code of a secret (base 32) as RFC 6238 has it, worked out here once more; `ahead`: so many steps later. */
function codeOf(secret: string, ahead = 0, at = Date.now()): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const key = Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  )
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000) + ahead))
  const mac = createHmac('sha1', key).update(counter).digest()
  const from = mac.at(-1)! & 15
  return String((mac.readUInt32BE(from) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

/** A user with a second factor: secret, recovery codes, and the session that set it up. */
async function withFactor(client: Client, username: string) {
  const { id } = await creating(client)('users/users', { username, password: Password })
  const browser = await login(client, username, Password)
  const page = await browser.get('/user/second-factor/')
  const secret = /Secret: <code>([A-Z2-7 ]+)</.exec(page.text)![1]!.replaceAll(' ', '')
  const kept = /name="kept" value="([^"]+)"/.exec(page.text)![1]!
  const used = codeOf(secret)
  const made = await browser.post('/user/second-factor/', {
    do: 'on',
    kept,
    code: used,
    password: Password,
  })
  assert.equal(made.status, 200, made.text.slice(-1500))
  const codes = made.text.match(/\b[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}\b/g)!
  assert.equal(codes.length, 10)
  return { id: id as number, browser, secret, codes, kept, used }
}

/** Sends name and password, and then codes, as a browser. */
async function entering({ base }: Client, username: string, password = Password, next = '') {
  const cookies = new Map([['csrftoken', Csrf]])
  const post = async (path: string, fields: Record<string, string>, own = cookies) => {
    const answer = await fetch(base + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: [...own].map(([name, value]) => `${name}=${value}`).join('; ') },
      body: new URLSearchParams({ ...fields, csrfmiddlewaretoken: Csrf }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      own.set(name!, value!)
    }
    return answer
  }
  const first = await post('/login/', { username, password, next })
  return { first, cookies, post, code: (code: string) => post('/login/code/', { code }) }
}
const isIn = async ({ base }: Client, cookies: ReadonlyMap<string, string>) =>
  (await fetch(`${base}/api/status/`, { headers: { cookie: `sessionid=${cookies.get('sessionid')}` } })).status === 200

test('a password alone lets nobody in; a code does, once, and so does a recovery code', async () => {
  const client = await serve({ loginAttemptsPerName: 100 })
  const { secret, codes, browser, used } = await withFactor(client, 'ann')
  assert.equal((await browser.get('/user/profile/')).status, 200, 'the session that set it up goes on')
  const one = await entering(client, 'ann', Password, '/dcim/sites/')
  assert.equal(one.first.headers.get('location'), '/login/code/')
  assert.equal(one.cookies.get('sessionid'), undefined)
  assert.match(
    (await one.first.headers.getSetCookie().join('\n')).toString(),
    /login=[^;]+; Max-Age=300; Path=\/login\/; HttpOnly; SameSite=Lax/,
  )
  const form = await fetch(`${client.base}/login/code/`, { headers: { cookie: `login=${one.cookies.get('login')}` } })
  assert.match(await form.text(), /One-time code/)
  for (const wrong of ['', '000000', codeOf(secret, 5), codeOf(secret, -5), used, 'abcd-efgh-jkmn', 'x'.repeat(5000)])
    assert.equal((await one.code(wrong)).status, 403, wrong)
  // The next one: this one was used to set it up, and clocks may go ahead.
  const at = Date.now()
  const code = codeOf(secret, 1, at)
  const entered = await one.code(` ${code.slice(0, 3)} ${code.slice(3)} `)
  assert.deepEqual([entered.status, entered.headers.get('location')], [302, '/dcim/sites/'])
  assert.ok(await isIn(client, one.cookies))
  const replay = await entering(client, 'ann')
  assert.equal((await replay.code(code)).status, 403, 'a code that was used')
  assert.equal((await replay.code(codeOf(secret, 0, at))).status, 403, 'and one before it')
  const both = await Promise.all([entering(client, 'ann'), entering(client, 'ann')])
  const recovered = await Promise.all(both.map((each) => each.code(codes[0]!.toUpperCase())))
  assert.deepEqual(recovered.map(({ status }) => status).sort(), [302, 403], 'a recovery code, sent twice at once')
  assert.match((await browser.get('/user/second-factor/')).text, /<strong>9<\/strong> recovery codes/)
})

test('a code that was used while the clock was ahead keeps nobody out', async () => {
  const client = await serve()
  const { id, secret } = await withFactor(client, 'ann')
  const { commit, rows } = client.running.store
  const inYears = Math.floor(Date.now() / 30_000) + 1_000_000
  await commit.run(() => rows.set('users.secondfactor', { user_id: id }, { step: inYears }))
  const one = await entering(client, 'ann')
  const code = codeOf(secret)
  assert.equal((await one.code(code)).status, 302)
  assert.equal((await (await entering(client, 'ann')).code(code)).status, 403, 'a code that was used')
})

test('codes are slowed down like passwords, by their user, from wherever they come', async () => {
  const client = await serve({ loginAttemptsPerName: 4, trustedProxies: ['127.0.0.1'] })
  const { codes } = await withFactor(client, 'ann')
  const { codes: others } = await withFactor(client, 'bob')
  const statuses: number[] = []
  for (let i = 0; i < 8; i++) {
    const each = await entering(client, 'ann')
    assert.equal(each.first.status, 302, 'the password is right')
    statuses.push((await each.code('123456')).status)
  }
  assert.deepEqual(statuses.slice(0, 4), [403, 403, 403, 403])
  assert.ok(statuses.slice(4).includes(429), statuses.join())
  const late = await (await entering(client, 'ann')).code(codes[0]!)
  if (late.status === 429) assert.match(late.headers.get('retry-after')!, /^\d+$/)
  assert.equal((await (await entering(client, 'bob')).code(others[0]!)).status, 302, 'nobody else waits')
})

test('what is remembered of a password is for its browser, its user and its password only', async () => {
  const client = await serve({ loginAttemptsPerName: 100 })
  const { id, codes } = await withFactor(client, 'ann')
  const none = await entering(client, 'ann', 'Wrong-Passw0rd-1')
  assert.equal(none.first.status, 403)
  assert.equal((await none.code(codes[0]!)).status, 403, 'no password')
  const one = await entering(client, 'ann')
  const cookie = one.cookies.get('login')!
  for (const wrong of [`${cookie.slice(0, -3)}AAA`, 'x', '', `2${cookie}`]) {
    one.cookies.set('login', wrong)
    assert.equal((await one.code(codes[0]!)).status, 403)
  }
  one.cookies.set('login', cookie)
  await client.call('PATCH', `/api/users/users/${id}/`, { password: 'Another-Passw0rd' })
  assert.equal((await one.code(codes[0]!)).status, 403, 'the password is another')
  const again = await entering(client, 'ann', 'Another-Passw0rd')
  await client.call('PATCH', `/api/users/users/${id}/`, { is_active: false })
  assert.equal((await again.code(codes[0]!)).status, 403, 'not active')
})

test('a token for a password wants a code, tokens that are there are not asked', async () => {
  const client = await serve({ loginAttemptsPerName: 100 })
  const { codes } = await withFactor(client, 'ann')
  const provision = (more: object) =>
    client.call(
      'POST',
      '/api/users/tokens/provision/',
      { username: 'ann', password: Password, ...more },
      { authorization: '' },
    )
  assert.match((await provision({})).json.detail, /has a second factor/)
  assert.match((await provision({ password: 'Wrong-Passw0rd-1' })).json.detail, /^Invalid username\/password$/)
  assert.equal((await provision({ otp: '123456' })).status, 403)
  assert.equal((await provision({ otp: 123456 })).status, 403)
  const made = await provision({ otp: codes[0] })
  assert.equal(made.status, 201)
  const authorization = `Bearer nbt_${made.json.key}.${made.json.token}`
  assert.equal(
    (await client.call('GET', '/api/authentication-check/', undefined, { authorization })).json.username,
    'ann',
  )
})

test('the database alone says nothing of secrets and codes; what is sealed for one opens for no other', async () => {
  const client = await serve()
  const { secret, codes, id } = await withFactor(client, 'ann')
  const { db, config } = client.running.store
  const all = JSON.stringify([
    db.all('select * from users_secondfactor'),
    db.all('select * from users_recoverycode'),
    db.all('select * from users_session'),
  ])
  for (const each of [secret, codes[0]!, codes[0]!.replaceAll('-', '')]) assert.ok(!all.includes(each))
  const { secret: sealed } = db.get<{ secret: string }>('select secret from users_secondfactor')!
  assert.equal(unseal(config.peppers, 'second factor', `user ${id}`, sealed), secret)
  assert.equal(unseal(config.peppers, 'second factor', `user ${id + 1}`, sealed), undefined)
  assert.equal(unseal(config.peppers, 'sign-on', `user ${id}`, sealed), undefined)
  assert.equal(unseal({ 1: 'x'.repeat(64) }, 'second factor', `user ${id}`, sealed), undefined)
  const both = { ...config.peppers, 2: 'y'.repeat(64) }
  assert.equal(unseal(both, 'second factor', `user ${id}`, sealed), secret, 'a newer pepper beside')
  assert.match(seal(both, 'x', '', 'text'), /^2\./)
})

test('who has password and code sets it up, renews it and takes it off; an administrator leaves a record', async () => {
  const client = await serve({ loginAttemptsPerName: 100 })
  const { id, browser, codes, kept, secret } = await withFactor(client, 'ann')
  const change = (as: Session, fields: Record<string, string>) => as.post('/user/second-factor/', fields)
  const again = await change(browser, { do: 'on', kept, code: codeOf(secret), password: Password })
  assert.notEqual(again.status, 200, 'it is on')
  assert.equal((await change(browser, { do: 'off', code: codes[0]!, password: 'Wrong-Passw0rd-1' })).status, 403)
  assert.equal((await change(browser, { do: 'off', code: '123456', password: Password })).status, 403)
  const renewed = await change(browser, { do: 'renew', code: codes[0]!, password: Password })
  const [fresh] = renewed.text.match(/\b[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}\b/g)!
  assert.equal(
    (await change(browser, { do: 'off', code: codes[1]!, password: Password })).status,
    403,
    'old codes are void',
  )
  assert.equal((await change(browser, { do: 'off', code: fresh!, password: Password })).status, 303)
  assert.equal((await entering(client, 'ann')).first.headers.get('location'), '/')
  const other = await withFactor(client, 'bob')
  const stolen = await browser.get('/user/second-factor/')
  const theirs = /name="kept" value="([^"]+)"/.exec(stolen.text)![1]!
  assert.equal(
    (await change(other.browser, { do: 'on', kept: theirs, code: '123456', password: Password })).status,
    400,
  )
  const boss = await login(client)
  assert.match((await boss.get(`/users/users/${other.id}/sign-in/`)).text, /10 recovery codes are left/)
  assert.equal((await browser.post(`/users/users/${other.id}/sign-in/`, { factor: 'off' })).status, 403)
  assert.equal((await boss.post(`/users/users/${other.id}/sign-in/`, { factor: 'off' })).status, 303)
  assert.equal((await entering(client, 'bob')).first.headers.get('location'), '/')
  const { results } = (await client.call('GET', '/api/core/object-changes/?changed_object_type=users.user')).json
  assert.deepEqual(
    results.map((each: any) => [each.user_name, each.message, each.object_repr]),
    [
      ['admin', 'Second factor taken off', 'bob'],
      ['bob', 'Second factor set up', 'bob'],
      ['ann', 'Second factor taken off', 'ann'],
      ['ann', 'Second factor set up', 'ann'],
    ],
  )
  const [record] = results
  assert.equal((await boss.get(`/core/changelog/${record.id}/`)).status, 200)
  assert.ok((await client.call('POST', '/api/core/object-changes/revert/', { id: record.id })).status < 500)
  assert.equal((await entering(client, 'bob')).first.headers.get('location'), '/', 'and is not taken back by an undo')
  assert.equal((await client.call('DELETE', `/api/users/users/${id}/`)).status, 204)
})

test('codes of the standard: its own test values, and bounds of time', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ] as const) {
    assert.equal(stepOf(secret, code, seconds * 1000), Math.floor(seconds / 30))
    assert.equal(stepOf(secret, code, (seconds + 30) * 1000), Math.floor(seconds / 30))
    assert.equal(stepOf(secret, code, (seconds + 90) * 1000), undefined)
  }
  for (const odd of ['', '28708', '2870822', '28708२', '-28708', '0x1234'])
    assert.equal(stepOf(secret, odd, 59_000), undefined)
})
