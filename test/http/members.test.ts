import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allModels } from '../../src/engine/catalog.ts'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

const { call, base } = await serve()
const make = new Maker(call)
const get = async (path: string, id: number, query = '') => (await call('GET', `/api/${path}/${id}/${query}`)).json

test('whatever has a name and a label shows both', async () => {
  const labelled = allModels.filter((m) => m.fields.label && m.fields.name && m.app === 'dcim' && !m.internal)
  assert.ok(labelled.length >= 20)
  for (const m of labelled) {
    const id = await make.fresh(m.name, { label: 'As printed' })
    const { name, display } = await get(m.path, id)
    assert.equal(display, `${name} (As printed)`, m.name)
    await call('PATCH', `/api/${m.path}/${id}/`, { label: '' })
    assert.equal((await get(m.path, id)).display, name, m.name)
  }
})

test('every display_url leads to the object, also where its page has a path of its own', async () => {
  const set = await make.fresh('extras.customfieldchoiceset')
  assert.equal(
    (await get('extras/custom-field-choice-sets', set)).display_url,
    `${base}/extras/custom-field-choices/${set}/`,
  )
  const change = (await call('GET', '/api/core/object-changes/?limit=1')).json.results[0]
  assert.equal(change.display_url, `${base}/core/changelog/${change.id}/`)
  const site = await get('dcim/sites', await make.fresh('dcim.site'))
  for (const shown of [await get('extras/custom-field-choice-sets', set), change, site]) {
    const reply = await call('GET', new URL(shown.display_url).pathname)
    assert.ok([200, 302].includes(reply.status), `${shown.display_url} ${reply.status}`)
  }
})

test('members come in the order that the reference has', async () => {
  const first = async (path: string, id: number, query = '') => Object.keys(await get(path, id, query)).slice(0, 5)
  const group = await make.fresh('ipam.fhrpgroup')
  assert.deepEqual(await first('ipam/fhrp-groups', group), ['id', 'name', 'url', 'display_url', 'display'])
  assert.deepEqual(await first('ipam/fhrp-groups', group, '?fields=url,display,id,name'), [
    'id',
    'name',
    'url',
    'display',
  ])
  const said = (await call('OPTIONS', '/api/ipam/fhrp-groups/')).json.actions.POST
  assert.deepEqual(Object.keys(said), Object.keys(await get('ipam/fhrp-groups', group)), 'OPTIONS tells the same')
  const notified = await make.fresh('extras.notificationgroup')
  assert.deepEqual(await first('extras/notification-groups', notified), ['id', 'url', 'display', 'display_url', 'name'])
  assert.deepEqual(await first('extras/notification-groups', notified, '?brief=1'), [
    'id',
    'url',
    'display',
    'name',
    'description',
  ])
})
