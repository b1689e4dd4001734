import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { allModels } from '../src/engine/catalog.ts'
import type { AnyModel } from '../src/declare/model.ts'
import { memberNames } from '../src/engine/select.ts'
import { coherent } from './support/coherent.ts'
import type { Reply } from './support/launch.ts'
import { Maker, writable } from './support/maker.ts'
import { shown } from './support/samples.ts'
import { serve } from './support/server.ts'

/** Every model through every verb, from its declaration alone. A new model is covered when it is declared. */
const { call } = await serve()
const make = new Maker(call)
await make.customField()
const user = await make.fresh('users.user')
const token = (await call('POST', '/api/users/tokens/', { user })).json
const eve = { authorization: `Bearer nbt_${token.key}.${token.token}` }

const at = (m: AnyModel, id?: number, query = '') => `/api/${m.path}/${id === undefined ? '' : `${id}/`}${query}`
const expect = (reply: Reply, status: number, what = '') => assert.equal(reply.status, status, `${what} ${reply.text}`)
const isLogged = (m: AnyModel) => m.changeLogged !== false
const hasFile = (m: AnyModel) => writable(m).some(([, field]) => field.kind === 'file' && field.required)

// Several models at a time: their writes share commits.
describe('every model', { concurrency: 8 }, () => {
  for (const m of allModels.filter((each) => !each.internal && !each.methods)) test(m.name, (t) => verbs(t, m))
})

async function verbs(t: TestContext, m: AnyModel): Promise<void> {
  const body = await make.body(m, 'full')
  const one = await make.post(m, await make.body(m, 'minimal'))
  const two = await make.post(m, body)
  await t.test('create with the required fields, and with all', () => created(m, one, two, body))
  if (one.status !== 201 || two.status !== 201) return
  await t.test('OPTIONS', () => options(m, one.json.id))
  await t.test('ETag and If-Match', () => conditional(m, one.json.id))
  await t.test('PATCH of each field', () => patched(m, one.json.id, two.json.id, body))
  await t.test('PUT', () => replaced(m, two.json.id))
  await t.test('bulk create, update, replace and delete', () => bulk(m))
  await t.test('a constrained user', () => constrained(m, one.json.id, two.json.id))
  await t.test('DELETE and change records', () => removed(m, one.json.id))
}

async function created(m: AnyModel, one: Reply, two: Reply, body: Record<string, unknown>): Promise<void> {
  for (const reply of [one, two]) {
    expect(reply, 201, JSON.stringify(body))
    assert.deepEqual(Object.keys(reply.json), memberNames(m))
    assert.equal(new URL(reply.headers.get('location')!).pathname, at(m, reply.json.id))
    assert.equal(reply.headers.has('etag'), Boolean(m.fields.created || m.fields.last_updated))
    assert.deepEqual(scalars((await call('GET', at(m, reply.json.id))).json), scalars(reply.json))
  }
  echoes(m, body, two.json)
  for (const [name, field] of writable(m)) {
    const given = (field.keys?.(name) ?? [name]).some((key) => body[key] !== undefined)
    assert.ok(
      given ||
        coherent[m.name] ||
        ['file', 'refs', 'ref', 'rows', 'generic-list'].includes(field.kind) ||
        field.options.writeOnly,
      `no sample for ${name}, a ${field.kind}`,
    )
  }
}

/** Members that hold no other object: those may change meanwhile. Tokens are shown once. */
const scalars = (answer: object) =>
  Object.fromEntries(
    Object.entries(answer).filter(([key, value]) => key !== 'token' && (typeof value !== 'object' || value === null)),
  )

/** What was written is what is shown. */
function echoes(m: AnyModel, body: Record<string, unknown>, answer: Record<string, unknown>): void {
  for (const [name, field] of writable(m)) {
    if (field.options.writeOnly || field.kind === 'file' || field.kind === 'generic-list' || field.kind === 'flag')
      continue
    for (const key of field.keys?.(name) ?? [name])
      if (body[key] !== undefined && body[key] !== '')
        assert.deepEqual(shown(field, answer[key]), body[key], `${m.name}.${key}`)
  }
}

async function options(m: AnyModel, id: number): Promise<void> {
  const list = await call('OPTIONS', at(m))
  expect(list, 200)
  assert.deepEqual(Object.keys(list.json.actions), ['PUT', 'POST'])
  for (const [name, field] of writable(m)) {
    for (const key of field.keys?.(name) ?? [name]) {
      const facts = list.json.actions.POST[key]
      assert.ok(
        facts && typeof facts.type === 'string' && typeof facts.label === 'string',
        `OPTIONS says nothing of ${key}`,
      )
      assert.equal(facts.read_only, false, key)
      if (field.kind === 'choice') assert.ok(facts.choices.length > 0, `no choices of ${key}`)
    }
  }
  assert.deepEqual(Object.keys((await call('OPTIONS', at(m, id))).json.actions), ['PUT'])
}

async function conditional(m: AnyModel, id: number): Promise<void> {
  const etag = (await call('GET', at(m, id))).headers.get('etag')
  if (!etag) return
  const refused = await call('PATCH', at(m, id), {}, { 'if-match': 'W/"2001-01-01T00:00:00.000000+00:00"' })
  expect(refused, 412)
  assert.equal(refused.headers.get('etag'), etag)
  expect(await call('DELETE', at(m, id), undefined, { 'if-match': '"x"' }), 412)
  expect(await call('PATCH', at(m, id), {}, { 'if-match': `"x", ${etag}` }), 200)
  expect(await call('PATCH', at(m, id), {}, { 'if-match': '*' }), 200)
}

async function patched(m: AnyModel, empty: number, id: number, body: Record<string, unknown>): Promise<void> {
  const fixed = (await coherent[m.name]?.(make, 1, 'full')) ?? {}
  for (const [name, field] of writable(m)) {
    const keys = field.keys?.(name) ?? [name]
    if (field.kind === 'file' || (field.options.unique && field.target)) continue
    const isFixed = keys.some((key) => key in fixed)
    const change = isFixed
      ? Object.fromEntries(keys.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]))
      : await make.value(m, name, field)
    const reply = await call('PATCH', at(m, id), change)
    expect(reply, 200, JSON.stringify(change))
    echoes(m, change, reply.json)
    if (field.options.nullable && !isFixed && !field.generic && !field.required)
      expect(await call('PATCH', at(m, empty), { [name]: null }), 200, `${name} null`)
  }
}

async function replaced(m: AnyModel, id: number): Promise<void> {
  if (hasFile(m)) return
  const body = await make.body(m, 'full')
  const reply = await call('PUT', at(m, id), body)
  expect(reply, 200, JSON.stringify(body))
  echoes(m, body, reply.json)
  const required = writable(m).filter(([, field]) => field.required && !field.generic)
  const empty = await call('PUT', at(m, id), {})
  if (required.length) {
    expect(empty, 400)
    for (const [name] of required) assert.ok(name in empty.json, `PUT without ${name}: ${empty.text}`)
  }
}

async function bulk(m: AnyModel): Promise<void> {
  const bodies = [await make.body(m, 'minimal'), await make.body(m, 'minimal')]
  const made = hasFile(m) ? await Promise.all(bodies.map((body) => make.post(m, body))) : []
  const many = hasFile(m) ? undefined : await call('POST', at(m), bodies)
  if (many) expect(many, 201, JSON.stringify(bodies))
  const ids = (many ? (many.json as { id: number }[]) : made.map((reply) => reply.json as { id: number })).map(
    ({ id }) => id,
  )
  assert.equal(ids.length, 2)
  const patch = await call(
    'PATCH',
    at(m),
    ids.map((id) => ({ id, changelog_message: 'in bulk' })),
  )
  expect(patch, 200)
  assert.deepEqual(patch.json.map((row: { id: number }) => row.id).sort(), [...ids].sort())
  if (many)
    expect(
      await call(
        'PUT',
        at(m),
        ids.map((id, i) => ({ ...bodies[i], id })),
      ),
      200,
    )
  expect(await call('PATCH', at(m), [{ id: ids[0] }, {}]), 400)
  expect(await call('DELETE', at(m), [{ id: ids[0] }, { id: 'x' }]), 400)
  expect(
    await call(
      'DELETE',
      at(m),
      ids.map((id) => ({ id })),
    ),
    204,
  )
  for (const id of ids) expect(await call('GET', at(m, id)), 404)
}

async function constrained(m: AnyModel, mine: number, other: number): Promise<void> {
  // 404 where every user has rows of their own.
  if (!m.open) assert.ok([403, 404].includes((await call('GET', at(m, other), undefined, eve)).status))
  const permission = await make.fresh('users.objectpermission', {
    object_types: [m.name],
    actions: ['view', 'change', 'delete'],
    constraints: { id: mine },
    users: [user],
  })
  const ids = (await call('GET', at(m, undefined, '?limit=0'), undefined, eve)).json.results.map(
    (row: { id: number }) => row.id,
  ) as number[]
  assert.ok(ids.includes(mine))
  if (!m.open) assert.ok(!ids.includes(other))
  if (!m.open) expect(await call('GET', at(m, other), undefined, eve), 404)
  expect(await call('GET', at(m, mine), undefined, eve), 200)
  expect(await call('PATCH', at(m, mine), {}, eve), 200)
  for (const method of ['PATCH', 'PUT', 'DELETE']) expect(await call(method, at(m, other), {}, eve), 404)
  assert.deepEqual((await call('PATCH', at(m), [{ id: other }], eve)).json, [])
  expect(await call('DELETE', at(m), [{ id: other }], eve), 204)
  expect(await call('GET', at(m, other)), 200, 'another object was deleted')
  expect(await call('DELETE', at({ path: 'users/permissions' } as AnyModel, permission)), 204)
}
async function removed(m: AnyModel, id: number): Promise<void> {
  expect(await call('DELETE', at(m, id), { changelog_message: 'no longer needed' }), 204)
  expect(await call('GET', at(m, id)), 404)
  const { results } = (
    await call(
      'GET',
      `/api/core/object-changes/?changed_object_type=${m.name}&changed_object_id=${id}&ordering=id&limit=0`,
    )
  ).json
  if (!isLogged(m)) return assert.equal(results.length, 0)
  const [first, last] = [results[0], results.at(-1)]
  assert.equal(first.action.value, 'create')
  assert.deepEqual(first.prechange_data ?? {}, {})
  assert.equal(last.action.value, 'delete')
  assert.deepEqual(last.postchange_data ?? {}, {})
  assert.equal(last.message, 'no longer needed')
  assert.deepEqual(Object.keys(last.prechange_data), Object.keys(first.postchange_data))
  for (const each of results.slice(1, -1)) assert.notDeepEqual(each.prechange_data, each.postchange_data)
}
