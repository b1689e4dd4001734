import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customFaults } from '../../src/engine/search-custom.ts'
import { searchIndexing } from '../../src/engine/search.ts'
import { ensureSearch } from '../../src/store/search-index.ts'
import { creating, serve } from '../support/server.ts'

const { call, running } = await serve()
const { db } = running.store
const create = creating({ call })
/** Entries of the index, with those that wait for it. */
const entries = () =>
  db.get<{ n: number }>(`select count(*) as n from (
    select id from search_docsize union select entry from search_queue where text is not null)`)!.n
const version = () => db.get<{ version: string }>('select version from search_version')!.version
const triggers = () =>
  db.all<{ sql: string }>("select sql from sqlite_schema where name glob 'search_dcim_site_*' order by name")

test('triggers of other declarations are made anew without what they fill', async () => {
  await create('dcim/sites', { name: 'Berlin', slug: 'berlin' })
  const [index, noting] = version().split('.')
  const [filled, made] = [entries(), triggers()]
  assert.ok(made.length > 0)
  for (const change of [
    () => db.raw.exec('drop trigger search_dcim_site_update'),
    () => db.raw.exec(`update search_version set version = '${index}.other'`),
  ]) {
    change()
    assert.equal(ensureSearch(db.raw), false)
    assert.deepEqual([version(), triggers(), entries()], [`${index}.${noting}`, made, filled])
  }
  db.raw.exec("update search_version set version = 'other'")
  assert.equal(ensureSearch(db.raw), true)
  assert.deepEqual([version(), triggers(), entries()], [`${index}.${noting}`, made, filled])
})

test('a change of one text leaves the entries of the others alone', async () => {
  const site = await create('dcim/sites', { name: 'Paris', slug: 'paris', comments: 'by the river' })
  for (const step of searchIndexing.steps) db.raw.exec(step)
  await call('PATCH', `/api/dcim/sites/${site.id}/`, { comments: 'on the hill' })
  assert.deepEqual(db.all('select text from search_queue'), [{ text: '\u0002\u0002on the hill\u0003' }])
  for (const [q, count] of [
    ['hill', 1],
    ['river', 0],
    ['paris', 1],
  ] as const)
    assert.equal((await call('GET', `/api/dcim/sites/?q=${q}`)).json.count, count)
})

test('an emptied list of choices has no entry, whatever puts the custom fields into the index', async () => {
  const set = await create('extras/custom-field-choice-sets', { name: 'Colours', extra_choices: [['red', 'Red']] })
  const colours = { name: 'colours', type: 'multiselect', object_types: ['dcim.site'], choice_set: set.id }
  const field = await create('extras/custom-fields', colours)
  const sites = Array.from({ length: 20 }, (_, i) => ({
    name: `Site ${i}`,
    slug: `site-${i}`,
    custom_fields: { colours: i % 2 ? ['red'] : [] },
  }))
  const [{ id }] = await create('dcim/sites', sites) // more than wait one by one
  const faults = () => customFaults().flatMap(({ sql }) => db.all<{ missing: number; extra: number }>(sql))
  const none = faults().map(() => ({ missing: 0, extra: 0 }))
  assert.deepEqual(faults(), none)
  await call('PATCH', `/api/extras/custom-fields/${field.id}/`, { object_types: ['dcim.site', 'dcim.rack'] })
  assert.deepEqual(faults(), none)
  await call('PATCH', `/api/dcim/sites/${id}/`, { custom_fields: { colours: ['red'] } })
  await call('PATCH', `/api/dcim/sites/${id}/`, { custom_fields: { colours: [] } })
  for (const step of searchIndexing.steps) db.raw.exec(step)
  assert.deepEqual(faults(), none)
})
