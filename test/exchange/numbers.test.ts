import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { System } from '../../src/engine/actor.ts'
import { modelNamed } from '../../src/engine/catalog.ts'
import { Export } from '../../src/exchange/export.ts'
import { importTable } from '../../src/exchange/import.ts'
import { now } from '../../src/lib/datetime.ts'
import { Formats, parse } from '../../src/lib/tables.ts'
import { Writing } from '../../src/store/write.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const { store } = client.running
const Data = '{"a":1.0,"b":[100.0,-0.5,[2.0]],"c":12345678901234567890,"d":{"e":-9007199254740993},"f":"1.0","g":7}'
const json = { 'content-type': 'application/json' }
await creating(client)('extras/custom-fields', { name: 'facts', type: 'json', object_types: ['dcim.site'] })
for (const [path, body] of [
  ['dcim/sites', `{"name":"Lab","slug":"lab","latitude":46.5,"custom_fields":{"facts":${Data}}}`],
  ['extras/config-contexts', `{"name":"x","data":${Data}}`],
])
  assert.equal((await client.call('POST', `/api/${path}/`, body, json)).status, 201)

const taken = (name: string, text: string, format: (typeof Formats)[number]) => {
  const by = { userId: null, username: '', requestId: randomUUID(), message: '', now: now() }
  return importTable(new Writing(store, System, by), modelNamed(name), parse(text, format))
}

for (const format of Formats)
  test(`numbers of JSON stay what they are, out as ${format} and in again`, async () => {
    for (const [name, path] of [
      ['dcim.site', '/api/dcim/sites/1/'],
      ['extras.configcontext', '/api/extras/config-contexts/1/'],
    ] as const) {
      const was = await client.call('GET', path)
      assert.ok(was.text.includes(Data), was.text)
      const { created, changed, unchanged, wrong } = taken(
        name,
        [...new Export(store, modelNamed(name), { actor: System, format })].join(''),
        format,
      )
      assert.deepEqual([created, changed, unchanged, wrong], [0, 0, 1, []])
      assert.equal((await client.call('GET', path)).text, was.text)
    }
  })

test('numbers that are none of JSON, or too large for one, are read as before', async () => {
  const text = '- {name: 1_000, slug: a, facility: 0x1F, latitude: 1.50, cf_facts: {x: .5, 1.0: y, z: 1.20}}'
  assert.deepEqual(taken('dcim.site', text, 'yaml').wrong, [])
  const { json: site } = await client.call('GET', '/api/dcim/sites/?slug=a')
  const { name, facility, latitude, custom_fields } = site.results[0]
  assert.deepEqual([name, facility, latitude, custom_fields.facts], ['1_000', '31', 1.5, { x: 0.5, 1: 'y', z: 1.2 }])
  assert.equal(taken('dcim.site', '[{"name": "b", "slug": "b", "cf_facts": {"x": 1e999}}]', 'json').created, 1)
})
