import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { allModels } from '../../src/engine/catalog.ts'
import { statements } from '../../src/declare/statement.ts'
import { rowsIn } from '../../src/store/rows.ts'
import { creating, serve } from '../support/server.ts'

const client = await serve()
const create = creating(client)
const { db } = client.running.store
const rows = rowsIn(db)

test('every statement of the rules can be prepared', async () => {
  const src = join(import.meta.dirname, '../../src')
  for (const folder of readdirSync(src)) {
    if (!['rules', 'services', 'exchange'].includes(folder)) continue
    for (const file of readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.ts')) await import(join(src, folder, file))
  }
  const all = statements(allModels)
  assert.ok(all.length > 300, `${all.length} statements`)
  for (const { text } of all) assert.doesNotThrow(() => db.raw.prepare(text), text)
})

let [here, there] = [0, 0]
before(async () => {
  here = (await create('dcim/regions', { name: 'Here', slug: 'here' })).id
  there = (await create('dcim/regions', { name: 'There', slug: 'there', parent: here, description: 'd' })).id
})

test('rows are found by their columns', () => {
  const slugs = (where: Parameters<typeof rows.rows<'dcim.region'>>[1]) =>
    rows.rows('dcim.region', where, { only: ['slug'], order: ['slug'] }).map((row) => row.slug)
  assert.deepEqual(slugs({}), ['here', 'there'])
  assert.deepEqual(slugs({ parent_id: null }), ['here'])
  assert.deepEqual(slugs({ parent_id: { not: null } }), ['there'])
  assert.deepEqual(slugs({ parent_id: { not: here } }), ['here'])
  assert.deepEqual(slugs({ slug: { not: 'here' } }), ['there'])
  assert.deepEqual(slugs({ id: { in: [there, -1] } }), ['there'])
  assert.deepEqual(slugs({ id: { in: [] } }), [])
  assert.deepEqual(slugs({ slug: { from: 'here', to: 'hz' } }), ['here'])
  assert.deepEqual(slugs({ slug: { to: 'herd' } }), [])
  assert.deepEqual(slugs({ slug: 'there', parent_id: here }), ['there'])
  assert.equal(rows.count('dcim.region', { description: 'd' }), 1)
  assert.equal(rows.has('dcim.region', { description: 'e' }), false)
  assert.equal(rows.first('dcim.region', { slug: 'there' })?.parent_id, here)
  assert.equal(rows.row('dcim.region', there)?.name, 'There')
  assert.throws(() => rows.drop('dcim.region', { slug: undefined }), /column slug/)
})

test('names of models and columns are known to the compiler', () => {
  const misspelt = () => {
    // @ts-expect-error no such model
    rows.rows('dcim.regoin', {})
    // @ts-expect-error no such column to look by
    rows.rows('dcim.region', { slugg: 'here' })
    // @ts-expect-error no such column to read
    rows.rows('dcim.region', {}, { only: ['slugg'] })
    // @ts-expect-error the column holds a number
    rows.has('dcim.region', { parent_id: 'here' })
    // @ts-expect-error no such column to set
    rows.set('dcim.region', { id: 1 }, { slugg: 'here' })
    // @ts-expect-error SQL is made by `sql` alone
    rows.all('select 1')
  }
  assert.equal(typeof misspelt, 'function')
})
