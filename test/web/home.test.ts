import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'
import { fieldsIn, login } from '../support/session.ts'
import { until } from '../support/until.ts'

const client = await serve()
const create = creating(client)
const admin = await login(client)
const kept = async () => (await client.call('GET', '/api/extras/dashboard/')).json

test('a fresh server says where to begin, to those who may, until there is something', async () => {
  const { id } = await create('users/users', { username: 'reader', password: 'Plain-User-Passw0rd' })
  await create('users/permissions', { name: 'r', object_types: ['dcim.site'], actions: ['view'], users: [id] })
  const reader = await login(client, 'reader', 'Plain-User-Passw0rd')
  const first = await admin.get('/')
  assert.match(first.text, /Where to begin/)
  for (const link of ['/dcim/sites/add/', '/user/api-tokens/add/', 'cabinet import netbox', '/dcim/devices/import/'])
    assert.ok(first.text.includes(link), link)
  const theirs = (await reader.get('/')).text
  assert.doesNotMatch(theirs, /Where to begin/)
  assert.match(theirs, /href="\/dcim\/sites\/">Sites<\/a> <b>0<\/b>/)
  assert.doesNotMatch(theirs, /dcim\/devices\//, 'what may not be seen is not counted')
  await create('dcim/sites', { name: 'First', slug: 'first' })
  const next = (await admin.get('/')).text
  assert.doesNotMatch(next, /Where to begin/)
  assert.match(next, /How to go on[\s\S]*href="\/dcim\/racks\/add\/"/)
  await create('ipam/prefixes', { prefix: '10.0.0.0/8' })
  assert.doesNotMatch((await admin.get('/')).text, /Where to begin|How to go on/)
})

test('boxes that are added at once are all kept', async () => {
  const { id } = await create('users/users', { username: 'hasty', password: 'Plain-User-Passw0rd' })
  await create('users/permissions', { name: 'h', object_types: ['dcim.site'], actions: ['view'], users: [id] })
  const hasty = await login(client, 'hasty', 'Plain-User-Passw0rd')
  const titles = ['one', 'two', 'three', 'four']
  const { commit } = client.running.store
  commit.hold() // so that each was read before another is kept
  const asked = titles.map((title) =>
    hasty.post('/extras/dashboard/widgets/add/', { kind: 'extras.NoteWidget', title, color: '', content: title }),
  )
  await until(() => commit.waiting === titles.length)
  commit.release()
  assert.deepEqual(
    (await Promise.all(asked)).map(({ status }) => status),
    titles.map(() => 303),
  )
  const page = (await hasty.get('/')).text
  for (const title of titles) assert.match(page, new RegExp(`>${title}<`), title)
})

test('boxes are added, configured, moved, sized and removed by forms alone, and kept as the API has them', async () => {
  assert.deepEqual(await kept(), { layout: null, config: null })
  const add = (kind: string, fields: object) =>
    admin.post('/extras/dashboard/widgets/add/', { kind: `extras.${kind}Widget`, title: '', color: '', ...fields })
  assert.equal((await add('Note', { title: '<i>Rules', content: '# Be **kind** <script>' })).status, 303)
  const { layout, config } = await kept()
  const note = Object.keys(config).find((id) => config[id].title === '<i>Rules')!
  assert.equal(config[note].class, 'extras.NoteWidget')
  assert.equal(layout.length, Object.keys(config).length)
  const page = (await admin.get('/')).text
  assert.match(page, /&lt;i&gt;Rules/)
  assert.match(page, /<h1>Be <strong>kind<\/strong> &lt;script&gt;<\/h1>/)
  const place = async (id = note) => (await kept()).layout.find((each: { id: string }) => each.id === id)
  const tell = (what: string, id = note) => admin.post(`/extras/dashboard/widgets/${id}/`, { do: what })
  const before = await place()
  await tell('wider')
  await tell('taller')
  assert.deepEqual([(await place()).w, (await place()).h], [before.w + 1, before.h + 1])
  for (let i = 0; i < 12; i++) await tell('earlier')
  assert.deepEqual([(await place()).x, (await place()).y], [0, 0])
  await tell('size:99:99')
  assert.deepEqual([(await place()).w, (await place()).h], [12, 20])
  await tell('later')
  assert.ok((await kept()).layout.every((each: { x: number; w: number }) => each.x + each.w <= 12))
  const at = `/extras/dashboard/widgets/${note}/configure/`
  assert.equal((await admin.get(at)).status, 200)
  assert.equal((await admin.post(at, { title: 'Rules', color: 'plaid', content: 'x' })).status, 400)
  assert.equal((await admin.post(at, { title: 'Rules', color: 'green', content: 'changed' })).status, 303)
  assert.deepEqual((await kept()).config[note].config, { content: 'changed' })
  await tell('remove')
  assert.equal((await kept()).config[note], undefined)
  assert.equal((await tell('wider')).status, 404)
  assert.equal((await admin.post('/extras/dashboard/reset/', {})).status, 303)
  assert.deepEqual(await kept(), { layout: null, config: null })
})

test('boxes count and list what their filters find; bad ones say what is wrong', async () => {
  for (const [name, status] of [
    ['A1', 'active'],
    ['A2', 'active'],
    ['P1', 'planned'],
  ] as const)
    await create('dcim/sites', { name, slug: name.toLowerCase(), status })
  const add = (fields: Readonly<Record<string, string>>) =>
    admin.post('/extras/dashboard/widgets/add/', { color: '', ...fields })
  const counts = { kind: 'extras.ObjectCountsWidget', title: 'Mine', models: 'dcim.site' }
  assert.equal((await add({ ...counts, filters: 'status=planned' })).status, 303)
  const list = { kind: 'extras.ObjectListWidget', title: 'Sites', page_size: '2', url_params: '?status=planned' }
  assert.equal((await add({ ...list, model: 'dcim.nothing' })).status, 400)
  assert.equal((await add({ ...list, model: 'dcim.site', page_size: '5000' })).status, 400)
  assert.equal((await add({ ...list, model: 'dcim.site' })).status, 303)
  const page = (await admin.get('/')).text
  assert.match(page, /href="\/dcim\/sites\/\?status=planned">Sites<\/a> <b>1<\/b>/)
  assert.match(page, /<table[\s\S]*>P1<\/a>/)
  for (const fields of [
    { ...counts, filters: 'status=nonsense' },
    { ...list, model: 'dcim.site', url_params: 'status=nonsense' },
  ]) {
    const refused = await add(fields)
    assert.equal(refused.status, 400)
    assert.match(refused.text, /class="error"[^>]*>Status: [^{]*nonsense/)
    assert.deepEqual(fieldsIn(refused.text)['filters' in fields ? 'filters' : 'url_params'], ['status=nonsense'])
  }
  const { layout, config } = await kept()
  for (const each of Object.values<{ config: Record<string, unknown> }>(config))
    if (each.config.url_params) each.config.url_params = { status: 'nonsense' } // as another client may keep it
  assert.equal((await client.call('PATCH', '/api/extras/dashboard/', { layout, config })).status, 200)
  const shown = await admin.get('/')
  assert.equal(shown.status, 200)
  assert.match(shown.text, /filters of this box cannot be used: Status: [^{]*nonsense/)
})

test('what other clients keep is shown as far as it can be', async () => {
  const strange = {
    layout: [
      { id: 'a', x: -3, y: 'b', w: 400, h: 1e9 },
      { id: 'a', x: 0, y: 0, w: 1, h: 1 },
      { id: '"><b>', x: 0, y: 0, w: 1, h: 1 },
      { id: 'feed', x: 0, y: 1, w: 4, h: 2 },
      null,
      { id: 'gone' },
    ],
    config: {
      a: { class: 'extras.ObjectListWidget', title: 7, color: '" onclick', config: { model: 'users.session' } },
      '"><b>': { class: 'x' },
      feed: { class: 'extras.RSSFeedWidget', title: 'News', config: { feed_url: 'https://feed.example/' } },
    },
  }
  assert.equal((await client.call('PUT', '/api/extras/dashboard/', strange)).status, 200)
  const page = await admin.get('/?arrange=1')
  assert.equal(page.status, 200)
  assert.match(page.text, /not shown here: extras\.RSSFeedWidget/)
  assert.equal(page.text.match(/class="panel widget/g)!.length, 2)
  await admin.post('/extras/dashboard/widgets/a/', { do: 'remove' })
  assert.deepEqual((await kept()).config.feed.config, { feed_url: 'https://feed.example/' }, 'it is kept')
})
