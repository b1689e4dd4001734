import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { namesIn, run, scratch, start } from '../support/cli.ts'
import { png } from '../support/samples.ts'
import { AdminToken, serve } from '../support/server.ts'

const source = await serve()
const folder = scratch()
const data = join(folder, 'kit')
const env = { CABINET_KIT_PASSPHRASE: 'correct horse battery' }
const kit = (command: string, given: NodeJS.ProcessEnv = env) =>
  run(['kit', command, '--data', data], { env: given, input: '' })
const files = (): Buffer[] =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.runtime'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))

test('a kit cloned with a passphrase is one sealed file until it is unlocked, and comes back whole', async () => {
  const site = await source.call('POST', '/api/dcim/sites/', { name: 'Secret bunker', slug: 'bunker' })
  const form = new FormData()
  for (const [name, value] of Object.entries({ object_type: 'dcim.site', object_id: String(site.json.id) }))
    form.set(name, value)
  form.set('image', png(), 'plan.png')
  const headers = { authorization: `Token ${AdminToken}` }
  const image = await fetch(`${source.base}/api/extras/image-attachments/`, { method: 'POST', headers, body: form })
  assert.equal(image.status, 201, await image.text())
  const clone = ['clone', source.base, '--token', AdminToken, '--data', data, '--name', 'van', '--encrypt']
  const short = await run(clone, { env: { CABINET_KIT_PASSPHRASE: 'short' } })
  assert.match(short.stderr, /at least 10 characters/)
  const cloned = await run(clone, { env })
  assert.equal(cloned.code, 0, cloned.stderr)
  assert.deepEqual(
    namesIn(data).filter((name) => name !== 'cabinet.lock'),
    ['kit.locked'],
  )
  assert.ok(!files().some((bytes) => bytes.includes('Secret bunker')), 'nothing of it can be read')

  const served = await run(['serve', '--data', data, '--listen', '127.0.0.1:0'], { env })
  assert.deepEqual([served.code, /is locked with a passphrase/.test(served.stderr)], [1, true], served.stderr)
  assert.equal((await run(clone, { env })).code, 1, 'it is not cloned over')
  const [other, backup] = [join(folder, 'other'), join(folder, 'other.backup')]
  await (await start(other)).end('SIGTERM')
  assert.equal((await run(['backup', backup, '--data', other])).code, 0)
  const over = await run(['restore', backup, '--force', '--data', data])
  assert.deepEqual([over.code, /holds a locked kit/.test(over.stderr)], [1, true], over.stderr)
  const following = await run(['serve', '--follow', folder, '--data', data])
  assert.deepEqual([following.code, /is locked with a passphrase/.test(following.stderr)], [1, true], following.stderr)
  const wrong = await kit('unlock', { CABINET_KIT_PASSPHRASE: 'incorrect horse' })
  assert.deepEqual([wrong.code, /passphrase is wrong/.test(wrong.stderr)], [1, true], wrong.stderr)

  const locked = join(data, 'kit.locked')
  const whole = readFileSync(locked)
  for (const at of [3, 20, 40, whole.length >> 1, whole.length - 1]) {
    const changed = Buffer.from(whole)
    changed[at]! ^= 1
    writeFileSync(locked, changed)
    assert.equal((await kit('unlock')).code, 1, `changed at ${at}`)
    assert.ok(!existsSync(join(data, 'cabinet.db')))
  }
  writeFileSync(locked, whole)
  assert.equal((await kit('unlock')).code, 0)
  assert.ok(!existsSync(locked))
  const server = await start(data)
  const password = /password in the kit: (\S+)/.exec(cloned.stderr)![1]!
  const body = JSON.stringify({ username: 'admin', password })
  const json = { 'content-type': 'application/json' }
  const token = await fetch(`${server.base}/api/users/tokens/provision/`, { method: 'POST', headers: json, body })
  const { key, token: secret } = (await token.json()) as { key: string; token: string }
  const own = { authorization: `Bearer nbt_${key}.${secret}` }
  const sites = (await (await fetch(`${server.base}/api/dcim/sites/`, { headers: own })).json()) as {
    results: { name: string }[]
  }
  assert.deepEqual(
    sites.results.map(({ name }) => name),
    ['Secret bunker'],
  )
  assert.ok((await kit('lock')).stderr.includes('another Cabinet server'), 'not while it is being served')
  await server.end('SIGTERM')
  const again = await kit('lock')
  assert.equal(again.code, 0, again.stderr)
  assert.ok(!files().some((bytes) => bytes.includes('Secret bunker')))
})

test('what is no kit is not locked, and what is not locked is not unlocked', async () => {
  const plain = join(folder, 'plain')
  const server = await start(plain)
  await server.end('SIGTERM')
  const locked = await run(['kit', 'lock', '--data', plain], { env })
  assert.deepEqual([locked.code, /is no field kit/.test(locked.stderr)], [1, true], locked.stderr)
  assert.ok(existsSync(join(plain, 'cabinet.db')))
  assert.match((await run(['kit', 'unlock', '--data', plain], { env })).stderr, /is not locked/)
})
