import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allModels } from '../../src/engine/catalog.ts'
import { serve } from '../support/server.ts'

const { call } = await serve()
const list = async (query: string) => (await call('GET', `/api/core/object-types/?limit=0&${query}`)).json.results
const nameOf = (type: { app_label: string; model: string }) => `${type.app_label}.${type.model}`

test('types without an endpoint are listed, and are not public', async () => {
  const types = await list('')
  const names = types.map(nameOf)
  for (const m of allModels) assert.equal(names.includes(m.name), m.internal !== 'own', m.name)
  for (const type of types) {
    const m = allModels.find((each) => each.name === nameOf(type))!
    assert.equal(type.rest_api_endpoint, m.internal ? null : `/api/${m.path}/`, m.name)
    assert.ok(type.model_name && type.model_name_plural && type.display.includes(' > '), m.name)
  }
  const hidden = (await list('public=false')).map(nameOf)
  assert.deepEqual(hidden, [
    'core.kit',
    'core.managedfile',
    'dcim.cablepath',
    'dcim.portmapping',
    'dcim.porttemplatemapping',
    'extras.report',
    'extras.scriptmodule',
    'extras.taggeditem',
    'users.userconfig',
  ])
  assert.equal((await list('public=true')).length, types.length - hidden.length)
})
