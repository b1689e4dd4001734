import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { modelNamed } from '../../src/engine/catalog.ts'
import { command } from '../support/cli.ts'
import { differences, Doer, modelsWithRows, problemsOf, stateOf } from '../support/history.ts'
import { takeKit } from '../support/kit.ts'
import { Random, seedOf } from '../support/random.ts'
import { AdminToken, serve } from '../support/server.ts'

/** CABINET_TEST_SEED repeats a run; CABINET_TEST_ROUNDS makes it longer; with CABINET_TEST_KILLS pushes are killed as well. */
const seed = process.env.CABINET_TEST_SEED ? seedOf() : 21 // others by kit-long.mjs: what accounts of a kit are in, a source refuses
const rounds = Number(process.env.CABINET_TEST_ROUNDS) || 2
const random = new Random(seed)
const source = await serve()
source.running.store.db.raw.pragma('synchronous = off')

/** The state that both sides share: a custom field that nobody filled in may stand there as null or not at all. */
const state = (store: Parameters<typeof stateOf>[0]): Map<string, string[]> =>
  new Map([...stateOf(store)].map(([table, rows]) => [table, rows.map(withoutNulls).sort()]))
function withoutNulls(text: string): string {
  const row = JSON.parse(text) as Record<string, unknown>
  if (typeof row.custom_field_data === 'string')
    row.custom_field_data = Object.entries(JSON.parse(row.custom_field_data) as object)
      .filter(([, value]) => value !== null)
      .sort()
  return JSON.stringify(row)
}

/** A push in a process of its own, which is killed at some moment; answers 1 where that was before its end. */
function killedPush(data: string): Promise<number> {
  const [program, ...args] = [...command, 'push', '--data', data, '--token', AdminToken]
  const child = spawn(program!, args, { stdio: 'ignore' })
  const timer = setTimeout(() => child.kill('SIGKILL'), 300 + random.below(2200))
  return new Promise((resolve) =>
    child.on('exit', (_, signal) => {
      clearTimeout(timer)
      resolve(signal === 'SIGKILL' ? 1 : 0)
    }),
  )
}

test(`a kit and its source end equal, whatever both did (seed ${seed})`, async (t) => {
  const there = new Doer(source, random)
  await there.begin()
  for (let i = 0; i < 80; i++) await there.one()
  const kit = await takeKit(source, { 'with-secrets': true })
  t.after(() => kit.close())
  kit.running.store.db.raw.pragma('synchronous = off')
  const here = new Doer(kit, random)
  // Accounts that are made in a kit stay there, so nothing may refer to them.
  const fresh = here.grower.fresh.bind(here.grower)
  here.grower.fresh = async (name, more) => {
    const known = /^users\.(?:user|group|objectpermission)$/.test(name) ? here.grower.ids(modelNamed(name)) : []
    return known.length ? random.pick(known) : fresh(name, more)
  }
  const kinds: Record<string, number> = {}
  let [conflicts, kills] = [0, 0]
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < 12; i++) await here.one()
    for (let i = 0; i < 12; i++) await there.one()
    if (random.chance(0.3)) await kit.sync('pull')
    for (let i = random.below(6); i > 0; i--) await here.one()
    if (process.env.CABINET_TEST_KILLS) kills += await killedPush(kit.data)
    let said = await kit.sync('push')
    if (said.code !== 0) {
      const file = join(kit.data, 'conflicts.json')
      assert.ok(existsSync(file), said.out)
      const { conflicts: list } = JSON.parse(readFileSync(file, 'utf8')) as { conflicts: { kind: string }[] }
      conflicts += list.length
      for (const { kind } of list) kinds[kind] = (kinds[kind] ?? 0) + 1
      assert.ok(list.length > 0, said.out)
      const first = random.chance(0.5) ? 'ours' : 'theirs'
      said = await kit.sync('push', { [first]: true })
      assert.equal(said.code, 0, `--${first}: ${said.out}`)
    }
    assert.deepEqual(problemsOf(source.running.store), [], 'the source')
    assert.deepEqual(problemsOf(kit.running.store), [], 'the kit')
    const other = differences(state(source.running.store), state(kit.running.store))
    assert.deepEqual(other.slice(0, 20), [], `${other.length} rows differ after round ${round}`)
  }
  t.diagnostic(
    `seed ${seed}: here ${JSON.stringify(here.counts)}, there ${JSON.stringify(there.counts)}, ${conflicts} conflicts ${JSON.stringify(kinds)}, ${kills} kills, ${modelsWithRows(source.running.store)} models`,
  )
})
