import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LoginThrottle, TooManyTries } from '../../src/rules/login-throttle.ts'
import { serve } from '../support/server.ts'

const settings = { loginAttemptsPerName: 3, loginAttemptsPerAddress: 6, loginDelayMax: 8 }

/** A throttle with a clock of its own; `wrong` answers the seconds that a try has to wait, 0 when it was heard. */
function throttle(changes: Partial<typeof settings> = {}) {
  let now = 1_000_000
  const made = new LoginThrottle({ ...settings, ...changes }, () => now)
  const wrong = (name: string, address: string): number => {
    try {
      made.begin(name, address)
      return 0
    } catch (error) {
      assert.ok(error instanceof TooManyTries)
      return error.seconds
    }
  }
  return {
    wrong,
    right: (name: string, address: string) => made.begin(name, address)(),
    wait: (s: number) => (now += s * 1000),
  }
}

test('tries for one name have to wait longer and longer, from whatever address, and are forgotten in the end', () => {
  const { wrong, wait } = throttle()
  for (let i = 0; i < 3; i++) assert.equal(wrong('ann', `192.0.2.${i}`), 0)
  const waits = [1, 2, 4, 8, 8].map((seconds) => {
    const asked = wrong('Ann', '192.0.2.99')
    wait(seconds - 0.001)
    assert.notEqual(wrong('ann', '192.0.2.98'), 0)
    wait(0.001)
    assert.equal(wrong('ann', '192.0.2.97'), 0)
    return asked
  })
  assert.deepEqual(waits, [1, 2, 4, 8, 8])
  assert.equal(wrong('bob', '192.0.2.99'), 0)
  wait(3600)
  for (let i = 0; i < 3; i++) assert.equal(wrong('ann', '192.0.2.1'), 0)
})

test('one address is slowed down whatever names it tries; an IPv6 client by its /64', () => {
  for (const address of [() => '192.0.2.1', (i: number) => `2001:db8::${i}`]) {
    const { wrong } = throttle()
    for (let i = 0; i < 6; i++) assert.equal(wrong(`name ${i}`, address(i)), 0)
    assert.equal(wrong('another', address(7)), 1)
    assert.equal(wrong('another', '192.0.2.2'), 0)
    assert.equal(wrong('another', '2001:db8:1::1'), 0)
  }
})

test('who has logged in from an address before is not kept out by what others guess', () => {
  const { wrong, right } = throttle()
  right('ann', '192.0.2.1')
  for (let i = 0; i < 20; i++) wrong('ann', '198.51.100.1')
  for (let i = 0; i < 20; i++) wrong(`name ${i}`, '192.0.2.1')
  assert.notEqual(wrong('ann', '198.51.100.2'), 0)
  assert.notEqual(wrong('bob', '192.0.2.1'), 0)
  right('ann', '192.0.2.1')
  for (let i = 0; i < 3; i++) assert.equal(wrong('ann', '192.0.2.1'), 0)
  assert.notEqual(wrong('ann', '192.0.2.1'), 0)
})

test('a right password takes its own try back and no more, so that an account of one’s own buys no guesses', () => {
  const { wrong, right } = throttle()
  for (let i = 0; i < 5; i++) {
    assert.equal(wrong(`name ${i}`, '192.0.2.1'), 0)
    right('eve', '192.0.2.1')
  }
  assert.equal(wrong('name 6', '192.0.2.1'), 0)
  assert.equal(wrong('name 7', '192.0.2.1'), 1)
})

test('0 lifts a bound', () => {
  const { wrong } = throttle({ loginAttemptsPerName: 0, loginAttemptsPerAddress: 0 })
  for (let i = 0; i < 1000; i++) assert.equal(wrong('ann', '192.0.2.1'), 0)
})

test('wrong passwords at both doors, tried at once, are answered 429 with the seconds to wait', async () => {
  const { call, base } = await serve({ loginAttemptsPerName: 4, loginDelayMax: 60, trustedProxies: ['127.0.0.1'] })
  const password = 'Cabinet-Test-Passw0rd'
  for (const username of ['ann', 'bob']) await call('POST', '/api/users/users/', { username, password })
  const from = (client: string) => ({ 'x-forwarded-for': client, authorization: '' })
  const provision = (username: string, given: string, client: string) =>
    call('POST', '/api/users/tokens/provision/', { username, password: given }, from(client))
  const login = (username: string, given: string, client: string) =>
    fetch(`${base}/login/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: 'csrftoken=abcdefghijklmnopqrstuvwx', 'x-forwarded-for': client },
      body: new URLSearchParams({ username, password: given, csrfmiddlewaretoken: 'abcdefghijklmnopqrstuvwx' }),
    })
  assert.equal((await provision('ann', password, '192.0.2.1')).status, 201)
  const tries = await Promise.all(Array.from({ length: 12 }, (_, i) => provision('ann', 'wrong', `198.51.100.${i}`)))
  assert.deepEqual(tries.map(({ status }) => status).sort(), [
    403,
    403,
    403,
    403,
    ...Array.from({ length: 8 }, () => 429),
  ])
  const page = await login('ann', password, '198.51.100.50')
  assert.equal(page.status, 429)
  assert.match(page.headers.get('retry-after')!, /^\d+$/)
  assert.match(await page.text(), /Too many wrong passwords/)
  const refused = tries.find(({ status }) => status === 429)!
  assert.match(refused.json.detail, /Too many wrong passwords/)
  assert.match(refused.headers.get('retry-after')!, /^[1-9]\d*$/)
  assert.equal((await provision('ann', password, '192.0.2.1')).status, 201)
  assert.equal((await provision('bob', password, '198.51.100.1')).status, 201)
})
