import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { beginFollowing } from '../../src/cli/replicate.ts'
import { type Config, defaults } from '../../src/config.ts'
import { type Running, startServer } from '../../src/server/start.ts'
import { run, scratch } from '../support/cli.ts'
import { AdminToken, clientOf } from '../support/launch.ts'
import { litestream } from '../support/litestream.ts'
import { until } from '../support/until.ts'

// What becomes of a replica whose place is lost, comes back, or holds what nobody can restore.

const { program = 'litestream', lacking } = litestream()
const skip = lacking ?? false
const running: Running[] = []
after(async () => {
  for (const each of running.reverse()) await each.close()
})
const folder = scratch()
const place = join(folder, 'place')
const [a, b] = [join(folder, 'a'), join(folder, 'b')]
const env = { CABINET_LITESTREAM: program }
Object.assign(process.env, {
  CABINET_SUPERUSER_NAME: 'admin',
  CABINET_SUPERUSER_PASSWORD: 'Cabinet-Test-Passw0rd',
  CABINET_SUPERUSER_API_TOKEN: AdminToken,
})

async function serve(data: string) {
  const config: Config = {
    ...defaults(),
    listen: '127.0.0.1:0',
    data,
    logLevel: 'none',
    workers: 0,
    litestream: program,
  }
  const server = await startServer(config, { looksEach: 200 })
  running.push(server)
  return { ...clientOf(server, data, `Token ${AdminToken}`), server }
}
type Served = Awaited<ReturnType<typeof serve>>

let source: Served
let follower: Served
const make = async (slug: string) =>
  assert.equal((await source.call('POST', '/api/dcim/sites/', { name: slug, slug })).status, 201)
const arrives = (slug: string) =>
  until(
    async () => (await follower.call('GET', `/api/dcim/sites/?slug=${slug}`)).json.count,
    (count) => count === 1,
  )
const warning = async () => (await source.call('GET', '/readyz')).json.warning as string | undefined
const isRunning = async () => /^cabinet_replica_running 1$/m.test((await source.call('GET', '/metrics')).text)

test('nothing is put where the disk of a replica is not mounted, and it goes on once that is back', {
  skip,
}, async () => {
  const first = await serve(a)
  await first.server.close()
  running.pop()
  assert.equal((await run(['replicate', '--to', place, '--data', a], { env })).code, 0)
  source = await serve(a)
  await make('first')
  beginFollowing(b, { role: 'follower', place: `file://${place}` }, false)
  follower = await serve(b)
  await arrives('first')
  await until(warning, (text) => text === undefined)

  const mounted = join(folder, 'mounted')
  renameSync(place, mounted)
  mkdirSync(place)
  await until(warning, (text) => text === 'The replica is not kept: its place holds none.')
  await until(isRunning, (is) => !is)
  for (const name of readdirSync(place)) rmSync(join(place, name), { recursive: true })
  await make('meanwhile')
  await setTimeout(1500)
  assert.deepEqual(readdirSync(place), [])

  rmSync(place, { recursive: true })
  renameSync(mounted, place)
  await make('back')
  await arrives('back')
  await arrives('meanwhile')
  await until(warning, (text) => text === undefined)
})

test('a place that was emptied holds all of it again once it is named again', { skip }, async () => {
  rmSync(place, { recursive: true })
  mkdirSync(place)
  await until(isRunning, (is) => !is)
  assert.equal((await run(['replicate', '--to', place, '--data', a], { env })).code, 0)
  const { id } = (await source.call('GET', '/api/dcim/sites/?slug=back')).json.results[0]
  const form = new FormData()
  form.set('object_type', 'dcim.site')
  form.set('object_id', String(id))
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  form.set('image', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' }), 'emptied.png')
  assert.equal((await source.call('POST', '/api/extras/image-attachments/', form)).status, 201)
  await make('emptied')
  await arrives('emptied')
  await until(() => existsSync(join(b, 'uploads')) && readdirSync(join(b, 'uploads'), { recursive: true }).length > 1)
})

test('of which no database can be made is begun anew in another epoch, and followed there', { skip }, async () => {
  const epochs = () => readdirSync(place).filter((name) => name.startsWith('epoch-'))
  assert.deepEqual(epochs(), ['epoch-1'])
  assert.equal((await run(['backup', join(folder, 'epoch-1.backup'), '--data', a])).code, 0)
  const ltx = join(place, 'epoch-1/pulse/ltx')
  for (let i = 0; i < 3; i++) {
    await make(`more-${i}`)
    await setTimeout(1200)
  }
  // All between the first state and the last ones is lost.
  const files = readdirSync(join(ltx, '0')).sort()
  for (const level of readdirSync(ltx).filter((name) => name !== '9' && name !== '0'))
    rmSync(join(ltx, level), { recursive: true })
  for (const name of files.slice(0, -1)) rmSync(join(ltx, '0', name))
  await until(() => epochs().length === 2)
  await make('anew')
  await arrives('anew')
  assert.match((await follower.call('GET', '/metrics')).text, /^cabinet_follower_epoch 2$/m)
  await until(warning, (text) => text === undefined)
})

test('a source that is put back to a state of an earlier epoch goes on as the same', { skip }, async () => {
  await source.server.close()
  running.splice(running.indexOf(source.server), 1)
  assert.equal((await run(['restore', join(folder, 'epoch-1.backup'), '--force', '--data', a])).code, 0)
  source = await serve(a)
  await make('put-back')
  await arrives('put-back')
  assert.equal((await follower.call('GET', '/api/dcim/sites/?slug=anew')).json.count, 0)
})
