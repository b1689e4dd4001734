import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

const { call } = await serve()
const make = new Maker(call)
const password = 'Cabinet-Test-Passw0rd'
const Accounts = ['users.user', 'users.group', 'users.objectpermission', 'users.token']
let n = 0
const permit = async (body: object): Promise<number> =>
  make.fresh('users.objectpermission', { name: `p${++n}`, actions: ['view'], ...body })

/** A user who manages accounts and views sites of one name, and what is there to be taken. */
async function deputy() {
  const eve = await make.fresh('users.user', { username: `eve${++n}`, password })
  const { key, token } = (await call('POST', '/api/users/tokens/', { user: eve })).json
  const authorization = `Bearer nbt_${key}.${token}`
  await permit({ object_types: Accounts, actions: ['view', 'add', 'change', 'delete', 'grant'], users: [eve] })
  const own = await permit({ object_types: ['dcim.site'], constraints: { name: 'A' }, users: [eve] })
  const all = await permit({ object_types: ['dcim.site'], actions: ['view', 'delete'] })
  const asleep = await permit({ object_types: ['dcim.site'], actions: ['delete'], enabled: false })
  const admins = await make.fresh('users.group', { name: `admins${n}`, permissions: [all] })
  const peers = await make.fresh('users.group', { name: `peers${n}`, permissions: [own] })
  const ann = await make.fresh('users.user', { username: `ann${n}`, password })
  const chief = await make.fresh('users.user', { username: `chief${n}`, password, groups: [admins] })
  const as = (method: string, path: string, body?: object) =>
    call(method, `/api/users/${path}/`, body, { authorization })
  return { as, eve, ann, chief, own, all, asleep, admins, peers, n }
}
let d: Awaited<ReturnType<typeof deputy>>
beforeEach(async () => {
  d = await deputy()
})

/** Status of each request, which must not be made when it is 403. */
async function refused(requests: readonly (readonly [method: string, path: string, body?: object])[]): Promise<void> {
  for (const [method, path, body] of requests) {
    const { status, text } = await d.as(method, path, body)
    assert.equal(status, 403, `${method} ${path} ${JSON.stringify(body)}: ${status} ${text}`)
  }
}
async function done(requests: readonly (readonly [method: string, path: string, body?: object])[]): Promise<void> {
  for (const [method, path, body] of requests) {
    const { status, text } = await d.as(method, path, body)
    assert.ok(status < 300, `${method} ${path} ${JSON.stringify(body)}: ${status} ${text}`)
  }
}

test('only a superuser changes a superuser', async () => {
  const token = (await call('POST', '/api/users/tokens/', { user: 1 })).json.id
  await refused([
    ['PATCH', 'users/1', { password }],
    ['PATCH', 'users/1', { first_name: 'Root' }],
    ['PATCH', 'users/1', { is_active: false }],
    ['PATCH', 'users', [{ id: 1, first_name: 'Root' }]],
    ['DELETE', 'users', [{ id: 1 }]],
    ['DELETE', 'users/1'],
    ['POST', 'tokens', { user: 1 }],
    ['PATCH', `tokens/${token}`, { description: 'x' }],
    ['DELETE', `tokens/${token}`],
  ])
  assert.equal((await call('GET', '/api/users/users/1/')).json.first_name, '')
})

test('nobody gives a permission that they do not hold', async () => {
  const { eve, ann, own, all, admins, peers } = d
  const permission = (body: object) => ({ name: 'x', object_types: ['dcim.site'], actions: ['view'], ...body })
  await refused([
    ['POST', 'permissions', permission({ users: [eve] })],
    ['POST', 'permissions', permission({})],
    ['POST', 'permissions', permission({ constraints: { name: 'B' } })],
    ['POST', 'permissions', permission({ constraints: [{ name: 'A' }, { name: 'B' }] })],
    ['POST', 'permissions', permission({ constraints: {} })],
    ['POST', 'permissions', permission({ constraints: [] })],
    ['POST', 'permissions', permission({ constraints: { name: 'A' }, actions: ['view', 'change'] })],
    ['POST', 'permissions', permission({ constraints: { name: 'A' }, object_types: ['dcim.site', 'dcim.rack'] })],
    ['POST', 'permissions', permission({ enabled: false })],
    ['POST', 'permissions', permission({ constraints: { name: 'A', racks__serial__startswith: 'x' } })],
    ['POST', 'permissions', permission({ constraints: { name: 'A', tenant__comments__startswith: 'x' } })],
    ['PATCH', `permissions/${own}`, { constraints: null }],
    ['PATCH', `permissions/${own}`, { actions: ['view', 'delete'] }],
    ['PATCH', `permissions/${all}`, { users: [eve] }],
    ['PATCH', `permissions/${all}`, { groups: [peers] }],
    ['PATCH', `permissions/${d.asleep}`, { enabled: true }],
    ['PATCH', `users/${eve}`, { permissions: [all] }],
    ['PATCH', `users/${ann}`, { permissions: [all] }],
    ['PATCH', `users/${eve}`, { groups: [admins] }],
    ['PUT', `users/${ann}`, { username: `ann${d.n}`, password, groups: [peers, admins] }],
    ['POST', 'users', { username: 'new', password, groups: [admins] }],
    ['POST', 'users', { username: 'new', password, permissions: [all] }],
    ['PATCH', `groups/${peers}`, { permissions: [own, all] }],
    ['POST', 'groups', { name: 'new', permissions: [all] }],
  ])
  const { json } = await call('GET', `/api/users/users/${eve}/`)
  assert.deepEqual(json.groups, [])
})

test('a disabled permission counts as the enabled one that it may become', async () => {
  const { eve, ann, asleep, own, peers, n } = d
  const sleepers = await make.fresh('users.group', { name: `sleepers${n}`, permissions: [asleep] })
  const inGroup = await make.fresh('users.user', { username: `vic${n}`, password, groups: [sleepers] })
  const holder = await make.fresh('users.user', { username: `val${n}`, password, permissions: [asleep] })
  const theirs = { object_types: ['dcim.rack'], enabled: false, users: [eve] } // held, not in force
  const ownAsleep = await permit(theirs)
  await refused([
    ['PATCH', `permissions/${asleep}`, { users: [eve] }],
    ['PATCH', `users/${eve}`, { permissions: [own, asleep] }],
    ['PATCH', `users/${eve}`, { groups: [sleepers] }],
    ['PATCH', 'users', [{ id: ann, groups: [sleepers] }]],
    ['POST', 'users', { username: `new${n}`, password, permissions: [asleep] }],
    ['PATCH', `groups/${peers}`, { permissions: [own, asleep] }],
    ['POST', 'groups', { name: `new${n}`, permissions: [asleep] }],
    ['PATCH', `groups/${sleepers}`, { name: `staff${n}` }],
    ['PATCH', `users/${ann}`, { permissions: [ownAsleep] }],
    ...[inGroup, holder].flatMap((user) => [
      ['PATCH', `users/${user}`, { password: 'Another-Passw0rd' }] as const,
      ['POST', 'tokens', { user }] as const,
    ]),
  ])
  const isAsleep = { object_types: ['dcim.site'], constraints: { name: 'A' }, enabled: false }
  await done([
    ['PATCH', `users/${holder}`, { permissions: [await permit(isAsleep)] }],
    ['PATCH', `users/${holder}`, { password: 'Another-Passw0rd' }],
    ['PATCH', `users/${eve}`, { permissions: [] }],
  ])
})

test('what one holds, or less, may be given and taken', async () => {
  const { ann, own, all, admins, peers, chief } = d
  const permission = (body: object) => ({ name: 'x', object_types: ['dcim.site'], actions: ['view'], ...body })
  await done([
    ['POST', 'permissions', permission({ constraints: { name: 'A' }, users: [ann] })],
    ['POST', 'permissions', permission({ constraints: [{ slug: 'b', name: 'A' }] })],
    ['POST', 'permissions', permission({ constraints: { name: 'A', tenant__slug: 'x', status__in: ['active'] } })],
    ['POST', 'permissions', permission({ object_types: ['users.user'] })],
    ['POST', 'permissions', permission({ object_types: ['core.objecttype'] })],
    ['PATCH', `permissions/${own}`, { constraints: { name: 'A', slug: 'a' } }],
    ['PATCH', `permissions/${all}`, { description: 'all sites' }],
    ['PATCH', `users/${ann}`, { permissions: [own], groups: [peers], first_name: 'Ann' }],
    ['PATCH', `users/${ann}`, { permissions: [], groups: [] }],
    ['PATCH', `users/${chief}`, { groups: [admins], first_name: 'Chief' }],
    ['PATCH', `groups/${admins}`, { description: 'x', permissions: [all] }],
    ['POST', 'groups', { name: `new${d.n}`, permissions: [own] }],
    ['POST', 'users', { username: `new${d.n}`, password, groups: [peers] }],
    ['PATCH', `users/${chief}`, { groups: [] }],
    ['DELETE', `permissions/${all}`],
  ])
})

test('nobody takes over the account of one who may do more', async () => {
  const { eve, ann, chief } = d
  await refused([
    ['PATCH', `users/${chief}`, { password: 'Another-Passw0rd' }],
    ['PATCH', `users/${chief}`, { username: `else${d.n}` }], // by the name a proxy or a provider lets one in
    ['POST', 'tokens', { user: chief }],
  ])
  await done([
    ['PATCH', `users/${ann}`, { password: 'Another-Passw0rd' }],
    ['PATCH', `users/${eve}`, { password: 'Another-Passw0rd' }],
    ['PATCH', `users/${ann}`, { username: `other${d.n}` }],
    ['PATCH', `users/${chief}`, { username: `chief${d.n}`, first_name: 'Chief' }],
    ['POST', 'tokens', { user: ann }],
    ['POST', 'tokens', { user: eve }],
  ])
})

test('a token of one who may do more is narrowed, never widened', async () => {
  const { chief, ann } = d
  const narrow = {
    write_enabled: false,
    enabled: false,
    expires: '2099-01-01T00:00:00Z',
    allowed_ips: ['192.0.2.0/24'],
  }
  const token = async (user: number) => (await call('POST', '/api/users/tokens/', { user, ...narrow })).json.id
  const [theirs, equals] = [await token(chief), await token(ann)]
  const wider = [
    { write_enabled: true },
    { enabled: true },
    { expires: null },
    { expires: '2099-06-01T00:00:00Z' },
    { allowed_ips: [] },
    { allowed_ips: ['192.0.2.0/24', '198.51.100.0/24'] },
  ]
  await refused(wider.map((body) => ['PATCH', `tokens/${theirs}`, body] as const))
  await refused([['PATCH', 'tokens', [{ id: theirs, write_enabled: true }]]])
  await done(wider.map((body) => ['PATCH', `tokens/${equals}`, body] as const))
  const open = (await call('POST', '/api/users/tokens/', { user: chief })).json.id
  await done([
    ['PATCH', `tokens/${open}`, narrow],
    ['PATCH', `tokens/${theirs}`, { description: 'x', expires: '2098-01-01T00:00:00Z', enabled: false }],
    ['DELETE', `tokens/${theirs}`],
  ])
})

test('what who signs on gets by its name is not called otherwise by one who may do less', async () => {
  const { all, own, admins, peers, n } = d
  await refused([
    ['PATCH', `groups/${admins}`, { name: `staff${n}` }],
    ['PATCH', `permissions/${all}`, { name: 'dcim.view_site' }],
  ])
  await done([
    ['PATCH', `groups/${peers}`, { name: `staff${n}` }],
    ['PATCH', `permissions/${own}`, { name: 'dcim.view_site' }],
    ['PATCH', `groups/${admins}`, { name: `admins${n}`, description: 'x' }],
  ])
})

test('a constraint that cannot be applied is no ground to give anything', async () => {
  const { as, eve } = d
  await permit({ object_types: ['dcim.rack'], constraints: [{ name: 'R' }, { nope: 1 }], users: [eve] })
  const given = { name: 'x', object_types: ['dcim.rack'], actions: ['view'], constraints: { name: 'R' } }
  assert.equal((await as('POST', 'permissions', given)).status, 403)
})
