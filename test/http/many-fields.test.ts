import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { send } from '../support/send.ts'
import { serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const client = await serve()
const make = new Maker(client.call)
const user = await make.fresh('users.user', { username: 'nobody', password: 'Cabinet-Test-Passw0rd' })
const { key, token } = (await client.call('POST', '/api/users/tokens/', { user })).json
const authorization = `Bearer nbt_${key}.${token}`
const browser = await login(client, 'nobody')

const boundary = '----------------------------form'
const part = (head = '') => `--${boundary}\r\nContent-Disposition: form-data; name="object_id"\r\n${head}\r\n1\r\n`
const formOf = (...parts: string[]) => `${parts.join('')}--${boundary}--\r\n`
const posted = (body: string, type = `multipart/form-data; boundary=${boundary}`, path = '/api/extras/bookmarks/') =>
  send(`${client.base}${path}`, { method: 'POST', headers: { authorization, 'content-type': type }, body })

test('a form has so many fields: more are refused before they are read', async () => {
  const most = await posted(formOf(part().repeat(10_000)))
  assert.equal(most.status, 400)
  assert.ok(JSON.parse(most.text).user, most.text)
  for (const type of [undefined, `multipart/form-data; boundary="${boundary}"; boundary=other`]) {
    const { status, text } = await posted(formOf(part().repeat(10_001)), type)
    const detail = 'Multipart form parse error - there are more than 10,000 fields.'
    assert.deepEqual([status, JSON.parse(text)], [400, { detail }])
  }
  const from = performance.now()
  assert.equal((await posted(formOf(part().repeat(250_000)))).status, 400)
  const took = performance.now() - from
  assert.ok(took < 5000, `${took} ms`) // to read them took twice that
})

test('what stands before the content of a field is short', async () => {
  assert.ok(JSON.parse((await posted(formOf(part('X: y\r\n'.repeat(1000))))).text).user)
  for (const count of [4000, 400_000]) {
    const { status, text } = await posted(formOf(part(), part('X: y\r\n'.repeat(count))))
    assert.equal(status, 400)
    assert.match(text, /more than 16,384 bytes before it/)
  }
})

test('forms of pages too, and a query within one', async () => {
  const names = (count: number) => Array.from({ length: count }, () => 'a').join('&')
  const page = (path: string, body: string) =>
    send(`${client.base}${path}`, {
      method: 'POST',
      headers: {
        cookie: browser.cookie,
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        'x-csrftoken': /csrftoken=([^;]+)/.exec(browser.cookie)![1]!,
      },
      body,
    })
  const from = performance.now()
  const { status, text } = await page('/user/preferences/', names(1_000_000))
  assert.equal(status, 400)
  assert.match(text, /more than 10,000 fields/)
  assert.ok(performance.now() - from < 5000) // it took half a minute
  assert.equal((await page('/user/bookmarks/', names(9000))).status, 303)
  const admin = await login(client)
  const asked = await admin.post('/dcim/sites/edit/', { _all: '1', _query: names(20_000) })
  assert.equal(asked.status, 400)
  assert.match(asked.text, /more than 10,000 fields/)
})

test('who may do something to no object is told so before a body is read', async () => {
  const prefix = await make.fresh('ipam.prefix', { prefix: '192.0.2.0/24' })
  const { status } = await posted('x', 'text/plain', `/api/ipam/prefixes/${prefix}/available-ips/`)
  assert.equal(status, 403)
})
