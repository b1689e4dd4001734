import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hitOf, hitsSql, matchOf, type Match, searchIndexing } from '../../src/engine/search.ts'
import { searchedFieldsSql, type SearchedField, customHitsSql } from '../../src/engine/search-custom.ts'
import { searching } from '../../src/services/search-checks.ts'
import { Random, seedOf } from '../support/random.ts'
import { creating, serve } from '../support/server.ts'

/**
 * Texts that changed wait for the index, and are found meanwhile as if they were in it; what was changed or deleted is
 * found by its old text no more. Looked at after each of many random writes, whoever puts what waits into the index.
 */
const { call, running } = await serve()
const { store } = running
const { db } = store
db.raw.pragma('synchronous = off')
const create = creating({ call })
await create('extras/custom-fields', { name: 'team', type: 'text', object_types: ['dcim.site'], search_weight: 500 })

const random = new Random(seedOf())
const words = ['Alpha', 'bravo-7', 'Zürich', 'ÄRGER', 'under_score', '100% "sure"', 'needle', '']
interface Site {
  id: number
  name: string
  description: string
  team: string
}
const sites = new Map<number, Site>()
let made = 0
const text = () => `${random.pick(words)} ${random.below(30)} ${random.pick(words)}`.trim()
const texts = () => ({
  name: `site ${++made} ${text()}`,
  description: text(),
  custom_fields: { team: random.pick(words) },
})
const body = () => ({ ...texts(), slug: `s${made}` })
const note = (row: any): void => {
  sites.set(row.id, { id: row.id, name: row.name, description: row.description, team: row.custom_fields.team ?? '' })
}
const anySite = () => random.pick([...sites.keys()])

/** The last sites that were deleted, as requests that can be undone. */
const deleted: { id: number; request_id: string }[] = []
const writes: Record<string, () => Promise<unknown>> = {
  create: async () => note(await create('dcim/sites', body())),
  many: async () => sites.size < 800 && (await create('dcim/sites', Array.from({ length: 30 }, body))).map(note),
  rename: async () => note((await call('PATCH', `/api/dcim/sites/${anySite()}/`, { name: texts().name })).json),
  describe: async () => note((await call('PATCH', `/api/dcim/sites/${anySite()}/`, { description: text() })).json),
  team: async () => {
    const custom_fields = { team: random.pick(words) || null }
    note((await call('PATCH', `/api/dcim/sites/${anySite()}/`, { custom_fields })).json)
  },
  descriptions: async () => {
    const ids = random.shuffled([...sites.keys()]).slice(0, 40)
    const { json } = await call(
      'PATCH',
      '/api/dcim/sites/',
      ids.map((id) => ({ id, description: text() })),
    )
    json.map(note)
  },
  remove: async () => {
    const id = anySite()
    const { headers } = await call('DELETE', `/api/dcim/sites/${id}/`)
    sites.delete(id)
    deleted.push({ id, request_id: headers.get('x-request-id')! })
  },
  undo: async () => {
    const last = deleted.pop()
    if (!last) return
    const { request_id, id } = last
    assert.equal((await call('POST', '/api/core/object-changes/revert/', { request_id })).status, 200)
    note((await call('GET', `/api/dcim/sites/${id}/`)).json)
  },
}

const folded = (value: string) => value.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const holds: Record<Match, (value: string, sought: string) => boolean> = {
  whole: (value, sought) => value === sought,
  beginning: (value, sought) => value.startsWith(sought),
  part: (value, sought) => value.includes(sought),
}
const sorted = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b)
/** Sites of which a text is found, by what is sought of it. */
const expected = (member: 'name' | 'description' | 'team', sought: string, match: Match) =>
  sorted([...sites.values()].filter((site) => holds[match](folded(site[member]), folded(sought))).map(({ id }) => id))

test('what waits for the index is found as if it were there', { timeout: 120_000 }, async () => {
  for (let i = 0; i < 3; i++) await writes.many!()
  for (const [i, name] of Array.from({ length: 250 }, () => random.pick(Object.keys(writes))).entries()) {
    if (sites.size < 20) await writes.many!()
    await writes[name]!()
    const left = db.get<{ n: number }>('select count(*) as n from search_queue')!.n
    assert.ok(left <= 64, `${left} texts wait after ${name}`)
    const at = `after ${name}, write ${i}`
    for (const match of ['whole', 'beginning', 'part'] as const) {
      const sought = match === 'part' ? random.pick(['ALPHA', 'zuri', 'needle', 'rger', '" ', '7 ']) : text()
      if (sought.length < 3) continue
      const page = { ...matchOf(sought, match), limit: 10_000, offset: 0 }
      const hits = db.all<Parameters<typeof hitOf>[0]>(hitsSql, page).map((row) => hitOf(row)!)
      for (const member of ['name', 'description'] as const) {
        const found = hits.filter((hit) => hit.model.name === 'dcim.site' && hit.field === member).map(({ id }) => id)
        assert.deepEqual(sorted(found), expected(member, sought, match), `${member} ${match} ${sought} ${at}`)
      }
      const [field] = db.all<SearchedField>(searchedFieldsSql)
      const inField = db.all<{ id: number }>(customHitsSql, { ...page, field: field!.id }).map(({ id }) => id)
      assert.deepEqual(sorted(inField), expected('team', sought, match), `team ${match} ${sought} ${at}`)
    }
    for (const [query, member, sought] of [
      ['description__ic', 'description', 'needle'],
      ['name__ic', 'name', 'alpha'],
      ['cf_team', 'team', 'under_s'],
    ] as const) {
      const { json } = await call('GET', `/api/dcim/sites/?${query}=${sought}&limit=0&brief=1`)
      const found = json.results.map(({ id }: Site) => id)
      assert.deepEqual(sorted(found), expected(member, sought, 'part'), `${query} ${at}`)
    }
    if (i % 25 === 0) assert.deepEqual(searching(store, false).problems, [], at)
  }
  assert.deepEqual(searching(store, false).problems, [])
})

test('many rows that are added and changed in one transaction are found by their last texts alone', () => {
  const columns = db.all<{ name: string }>('pragma table_info(dcim_site)').map(({ name }) => name)
  const copied = columns.filter((name) => !['id', 'name', 'slug', 'description'].includes(name)).join(', ')
  const numbers = JSON.stringify(Array.from({ length: 40 }, (_, i) => i))
  db.within(() => {
    db.run(
      `insert into dcim_site (name, slug, description, ${copied})
        select 'copy ' || value, 'copy-' || value, 'first text', ${copied}
        from dcim_site s, json_each(?) where s.id = ?`,
      numbers,
      anySite(),
    )
    db.run("update dcim_site set description = 'second text' where description = 'first text'")
  })
  const found = (text: string) => db.all(hitsSql, { ...matchOf(text, 'whole'), limit: 100, offset: 0 }).length
  assert.deepEqual([found('first text'), found('second text')], [0, 40])
  db.within(() => db.run("update dcim_site set description = 'third text' where description = 'second text'"))
  for (const step of searchIndexing.steps) db.raw.exec(step)
  assert.deepEqual([found('second text'), found('third text')], [0, 40])
  assert.deepEqual(searching(store, false).problems, [])
})
