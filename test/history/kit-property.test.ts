import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { command } from '../support/cli.ts'
import { Doer, Focus } from '../support/history.ts'
import { differences, modelsWithRows, stateOf } from '../support/states.ts'
import { problemsOf } from '../support/problems.ts'
import { type Kit, type Said, takeKit } from '../support/kit.ts'
import { type Decided, type Listed, lostValues } from '../support/merge-judge.ts'
import { Random, seedOf } from '../support/random.ts'
import { copyOf, onOneServer, recorded, type Sent } from '../support/replay.ts'
import { AdminToken, type Client, serve } from '../support/server.ts'
import { changesBetween, type Values, valuesOf } from '../support/values.ts'

/**
 * CABINET_TEST_SEED repeats a run; CABINET_TEST_ROUNDS makes it longer, CABINET_TEST_SIZE its rounds; with
 * CABINET_TEST_KILLS pushes are killed as well; with CABINET_TEST_NEAR each round is about a few models and objects.
 */
const seed = seedOf()
const rounds = Number(process.env.CABINET_TEST_ROUNDS) || 2
const most = Number(process.env.CABINET_TEST_SIZE) || 12
const random = new Random(seed)
const source = await serve()
source.running.store.db.raw.pragma('synchronous = off')
const counts = {
  merges: 0,
  conflicts: 0,
  followed: 0,
  kills: 0,
  values: 0,
  onOne: 0,
  kinds: {} as Record<string, number>,
}

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

/** Conflicts that a command which failed wrote down. */
function listedBy(kit: Kit, said: Said): Listed[] {
  const file = join(kit.data, 'conflicts.json')
  assert.ok(existsSync(file), said.out)
  const { conflicts } = JSON.parse(readFileSync(file, 'utf8')) as { conflicts: Listed[] }
  assert.ok(conflicts.length > 0, said.out)
  return conflicts
}

/** What decisions settled, as the kit's file keeps it. */
function decidedIn(kit: Kit): Decided[] {
  const file = join(kit.data, 'decided.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { conflicts: Decided[] }).conflicts : []
}

/**
 * Pushes, and settles what conflicts: all by a flag, or each by the file. Answers how many were listed, and what the
 * kit says that was decided.
 */
async function pushSettling(kit: Kit): Promise<{ listed: number; decided: Decided[] }> {
  const listed = new Map<string, Listed>()
  const known = decidedIn(kit).length
  const way = random.pick(['ours', 'theirs', 'file'] as const)
  let said = await kit.sync('push')
  for (let tries = 0; said.code !== 0; tries++) {
    assert.ok(tries < 20, `it never ends (${way}): ${said.out}`)
    const open = listedBy(kit, said)
    for (const each of open) listed.set(`${each.key}`, each)
    if (way === 'file') {
      const conflicts = open.map((each) => ({ ...each, take: each.take ?? random.pick(['ours', 'theirs']) }))
      writeFileSync(join(kit.data, 'conflicts.json'), JSON.stringify({ conflicts }))
    } else if (tries > 0) assert.fail(`--${way}: ${said.out}`)
    said = await kit.sync('push', way === 'file' ? {} : { [way]: true })
  }
  for (const { kind } of listed.values()) counts.kinds[kind] = (counts.kinds[kind] ?? 0) + 1
  counts.conflicts += listed.size
  const decided = decidedIn(kit)
  const told = decided.slice(0, decided.length - known)
  for (const { key } of told) if (!listed.has(`${key}`)) counts.followed++
  return { listed: listed.size, decided: told }
}

/** What both sides wrote is in what both became, or in the list. */
function judge(parted: Values, ours: Values, theirs: Values, result: Values, decided: readonly Decided[]): void {
  counts.merges++
  counts.values += changesBetween(parted, ours).length + changesBetween(parted, theirs).length
  const lost = lostValues({ parted, ours, theirs, result }, decided)
  const list = decided.map((each) => JSON.stringify(each)).join('\n')
  assert.deepEqual(lost, [], `lost without a word: ${lost.join('\n')}\ndecided: ${list}`)
}

/**
 * Every value is what one server holds after the same requests, those of one side before those of the other: in which
 * order is left open, as a new device gets what its type lists at that moment. What the kit did after it pulled comes
 * last.
 */
async function isOfOneServer(
  copy: string,
  there: readonly Sent[],
  here: readonly Sent[],
  pulled: number | undefined,
  result: Values,
): Promise<void> {
  const values = (client: Pick<Client, 'running'>) => valuesOf(client.running.store)
  const kits = (sent: readonly Sent[]) => ({ isKit: true, sent })
  const sources = { isKit: false, sent: there }
  const first = await onOneServer(copy, [sources, kits(here)], values)
  const others = changesBetween(first.seen, result)
  if (others.length === 0) return
  const last = await onOneServer(
    copy,
    [kits(here.slice(0, pulled)), sources, kits(here.slice(pulled ?? here.length))],
    values,
  )
  const too = changesBetween(last.seen, result)
  const both = others.filter(({ object, field }) => too.some((each) => each.object === object && each.field === field))
  assert.deepEqual(
    both,
    [],
    `one server holds the same; it refused ${[...first.refused, '; the other way:', ...last.refused].join('\n')}`,
  )
}

test(`a kit and its source end equal, whatever both did (seed ${seed})`, async (t) => {
  const served = recorded<Client>(source)
  const there = new Doer(served, random)
  await there.begin()
  for (let i = 0; i < 80; i++) await there.one()
  const kit = recorded(await takeKit(source, { 'with-secrets': true }))
  t.after(() => kit.close())
  kit.running.store.db.raw.pragma('synchronous = off')
  const here = new Doer(kit, random, { without: /^users\.(?!owner)/ }) // accounts that are made in a kit stay there
  const values = (client: Pick<Client, 'running'>) => valuesOf(client.running.store)
  for (let round = 0; round < rounds; round++) {
    let parted = values(source)
    const copy = copyOf(source)
    served.sent.length = kit.sent.length = 0
    let pulled: number | undefined
    const size = random.pick([2, most / 2, most])
    if (process.env.CABINET_TEST_NEAR) here.focus = there.focus = new Focus(here.grower.models, random)
    for (let i = 0; i < size; i++) await here.one()
    for (let i = 0; i < size; i++) await there.one()
    if (random.chance(0.3)) {
      const [ours, theirs] = [values(kit), values(source)]
      const said = await kit.sync('pull')
      if (said.code !== 0) assert.deepEqual(changesBetween(values(kit), ours), [], 'nothing was pulled')
      else {
        judge(parted, ours, theirs, values(kit), [])
        parted = theirs
        pulled = kit.sent.length
      }
    }
    for (let i = random.below(6); i > 0; i--) await here.one()
    const [ours, theirs] = [values(kit), values(source)]
    if (process.env.CABINET_TEST_KILLS) counts.kills += await killedPush(kit.data)
    const { listed, decided } = await pushSettling(kit)
    assert.deepEqual(problemsOf(source.running.store), [], 'the source')
    assert.deepEqual(problemsOf(kit.running.store), [], 'the kit')
    const [a, b] = [state(source.running.store), state(kit.running.store)]
    const other = differences(a, b)
    assert.deepEqual(other.slice(0, 20), [], `${other.length} rows differ after round ${round}`)
    const result = values(source)
    assert.deepEqual(changesBetween(values(kit), result), [], 'files differ')
    judge(parted, ours, theirs, result, decided)
    if (!listed) {
      counts.onOne++
      await isOfOneServer(copy, served.sent, kit.sent, pulled, result)
    }
    rmSync(join(copy, '..'), { recursive: true, force: true })
  }
  t.diagnostic(
    `seed ${seed}: here ${JSON.stringify(here.counts)}, there ${JSON.stringify(there.counts)}, ` +
      `${JSON.stringify(counts)}, ${modelsWithRows(source.running.store)} models`,
  )
})
