import assert from 'node:assert/strict'
import { test } from 'node:test'
import { argon2 } from '../../src/lib/addons.ts'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const { call, base, running } = await serve({ sessionCookieSecure: true })
const make = new Maker(call)

test('a session ends when the password is another, and its cookie says what the configuration asks', async () => {
  const password = 'Cabinet-Test-Passw0rd'
  const user = await make.fresh('users.user', { username: 'eve', password })
  const form = await call('GET', '/login/', undefined, { authorization: '' })
  assert.match(form.headers.get('set-cookie')!, /; Secure/)
  const token = /csrftoken=([^;]+)/.exec(form.headers.get('set-cookie')!)![1]!
  const entered = await fetch(`${base}/login/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: `csrftoken=${token}` },
    body: new URLSearchParams({ username: 'eve', password, csrfmiddlewaretoken: token }),
  })
  const cookie = `sessionid=${/sessionid=([^;]+)/.exec(entered.headers.get('set-cookie')!)![1]}`
  const status = async () => (await call('GET', '/api/status/', undefined, { authorization: '', cookie })).status
  assert.equal(await status(), 200)
  await call('PATCH', `/api/users/users/${user}/`, { first_name: 'Eve' })
  assert.equal(await status(), 200)
  await call('PATCH', `/api/users/users/${user}/`, { password: 'Another-Passw0rd' })
  assert.equal(await status(), 403)
})

test('who logs in, or asks for a token, while the password becomes another gets neither', async () => {
  const password = 'Cabinet-Test-Passw0rd'
  const user = await make.fresh('users.user', { username: 'mallory', password, is_superuser: true })
  const { db, commit } = running.store
  const kept = db.get<{ password: string }>('select password from users_user where id = ?', user)!.password
  const set = (hash: string) => commit.now(() => db.run('update users_user set password = ? where id = ?', hash, user))
  const form = await call('GET', '/login/', undefined, { authorization: '' })
  const token = /csrftoken=([^;]+)/.exec(form.headers.get('set-cookie')!)![1]!
  const ways = {
    login: () =>
      fetch(`${base}/login/`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: `csrftoken=${token}` },
        body: new URLSearchParams({ username: 'mallory', password, csrfmiddlewaretoken: token }),
      }),
    provision: () =>
      fetch(`${base}/api/users/tokens/provision/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'mallory', password }),
      }),
  }
  for (const [name, ask] of Object.entries(ways)) {
    set(kept)
    assert.ok((await ask()).status < 400, name)
    const { verify } = argon2()
    argon2().verify = async (...given) => {
      const isRight = await verify(...given)
      set('another')
      return isRight
    }
    assert.equal((await ask()).status, 403, name)
    argon2().verify = verify
  }
})

test('what the page before says names objects, and is kept by a cookie that goes over TLS alone too', async () => {
  const body = new URLSearchParams({ name: 'Told', slug: 'told', status: 'active', csrfmiddlewaretoken: '' })
  const browser = await login({ base })
  body.set('csrfmiddlewaretoken', /csrftoken=([^;]+)/.exec(browser.cookie)![1]!)
  const headers = { cookie: browser.cookie }
  const made = await fetch(`${base}/dcim/sites/add/`, { method: 'POST', redirect: 'manual', headers, body })
  assert.match(made.headers.get('set-cookie')!, /^message=[^;]*Told[^;]*; .*HttpOnly; SameSite=Lax; Secure$/)
})
