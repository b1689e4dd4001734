import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../src/lib/addons.ts'
import { admin, ask, run, scratch, start } from '../support/cli.ts'
import { until } from '../support/until.ts'

const folder = scratch()

test('a backup that is due is made beside the server, proved, written down, and the oldest go', async () => {
  const [data, kept] = [join(folder, 'data'), join(folder, 'kept')]
  mkdirSync(kept)
  const old = ['01', '02', '03'].map((day) => `cabinet-2020-01-${day}T00-00-00Z.backup`)
  const ahead = 'cabinet-2999-01-01T00-00-00Z.backup' // by a clock that was wrong: it is neither the newest nor kept
  for (const name of [...old, ahead, 'mine.backup']) writeFileSync(join(kept, name), '')
  mkdirSync(data) // of a server that made backups before their names told whose they are
  writeFileSync(join(data, 'last-backup.json'), JSON.stringify({ made: '', file: join(kept, old[2]!), bytes: 0 }))
  const env = { ...admin, CABINET_BACKUP_EVERY: '24', CABINET_BACKUP_KEEP: '2', CABINET_BACKUP_FOLDER: kept }
  const server = await start(data, { env })
  await ask(server.base, 'POST', '/api/dcim/sites/', { name: 'Kept', slug: 'kept' })
  await until(() => !existsSync(join(kept, old[1]!)))
  const names = readdirSync(kept).sort()
  const [made] = names.filter((name) => !old.includes(name))
  assert.match(made!, /^cabinet-[0-9a-f]{8}-20\d\d-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/)
  assert.deepEqual(names, [old[2], made, 'mine.backup'].sort())
  assert.equal(JSON.parse(readFileSync(join(data, 'last-backup.json'), 'utf8')).file, join(kept, made!))
  await server.end('SIGTERM')

  const copy = join(folder, 'copy')
  assert.equal((await run(['restore', join(kept, made!), '--data', copy])).code, 0)
  const restored = await start(copy)
  assert.equal((await ask(restored.base, 'GET', '/api/dcim/sites/?slug=kept')).json.count, 1)
  await restored.end('SIGTERM')
})

test('servers that share a folder are each backed up, and leave the backups of the other', async () => {
  const shared = join(folder, 'shared')
  mkdirSync(shared)
  const nameless = 'cabinet-2020-01-01T00-00-00Z.backup' // of nobody knows whom
  writeFileSync(join(shared, nameless), '')
  const env = { ...admin, CABINET_BACKUP_EVERY: '24', CABINET_BACKUP_KEEP: '1', CABINET_BACKUP_FOLDER: shared }
  const servers = await Promise.all(['one', 'two'].map((name) => start(join(folder, name), { env })))
  await until(() => ['one', 'two'].every((name) => existsSync(join(folder, name, 'last-backup.json'))))
  await Promise.all(servers.map((server) => server.end('SIGTERM')))
  assert.ok(existsSync(join(shared, nameless)))
  const own = (name: string) => JSON.parse(readFileSync(join(folder, name, 'last-backup.json'), 'utf8')).file
  assert.notEqual(own('one'), own('two'))
  assert.ok(existsSync(own('one')) && existsSync(own('two')))
})

test('a folder that cannot be written to is a warning, and the server goes on', async () => {
  const blocked = join(folder, 'file')
  writeFileSync(blocked, '')
  const env = { ...admin, CABINET_BACKUP_EVERY: '1', CABINET_BACKUP_FOLDER: join(blocked, 'below') }
  const server = await start(join(folder, 'going'), { env: { ...env, CABINET_LOG_LEVEL: 'warning' } })
  await until(() => /the scheduled backup failed/.test(server.stdout()))
  assert.equal((await ask(server.base, 'GET', '/api/status/')).status, 200)
  await server.end('SIGTERM')
})

test('a backup whose database is damaged is refused by --verify, and leaves no file', async () => {
  const data = join(folder, 'data')
  const file = join(data, 'cabinet.db')
  const db = openDatabase(file)
  const page = db.prepare("select rootpage from sqlite_schema where name = 'dcim_site'").pluck().get() as number
  const size = db.pragma('page_size', { simple: true }) as number
  db.close()
  const bytes = readFileSync(file)
  bytes.fill(0xa5, (page - 1) * size, page * size)
  writeFileSync(file, bytes)
  const target = join(folder, 'bad.backup')
  assert.equal((await run(['backup', join(folder, 'unproved.backup'), '--data', data])).code, 0)
  const { code, stderr } = await run(['backup', target, '--verify', '--data', data])
  assert.equal(code, 1)
  assert.match(stderr, /damaged/)
  assert.ok(!existsSync(target))
})
