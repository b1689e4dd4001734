import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'
import { fieldsIn, login } from '../support/session.ts'

const server = await serve()
const make = creating(server)
const models = ['extras.savedfilter', 'extras.tableconfig', 'dcim.site']
const permission = (
  await make('users/permissions', { name: 'all', object_types: models, actions: ['view', 'add', 'change', 'delete'] })
).id
const user = (
  await make('users/users', { username: 'ann', password: 'Cabinet-Test-Passw0rd', permissions: [permission] })
).id
const token = (await make('users/tokens', { user, version: 1 })).token
const asAnn = (method: string, path: string, body?: object) =>
  server.call(method, `/api/${path}`, body, { authorization: `Token ${token}` })
const names = async (path: string): Promise<string[]> =>
  (await asAnn('GET', path)).json.results.map(({ name }: { name: string }) => name)

const filter = (name: string, more: object = {}) =>
  make('extras/saved-filters', { name, slug: name, object_types: ['dcim.site'], parameters: { name: [name] }, ...more })
const table = (name: string, more: object = {}) =>
  make('extras/table-configs', { name, object_type: 'dcim.site', table: 'SiteTable', columns: ['name'], ...more })

for (const [path, one] of [
  ['extras/saved-filters', filter],
  ['extras/table-configs', table],
] as const) {
  test(`${path}: what is not shared is its user's`, async () => {
    const strange = await one('theirs', { shared: false, user: 1 })
    await one('everyones')
    await one('mine', { shared: false, user })
    await one('off', { enabled: false })
    assert.deepEqual(await names(`${path}/`), ['everyones', 'mine', 'off'])
    assert.deepEqual(await names(`${path}/?usable=true`), ['everyones', 'mine'])
    assert.deepEqual(await names(`${path}/?usable=false`), ['off'])
    for (const method of ['GET', 'PATCH', 'DELETE'])
      assert.equal(
        (await asAnn(method, `${path}/${strange.id}/`, method === 'PATCH' ? {} : undefined)).status,
        404,
        method,
      )
    assert.equal((await server.call('GET', `/api/${path}/?name=theirs`)).json.count, 1)
  })
}

test('what is made private is kept for who made it so, on pages and by clients', async () => {
  const [ann, admin] = [await login(server, 'ann'), await login(server)]
  const own = (one: string) => ({ name: one, slug: one, parameters: '{"status": ["active"]}', columns: 'name' })
  const stored = async (path: string, name: string) =>
    (await server.call('GET', `/api/${path}/?name=${name}`)).json.results[0]
  const filterForm = 'extras/saved-filters/add/?object_types=dcim.site'
  const tableForm = 'extras/table-configs/add/?object_type=dcim.site&table=SiteTable'
  for (const [path, form] of [
    ['extras/saved-filters', filterForm],
    ['extras/table-configs', tableForm],
  ] as const) {
    const add = async (browser: typeof ann, fields: object) =>
      browser.post(`/${form}`, { ...fieldsIn((await browser.get(`/${form}`)).text), ...fields })
    const made = await add(ann, { ...own('hers'), shared: [] })
    assert.deepEqual([made.status, (await ann.get(made.location!)).status], [303, 200], made.text.slice(0, 300))
    assert.deepEqual([(await stored(path, 'hers')).user, (await stored(path, 'hers')).shared], [user, false])
    assert.equal((await add(admin, own('public'))).status, 303)
    const byPage = await stored(path, 'public')
    assert.deepEqual([byPage.user, byPage.shared], [1, true])

    const nobodys = await stored(path, 'everyones')
    assert.equal(nobodys.user, null, 'a client that names nobody means nobody')
    assert.equal((await asAnn('PATCH', `${path}/${nobodys.id}/`, { shared: false })).status, 200)
    assert.equal((await stored(path, 'everyones')).user, user)
    const { name, slug } = own('secret')
    const what = path.endsWith('filters')
      ? { slug, object_types: ['dcim.site'], parameters: { name: ['x'] } }
      : { object_type: 'dcim.site', table: 'SiteTable', columns: ['name'] }
    assert.equal((await asAnn('POST', `${path}/`, { name, ...what, shared: false })).json.user, user)
    const open = (await asAnn('POST', `${path}/`, { name: 'open', ...what, slug: 'open' })).json
    assert.deepEqual([open.user, open.shared], [null, true])
  }
  assert.match((await ann.get('/dcim/sites/')).text, /hers/, 'the list offers it')
})

test('a saved filter adds its parameters to those of the query', async () => {
  for (const name of ['mine', 'other', 'third']) await make('dcim/sites', { name, slug: name })
  assert.deepEqual(await names('dcim/sites/?filter=mine'), ['mine'])
  assert.deepEqual(await names('dcim/sites/?filter=mine&name=other'), ['mine', 'other'])
  assert.deepEqual(await names('dcim/sites/?filter=theirs&name=other'), ['other'])
  assert.deepEqual(await names('dcim/sites/?filter=none'), ['mine', 'other', 'third'])
})

test('the parameters of a saved filter are an object that holds some', async () => {
  for (const parameters of [{}, [], 'x', null]) {
    const { status, json } = await server.call('POST', '/api/extras/saved-filters/', {
      name: 'bad',
      slug: 'bad',
      object_types: ['dcim.site'],
      parameters,
    })
    assert.deepEqual([status, Object.keys(json)], [400, ['parameters']])
  }
})

test('a table config names a table and its columns', async () => {
  for (const [key, value] of [
    ['table', 'NoTable'],
    ['columns', [1, {}]],
    ['ordering', [['name']]],
  ] as const) {
    const { status, json } = await server.call('POST', '/api/extras/table-configs/', {
      name: 'bad',
      object_type: 'dcim.site',
      table: 'SiteTable',
      columns: ['name'],
      [key]: value,
    })
    assert.deepEqual([status, Object.keys(json)], [400, [key]])
  }
})

test('tags are found by the types that have them, also right after one more has', async () => {
  const tag = (await make('extras/tags', { name: 't', slug: 't' })).id
  const found = async () => (await server.call('GET', '/api/extras/tags/?content_type=dcim.region')).json.count
  assert.equal(await found(), 0)
  await make('dcim/regions', { name: 'r', slug: 'r', tags: [tag] })
  assert.equal(await found(), 1)
})

test('a bookmark, a subscription or a notification needs an object that the user may view', async () => {
  const hers = await make('users/permissions', {
    name: 'circuits',
    object_types: ['circuits.provider'],
    actions: ['view'],
    constraints: { slug: 'mine' },
    users: [user],
  })
  const mine = (await make('circuits/providers', { name: 'Mine', slug: 'mine' })).id
  const strange = (await make('circuits/providers', { name: 'Strange', slug: 'strange' })).id
  const vlan = (await make('ipam/vlans', { name: 'Hidden', vid: 5 })).id
  for (const path of ['bookmarks', 'subscriptions', 'notifications']) {
    const point = (method: string, at: string, type: string, id: number) =>
      asAnn(method, `extras/${path}/${at}`, {
        object_type: type,
        object_id: id,
        user,
        ...(path === 'notifications' ? { event_type: 'object_updated' } : {}),
      })
    const made = await point('POST', '', 'circuits.provider', mine)
    assert.equal(made.status, 201, made.text)
    for (const [type, id] of [
      ['circuits.provider', strange],
      ['ipam.vlan', vlan],
      ['ipam.vlan', 999_999],
    ] as const) {
      for (const [method, at] of [
        ['POST', ''],
        ['PATCH', `${made.json.id}/`],
        ['PUT', `${made.json.id}/`],
      ] as const) {
        const { status, json } = await point(method, at, type, id)
        const text = `Related object not found using the provided numeric ID: ${id}`
        assert.deepEqual([status, json], [400, { object_id: [text] }], `${method} ${path}`)
      }
    }
    assert.equal((await point('PUT', `${made.json.id}/`, 'circuits.provider', mine)).status, 200)
    for (const id of [mine, strange, 999_999]) {
      const body = { object_type: 'circuits.provider', object_id: id, user: 1, event_type: 'object_updated' }
      const others = await asAnn('POST', `extras/${path}/`, body)
      assert.equal(others.status, 403, `${path} of somebody else say nothing of their object: ${others.text}`)
    }
  }
  await server.call('DELETE', `/api/users/permissions/${hers.id}/`)
})

test('users are told of what they may view when it happens, of its end too', async () => {
  const group = (await make('extras/notification-groups', { name: 'Told', users: [user] })).id
  await make('extras/event-rules', {
    name: 'tell',
    object_types: ['circuits.provider'],
    event_types: ['object_created', 'object_updated', 'object_deleted'],
    action_type: 'notification',
    action_object_type: 'extras.notificationgroup',
    action_object_id: group,
  })
  const told = async () =>
    (await server.call('GET', '/api/extras/notifications/?limit=0')).json.results
      .filter((one: { user: { id: number } }) => one.user.id === user)
      .map(({ display, event_type }: Record<string, any>) => `${display} ${event_type.value ?? event_type}`)
      .filter((text: string) => /^(Open|Closed)/.test(text))
      .sort()
  const constraints = { name__startswith: 'Open' }
  const types = { object_types: ['circuits.provider'], actions: ['view'] }
  const permission = (await make('users/permissions', { name: 'open', ...types, constraints, users: [user] })).id
  const [open, gone] = [
    (await make('circuits/providers', { name: 'Open 1', slug: 'open-1' })).id,
    (await make('circuits/providers', { name: 'Open 2', slug: 'open-2' })).id,
  ]
  const closed = (await make('circuits/providers', { name: 'Closed', slug: 'closed' })).id
  await asAnn('POST', 'extras/subscriptions/', { object_type: 'circuits.provider', object_id: open, user })
  for (const id of [gone, closed]) await server.call('DELETE', `/api/circuits/providers/${id}/`)
  assert.deepEqual(await told(), ['Open 1 object_created', 'Open 2 object_deleted'])
  await server.call('DELETE', `/api/users/permissions/${permission}/`)
  await server.call('PATCH', `/api/circuits/providers/${open}/`, { comments: 'secret' })
  await server.call('DELETE', `/api/circuits/providers/${open}/`)
  assert.deepEqual(await told(), ['Open 1 object_created', 'Open 2 object_deleted'])
})
