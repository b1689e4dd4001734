import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { System } from '../../src/engine/actor.ts'
import { modelNamed } from '../../src/engine/catalog.ts'
import { readBundle } from '../../src/history/bundle.ts'
import { kitOf, makePull } from '../../src/history/source.ts'
import { openDatabase } from '../../src/lib/addons.ts'
import { now } from '../../src/lib/datetime.ts'
import { openBeside } from '../../src/store/data-folder.ts'
import { headOf, makeJournal } from '../../src/store/journal.ts'
import { create, Writing } from '../../src/store/write.ts'
import { serve } from '../support/server.ts'

/** What comes of the journal while another process writes between any two questions. */
const { running, call } = await serve()
const { store } = running
const other = openBeside(store.config)
after(() => other.close())

let written = 0
function write(): void {
  const by = { userId: null, username: 'other', requestId: String(++written), message: '', now: now() }
  const site = { name: `Site ${written}`, slug: `site-${written}` }
  other.commit.now(() => create(new Writing(other, System, by), modelNamed('dcim.site'), site, { mode: 'create' }))
}

/** Has the other write before each question of a kind that `asker` is asked; not where that would have to wait. */
function beforeEach(asker: Record<string, any>, kinds: readonly string[]): void {
  for (const kind of kinds) {
    const ask = asker[kind]
    asker[kind] = (...given: unknown[]) => {
      if (!asker.inTransaction) write()
      return ask.apply(asker, given)
    }
  }
}

test('who opens the data finds the journal as it is', () => {
  const steps = () => store.db.all<{ id: number }>('select id from history_step order by id').map(({ id }) => id)
  write()
  const before = steps()
  const raw = openDatabase(store.db.raw.name)
  beforeEach(raw, ['prepare'])
  makeJournal(raw)
  raw.close()
  assert.ok(written > 1)
  assert.deepEqual(steps().slice(0, before.length), before)
})

test('a pull tells all changes up to the step that it names', async () => {
  const { json: kit } = await call('POST', '/api/core/kits/', { name: 'van' })
  const known = headOf(store.db)
  const { db } = store
  const asking = { all: db.all, get: db.get }
  beforeEach(db, ['all', 'get'])
  const bytes = makePull(store, kitOf(db, kit.id), known.step, known.time)!
  Object.assign(db, asking)
  const { header, rows } = readBundle(bytes, () => kitOf(db, kit.id).key)
  const sites = rows.filter(({ t }) => t === 'dcim_site')
  assert.ok(header.step > known.step)
  assert.equal(sites.length, header.step - known.step)
})
