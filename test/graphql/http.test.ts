import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AdminToken, launch } from '../support/launch.ts'
import { serve } from '../support/server.ts'

const { base, call } = await serve()
const query = '{__typename}'
const Json = { 'content-type': 'application/json' }
const token = { authorization: `Token ${AdminToken}` }
const send = (method: string, headers: Record<string, string>, body?: string, path = '/graphql/') =>
  fetch(base + path, { method, redirect: 'manual', headers, ...(body === undefined ? {} : { body }) })

test('GET and POST alone, with a slash at the end', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
    const answer = await send(method, { ...token, ...Json })
    assert.equal(answer.status, 405, method)
    assert.match(answer.headers.get('content-type')!, /^text\/plain/)
  }
  const moved = await send('POST', { ...token, ...Json }, '{}', '/graphql')
  assert.equal(moved.status, 301)
  assert.equal(moved.headers.get('location'), '/graphql/')
  assert.equal((await send('GET', token, undefined, '/graphql/v1/')).status, 404)
})

test('bodies that are no query: 400 with one sentence', async () => {
  const bodies = [
    '',
    '{',
    '[]',
    '[{}]',
    '{}',
    '"x"',
    '5',
    'null',
    '{"query":5}',
    '{"query":""}',
    '\ufeff{"query":"{__typename}"}',
  ]
  const shapes = [{ variables: 'x' }, { variables: [1] }, { operationName: 'Z' }, { operationName: 5 }].map((more) =>
    JSON.stringify({ query, ...more }),
  )
  const documents = ['type A{b:Int}', 'fragment a on SiteType{id}'].map((text) => JSON.stringify({ query: text }))
  for (const body of [...bodies, ...shapes, ...documents]) {
    const answer = await send('POST', { ...token, ...Json }, body)
    assert.equal(answer.status, 400, body)
    assert.match(answer.headers.get('content-type')!, /^text\/plain/)
    assert.match(await answer.text(), /^[^<{]{5,200}$/)
  }
  for (const type of [
    'text/plain',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])
    assert.equal((await send('POST', { ...token, 'content-type': type }, JSON.stringify({ query }))).status, 400, type)
})

test('bytes that are no UTF-8, nesting without end and too much are told as such', async () => {
  const bad = await fetch(`${base}/graphql/`, {
    method: 'POST',
    headers: { ...token, ...Json },
    body: new Uint8Array([0xff, 0xfe]),
  })
  assert.equal(bad.status, 400)
  assert.equal((await send('POST', { ...token, ...Json }, '['.repeat(100_000))).status, 400)
  assert.equal(
    (await send('POST', { ...token, ...Json }, JSON.stringify({ query: ' '.repeat(3_000_000) }))).status,
    413,
  )
  const answer = await call('POST', '/graphql/', { query: '{__typename}\0' })
  assert.ok([200, 400].includes(answer.status))
})

test('a GET with a query is answered as JSON, without one as the page for those who take pages', async () => {
  const answered = await send(
    'GET',
    { ...token, accept: 'text/html' },
    undefined,
    `/graphql/?query=${encodeURIComponent(query)}`,
  )
  assert.deepEqual(await answered.json(), { data: { __typename: 'Query' } })
  assert.equal((await send('GET', { ...token, accept: 'application/json' })).status, 400)
  const page = await send('GET', { ...token, accept: 'text/html' })
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-security-policy')!, /script-src 'self';/)
  const text = await page.text()
  assert.match(text, /<a href="\/graphql\/" hx-boost="false" aria-current="page">GraphQL<\/a>/, 'it is in the menu')
  assert.match(text, /<script src="\/assets\/graphql-[0-9a-f]+\.js" defer><\/script>/)
  for (const [, href] of text.matchAll(/(?:src|href)="(\/assets\/[^"#]+)/g))
    assert.equal((await send('GET', {}, undefined, href)).status, 200, href)
  assert.equal(
    (await send('GET', token, undefined, `/graphql/?query=${encodeURIComponent('mutation{x}')}`)).status,
    400,
  )
})

test('without credentials browsers are led to log in, others are told; wrong ones are told', async () => {
  const stranger = await send('POST', { ...Json, accept: 'application/json' }, JSON.stringify({ query }))
  assert.equal(stranger.status, 403)
  assert.match(stranger.headers.get('content-type')!, /^text\/html/)
  const browser = await send('GET', { accept: 'text/html' })
  assert.equal(browser.status, 302)
  assert.equal(browser.headers.get('location'), '/login/?next=/graphql/')
  for (const authorization of ['Token x', 'Token', 'Token a b', 'Bearer nbt_a.b'])
    assert.equal((await send('POST', { ...Json, authorization }, JSON.stringify({ query }))).status, 403, authorization)
})

test('it can be switched off', async () => {
  const other = await launch({ graphqlEnabled: false })
  try {
    const answer = await other.call('POST', '/graphql/', { query })
    assert.equal(answer.status, 404)
    assert.match(answer.headers.get('content-type')!, /^text\/plain/)
    const menu = await (await fetch(`${other.base}/`, { headers: token })).text()
    assert.match(menu, /href="\/api\/" hx-boost/)
    assert.doesNotMatch(menu, /href="\/graphql\//)
  } finally {
    await other.close()
  }
})

test('who need not log in sees what everybody may', async () => {
  const other = await launch({ loginRequired: false, exemptViewPermissions: ['dcim.site'] })
  try {
    await other.call('POST', '/api/dcim/sites/', { name: 'S', slug: 's' })
    await other.call('POST', '/api/dcim/regions/', { name: 'R', slug: 'r' })
    const answer = await fetch(`${other.base}/graphql/`, {
      method: 'POST',
      headers: Json,
      body: JSON.stringify({ query: '{site_list{slug} region_list{slug}}' }),
    })
    assert.deepEqual(await answer.json(), { data: { site_list: [{ slug: 's' }], region_list: [] } })
  } finally {
    await other.close()
  }
})
