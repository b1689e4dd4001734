import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { badNetwork, type Fate } from '../support/bad-network.ts'
import { admin, ask, command, namesIn, run, scratch, start } from '../support/cli.ts'
import { Random, seedOf } from '../support/random.ts'
import { AdminToken } from '../support/server.ts'

/** CABINET_TEST_SEED repeats what is drawn. */
const seed = seedOf()
const random = new Random(seed)
const env = { CABINET_SOURCE_TOKEN: AdminToken }
const page = (status: string): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: text/html\r\ncontent-length: 13\r\nconnection: close\r\n\r\n<html></html>`

const data = scratch()
const source = await start(data)
const network = await badNetwork(source.base)
const many = Array.from({ length: 500 }, (_, i) => ({
  name: `s${i}`,
  slug: `s${i}`,
  comments: String(random.below(1e9)).repeat(20),
}))
assert.equal((await ask(source.base, 'POST', '/api/dcim/sites/', many)).status, 201)

/** A command that goes along the bad network; what goes wrong is one line that says so. */
async function kit(name: string, folder: string, ...more: string[]) {
  const said = await run([name, ...more, '--data', folder], { env })
  if (said.code !== 0) {
    assert.equal(said.code, 1, said.stderr)
    assert.match(said.stderr, /^cabinet: http:\S+ (?:cannot be reached: |says: )[^\n]+\n$/)
  }
  return said
}
const kitsThere = async () =>
  (await ask(source.base, 'GET', '/api/core/kits/')).json.results.map(({ name }: { name: string }) => name)

test('a clone goes on where it broke off, however often it does', async () => {
  for (const [i, fate] of ([{ answerBytes: 40_000 }, { shortened: 40_000 }] as const).entries()) {
    const folder = join(scratch(), 'kit')
    network.count = 0
    network.fate = () => fate
    const said = await kit('clone', folder, network.base, '--name', `cut-${i}`)
    assert.equal(said.code, 0, said.stderr)
    assert.ok(network.count > 3, `${network.count} connections`)
    assert.equal((await run(['check', '--data', folder])).code, 0)
  }
  assert.deepEqual(readdirSync(join(data, 'kits')), [])
})

test('a clone that cannot be, or is interrupted, leaves nothing on either side, and can be begun again', async () => {
  const known = await kitsThere()
  const folder = join(scratch(), 'kit')
  for (const instead of [page('200 OK'), '']) {
    network.fate = () => ({ instead })
    assert.equal((await kit('clone', folder, network.base, '--name', 'again')).code, 1)
    assert.ok(!existsSync(folder))
  }
  const interrupted = async (signal: NodeJS.Signals) => {
    const args = [...command.slice(1), 'clone', network.base, '--name', signal.toLowerCase(), '--data', folder]
    const child = spawn(command[0]!, args, { env: { ...process.env, ...env }, stdio: 'ignore' })
    const gone = new Promise((resolve) => child.once('close', resolve))
    while (!existsSync(folder) && child.exitCode === null) await wait(5)
    await wait(random.below(300))
    child.kill(signal)
    assert.notEqual(await gone, 0)
  }
  network.fate = () => ({ rate: 10_000 })
  await interrupted('SIGINT')
  assert.ok(!existsSync(folder))
  assert.deepEqual(await kitsThere(), known)
  await interrupted('SIGKILL')
  network.fate = () => ({})
  const said = await kit('clone', folder, network.base, '--name', 'another')
  assert.equal(said.code, 0, said.stderr)
  assert.deepEqual(namesIn(folder), ['cabinet.db', 'cabinet.lock', 'peppers.json'])
})

const pick = <T>(from: readonly T[]): T => from[random.below(from.length)]!

/** What may befall a request between a kit and its source, beside nothing. */
const drawn = (): Fate => {
  const bytes = Math.ceil(10 ** (1 + (3 * random.below(1000)) / 1000))
  return pick<Fate>([
    {},
    { delay: 20 },
    { rate: 64_000 },
    { requestBytes: bytes },
    { answerBytes: bytes },
    { shortened: bytes },
    { isTwice: true },
    { instead: page('504 Gateway Timeout'), isHeard: random.chance(0.7) },
    { instead: page('200 OK') },
  ])
}

test(`pull and push along a bad network: each change comes once, and both end the same (seed ${seed})`, async () => {
  const folder = join(scratch(), 'kit')
  network.fate = () => ({})
  assert.equal((await kit('clone', folder, network.base, '--name', 'van')).code, 0)
  const token = (await run(['token', 'add', 'admin', '--data', folder])).stdout.trim().replace(/^Authorization: /, '')
  const here = await start(folder, { env: { ...admin, CABINET_WORKERS: '0' } })
  const both = [
    { base: here.base, token, name: 'here', ids: [] as number[] },
    { base: source.base, token: `Token ${AdminToken}`, name: 'there', ids: [] as number[] },
  ]
  const made: { id: number; name: string }[] = []
  let failed = 0
  for (let round = 0; round < 3; round++) {
    for (const { base, token: as, name, ids } of both) {
      const sites = Array.from({ length: 1 + random.below(30) }, (_, i) => ({
        name: `${name} ${round} ${i}`,
        slug: `${name}-${round}-${i}`,
        comments: String(random.below(1e9)),
      }))
      const reply = await ask(base, 'POST', '/api/dcim/sites/', sites, as)
      assert.equal(reply.status, 201)
      made.push(...reply.json)
      ids.push(...reply.json.map(({ id }: { id: number }) => id))
      const description = `${name} ${round}`
      const changed = await ask(base, 'PATCH', `/api/dcim/sites/${pick(ids)}/`, { description }, as)
      assert.equal(changed.status, 200)
    }
    network.fate = drawn
    for (let tries = 0; tries < 2; tries++) if ((await kit('push', folder)).code !== 0) failed++
    if (random.chance(0.5)) await kit('pull', folder)
  }
  network.fate = () => ({})
  assert.equal((await kit('push', folder)).code, 0)
  const shown = await Promise.all(
    both.map(async ({ base, token: as }) => {
      const { json } = await ask(base, 'GET', '/api/dcim/sites/?limit=0&ordering=id', undefined, as)
      return JSON.stringify(json.results)
        .replaceAll(base, '')
        .replaceAll(/"last_updated":"[^"]*"/g, '')
        .split('},{')
    }),
  )
  assert.deepEqual(shown[0], shown[1])
  for (const { id } of made) {
    const path = `/api/core/object-changes/?changed_object_type=dcim.site&action=create&changed_object_id=${id}`
    assert.equal((await ask(source.base, 'GET', path)).json.count, 1, `creations of ${id}`)
  }
  for (const server of [here, source]) await server.end('SIGTERM')
  for (const each of [folder, data]) assert.equal((await run(['check', '--data', each])).code, 0)
  assert.ok(failed < 6)
})
