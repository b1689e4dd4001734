import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checks } from '../../src/services/checks.ts'
import { allModels, fieldsOf, genericPrefix, genericTargets, modelNamed } from '../../src/engine/catalog.ts'
import type { AnyModel } from '../../src/declare/model.ts'
import { Grower } from '../support/grower.ts'
import { Random, seedOf } from '../support/random.ts'
import { serve } from '../support/server.ts'

/**
 * Deletes of whatever the declarations allow: random objects that hang together, random sets of them deleted.
 * CABINET_TEST_SEED repeats a run; CABINET_TEST_ROUNDS makes it longer.
 */
const seed = seedOf()
const rounds = Number(process.env.CABINET_TEST_ROUNDS) || 4
const random = new Random(seed)
const client = await serve()
const { call, running } = client
const { store } = running
store.db.raw.pragma('synchronous = off')
const grower = new Grower(client, random)

/** Every row but change records, as `model:id`. */
function present(): Set<string> {
  const found = new Set<string>()
  for (const m of allModels)
    if (m.name !== 'core.objectchange') for (const id of grower.ids(m)) found.add(`${m.name}:${id}`)
  return found
}

/** Rows that name an object that is not there, by a generic reference that must go with it. */
const dangling = (): string[] =>
  allModels.flatMap((m) =>
    fieldsOf(m).flatMap(([name, field]) => {
      if (!field.generic || field.generic.onDelete === 'keep') return []
      const as = genericPrefix(field, name)
      return [...genericTargets(field.generic)].flatMap((target) =>
        store.db
          .all<{ id: number }>(
            `select id from "${m.table}" where "${as}_type" = ? and "${as}_id" not in (select id from ` +
              `"${modelNamed(target).table}")`,
            target,
          )
          .map(({ id }) => `${m.name}:${id} names a ${target} that is gone`),
      )
    }),
  )

const problems = (): string[] => [
  ...checks.flatMap(({ name, run }) => run(store, false).problems.map((text) => `${name}: ${text}`)),
  ...dangling(),
]

/** Objects that the test itself needs. */
const isNeeded = (m: AnyModel, id: number): boolean => id === 1 && ['users.user', 'users.token'].includes(m.name)

const weights = grower.models.flatMap((m) => {
  const isNested = fieldsOf(m).some(([, { target }]) => target?.model === m.name)
  return Array.from({ length: isNested || m.path.startsWith('dcim/') ? 3 : 1 }, () => m)
})

/** Deletes some objects of a model at once, or one, and compares what went with what was recorded. */
async function remove(m: AnyModel): Promise<number> {
  const ids = random.shuffled(grower.ids(m).filter((id) => !isNeeded(m, id))).slice(0, 1 + random.below(5))
  if (ids.length === 0) return 404
  const before = present()
  const one = ids.length === 1 || random.chance(0.3)
  const what = `DELETE ${m.path} ${one ? ids[0] : ids}`
  const reply = one
    ? await call('DELETE', `/api/${m.path}/${ids[0]}/`)
    : await call(
        'DELETE',
        `/api/${m.path}/`,
        ids.map((id) => ({ id })),
      )
  assert.ok([204, 409].includes(reply.status), `${what}: ${reply.status} ${reply.text}`)
  const after = present()
  const gone = [...before].filter((key) => !after.has(key))
  assert.deepEqual(
    [...after].filter((key) => !before.has(key) && !/^(dcim.cablepath|extras.notification)/.test(key)),
    [],
    `${what}: new rows`, // but paths that are traced anew, and what tells users of it
  )
  if (reply.status === 409) assert.deepEqual(gone, [], `${what}: 409, but rows went`)
  else for (const id of one ? ids.slice(0, 1) : ids) assert.ok(!after.has(`${m.name}:${id}`), `${what}: ${id} stayed`)
  const logged = gone.filter((key) => modelNamed(key.split(':')[0]!).changeLogged !== false)
  const records = store.db.all<{ key: string }>(
    "select changed_object_type || ':' || changed_object_id as key from core_objectchange where request_id = ? " +
      "and action = 'delete'",
    reply.headers.get('x-request-id'),
  )
  assert.deepEqual(records.map(({ key }) => key).sort(), logged.sort(), `${what}: change records`)
  assert.deepEqual(problems(), [], what)
  return reply.status
}

test(`random objects, random deletes (seed ${seed})`, async (t) => {
  const statuses: Record<number, number> = {}
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < 60; i++) await grower.grow(random.pick(weights))
    assert.deepEqual(problems(), [], 'before the deletes')
    for (let i = 0; i < 20; i++) {
      const status = await remove(random.pick(weights))
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  t.diagnostic(`seed ${seed}: ${JSON.stringify(statuses)}`)
})

/** Two new objects, the second below the first by a reference to its own model; undefined where the rules forbid it. */
async function pair(m: AnyModel, self: string): Promise<[number, number] | undefined> {
  const body = await grower.body(m, 'minimal')
  const first = (await grower.post(m, body)).json
  const references = fieldsOf(m).filter(
    ([name, { target }]) => target && name in body && !m.fields[name].options.unique,
  )
  const same = Object.fromEntries(references.map(([name]) => [name, body[name]]))
  const second = await grower.post(m, { ...(await grower.body(m, 'minimal')), ...same, [self]: first.id })
  return second.status === 201 ? [first.id, second.json.id] : undefined
}

test('parents and children of one model at once, in either order, and by what both belong to', async (t) => {
  let pairs = 0
  for (const m of grower.models)
    for (const [self, field] of fieldsOf(m)) {
      if (field.target?.model !== m.name || field.readOnly || field.options.hidden) continue
      for (const reversed of [false, true]) {
        const ids = await pair(m, self)
        if (!ids) continue
        pairs++
        const list = (reversed ? ids.toReversed() : ids).map((id) => ({ id }))
        const reply = await call('DELETE', `/api/${m.path}/`, list)
        assert.equal(reply.status, 204, `${m.name} ${self}: ${reply.text}`)
        for (const id of ids) assert.equal(grower.row(m, id), undefined, `${m.name} ${id} stayed`)
      }
      const owners = fieldsOf(m).filter(([, { target }]) => target?.onDelete === 'cascade' && target.model !== m.name)
      for (const [name, { target }] of owners) {
        const ids = await pair(m, self)
        const owner = ids && grower.row(m, ids[1])![`${name}_id`]
        if (!owner) continue
        const reply = await call('DELETE', `/api/${modelNamed(target!.model).path}/${owner}/`)
        assert.ok([204, 409].includes(reply.status), `${m.name} by ${name}: ${reply.status} ${reply.text}`)
        if (reply.status === 204) for (const id of ids) assert.equal(grower.row(m, id), undefined)
      }
    }
  assert.deepEqual(problems(), [])
  assert.ok(pairs >= 20, `only ${pairs} pairs`)
  t.diagnostic(`${pairs} pairs`)
})
