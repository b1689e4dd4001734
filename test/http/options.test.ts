import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allModels } from '../../src/engine/catalog.ts'
import { fill } from '../support/inventory.ts'
import { type Client, launch } from '../support/launch.ts'
import { login } from '../support/session.ts'

let client: Client

before(async () => {
  client = await launch()
  await fill(client.call)
})
after(() => client.close())

const served = allModels.filter((m) => !m.internal && (!m.methods || m.methods.includes('POST')))

/** Where the members told and the members shown differ, below a member of an answer. */
function strayed(at: string, told: any, value: any): string[] {
  if (value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) return told.child ? value.flatMap((each) => strayed(`${at}[]`, told.child, each)) : []
  if (told.type !== 'nested object' || !told.children) return []
  const [wanted, given] = [Object.keys(told.children).join(), Object.keys(value).join()]
  if (wanted !== given) return [`${at}: told ${wanted}, shown ${given}`]
  return Object.entries(told.children).flatMap(([name, inner]) => strayed(`${at}.${name}`, inner, value[name]))
}

test('OPTIONS names the members of every answer, of nested objects and of lists too, in their order', async () => {
  for (const m of served) {
    const { actions } = (await client.call('OPTIONS', `/api/${m.path}/`)).json
    const told = actions.POST as Record<string, any>
    const hidden = Object.keys(told).filter((name) => m.fields[name]?.options.writeOnly)
    for (const row of (await client.call('GET', `/api/${m.path}/?limit=0`)).json.results) {
      assert.deepEqual(
        Object.keys(told).filter((name) => !hidden.includes(name)),
        Object.keys(row),
        m.path,
      )
      for (const [name, value] of Object.entries(row)) assert.deepEqual(strayed(name, told[name], value), [], m.path)
    }
  }
})

test('OPTIONS tells ids as integers, limits of items, and the content types to choose from', async () => {
  const post = async (path: string) => (await client.call('OPTIONS', `/api/${path}/`)).json.actions.POST
  for (const m of served) {
    const { id, url } = await post(m.path)
    assert.deepEqual([id.type, id.label, url.label], ['integer', 'ID', 'Url'], m.path)
  }
  const sites = await post('dcim/sites')
  assert.equal(sites.region.children.id.type, 'integer')
  assert.equal((await post('dcim/regions')).site_count.type, 'integer')
  assert.equal(sites.device_count.type, 'field')
  const { ports } = await post('ipam/services')
  assert.deepEqual(ports.child, { type: 'integer', required: true, read_only: false, min_value: 1, max_value: 65535 })
  const { choices } = (await post('extras/bookmarks')).object_type
  assert.deepEqual(
    choices.find((row: any) => row.value === 'dcim.site'),
    { value: 'dcim.site', display_name: 'DCIM | site' },
  )
  assert.equal('choices' in (await post('ipam/ip-addresses')).assigned_object_type, false)
})

test('units of a reservation have the limits that OPTIONS tells', async () => {
  const { user, rack } = (await client.call('GET', '/api/dcim/rack-reservations/')).json.results[0]
  const make = (units: unknown) =>
    client.call('POST', '/api/dcim/rack-reservations/', { rack: rack.id, user: user.id, description: 'x', units })
  const refused = await make([32768])
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.json.units, { 0: ['Ensure this value is less than or equal to 32767.'] })
  assert.equal((await make([-1])).status, 400)
})

test('what a field means is told in OPTIONS, in the OpenAPI document and beside its control', async () => {
  const help = 'Units are numbered from the top down.'
  assert.equal((await client.call('OPTIONS', '/api/dcim/racks/')).json.actions.POST.desc_units.help_text, help)
  const { components } = (await client.call('GET', '/api/schema/?format=json')).json
  const told = Object.values(components.schemas as Record<string, any>)
    .map((schema) => schema.properties?.desc_units?.description)
    .filter((description) => description !== undefined)
  assert.deepEqual(new Set(told), new Set([help]))
  const session = await login(client)
  assert.match((await session.get('/dcim/racks/add/')).text, new RegExp(`id="h-desc_units"[^>]*>${help}`))
})
