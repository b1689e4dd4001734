import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

/** Questions that differ in little must not get each other's remembered answers. */
const { call } = await serve()
const make = new Maker(call)
for (const prefix of ['10.130.1.0/24', '10.131.1.0/24', '10.132.1.0/24']) await make.fresh('ipam.prefix', { prefix })

const prefixes = async (query: string, headers = {}): Promise<string[]> => {
  const reply = await call('GET', `/api/ipam/prefixes/?${query}`, undefined, headers)
  assert.equal(reply.status, 200, reply.text)
  return reply.json.results.map((row: { prefix: string }) => row.prefix)
}

test('networks that differ in bytes beyond ASCII', async () => {
  for (const second of [130, 131, 132, 130])
    for (const page of ['', '&start=0&limit=5'])
      assert.deepEqual(await prefixes(`within=10.${second}.0.0/16${page}`), [`10.${second}.1.0/24`])
})

test('users constrained to different networks, in turn', async () => {
  const readers: [Record<string, string>, string][] = []
  for (const second of [130, 131]) {
    const user = await make.fresh('users.user', { username: `reader-${second}` })
    const token = (await call('POST', '/api/users/tokens/', { user })).json
    await make.fresh('users.objectpermission', {
      object_types: ['ipam.prefix'],
      actions: ['view'],
      users: [user],
      constraints: { prefix__net_contained: `10.${second}.0.0/16` },
    })
    readers.push([{ authorization: `Bearer nbt_${token.key}.${token.token}` }, `10.${second}.1.0/24`])
  }
  for (const [headers, prefix] of [...readers, ...readers]) assert.deepEqual(await prefixes('', headers), [prefix])
})

test('members asked for and left out', async () => {
  const device = await make.fresh('dcim.device')
  const of = async (query: string) => Object.keys((await call('GET', `/api/dcim/devices/${device}/?${query}`)).json)
  assert.ok((await of('')).length > 10)
  assert.deepEqual(await of('fields=config_context&exclude=config_context'), [])
  assert.ok((await of('omit=name|')).length > 10)
  assert.deepEqual(await of('fields=|name'), [])
  assert.deepEqual(await of('fields=name|'), [])
})
