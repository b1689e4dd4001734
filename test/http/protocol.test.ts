import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Maker } from '../support/maker.ts'
import { AdminToken, serve } from '../support/server.ts'

const { call, base } = await serve()
const make = new Maker(call)
const site = await make.fresh('dcim.site', { name: 'A', slug: 'a' })
await make.fresh('dcim.site', { name: 'B', slug: 'b', status: 'planned' })
const user = await make.fresh('users.user', { username: 'eve' })
const token = (await call('POST', '/api/users/tokens/', { user })).json
const eve = { authorization: `Bearer nbt_${token.key}.${token.token}` }

test('a .json suffix names the same list and object', async () => {
  assert.deepEqual(
    (await call('GET', '/api/dcim/sites.json?slug=a')).json.results.map((row: { id: number }) => row.id),
    [site],
  )
  assert.equal((await call('GET', `/api/dcim/sites/${site}.json`, undefined, { accept: 'text/html' })).json.id, site)
  assert.equal((await call('GET', '/api/dcim/nope.json')).status, 404)
  assert.equal((await call('GET', '/api/dcim/sites.json', undefined, { authorization: '' })).status, 403)
})

test('HEAD tells the length of what GET answers', async () => {
  const [head, get] = [await call('HEAD', '/api/dcim/sites/'), await call('GET', '/api/dcim/sites/')]
  assert.equal(head.text, '')
  assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(get.text)))
})

test('lists asked for in one go come whole, however late they are read', async () => {
  await call(
    'POST',
    '/api/dcim/sites/',
    Array.from({ length: 40 }, (_, i) => ({ name: `S${i}`, slug: `s${i}`, comments: 'Zürich 東京 '.repeat(100) })),
  )
  const path = '/api/dcim/sites/?limit=50'
  const { text } = await call('GET', path)
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  const times = 40
  const asking = `GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Token ${AdminToken}\r\n`
  socket.write(`${asking}\r\n`.repeat(times - 1))
  socket.write(`${asking}connection: close\r\n\r\n`)
  await new Promise((resolve) => setTimeout(resolve, 300)) // the server waits for this end
  const parts: Buffer[] = []
  for await (const part of socket) parts.push(part as Buffer)
  const bodies = Buffer.concat(parts)
    .toString()
    .split(/HTTP\/1\.1 200 OK\r\n.*?\r\n\r\n/s)
    .slice(1)
  assert.deepEqual(
    bodies.map((body) => body === text),
    Array(times).fill(true),
  )
})

test('types that a path does not answer are refused, names of types have no case', async () => {
  for (const accept of ['text/plain', 'image/svg+xml', 'text/csv'])
    assert.equal((await call('GET', '/api/dcim/sites/', undefined, { accept })).status, 406, accept)
  const rack = await make.fresh('dcim.rack')
  assert.equal(
    (await call('GET', `/api/dcim/racks/${rack}/elevation/?render=svg`, undefined, { accept: 'image/svg+xml' })).status,
    200,
  )
  assert.equal(
    (
      await call('POST', '/api/dcim/sites/', '{"name":"C","slug":"c"}', {
        'content-type': 'Application/JSON; charset=UTF-8',
      })
    ).status,
    201,
  )
})

test('JSON comes before a page where both are asked for by name', async () => {
  const type = async (accept: string) =>
    (await call('GET', '/api/dcim/sites/', undefined, { accept })).headers.get('content-type')!.split(';')[0]
  assert.deepEqual(
    await Promise.all(
      [
        'text/html, application/json',
        'text/html,application/xml;q=0.9,*/*;q=0.8',
        '*/*',
        'text/*',
        'text/*, application/*',
      ].map(type),
    ),
    ['application/json', 'text/html', 'application/json', 'text/html', 'application/json'],
  )
})

test('a body that is not UTF-8 is refused', async () => {
  const headers = {
    authorization: 'Token 0123456789abcdef0123456789abcdef01234567',
    'content-type': 'application/json',
  }
  const reply = await fetch(`${base}/api/dcim/sites/`, {
    method: 'POST',
    headers,
    body: Buffer.from('{"name":"\xff","slug":"x"}', 'latin1'),
  })
  assert.equal(reply.status, 400)
})

test('a body that is compressed is refused as such', async () => {
  const send = (coding: string, body: string | Buffer<ArrayBuffer>) =>
    fetch(`${base}/api/dcim/sites/`, {
      method: 'POST',
      headers: {
        authorization: 'Token 0123456789abcdef0123456789abcdef01234567',
        'content-type': 'application/json',
        'content-encoding': coding,
      },
      body,
    })
  const site = JSON.stringify({ name: 'Packed', slug: 'packed' })
  const reply = await send('gzip', gzipSync(site))
  assert.deepEqual([reply.status, reply.headers.get('accept-encoding')], [415, 'identity'])
  assert.deepEqual(await reply.json(), { detail: 'Unsupported content encoding "gzip" in request.' })
  assert.equal((await send('utf-8', site)).status, 201) // some clients mean the letters
})

test('lengths count characters', async () => {
  const of = (n: number) => ({ name: '\u{1F4A9}'.repeat(n), slug: `n${n}`, changelog_message: '\u{1F4A9}'.repeat(150) })
  assert.equal((await call('POST', '/api/dcim/sites/', of(100))).status, 201)
  assert.deepEqual(Object.keys((await call('POST', '/api/dcim/sites/', of(101))).json), ['name'])
})

test('Location is there when the answer has the url', async () => {
  assert.ok((await call('POST', '/api/dcim/regions/', { name: 'R', slug: 'r' })).headers.has('location'))
  assert.ok(!(await call('POST', '/api/dcim/regions/?omit=url', { name: 'S', slug: 's' })).headers.has('location'))
})

test('OPTIONS of an object offers a change to those who may make it', async () => {
  await make.fresh('users.objectpermission', {
    object_types: ['dcim.site'],
    actions: ['view', 'change'],
    constraints: { slug: 'b' },
    users: [user],
  })
  const offers = async (id: number, headers: Record<string, string>) =>
    Object.keys((await call('OPTIONS', `/api/dcim/sites/${id}/`, undefined, headers)).json.actions ?? {})
  assert.deepEqual(
    [await offers(site, eve), await offers(site + 1, eve), await offers(site, {}), await offers(99_999, {})],
    [[], ['PUT'], ['PUT'], []],
  )
  const reader = (await call('POST', '/api/users/tokens/', { user: 1, write_enabled: false })).json
  assert.deepEqual(await offers(site, { authorization: `Bearer nbt_${reader.key}.${reader.token}` }), [])
  assert.equal((await call('OPTIONS', '/api/users/config/')).status, 200)
})

test('parameters of a saved filter come to those of the query', async () => {
  await make.fresh('extras.savedfilter', {
    name: 'Planned',
    slug: 'planned',
    object_types: ['dcim.site'],
    parameters: { status: ['planned'] },
  })
  for (const parameters of [{}, [], [1], 'x', null])
    assert.deepEqual(
      Object.keys(
        (
          await call('POST', '/api/extras/saved-filters/', {
            name: 'X',
            slug: 'x',
            object_types: ['dcim.site'],
            parameters,
          })
        ).json,
      ),
      ['parameters'],
    )
  const found = async (query: string) => (await call('GET', `/api/dcim/sites/?slug=a&slug=b&${query}`)).json.count
  assert.deepEqual(
    [
      await found('filter=planned'),
      await found('filter=planned&status=active'),
      await found('filter=planned&slug__n=b'),
    ],
    [1, 2, 0],
  )
})

test('a file is for those who may view what it belongs to', async () => {
  const form = new FormData()
  for (const [key, value] of Object.entries({ object_type: 'dcim.site', object_id: String(site), name: 'front' }))
    form.set(key, value)
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  form.set('image', new File([new Uint8Array(png)], 'a.png'))
  const { json } = await call('POST', '/api/extras/image-attachments/', form)
  const path = new URL(json.image).pathname
  assert.deepEqual([(await call('GET', path)).status, (await call('GET', path, undefined, eve)).status], [200, 404])
  await make.fresh('users.objectpermission', {
    object_types: ['extras.imageattachment'],
    actions: ['view'],
    constraints: { name: 'front' },
    users: [user],
  })
  assert.equal((await call('GET', path, undefined, eve)).status, 200)
  assert.equal((await call('GET', '/media/%zz')).status, 404)
})

test('exclude leaves its member out of whatever else is asked for', async () => {
  const device = await make.fresh('dcim.device')
  const keys = async (query: string) => Object.keys((await call('GET', `/api/dcim/devices/${device}/?${query}`)).json)
  assert.ok((await keys('')).includes('config_context'))
  assert.ok(!(await keys('exclude=config_context')).includes('config_context'))
  assert.deepEqual(await keys('exclude=config_context&fields=name,config_context'), ['name'])
  assert.deepEqual(await keys('exclude=config_context&brief=1'), await keys('brief=1'))
})

test('Allow names the methods of every kind of path', async () => {
  const wanted = {
    '': 'GET, HEAD, OPTIONS',
    'dcim/': 'GET, HEAD, OPTIONS',
    'status/': 'GET, HEAD, OPTIONS',
    'users/config/': 'GET, PATCH, HEAD, OPTIONS',
    'users/tokens/provision/': 'POST, OPTIONS',
    'dcim/sites/': 'GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS',
    'dcim/sites/1/': 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS',
    'core/object-changes/': 'GET, HEAD, OPTIONS',
    'ipam/prefixes/1/available-ips/': 'GET, POST, HEAD, OPTIONS',
    'dcim/devices/1/render-config/': 'POST, OPTIONS',
    'dcim/interfaces/1/trace/': 'GET, HEAD, OPTIONS',
  }
  for (const [path, allow] of Object.entries(wanted))
    assert.equal((await call('OPTIONS', `/api/${path}`)).headers.get('allow'), allow, path)
  assert.equal((await call('DELETE', '/api/status/')).headers.get('allow'), 'GET, HEAD, OPTIONS')
  assert.equal((await call('GET', '/api/nope/')).headers.get('allow'), null)
})

test('a path that is not there is not there for any method', async () => {
  for (const path of ['nothing', 'dcim/nothing', 'dcim/sites/nothing', `dcim/sites/${site}/nothing`, 'status/nothing'])
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      assert.equal((await call(method, `/api/${path}/`)).status, 404, `${method} ${path}`)
  assert.equal((await call('POST', '/api/dcim/')).status, 405)
})

test('the id of a request finds what it made, with hyphens or without', async () => {
  const id = (await call('POST', '/api/dcim/sites/', { name: 'Asked', slug: 'asked' })).headers.get('x-request-id')!
  for (const given of [id, id.replaceAll('-', ''), id.toUpperCase()])
    assert.equal((await call('GET', `/api/dcim/sites/?created_by_request=${given}`)).json.count, 1)
})
