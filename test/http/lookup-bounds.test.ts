import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Maker } from '../support/maker.ts'
import { serve } from '../support/server.ts'

const { call } = await serve()
const make = new Maker(call)
const user = await make.fresh('users.user', { username: 'eve' })
const token = (await call('POST', '/api/users/tokens/', { user })).json
const eve = { authorization: `Bearer nbt_${token.key}.${token.token}` }
const tenant = await make.fresh('tenancy.tenant', { name: 'T', slug: 't', comments: 'hush' })
const site = await make.fresh('dcim.site', { name: 'A', slug: 'a', tenant })
await make.fresh('dcim.rack', { name: 'R1', site })
const webhook = await make.fresh('extras.webhook', { name: 'W', secret: 'open sesame', payload_url: 'http://x.test/' })
const source = await make.fresh('core.datasource', { name: 'S', type: 'git', parameters: { password: 'sesame' } })
const permission = await make.fresh('users.objectpermission', {
  object_types: ['dcim.site'],
  actions: ['view'],
  users: [user],
})
const many = (n: number) => Array.from({ length: n }, (_, i) => `name ${i}`)
const long = 'a'.repeat(60_000)
const far = `${'parent__'.repeat(60)}name`
const deep = (n: number): object => (n === 0 ? { name: 'x' } : { parent: deep(n - 1) })

const reference = (path: string, field: string, attributes: object, more: object = {}, headers = {}) =>
  call('POST', `/api/${path}/`, { ...more, [field]: attributes }, headers)

test('a reference by too many values, too long a text, too far or too deep is refused under its field', async () => {
  for (const attributes of [
    { name__in: many(30_000) },
    { name__in: many(40_000), slug__in: many(40_000) },
    { name__icontains: long },
    { name__contains: long },
    { name__iexact: long },
    Object.fromEntries(many(300).map((name) => [`${name}__x`, 1])),
    { [`region__${far}`]: 'x' },
    { region: deep(20) },
    { region: deep(60) },
  ]) {
    const reply = await reference('dcim/racks', 'site', attributes, { name: 'R' })
    assert.deepEqual([reply.status, Object.keys(reply.json)], [400, ['site']], JSON.stringify(attributes).slice(0, 60))
    assert.ok(reply.text.length < 3000)
  }
  const found = await reference('dcim/racks', 'site', { slug__in: [...many(5000), 'a'] }, { name: 'R2' })
  assert.equal(found.json.site?.id, site)
})

test('who may not view a model finds nothing there by attributes', async () => {
  const other = await reference('users/tokens', 'user', { username__in: ['admin'] }, {}, eve)
  const none = await reference('users/tokens', 'user', { username__in: ['nobody'] }, {}, eve)
  assert.equal(other.text.replace('admin', ''), none.text.replace('nobody', ''))
})

test('texts in queries and saved filters are bounded', async () => {
  for (const query of [`q=${long}`, `name__ic=${long}`, `name__niew=${long}`, `description__ie=${long}`])
    assert.equal((await call('GET', `/api/dcim/sites/?${query}`)).status, 400, query.slice(0, 20))
  for (const name of ['q', 'name__ic'])
    await make.fresh('extras.savedfilter', {
      name: `${name} saved`,
      slug: `saved-${name.slice(0, 2)}`,
      object_types: ['dcim.site'],
      parameters: { [name]: [`${long}${long}`] },
    })
  for (const slug of ['saved-q', 'saved-na'])
    assert.equal((await call('GET', `/api/dcim/sites/?filter=${slug}`)).status, 400, slug)
})

test('as many tags, ids and names as an address holds are a list or a 400', async () => {
  for (const name of ['tag', 'tag__n', 'tag_id', 'region', 'region_id__n', 'created_by_request', 'owner', 'name__n'])
    for (const value of ['null', '1', 'a'.repeat(3)]) {
      const query = Array.from({ length: 2500 }, () => `${name}=${value}`).join('&')
      const { status } = await call('GET', `/api/dcim/sites/?${query}`)
      assert.ok(status === 200 || status === 400, `${name}=${value}: ${status}`)
    }
})

test('values that are compared one by one are few', async () => {
  for (const name of ['id__gt', 'name__ic', 'name__nregex', 'latitude__lte', 'cf_x__ic']) {
    const values = (n: number) => Array.from({ length: n }, (_, i) => `${name}=${2000 + i}`).join('&')
    assert.equal((await call('GET', `/api/dcim/sites/?${values(100)}`)).status, 200, name)
    const { status } = await call('GET', `/api/dcim/sites/?${values(2000)}`)
    assert.equal(status, ['cf_x__ic', 'name__nregex'].includes(name) ? 200 : 400, name) // those are no parameters
  }
})

test('constraints are bounded when they are written, and none makes a list fail', async () => {
  const write = (constraints: unknown) => call('PATCH', `/api/users/permissions/${permission}/`, { constraints })
  for (const constraints of [
    { id__in: Array.from({ length: 40_000 }, (_, i) => i) },
    [{ id__in: Array.from({ length: 40_000 }, (_, i) => i) }],
    { name__icontains: long },
    { [`region__${far}`]: 'x' },
    Array.from({ length: 2000 }, (_, i) => ({ id: i })),
    Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`name__${i}`, 1])),
  ]) {
    const reply = await write(constraints)
    const what = JSON.stringify(constraints).slice(0, 60)
    assert.deepEqual([reply.status, Object.keys(reply.json)], [400, ['constraints']], what)
    assert.ok((await call('GET', '/api/dcim/sites/', undefined, eve)).status < 500, what)
  }
  assert.equal((await write({ slug__in: [...many(5000), 'a'] })).status, 200)
  assert.equal((await call('GET', '/api/dcim/sites/', undefined, eve)).json.count, 1)
})

test('a thousand permissions for one action are as good as one', async () => {
  await call(
    'POST',
    '/api/users/permissions/',
    Array.from({ length: 1500 }, (_, i) => ({
      name: `p${i}`,
      object_types: ['dcim.site'],
      actions: ['change'],
      constraints: { slug: `s${i}`, name: `n${i}` },
      users: [user],
    })),
  )
  assert.equal((await call('PATCH', `/api/dcim/sites/${site}/`, { facility: 'x' }, eve)).status, 404)
})

test('no secret can be compared, whoever asks', async () => {
  await make.fresh('extras.eventrule', {
    object_types: ['dcim.site'],
    event_types: ['object_created'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook,
  })
  const views = async (type: string, constraints: object): Promise<number> => {
    const { id } = (
      await call('POST', '/api/users/permissions/', {
        name: 'guess',
        object_types: [type],
        actions: ['view'],
        constraints,
        users: [user],
      })
    ).json
    const path = { 'extras.webhook': 'extras/webhooks', 'core.datasource': 'core/data-sources' }[type]!
    const { count } = (await call('GET', `/api/${path}/`, undefined, eve)).json
    await call('DELETE', `/api/users/permissions/${id}/`)
    return count
  }
  assert.equal(await views('extras.webhook', { name: 'W' }), 1)
  assert.equal(await views('extras.webhook', { secret__startswith: 'open' }), 0)
  assert.equal(await views('extras.webhook', { additional_headers: '' }), 0)
  assert.equal(await views('core.datasource', { name: 'S' }), 1)
  assert.equal(await views('core.datasource', { parameters__password__startswith: 's' }), 0)
  assert.equal(await views('core.datasource', { parameters__password__isnull: false }), 0)
  const guess = await reference('core/data-files', 'source', { id: source, parameters__password: 'sesame' })
  assert.ok(guess.status >= 400)
})

test('a reference compares what answers show of related objects, and no more without permission', async () => {
  await call('PATCH', `/api/users/permissions/${permission}/`, { constraints: null })
  await make.fresh('users.objectpermission', {
    object_types: ['dcim.location', 'dcim.site'],
    actions: ['add', 'view'],
    users: [user],
  })
  const asked = async (attributes: object) => {
    const reply = await reference(
      'dcim/locations',
      'site',
      attributes,
      { name: 'L', slug: `l-${Math.random().toString(36).slice(2)}` },
      eve,
    )
    assert.ok([201, 400].includes(reply.status), reply.text)
    if (reply.status === 201) await call('DELETE', `/api/dcim/locations/${reply.json.id}/`)
    return reply.status === 201
  }
  assert.ok(await asked({ slug: 'a', tenant__name: 'T' }))
  assert.ok(await asked({ slug: 'a', tenant: { slug: 't' } }))
  assert.ok(!(await asked({ slug: 'a', tenant__comments__startswith: 'h' })))
  assert.ok(!(await asked({ slug: 'a', racks__name: 'R1' })))
  assert.ok(!(await asked({ slug: 'a', racks__isnull: false })))
  await make.fresh('users.objectpermission', {
    object_types: ['tenancy.tenant', 'dcim.rack'],
    actions: ['view'],
    users: [user],
  })
  assert.ok(await asked({ slug: 'a', tenant__comments__startswith: 'h' }))
  assert.ok(await asked({ slug: 'a', racks__name: 'R1' }))
})
