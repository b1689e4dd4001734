import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const { call, running } = client
const create = creating(client)

/** A request's answer, and the longest time (ms) that the event loop stood still meanwhile. */
async function stallOf<T>(work: () => Promise<T>): Promise<{ answer: T; stall: number }> {
  let [last, stall] = [performance.now(), 0]
  const timer = setInterval(() => {
    stall = Math.max(stall, performance.now() - last)
    last = performance.now()
  }, 1)
  const answer = await work()
  clearInterval(timer)
  return { answer, stall }
}
const Hostile = { type: 'object', properties: { a: { pattern: '^(a+)+$' } } }
const bad = { a: `${'a'.repeat(40)}!` }

test('users of one bulk are hashed aside, all with passwords of their own', async (t) => {
  const users = Array.from({ length: 20 }, (_, i) => ({ username: `u${i}`, password: 'Same-Passw0rd-4-all' }))
  const { answer, stall } = await stallOf(() => call('POST', '/api/users/users/', users))
  t.diagnostic(`the event loop stood still for ${stall.toFixed(0)} ms`)
  assert.equal(answer.status, 201, answer.text)
  const hashes = running.store.db.all<{ password: string }>("select password from users_user where username like 'u%'")
  assert.equal(new Set(hashes.map((row) => row.password)).size, 20)
  assert.ok(hashes.every((row) => row.password.startsWith('$argon2id$')))
  const login = await call('POST', '/api/users/tokens/provision/', {
    username: 'u7',
    password: 'Same-Passw0rd-4-all',
  })
  assert.equal(login.status, 201, login.text)
})

test('errors of a bulk are told for every item, slow ones among them', async () => {
  const profile = await create('extras/config-context-profiles', { name: 'P', schema: Hostile })
  const { status, json } = await call('POST', '/api/extras/config-contexts/', [
    { name: 'c1', data: { a: 'aaa' }, profile: profile.id },
    { name: 'c2', data: bad, profile: profile.id },
    { name: '', data: { a: 1 } },
  ])
  assert.equal(status, 400)
  assert.deepEqual(
    json.map((each: object) => Object.keys(each)),
    [[], ['__all__'], ['name']],
  )
  assert.match(json[1].__all__[0], /too long/)
  assert.equal((await call('GET', '/api/extras/config-contexts/')).json.count, 0)
})

test('many slow checks hold up nobody, and leave one object and one change record each', async (t) => {
  const schema = {
    type: 'object',
    patternProperties: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`^k${i}(x|y)*$`, { type: 'integer' }])),
  }
  const profile = await create('extras/config-context-profiles', { name: 'Q', schema })
  const data = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}xy`, i]))
  const bodies = Array.from({ length: 100 }, (_, i) => ({ name: `d${i}`, data, profile: profile.id }))
  const { answer, stall } = await stallOf(() => call('POST', '/api/extras/config-contexts/', bodies))
  t.diagnostic(`the event loop stood still for ${stall.toFixed(0)} ms`)
  assert.equal(answer.status, 201, answer.text.slice(0, 300))
  assert.equal((await call('GET', '/api/extras/config-contexts/?limit=1')).json.count, 100)
  const changes = await call('GET', '/api/core/object-changes/?changed_object_type=extras.configcontext&limit=1')
  assert.equal(changes.json.count, 100)
})

test('a hostile schema of a custom field is refused in time', async (t) => {
  await create('extras/custom-fields', {
    name: 'cf',
    type: 'json',
    object_types: ['dcim.site'],
    validation_schema: Hostile,
  })
  const { answer, stall } = await stallOf(() =>
    call('POST', '/api/dcim/sites/', { name: 's', slug: 's', custom_fields: { cf: bad } }),
  )
  assert.deepEqual([answer.status, /too long/.test(answer.text)], [400, true], answer.text)
  t.diagnostic(`the event loop stood still for ${stall.toFixed(0)} ms`)
})
