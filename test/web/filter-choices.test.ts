import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'
import { login, loginAs, type Session } from '../support/session.ts'

// Whichever thread draws a page, whichever answers what the page then asks for.
const client = await serve({ workers: 2 })
const create = creating(client)
const browser = await login(client)

/** Where a list asks for the choices of a filter. */
async function addressOf(filter: string, list: string, who: Session = browser): Promise<string> {
  const { text } = await who.get(list)
  const address = new RegExp(`<select id="f-${filter}"[^>]* data-choices="([^"]*)"`).exec(text)?.[1]
  assert.ok(address, `${filter} in ${list}`)
  return address.replaceAll('&amp;', '&')
}
const choicesAt = async (address: string, who: Session = browser): Promise<(string | number)[][]> => {
  const { status, text } = await who.get(address)
  assert.equal(status, 200, address)
  return JSON.parse(text)
}

test('many choices of a filter are found where its page says, of custom fields and saved filters too', async () => {
  const types = await choicesAt(await addressOf('type', '/dcim/interfaces/'))
  assert.ok(types.some(([value, label]) => value === '1000base-t' && String(label).startsWith('1000BASE-T')))
  const extra_choices = Array.from({ length: 60 }, (_, i) => [`v${i}`, `Label ${i}`])
  const choice_set = (await create('extras/custom-field-choice-sets', { name: 'Many', extra_choices })).id
  await create('extras/custom-fields', { name: 'pick', type: 'select', object_types: ['dcim.site'], choice_set })
  const address = await addressOf('cf_pick', '/dcim/sites/')
  assert.deepEqual(await choicesAt(address), extra_choices)
  await client.call('PATCH', `/api/extras/custom-field-choice-sets/${choice_set}/`, { extra_choices: [['new', 'New']] })
  assert.deepEqual(await choicesAt(address), [['new', 'New']])
  const shared = { object_types: ['dcim.site'], parameters: { status: ['active'] }, shared: true }
  for (let i = 0; i < 50; i++) await create('extras/saved-filters', { name: `F${i}`, slug: `f${i}`, ...shared })
  const saved = await choicesAt(await addressOf('filter_id', '/dcim/sites/'))
  assert.equal(saved.length, 50)
})

test('browsers keep choices for good by an address that changes with them', async () => {
  const address = await addressOf('type', '/dcim/interfaces/')
  const kept = async (path: string) => {
    const reply = await fetch(client.base + path, { headers: { cookie: browser.cookie } })
    return reply.headers.get('cache-control')
  }
  assert.equal(await kept(address), 'private, max-age=31536000, immutable')
  assert.equal(await kept(address.replace(/v=\w+/, 'v=0')), 'no-store')
})

test('choices are for who may view the list, and of filters that have some', async () => {
  const address = await addressOf('type', '/dcim/interfaces/')
  const reader = await loginAs(client, 'few', [[['dcim.site'], ['view']]])
  assert.equal((await reader.get(address)).status, 403)
  const stranger = await fetch(client.base + address, { redirect: 'manual', headers: { accept: 'text/html' } })
  assert.equal(stranger.status, 302)
  for (const filter of ['name', 'nothing', 'constructor', ''])
    assert.equal((await browser.get(`/dcim/interfaces/choices/?of=${filter}`)).status, 404, filter)
})
