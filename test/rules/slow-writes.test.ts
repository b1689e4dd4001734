import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, type Reply, serve } from '../support/server.ts'

const client = await serve()
const { call, running } = client
const create = creating(client)

/** The answer to a write, and how many requests of somebody else were answered one after another meanwhile. */
async function withOthers(path: string, body: unknown): Promise<{ answer: Reply; others: number }> {
  let [isOver, others] = [false, 0]
  const write = call('POST', path, body).finally(() => {
    isOver = true
  })
  for (; !isOver; others++) await call('GET', '/api/dcim/regions/')
  return { answer: await write, others: others - 1 } // the last may have been answered after it
}
/** So many show that the server did not do the whole of the work in one go. */
const Several = 3
const Hostile = { type: 'object', properties: { a: { pattern: '^(a+)+$' } } }
const bad = { a: `${'a'.repeat(40)}!` }

test('users of one bulk are hashed aside, all with passwords of their own', async () => {
  const users = Array.from({ length: 20 }, (_, i) => ({ username: `u${i}`, password: 'Same-Passw0rd-4-all' }))
  const { answer, others } = await withOthers('/api/users/users/', users)
  assert.ok(others >= Several, `${others} others were answered meanwhile`)
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

test('many slow checks hold up nobody, and leave one object and one change record each', async () => {
  const schema = {
    type: 'object',
    patternProperties: Object.fromEntries(
      Array.from({ length: 1000 }, (_, i) => [`^k${i}(x|y)*$`, { type: 'integer' }]),
    ),
  }
  const profile = await create('extras/config-context-profiles', { name: 'Q', schema })
  const data = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}xy`, i]))
  const bodies = Array.from({ length: 2000 }, (_, i) => ({ name: `d${i}`, data, profile: profile.id }))
  const { answer, others } = await withOthers('/api/extras/config-contexts/', bodies)
  assert.ok(others >= Several, `${others} others were answered meanwhile`)
  assert.equal(answer.status, 201, answer.text.slice(0, 300))
  assert.equal((await call('GET', '/api/extras/config-contexts/?limit=1')).json.count, 2000)
  const changes = await call('GET', '/api/core/object-changes/?changed_object_type=extras.configcontext&limit=1')
  assert.equal(changes.json.count, 2000)
})

test('a hostile schema of a custom field is given up, while others are answered', async () => {
  await create('extras/custom-fields', {
    name: 'cf',
    type: 'json',
    object_types: ['dcim.site'],
    validation_schema: Hostile,
  })
  const site = { name: 's', slug: 's', custom_fields: { cf: bad } }
  const { answer, others } = await withOthers('/api/dcim/sites/', site)
  assert.deepEqual([answer.status, /too long/.test(answer.text)], [400, true], answer.text)
  assert.ok(others >= Several, `${others} others were answered meanwhile`)
})
