import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creating, serve } from '../support/server.ts'

/** Long lists in custom fields, and values that no two objects may have, take time in proportion to what there is. */
const client = await serve()
const { call, running } = client
const create = creating(client)
const field = (name: string, type: string, more: object = {}) =>
  create('extras/custom-fields', { name, type, object_types: ['dcim.site'], ...more })
const sites = async (from: number, count: number): Promise<number[]> =>
  (
    await create(
      'dcim/sites',
      Array.from({ length: count }, (_, i) => ({ name: `S${from + i}`, slug: `s${from + i}` })),
    )
  ).map(({ id }: { id: number }) => id)
const ids = await sites(0, 10)
running.store.db.raw.exec('analyze') // who plans statements knows of few
ids.push(...(await sites(10, 490)))
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

test('a list of many objects is read in the time that it takes to read it once', async () => {
  const { name } = await field('many', 'multiobject', { related_object_type: 'dcim.site' })
  const many = Array.from({ length: 100_000 }, (_, i) => ids[i % 3]!)
  const took = await timed(async () => {
    const { status, json } = await call('PATCH', `/api/dcim/sites/${ids[0]}/`, { custom_fields: { [name]: many } })
    assert.equal(status, 200)
    assert.deepEqual(
      json.custom_fields.many.map(({ id }: { id: number }) => id),
      ids.slice(0, 3),
    )
  })
  assert.ok(took < 3000, `${took} ms`)
  assert.equal((await call('PATCH', `/api/dcim/sites/${ids[0]}/`, { custom_fields: { many: null } })).status, 200)
})

test('a choice is sought in a set, however many others there are', async () => {
  const set = await create('extras/custom-field-choice-sets', {
    name: 'Set',
    base_choices: 'IATA',
    extra_choices: [['zzzz', 'Last']],
  })
  await field('chosen', 'multiselect', { choice_set: set.id })
  const chosen = Array.from({ length: 200_000 }, () => 'zzzz')
  const took = await timed(async () => {
    const body = { name: 'Chosen', slug: 'chosen', custom_fields: { chosen } }
    const site = await create('dcim/sites', body)
    assert.equal(site.custom_fields.chosen.length, chosen.length)
    await call('DELETE', `/api/dcim/sites/${site.id}/`)
  })
  assert.ok(took < 2000, `${took} ms`)
  const refused = await call('PATCH', `/api/dcim/sites/${ids[0]}/`, { custom_fields: { chosen: ['zzzz', 'no'] } })
  assert.deepEqual([refused.status, /no/.test(refused.text)], [400, true])
})

test('who has a unique value is found for many objects at once without a look at all for each', async (t) => {
  await field('asset', 'text', { unique: true })
  await field('number', 'decimal', { unique: true })
  const { db } = running.store
  let walks = 0
  for (const how of ['get', 'all'] as const) {
    const plain = db[how].bind(db)
    t.mock.method(db, how, (sql: string, ...values: unknown[]) => {
      if (/from "dcim_site"\s+where custom_field_data/.test(sql) && !/id in/.test(sql)) walks++
      return plain(sql, ...values)
    })
  }
  const change = (items: object[]) => call('PATCH', '/api/dcim/sites/', items)
  const own = (id: number, asset: unknown, number: unknown = id) => ({ id, custom_fields: { asset, number } })
  assert.equal((await change(ids.map((id) => own(id, `a${id}`)))).status, 200)
  assert.ok(walks <= 6, `${walks} walks along the table`)
  const [a, b, c] = ids as [number, number, number]
  for (const [what, items, status] of [
    ['the same twice', [own(a, 'same'), own(b, 'same')], 400],
    ['one that another has', [own(a, `a${b}`)], 400],
    ['one that another has, after others', [own(c, 'other'), own(a, `a${b}`)], 400],
    ['numbers that are the same', [own(a, 'x', 7000), own(b, 'y', 7000.0)], 400],
    ['a number and its text are two', [own(a, 'x', 7000), own(b, 'y', '7000')], 200],
    ['its own again', [own(a, 'x', 7000), own(b, 'y', '7000')], 200],
    ['one after its owner gave it up', [own(a, 'z'), own(b, 'x')], 200],
    ['and before', [own(b, 'z'), own(a, 'new')], 400],
    ['one of three in a ring, by way of another', [own(a, 't'), own(b, 'z'), own(a, 'x')], 200],
    ['none', [own(a, null, null), own(b, null, null)], 200],
    ['what was given up in the same list', [own(a, 'p'), own(a, 'q'), own(b, 'p'), own(c, 'q')], 400],
  ] as const)
    assert.equal((await change([...items])).status, status, what)
  const taken = { name: 'Taken', slug: 'taken', custom_fields: { asset: `a${c}` } }
  assert.equal((await call('POST', '/api/dcim/sites/', taken)).status, 400)
  assert.equal((await call('DELETE', `/api/dcim/sites/${c}/`)).status, 204)
  assert.equal((await call('POST', '/api/dcim/sites/', taken)).status, 201)
})
