import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createToken } from '../../src/services/accounts.ts'
import { housekeep } from '../../src/services/housekeeping.ts'
import { kitCommand } from '../support/kit.ts'
import { Random, seedOf } from '../support/random.ts'
import { Sides } from '../support/sides.ts'

/** CABINET_TEST_SEED repeats what is drawn. */
const random = new Random(seedOf())
const sides = new Sides()
const { makeHere, here, there, sync, areSame } = sides

test('bundles: taken once; damaged, of others, the future or a revoked kit: one line, nothing changed', async () => {
  const file = (name: string) => join(sides.kit.data, '..', name)
  const run = (name: 'bundle' | 'apply', data: string, path: string, options = {}) =>
    kitCommand(name, data, { operands: [path], options })
  const { id } = await makeHere('dcim/sites', { name: 'Bundled', slug: 'bundled' })
  assert.equal((await run('bundle', sides.kit.data, file('one'))).code, 0)
  await here('PATCH', `dcim/sites/${id}`, { facility: 'later' })
  assert.equal((await run('bundle', sides.kit.data, file('two'))).code, 0)
  const bytes = readFileSync(file('one'))
  const spoil = async (change: (lines: string[]) => string[] | Buffer, pattern: RegExp) => {
    const changed = change(gunzipSync(bytes).toString('utf8').split('\n'))
    writeFileSync(file('bad'), Buffer.isBuffer(changed) ? changed : gzipSync(changed.join('\n')))
    await assert.rejects(
      run('apply', sides.source.data, file('bad')),
      (error: Error) => pattern.test(error.message) && !error.message.includes('\n'),
    )
    assert.equal((await sides.source.call('GET', `/api/dcim/sites/${id}/`)).status, 404)
  }
  const { key } = sides.source.running.store.db.get<{ key: string }>('select key from core_kit where name = ?', 'van')!
  const signed = (lines: string[], header: object) => {
    const body = [JSON.stringify({ ...JSON.parse(lines[0]!), ...header }), ...lines.slice(1, -1)]
    const end = createHmac('sha256', key)
      .update(`${body.join('\n')}\n`)
      .digest('hex')
    return [...body, JSON.stringify({ end })]
  }
  await spoil(() => bytes.subarray(0, bytes.length - 40), /damaged/)
  await spoil((lines) => lines.map((line) => line.replace('Bundled', 'Spoiled')), /damaged/)
  await spoil((lines) => [lines[0]!, ...lines.slice(2)], /damaged/)
  for (let i = 0; i < 60; i++) {
    const flipped = Buffer.from(bytes)
    // Anywhere but in gzip's head, of which some bytes say nothing.
    flipped[10 + random.below(bytes.length - 18)]! ^= 1 << random.below(8)
    await spoil(() => flipped, /damaged|another inventory/)
    await spoil(() => bytes.subarray(0, random.below(bytes.length)), /damaged/)
  }
  await spoil(() => Buffer.from('no bundle at all'), /damaged/)
  await spoil(
    (lines) => [lines[0]!.replace(/"seal":"\w+"/, '"seal":"0000000000000000"'), ...lines.slice(1)],
    /another inventory/,
  )
  await spoil((lines) => [lines[0]!.replace('"kit":1', '"kit":77'), ...lines.slice(1)], /another inventory/)
  await spoil(
    (lines) => signed(lines, { made: new Date(Date.now() + 10_800_000).toISOString() }),
    /clock of the kit is 3 hours ahead/,
  )
  await spoil((lines) => signed(lines, { made: '2001-01-01T00:00:00Z' }), /clock/)
  await spoil((lines) => signed(lines, { version: '99.0.0' }), /upgrade this one/)
  await spoil((lines) => signed(lines, { version: '1.0.0' }), /upgrade the kit/)
  assert.match((await run('apply', sides.source.data, file('one'))).out, /took 1 object/)
  assert.match((await run('apply', sides.source.data, file('one'))).out, /taken before/)
  assert.match((await run('apply', sides.source.data, file('two'))).out, /took 1 object/)
  assert.equal((await there('GET', `dcim/sites/${id}`)).facility, 'later')
  assert.match((await run('apply', sides.source.data, file('one'))).out, /taken before/)
  await there('PATCH', `dcim/sites/${id}`, { facility: 'answer' })
  assert.equal((await run('bundle', sides.source.data, file('back'), { kit: 'van' })).code, 0)
  assert.equal((await run('apply', sides.kit.data, file('back'))).code, 0)
  assert.equal((await here('GET', `dcim/sites/${id}`)).facility, 'answer')
  assert.match(await sync('push'), /nothing to push/)
  await areSame('dcim/sites')
})

test('a kit that the change log has forgotten compares everything; housekeeping keeps what a kit needs', async () => {
  const { store } = sides.source.running
  const far = Date.now() + 400 * 86_400_000
  const steps = () => store.db.get<{ n: number }>('select count(*) as n from history_step')!.n
  const [known] = [steps()]
  await there('PATCH', `dcim/sites/${sides.parts.site}`, { comments: 'new there' })
  await housekeep(store, far)
  assert.ok(steps() > 1 && steps() <= known + 1, 'what the kit does not know is there')
  await here('PATCH', `dcim/sites/${sides.parts.site}`, { physical_address: 'new here' })
  await housekeep(sides.kit.running.store, far)
  store.db.run('update core_kit set revoked = 1')
  await housekeep(store, far)
  store.db.run('update core_kit set revoked = 0')
  assert.match(await sync('push'), /pushed \d objects?/)
  const seen = await there('GET', `dcim/sites/${sides.parts.site}`)
  assert.deepEqual([seen.comments, seen.physical_address], ['new there', 'new here'])
  await areSame('dcim/sites')
})

test('a kit that was revoked is refused, and another copy of a kit is told from it', async () => {
  await there('PATCH', 'core/kits/1', { revoked: true })
  await makeHere('dcim/sites', { name: 'Late', slug: 'late' })
  await assert.rejects(sides.kit.sync('push'), /revoked/)
  await there('PATCH', 'core/kits/1', { revoked: false })
  sides.kit.running.store.db.run('update kit_self set sent = sent - 1, taken = taken - 1')
  await assert.rejects(sides.kit.sync('push'), /Another copy/)
  sides.kit.running.store.db.run('update kit_self set sent = sent + 1, taken = taken + 1')
  await sync('push')
})

test('a source restored from a backup older than what a kit knows: one line, the kit keeps what it has', async () => {
  const { id } = await makeHere('dcim/sites', { name: 'After the backup', slug: 'after-the-backup' })
  await sync('push')
  const { db } = sides.source.running.store
  const known = sides.kit.running.store.db.get<{ there: number }>('select there from kit_self')!.there
  const { time } = db.get<{ time: string }>('select time from history_step where id = ?', known)!
  // Another step of this number, made later.
  db.run("update history_step set time = '2999-01-01T00:00:00.000000Z' where id = ?", known)
  for (const name of ['pull', 'push'] as const) await assert.rejects(sides.kit.sync(name), /restored from a backup/)
  assert.equal((await here('GET', `dcim/sites/${id}`)).name, 'After the backup')
  db.run('update history_step set time = ? where id = ?', time, known)
  db.run('update core_kit set id = 7')
  for (const name of ['pull', 'push'] as const)
    await assert.rejects(sides.kit.sync(name), /knows no such kit.*before the/)
  db.run('update core_kit set id = 1')
  await sync('pull')
})

test('a kit goes on with a source whose clock was ahead and is right again', async () => {
  const { store } = sides.source.running
  await sides.make('dcim/sites', { name: 'Ahead', slug: 'ahead' })
  await sync('pull')
  await store.commit.run(() => store.db.run("update history_step set time = '2020-01-01T00:00:00.000000Z'"))
  const { id } = await sides.make('dcim/sites', { name: 'Right', slug: 'right' })
  await sync('pull')
  assert.equal((await here('GET', `dcim/sites/${id}`)).name, 'Right')
})

test('a kit is cloned from its source alone: one line, and nothing is left on either side', async () => {
  const data = join(sides.kit.data, '..', 'kit-of-a-kit')
  const { store } = sides.kit.running
  const kits = () => store.db.get<{ n: number }>('select count(*) as n from core_kit')!.n
  const before = kits()
  const header = createToken(store, 'admin').replace(/^Authorization: \w+ /, '')
  await assert.rejects(
    kitCommand('clone', data, { operands: [sides.kit.base], options: { name: 'second', token: header } }),
    (error: Error) =>
      /This is a kit itself: clone from its source/.test(error.message) && !error.message.includes('\n'),
  )
  assert.ok(!existsSync(data))
  assert.equal(kits(), before)
  assert.match(await sync('push'), /nothing to push/)
})
