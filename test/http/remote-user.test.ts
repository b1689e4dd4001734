import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw } from '../support/raw.ts'
import { AdminToken, serve } from '../support/server.ts'

const on = { remoteAuthEnabled: true, trustedProxies: ['127.0.0.1'] }
const auto = { ...on, remoteAuthCreateUser: true }
const nobody = { authorization: '' }

/** A server, and what it answers to headers. */
async function proxied(changes: Parameters<typeof serve>[0]) {
  const client = await serve(changes)
  const as = (headers: Record<string, string>, path = '/api/authentication-check/') =>
    client.call('GET', path, undefined, { ...nobody, ...headers })
  const user = async (username: string) =>
    (await client.call('GET', `/api/users/users/?username=${encodeURIComponent(username)}`)).json.results[0]
  return { ...client, as, user }
}

test('who is named by a trusted proxy is in, and made at the first request; without the header nobody is', async () => {
  for (const workers of [0, 2]) {
    const { as, user, call } = await proxied({ ...auto, workers })
    const all = {
      'remote-user': 'ann',
      'remote-user-email': 'Ann@Example.com',
      'remote-user-first-name': 'Ann',
      'remote-user-last-name': Buffer.from('Müller', 'utf8').toString('latin1'),
    }
    const first = await as(all)
    assert.equal(first.status, 200, first.text)
    assert.equal(first.json.username, 'ann')
    const ann = await user('ann')
    assert.deepEqual([ann.email, ann.first_name, ann.last_name, ann.groups], ['Ann@example.com', 'Ann', 'Müller', []])
    assert.equal((await as(all)).json.id, first.json.id)
    assert.equal((await as({})).status, 403)
    assert.equal((await as(all, '/api/dcim/sites/')).status, 403, 'no more than their permissions')
    assert.equal((await call('GET', '/api/users/users/?q=ller')).json.count, 1, 'found by the search')
    const refused = await call('POST', '/api/users/tokens/', { user: ann.id }, { ...nobody, ...all })
    assert.match(refused.json.detail, /CSRF/, 'a browser that is made to send it')
  }
})

test('who is no trusted proxy names nobody: not by a forwarded address, not twice, not in other letters', async () => {
  const { as, base } = await proxied({ ...auto, trustedProxies: ['192.0.2.1'] })
  for (const more of [{}, { 'x-forwarded-for': '192.0.2.1' }, { 'x-real-ip': '192.0.2.1' }] as Record<string, string>[])
    assert.equal((await as({ 'remote-user': 'admin', ...more })).status, 403)
  const off = await proxied({ trustedProxies: ['127.0.0.1'] })
  assert.equal((await off.as({ 'remote-user': 'admin' })).status, 403, 'it is not switched on')
  const trusted = await proxied(auto)
  const said = async (lines: string[]) => {
    const connection = await raw(trusted.base)
    connection.send(
      ['GET /api/authentication-check/ HTTP/1.1', 'Host: x', ...lines, 'Connection: close', '', ''].join('\r\n'),
    )
    return (await connection.rest()).text.split('\r\n')[0]
  }
  assert.match((await said(['Remote-User: ann']))!, / 200 /)
  for (const lines of [
    ['Remote-User: ann', 'Remote-User: admin'],
    ['Remote_User: admin'],
    ['HTTP_REMOTE_USER: admin'],
    ['Remote-User: admin\u0000'],
    ['Remote-User:  '],
    ['X-Remote-User: admin'],
    ['Connection: Remote-User', 'Remote-User : admin'],
  ])
    assert.match((await said(lines))!, / (?:400|403) /, lines.join())
  assert.equal((await fetch(`${base}/healthz`)).status, 200)
})

test('users are made only where that is asked for; names that cannot be or are too like others are not', async () => {
  const strict = await proxied(on)
  const refused = await strict.as({ 'remote-user': 'ann' })
  assert.deepEqual(
    [refused.status, refused.json.detail],
    [403, 'There is no account ann here; an administrator makes one.'],
  )
  assert.equal((await strict.as({ 'remote-user': 'admin' })).json.username, 'admin')
  const page = await fetch(`${strict.base}/dcim/sites/`, { headers: { 'remote-user': 'ann', accept: 'text/html' } })
  assert.equal(page.status, 403)
  assert.match(await page.text(), /There is no account ann here/)
  const { as, call, user } = await proxied(auto)
  const utf8 = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
  assert.match((await as({ 'remote-user': 'Admin' })).json.detail, /too much like admin/)
  for (const name of ['a b', 'x'.repeat(151), '<b>', 'ann/..', utf8('ann\u202e')])
    assert.match((await as({ 'remote-user': name })).json.detail, /cannot be a username/, name)
  assert.equal((await as({ 'remote-user': utf8('Jürgen') })).json.username, 'Jürgen')
  assert.equal(
    (await as({ 'remote-user': utf8('Ju\u0308rgen') })).json.username,
    'Jürgen',
    'the same letters in another form',
  )
  const look = (await as({ 'remote-user': utf8('аdmin') })).json
  assert.notEqual(look.id, (await user('admin')).id, 'letters that look alike are another user')
  const ann = (await as({ 'remote-user': 'ann' })).json
  await call('PATCH', `/api/users/users/${ann.id}/`, { is_active: false })
  assert.equal((await as({ 'remote-user': 'ann' })).status, 403)
  await call('PATCH', `/api/users/users/${ann.id}/`, { is_active: true, username: 'anna' })
  assert.notEqual((await as({ 'remote-user': 'ann' })).json.id, ann.id, 'the name is what counts')
})

test('groups follow the proxy, made or only found; superusers by group and by name', async () => {
  const make = await proxied({
    ...auto,
    remoteAuthGroupSync: true,
    remoteAuthCreateGroups: true,
    remoteAuthGroupSeparator: ',',
    remoteAuthSuperuserGroups: ['root'],
    remoteAuthSuperusers: ['boss'],
  })
  const groupsOf = async (name: string) => (await make.user(name)).groups.map((group: any) => group.name)
  const isSuper = async (headers: Record<string, string>) =>
    (await make.as(headers, '/api/core/background-queues/')).status === 200
  assert.equal(await isSuper({ 'remote-user': 'ann', 'remote-user-group': 'net, ops' }), false)
  assert.deepEqual(await groupsOf('ann'), ['net', 'ops'])
  assert.equal(await isSuper({ 'remote-user': 'ann', 'remote-user-group': 'ops,root' }), true)
  assert.deepEqual(await groupsOf('ann'), ['ops', 'root'])
  assert.equal(await isSuper({ 'remote-user': 'ann', 'remote-user-group': '' }), false)
  assert.deepEqual(await groupsOf('ann'), [])
  assert.equal(await isSuper({ 'remote-user': 'boss' }), true)
  const many = Array.from({ length: 2000 }, (_, i) => `g${i}`).join()
  assert.equal(await isSuper({ 'remote-user': 'ann', 'remote-user-group': many }), false)
  assert.ok((await make.call('GET', '/api/users/groups/')).json.count <= 510, 'and no more than so many')
  const match = await proxied({ ...auto, remoteAuthGroupSync: true })
  await match.call('POST', '/api/users/groups/', { name: 'net' })
  await match.as({ 'remote-user': 'ann', 'remote-user-group': 'net|ops' })
  assert.deepEqual(
    (await match.user('ann')).groups.map((group: any) => group.name),
    ['net'],
  )
})

test('users who are made get groups and permissions of the configuration, those who are here keep theirs', async () => {
  const { as, user, call } = await proxied({
    ...auto,
    remoteAuthDefaultGroups: ['readers', 'none such'],
    remoteAuthDefaultPermissions: { 'dcim.view_site': {}, 'dcim.view_rack': { name: 'mine' } },
  })
  await call('POST', '/api/users/groups/', { name: 'readers' })
  for (const name of ['ann', 'bob']) {
    assert.equal((await as({ 'remote-user': name }, '/api/dcim/sites/')).status, 200)
    const { groups, permissions } = await user(name)
    assert.deepEqual(
      groups.map((group: any) => group.name),
      ['readers'],
    )
    assert.equal(permissions.length, 2)
  }
  assert.equal((await call('GET', '/api/users/permissions/')).json.count, 2, 'shared by both')
  await call('POST', '/api/users/users/', { username: 'eve', password: 'Plain-User-Passw0rd' })
  assert.equal((await as({ 'remote-user': 'eve' }, '/api/dcim/sites/')).status, 403)
})

test('a token goes before the header, and the same header again writes nothing', async () => {
  const { as, running } = await proxied(auto)
  assert.equal((await as({ 'remote-user': 'ann', authorization: `Token ${AdminToken}` })).json.username, 'admin')
  await as({ 'remote-user': 'ann' })
  const before = running.store.db.get<{ n: number }>('select total_changes() as n')!.n
  for (let i = 0; i < 5; i++) assert.equal((await as({ 'remote-user': 'ann' })).status, 200)
  assert.equal(running.store.db.get<{ n: number }>('select total_changes() as n')!.n, before)
})

test('nobody becomes another by giving them the name that the proxy calls one by', async () => {
  const { as, user, call } = await proxied(auto)
  for (const name of ['eve', 'chief']) assert.equal((await as({ 'remote-user': name })).status, 200)
  const [eve, chief] = [await user('eve'), await user('chief')]
  for (const [object_types, users] of [
    [['users.user'], [eve.id]],
    [['dcim.site'], [chief.id]],
  ])
    await call('POST', '/api/users/permissions/', { name: 'p', object_types, actions: ['view', 'change'], users })
  const { key, token } = (await call('POST', '/api/users/tokens/', { user: eve.id })).json
  const rename = (id: number, username: string) =>
    call('PATCH', `/api/users/users/${id}/`, { username }, { authorization: `Bearer nbt_${key}.${token}` })
  assert.equal((await rename(eve.id, 'eve2')).status, 200)
  assert.equal((await rename(chief.id, 'eve')).status, 403)
  assert.notEqual((await as({ 'remote-user': 'eve' })).json.id, chief.id)
})
