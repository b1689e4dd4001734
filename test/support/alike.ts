import assert from 'node:assert/strict'
import { AdminToken, type Client } from './launch.ts'

const volatile = ['x-request-id', 'date', 'connection', 'keep-alive', 'set-cookie', 'etag']

async function asked(base: string, path: string, headers: Record<string, string>, method = 'GET') {
  const reply = await fetch(base + path, { method, headers, redirect: 'manual' })
  const own = Object.fromEntries([...reply.headers].filter(([name]) => !volatile.includes(name)))
  const moving = /\d{4}-\d\d-\d\d[T ][\d:.]+Z?|value="[\w-]{32}"/g // times, and what a form shows that it is ours by
  const text = (await reply.text()).replaceAll(base, '').replaceAll(moving, '…')
  return { status: reply.status, headers: { ...own, 'content-length': undefined }, text }
}

/** Asserts that two servers, which hold nothing yet, answer all kinds of requests alike, whoever asks. */
export async function answerAlike(one: Client, other: Client): Promise<void> {
  for (const { call } of [one, other]) {
    const site = await call('POST', '/api/dcim/sites/', { name: 'S', slug: 's' })
    assert.equal(site.status, 201)
  }
  const token = { authorization: `Token ${AdminToken}` }
  for (const path of [
    '/api/',
    '/api/dcim/sites/',
    '/api/dcim/sites/1/',
    '/api/dcim/sites/999/',
    '/api/dcim/sites/?name__ic=s&brief=1',
    '/api/dcim/sites/?no_such=1',
    '/api/dcim/nothing/',
    '/api/dcim/sites',
    '/api/extras/tags/?limit=x',
    '/api/users/config/',
    '/dcim/sites/1/',
    '/dcim/nothing/',
    '/media/nothing.png',
    '/login/',
  ]) {
    for (const method of ['GET', 'HEAD'])
      assert.deepEqual(await asked(one.base, path, token, method), await asked(other.base, path, token, method), path)
    assert.deepEqual(await asked(one.base, path, {}), await asked(other.base, path, {}), `${path} of a stranger`)
    const page = { ...token, accept: 'text/html' }
    assert.equal((await asked(one.base, path, page)).status, (await asked(other.base, path, page)).status, path)
  }
  const wrong = { authorization: 'Token no' }
  assert.deepEqual(await asked(one.base, '/api/', wrong), await asked(other.base, '/api/', wrong))
}
