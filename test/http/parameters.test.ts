import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const create = creating(client)
const { call } = client

test('of parameters with a single value the last counts', async () => {
  for (const name of ['a', 'b', 'c']) await create('dcim/sites', { name, slug: name })
  const asked = async (query: string) => (await call('GET', `/api/dcim/sites/?${query}`)).json
  const names = async (query: string) => (await asked(query)).results.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names('limit=1&limit=2'), ['a', 'b'])
  assert.deepEqual(await names('offset=0&offset=2'), ['c'])
  assert.deepEqual(await names('ordering=name&ordering=-name'), ['c', 'b', 'a'])
  assert.deepEqual(await names('q=a&q=b'), ['b'])
  assert.match((await asked('limit=2&limit=1')).next, /\?limit=1&offset=1$/)
  assert.deepEqual((await asked('fields=id&fields=name&limit=1')).results, [{ name: 'a' }])
  assert.deepEqual(Object.keys((await asked('brief=&brief=1&limit=1')).results[0]).at(-1), 'description')
  assert.equal((await call('GET', '/api/dcim/sites/?format=csv&format=json')).status, 200)
  assert.equal((await call('GET', '/api/dcim/sites/?format=json&format=csv')).status, 404)
})
