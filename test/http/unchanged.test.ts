import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../support/server.ts'

const { call } = await serve()
const sites = '/api/dcim/sites/?limit=10'
const known = (etag: string | null, headers: Record<string, string> = {}) => ({
  'if-none-match': etag ?? '',
  ...headers,
})

test('a list that a client has already is answered without it, until anything in it is another', async () => {
  const region = await call('POST', '/api/dcim/regions/', { name: 'North', slug: 'north' })
  const site = await call('POST', '/api/dcim/sites/', { name: 'A', slug: 'a', region: region.json.id })
  assert.equal((await call('GET', sites)).headers.get('etag'), null, 'who does not ask gets none')
  const first = await call('GET', sites, undefined, known(null))
  const etag = first.headers.get('etag')
  assert.match(etag!, /^W\/"[\w-]+"$/)
  for (const given of [etag, `"other", ${etag}`, etag!.slice(2), '*']) {
    const again = await call('GET', sites, undefined, known(given))
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag], String(given))
    assert.equal(again.headers.get('vary'), first.headers.get('vary'))
  }
  assert.equal((await call('HEAD', sites, undefined, known(etag))).status, 304)
  assert.equal((await call('GET', sites, undefined, known('W/"other"'))).status, 200)

  await call('POST', '/api/extras/tags/', { name: 'T', slug: 't' })
  assert.equal((await call('GET', sites, undefined, known(etag))).status, 304, 'what is not in it changed')
  await call('PATCH', `/api/dcim/regions/${region.json.id}/`, { name: 'South' })
  const renamed = await call('GET', sites, undefined, known(etag))
  assert.equal(renamed.status, 200)
  assert.equal(renamed.json.results[0].region.name, 'South')
  const newer = renamed.headers.get('etag')
  assert.notEqual(newer, etag)
  await call('DELETE', `/api/dcim/sites/${site.json.id}/`)
  assert.equal((await call('GET', sites, undefined, known(newer))).json.count, 0)
})

test('each asks for what they may see, as they wish to see it', async () => {
  await call('POST', '/api/dcim/sites/', { name: 'B', slug: 'b' })
  const user = await call('POST', '/api/users/users/', { username: 'eve', password: 'Cabinet-Test-Passw0rd' })
  const token = await call('POST', '/api/users/tokens/', { user: user.json.id, version: 1 })
  const eve = { authorization: `Token ${token.json.token}` }
  const etag = (await call('GET', sites, undefined, known(null))).headers.get('etag')
  assert.equal((await call('GET', sites, undefined, known(etag, eve))).status, 403)
  await call('POST', '/api/users/permissions/', {
    name: 'none',
    object_types: ['dcim.site'],
    actions: ['view'],
    users: [user.json.id],
    constraints: { name: 'Z' },
  })
  const hers = await call('GET', sites, undefined, known(etag, eve))
  assert.deepEqual([hers.status, hers.json.count], [200, 0])
  assert.equal((await call('GET', sites, undefined, known(etag))).status, 304)
  for (const accept of ['text/html', 'application/json; indent=4']) {
    const other = await call('GET', sites, undefined, known(etag, { accept }))
    assert.deepEqual([other.status, other.headers.get('etag')], [200, null], accept)
  }
  assert.equal((await call('GET', `${sites}&fields=id`, undefined, known(etag))).status, 200)
})

test('an object keeps the ETag of its last change, and is always sent: what it shows of others changes', async () => {
  const region = await call('POST', '/api/dcim/regions/', { name: 'East', slug: 'east' })
  const path = `/api/dcim/regions/${region.json.id}/`
  const before = await call('GET', path)
  await call('POST', '/api/dcim/sites/', { name: 'C', slug: 'c', region: region.json.id })
  const after = await call('GET', path, undefined, known(before.headers.get('etag')))
  assert.deepEqual(
    [after.status, after.json.site_count, after.headers.get('etag')],
    [200, 1, before.headers.get('etag')],
  )
})
