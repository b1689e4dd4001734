import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { creating, serve } from '../support/server.ts'
import { login } from '../support/session.ts'

const client = await serve()
const create = creating(client)
const Password = 'Plain-User-Passw0rd'

/** A user with one permission, who is logged in. */
async function plain(username: string, types: readonly string[] = []) {
  const { id } = await create('users/users', { username, password: Password })
  if (types.length)
    await create('users/permissions', { name: username, object_types: types, actions: ['view'], users: [id] })
  return { id: id as number, browser: await login(client, username, Password) }
}
const asToken = (header: string) =>
  client.call('GET', '/api/authentication-check/', undefined, { authorization: header })

test('a plain user sees their own pages, and nothing of administration', async () => {
  const { browser } = await plain('ann', ['dcim.site'])
  const pages = 'profile password sessions preferences bookmarks subscriptions notifications api-tokens api-tokens/add'
  for (const name of pages.split(' ')) {
    const page = await browser.get(`/user/${name}/`)
    assert.equal(page.status, 200, `${name} ${page.text.slice(0, 500)}`)
  }
  const profile = await browser.get('/user/profile/')
  assert.match(profile.text, /Sites <small>dcim/)
  assert.doesNotMatch(profile.text, /users\/users\//, 'the menu has no users')
  for (const path of ['/users/users/', '/users/permissions/', '/core/jobs/', '/users/groups/add/'])
    assert.equal((await browser.get(path)).status, 403, path)
  const nobody = await fetch(`${client.base}/user/profile/`, { redirect: 'manual' })
  assert.equal(nobody.headers.get('location'), '/login/?next=%2Fuser%2Fprofile%2F')
})

test('a password is changed by whoever knows the old one; other sessions end, this one goes on', async () => {
  const { browser } = await plain('bob')
  const other = await login(client, 'bob', Password)
  const change = (fields: object) => browser.post('/user/password/', { old: Password, ...fields })
  const [weak, apart] = [
    await change({ new: 'short', again: 'short' }),
    await change({ new: 'Another-Passw0rd', again: 'Another-Passw0rd!' }),
  ]
  assert.deepEqual([weak.status, apart.status], [400, 400])
  assert.match(weak.text, /at least 12 characters/)
  const wrong = await change({ old: 'Wrong-Passw0rd-1', new: 'Another-Passw0rd', again: 'Another-Passw0rd' })
  assert.equal(wrong.status, 403)
  assert.match(wrong.text, /This is not your password/)
  assert.equal((await change({ new: 'Another-Passw0rd', again: 'Another-Passw0rd' })).status, 303)
  assert.equal((await browser.get('/user/profile/')).status, 200, 'this session')
  assert.equal((await other.get('/user/profile/')).status, 302, 'the other session')
  assert.equal((await (await login(client, 'bob', 'Another-Passw0rd')).get('/user/profile/')).status, 200)
})

test('guessing the old password is slowed down like a login', async () => {
  const { browser } = await plain('guesser')
  const statuses: number[] = []
  for (let i = 0; i < 20 && statuses.at(-1) !== 429; i++)
    statuses.push(
      (await browser.post('/user/password/', { old: `Wrong-${i}`, new: 'Another-Passw0rd', again: 'Another-Passw0rd' }))
        .status,
    )
  assert.equal(statuses.at(-1), 429)
})

test('a token is made, shown once, changed and revoked by its user alone', async () => {
  const { id, browser } = await plain('cid')
  const made = await browser.post('/user/api-tokens/add/', {
    description: '<b>backup',
    write_enabled: 'true',
    enabled: 'true',
    version: '2',
    expires: '',
    allowed_ips: '',
  })
  assert.equal(made.status, 201, made.text.slice(0, 3000))
  const header = /Authorization: (Bearer nbt_\w+\.\w+)/.exec(made.text)![1]!
  assert.match(made.text, /pynetbox\.api/)
  const who = await asToken(header)
  assert.deepEqual([who.status, who.json.username], [200, 'cid'])
  const list = await browser.get('/user/api-tokens/')
  assert.ok(!list.text.includes(header.slice(-20)), 'the secret is not shown again')
  assert.ok(list.text.includes('&lt;b&gt;backup') && !list.text.includes('<b>backup'))
  const token = /\/user\/api-tokens\/(\d+)\//.exec(list.text)![1]!
  const stored = await client.call('GET', `/api/users/tokens/${token}/`)
  assert.deepEqual([stored.json.user.id, stored.json.version], [id, 2])
  const edited = { description: 'nightly', enabled: 'true', allowed_ips: '10.0.0.0/8', expires: '' }
  assert.equal((await browser.post(`/user/api-tokens/${token}/`, { ...edited, allowed_ips: 'nowhere' })).status, 400)
  const two = await browser.post(`/user/api-tokens/${token}/`, { ...edited, allowed_ips: '10.0.0.1/8, bad' })
  assert.match(two.text, /class="error" id="e-allowed_ips">bad: Enter a valid IPv4 or IPv6 network/)
  assert.equal((await browser.post(`/user/api-tokens/${token}/`, edited)).status, 303)
  const changed = (await client.call('GET', `/api/users/tokens/${token}/`)).json
  assert.deepEqual(
    [changed.description, changed.write_enabled, changed.allowed_ips],
    ['nightly', false, ['10.0.0.0/8']],
  )
  const { browser: other } = await plain('dan')
  assert.equal((await other.get(`/user/api-tokens/${token}/`)).status, 404)
  assert.equal((await other.post(`/user/api-tokens/${token}/`, { _revoke: '1' })).status, 404)
  assert.equal((await browser.post(`/user/api-tokens/${token}/`, { _revoke: '1' })).status, 303)
  assert.equal((await asToken(header)).status, 403)
})

test('an administrator who makes a token for somebody sees its secret once too', async () => {
  const { id } = await plain('eve')
  const made = await (await login(client)).post('/users/tokens/add/', {
    user: String(id),
    version: '2',
    enabled: 'true',
    write_enabled: 'true',
  })
  assert.equal(made.status, 201, made.text.slice(0, 3000))
  assert.equal((await asToken(/Authorization: (Bearer nbt_\w+\.\w+)/.exec(made.text)![1]!)).json.username, 'eve')
})

test('sessions are listed and ended, those of others are not', async () => {
  const { browser } = await plain('fay')
  const second = await login(client, 'fay', Password)
  const { browser: other } = await plain('gus')
  const list = await browser.get('/user/sessions/')
  assert.equal(list.text.match(/This one/g)!.length, 1)
  const id = /name="id" value="(\d+)"/.exec(list.text)![1]!
  await other.post('/user/sessions/', { id })
  assert.equal((await second.get('/user/profile/')).status, 200, 'not by others')
  assert.equal((await browser.post('/user/sessions/', { id })).status, 303)
  assert.equal((await second.get('/user/profile/')).status, 302)
  const third = await login(client, 'fay', Password)
  await browser.post('/user/sessions/', { id: 'others' })
  assert.equal((await third.get('/user/profile/')).status, 302)
  assert.equal((await browser.get('/user/profile/')).status, 200)
})

test('a session tells when it began, when it was used last, and from where', async () => {
  const { browser } = await plain('ida')
  const shown = (await browser.get('/user/sessions/')).text
  const cells = [...shown.slice(shown.indexOf('This one')).matchAll(/<td>(?:<time datetime="([^"]+)")?([^<]*)/g)]
  const [agent, from, began, used, ends] = cells.map(([, moment, text]) => moment ?? text!)
  assert.ok(began! <= used! && used! < ends!, `${began} ${used} ${ends}`)
  assert.ok(Math.abs(Date.parse(used!) - Date.now()) < 60_000)
  assert.equal(agent, 'node')
  assert.match(from!, /^(?:127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/)
})

test('preferences are kept where the API has them, and lists go by them', async () => {
  const { browser } = await plain('hal', ['dcim.region'])
  for (let i = 0; i < 30; i++) await create('dcim/regions', { name: `Region ${i}`, slug: `r${i}` })
  const rows = async () => (await browser.get('/dcim/regions/')).text.match(/>Region \d+<\/a>/g)!.length
  assert.equal(await rows(), 30)
  const wanted = { 'pagination.per_page': '25', 'ui.tables.striping': 'true', 'ui.theme': 'dark' }
  assert.equal((await browser.post('/user/preferences/', { ...wanted, 'ui.theme': 'plaid' })).status, 400)
  assert.equal((await browser.post('/user/preferences/', wanted)).status, 303)
  assert.equal(await rows(), 25)
  const page = (await browser.get('/dcim/regions/')).text
  assert.match(page, /<html lang="en" data-theme="dark">/)
  assert.match(page, /<body class="striped">/)
  const bars = async () => {
    const [before, after = ''] = (await browser.get('/dcim/regions/')).text.split('<table')
    return [before, after].map((part) => part!.includes('class="pager"'))
  }
  assert.deepEqual(await bars(), [false, true])
  await browser.post('/user/preferences/', { 'pagination.placement': 'both' })
  assert.deepEqual(await bars(), [true, true])
  await browser.post('/user/preferences/', { 'pagination.placement': 'top' })
  assert.deepEqual(await bars(), [true, false])
  const again = await browser.get('/user/preferences/')
  assert.match(again.text, /<option value="dark" selected>/)
})

test('bookmarks, subscriptions and notifications are read, opened and dismissed', async () => {
  const { id, browser } = await plain('ian', ['dcim.site'])
  const site = await create('dcim/sites', { name: 'Home & away', slug: 'home' })
  const of = { object_type: 'dcim.site', object_id: site.id, user: id }
  await create('extras/bookmarks', of)
  await create('extras/subscriptions', of)
  const kept = await browser.get('/user/bookmarks/')
  assert.match(kept.text, new RegExp(`href="/dcim/sites/${site.id}/">Home &amp; away`))
  assert.match((await browser.get('/user/subscriptions/')).text, /Home &amp; away/)
  const changed = await client.call('PATCH', `/api/dcim/sites/${site.id}/`, { description: 'changed' })
  assert.equal(changed.status, 200)
  const bell = /aria-label="Notifications, 1 unread"/
  const news = await browser.get('/user/notifications/')
  assert.match(news.text, bell)
  const notice = /name="open" value="(\d+)"/.exec(news.text)![1]!
  const opened = await browser.post('/user/notifications/', { open: notice })
  assert.deepEqual([opened.status, opened.location], [303, `/dcim/sites/${site.id}/`])
  assert.doesNotMatch((await browser.get('/user/profile/')).text, bell)
  const { browser: other } = await plain('joe')
  assert.equal((await other.post('/user/notifications/', { remove: notice })).status, 404)
  assert.equal((await other.post('/user/notifications/', { all: 'dismiss' })).status, 303)
  assert.match((await browser.get('/user/notifications/')).text, /Home &amp; away/, 'still there')
  await browser.post('/user/notifications/', { all: 'dismiss' })
  assert.match((await browser.get('/user/notifications/')).text, /nothing new/)
  const bookmark = /name="remove" value="(\d+)"/.exec(kept.text)![1]!
  assert.equal((await browser.post('/user/bookmarks/', { remove: bookmark })).status, 303)
  assert.match((await browser.get('/user/bookmarks/')).text, /You have no bookmarks/)
})

test('measures, data and tables are shown and written as one prefers them', async () => {
  const browser = await login(client)
  const prefer = async (fields: Record<string, string>) =>
    assert.equal((await browser.post('/user/preferences/', fields)).status, 303)
  const maker = new Maker(client.call)
  const type = await maker.fresh('dcim.devicetype', { model: 'Heavy', weight: 10, weight_unit: 'lb', comments: 'a;b' })
  const profile = await maker.fresh('extras.configcontextprofile', { schema: { properties: { ntp: {} } } })
  const told = async () => {
    const panel = (await browser.get(`/dcim/device-types/${type}/`)).text
    return /<dt>Weight<\/dt><dd>(.*?)<\/dd>/.exec(panel)![1]!
  }
  const path = `/dcim/device-types/export/?id=${type}&_as=csv`
  const head = async (more = '') => (await browser.get(path + more)).text.split('\r\n')[0]!.split('\n')[0]!
  const data = async () => (await browser.get(`/extras/config-context-profiles/${profile}/`)).text
  assert.equal(await told(), '10 lb')
  assert.match(await head(), /^id,manufacturer/)
  assert.match(await data(), /<code>\{/)
  await prefer({ 'ui.measurement_system': 'metric', csv_delimiter: 'semicolon', data_format: 'yaml' })
  assert.equal(await told(), '<span title="10 lb">4.54 kg</span>')
  await browser.post('/dcim/device-types/columns/', { column: ['model', 'weight'], order: ['model', 'weight'] })
  assert.match((await browser.get('/dcim/device-types/')).text, /<td class=number><span title="10 lb">4.54 kg/)
  await browser.post('/dcim/device-types/columns/', { _reset: '1' })
  assert.match(await head(), /^id;manufacturer/)
  assert.match(await head('&_of=shown'), /;/)
  assert.match(await data(), /<code>properties:/)
  const again = await browser.post('/dcim/device-types/import/', { text: (await browser.get(path)).text })
  assert.match(again.text, /1 as before/)
  await prefer({ 'ui.measurement_system': 'imperial', csv_delimiter: 'comma', data_format: 'json' })
  assert.equal(await told(), '10 lb')
})
