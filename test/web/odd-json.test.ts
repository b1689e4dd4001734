import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const client = await serve()
const browser = await login(client)
const make = new Maker(client.call)

/** An object that `String` and `Number` fail on, as any client may send it. */
const Odd = { toString: 1, valueOf: 1 }

/** Those of some pages that are not shown. */
async function broken(paths: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(paths.map(async (path) => [path, (await browser.get(path)).status] as const))
  return answers.filter(([, status]) => status !== 200).map(([path, status]) => `${path}: ${status}`)
}

test('names that every object of JavaScript has are no names of models and tabs', async () => {
  const site = await make.fresh('dcim.site')
  for (const name of ['constructor', '__proto__', 'toString']) {
    assert.equal((await browser.get(`/dcim/sites/${site}/${name}/`)).status, 404, name)
    assert.deepEqual(
      await broken([
        `/ipam/ip-addresses/add/?assigned_object_type=${name}&assigned_object_id=1`,
        `/extras/journal-entries/add/?assigned_object_type=${name}&assigned_object_id=${site}`,
      ]),
      [],
      name,
    )
    assert.equal((await browser.get(`/labels/?type=${name}&id=1`)).status, 404, name)
    const trial = await browser.post('/users/permissions/add/', {
      object_types: name,
      actions: 'view',
      constraints: '{}',
      _redraw: '1',
    })
    assert.equal(trial.status, 200, name)
    const box = await browser.post('/extras/dashboard/widgets/add/', {
      kind: 'extras.ObjectListWidget',
      model: name,
    })
    assert.equal(box.status, 400, name)
    assert.match(box.text, /id="e-model"/)
  }
})

test('pages take any preferences and boxes that a client has kept', async () => {
  const site = await make.fresh('dcim.site')
  const pages = [
    '/',
    '/user/preferences/',
    '/dcim/sites/',
    '/dcim/sites/columns/',
    `/dcim/sites/${site}/`,
    '/dcim/sites/export/?_as=csv',
  ]
  for (const preferences of [
    { ui: { theme: Odd, measurement_system: Odd, tables: Odd } },
    { csv_delimiter: Odd, data_format: Odd },
    { pagination: { per_page: Odd, placement: Odd } },
    { tables: { SiteTable: { columns: [Odd, 5, null, 'constructor'] } } },
  ]) {
    assert.equal((await client.call('PATCH', '/api/users/config/', preferences)).status, 200)
    assert.deepEqual(await broken(pages), [], JSON.stringify(preferences))
  }
  await client.call('PATCH', '/api/users/config/', { labels: { width: Odd } })
  assert.equal((await browser.get(`/labels/?type=dcim.site&id=${site}`)).status, 400)
  for (const [kind, config] of [
    ['ObjectList', { model: 'dcim.site', page_size: Odd, url_params: Odd }],
    ['ObjectCounts', { models: ['constructor', Odd], filters: { id: Odd } }],
    ['Bookmarks', { max_items: Odd, order_by: Odd }],
    ['Note', { content: Odd }],
  ] as const) {
    const kept = { layout: [{ id: Odd }, { id: 'a' }], config: { a: { class: `extras.${kind}Widget`, config } } }
    assert.equal((await client.call('PUT', '/api/extras/dashboard/', kept)).status, 200)
    assert.deepEqual(await broken(['/', '/?arrange=1', '/extras/dashboard/widgets/a/configure/']), [], kind)
  }
})

test('an odd value of a custom field is shown and exported, in conditions and saved filters too', async () => {
  await client.call('POST', '/api/extras/custom-fields/', { name: 'data', type: 'json', object_types: ['dcim.site'] })
  const site = await make.fresh('dcim.site')
  await client.call('PATCH', '/api/users/config/', { tables: { SiteTable: { columns: ['name', 'cf_data'] } } })
  await make.fresh('extras.eventrule', {
    object_types: ['dcim.site'],
    event_types: ['object_updated'],
    conditions: { attr: 'custom_fields.data', op: 'in', value: 'a text' },
  })
  for (const data of [Odd, { display: Odd }, [{ label: Odd }], { object: { display: Odd } }]) {
    const { status } = await client.call('PATCH', `/api/dcim/sites/${site}/`, { custom_fields: { data } })
    assert.equal(status, 200, JSON.stringify(data))
    const files = ['csv', 'json', 'yaml'].flatMap((as) => [
      `/dcim/sites/export/?_as=${as}`,
      `/dcim/sites/export/?_as=${as}&_of=shown`,
    ])
    assert.deepEqual(await broken([`/dcim/sites/${site}/`, `/dcim/sites/${site}/edit/`, '/dcim/sites/', ...files]), [])
  }
  const parameters = { name: Odd, status: [Odd] }
  const filter = await make.fresh('extras.savedfilter', { object_types: ['dcim.site'], parameters })
  for (const path of [`/dcim/sites/?filter_id=${filter}`, `/api/dcim/sites/?filter_id=${filter}`])
    assert.ok((await browser.get(path)).status < 500, path)
})

test('odd values are refused where no object is taken, by the name of the field', async () => {
  const set = await make.fresh('extras.customfieldchoiceset', { extra_choices: [['a', 'A']] })
  for (const [name, type] of Object.entries({ one: 'select', some: 'multiselect' }))
    await client.call('POST', '/api/extras/custom-fields/', {
      name,
      type,
      choice_set: set,
      object_types: ['dcim.site'],
    })
  const site = await make.fresh('dcim.site')
  const rule = await make.fresh('extras.eventrule')
  const cable = await make.fresh('dcim.cable')
  const refused: [path: string, field: string, body: object][] = [
    [`extras/custom-field-choice-sets/${set}`, 'choice_colors', { choice_colors: { a: Odd } }],
    [`extras/event-rules/${rule}`, 'event_types', { event_types: [Odd] }],
    [`dcim/cables/${cable}`, 'a_terminations', { a_terminations: [{ object_type: Odd, object_id: 1 }] }],
    [`dcim/sites/${site}`, '__all__', { custom_fields: { one: Odd } }],
    [`dcim/sites/${site}`, '__all__', { custom_fields: { some: [Odd] } }],
    [`dcim/sites/${site}`, 'region', { region: { name__regex: [Odd] } }],
  ]
  for (const [path, field, body] of refused) {
    const { status, json } = await client.call('PATCH', `/api/${path}/`, body)
    const shown = `${path} ${JSON.stringify(body)}: ${status} ${JSON.stringify(json)}`
    assert.equal(status, 400, shown)
    assert.ok(field in json, shown)
  }
})

test('constraints with odd values allow nothing, and break nothing', async () => {
  const user = await make.fresh('users.user', { username: 'bounded', password: 'Cabinet-Test-Passw0rd' })
  await make.fresh('ipam.prefix')
  const more = { object_types: ['ipam.prefix'], actions: ['view'], users: [user] }
  for (const key of ['description__icontains', 'description__regex', 'prefix__net_host', 'prefix__family'])
    for (const value of [Odd, [Odd]]) {
      const constraints = { [key]: value }
      const made = await client.call('POST', '/api/users/permissions/', { name: key, ...more, constraints })
      assert.ok(made.status < 500, `${key} ${made.text}`)
      if (made.status !== 201) continue
      const theirs = await login(client, 'bounded')
      const list = await theirs.get('/api/ipam/prefixes/?format=json')
      assert.equal(list.status, 200, `${key} ${list.text}`)
      assert.equal((JSON.parse(list.text) as { count: number }).count, 0)
      await client.call('DELETE', `/api/users/permissions/${made.json.id}/`)
    }
})

test('actions refuse odd values too', async () => {
  const prefix = await make.fresh('ipam.prefix', { prefix: '198.51.100.0/24' })
  const device = await make.fresh('dcim.device')
  for (const [path, body] of [
    [`ipam/prefixes/${prefix}/available-ips`, { prefix_length: Odd }],
    [`ipam/prefixes/${prefix}/available-ips`, [{ prefix_length: [Odd] }]],
    [`ipam/prefixes/${prefix}/available-prefixes`, { prefix_length: Odd }],
    [`dcim/devices/${device}/render-config`, { config_template_id: Odd }],
  ] as const) {
    const { status, text } = await client.call('POST', `/api/${path}/`, body)
    assert.equal(status, 400, `${path} ${text}`)
  }
})
