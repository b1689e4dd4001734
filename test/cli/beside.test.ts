import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '../../src/lib/addons.ts'
import { ask, run, scratch, start } from '../support/cli.ts'

const [data, folder] = [scratch(), scratch()]
const server = await start(data)
const file = join(data, 'cabinet.db')
const raw = openDatabase(file)
after(() => void raw.close())
const { id } = (await ask(server.base, 'POST', '/api/dcim/sites/', { name: 'North', slug: 'north' })).json

const reading = [
  ['token', 'list'],
  ['user', 'list'],
  ['kit', 'list'],
  ['query', 'select name from sites'],
  ['export', 'csv', 'dcim.site'],
  ['export', 'csv', 'dcim.site', '--at=-1s'],
  ['check'],
  ['check', '--quick'],
]
let backups = 0
const backup = () => ['backup', join(folder, `${backups++}.backup`)]

test('a command that only reads takes nothing from a server that writes', async () => {
  for (const letter of 'abc')
    await ask(server.base, 'PATCH', `/api/dcim/sites/${id}/`, { comments: letter.repeat(500_000) })
  const log = () => statSync(`${file}-wal`).size
  const before = log()
  assert.ok(before > 1_000_000, `${before} bytes`)
  raw.exec('begin immediate') // as long as others write, whoever waits for them fails
  for (const args of [...reading, backup()]) {
    const said = await run([...args, '--data', data])
    assert.equal(said.code, 0, `${args.join(' ')}: ${said.stderr}${said.stdout}`)
  }
  raw.exec('rollback')
  // Nor once nobody does: to bring the log to the database would hold them up.
  for (const args of [...reading, backup()])
    assert.equal((await run([...args, '--data', data])).code, 0, args.join(' '))
  assert.equal(log(), before)
})

test('a command that writes waits for a server that writes for long', async () => {
  raw.exec('begin immediate')
  const adding = run(['token', 'add', 'admin', '--data', data])
  await setTimeout(5500)
  raw.exec('rollback')
  const said = await adding
  assert.equal(said.code, 0, said.stderr)
})

test('who closes a folder that nobody serves leaves no log', async () => {
  raw.close()
  await server.end('SIGKILL')
  assert.ok(statSync(`${file}-wal`).size > 0)
  assert.equal((await run(['token', 'list', '--data', data])).code, 0)
  assert.equal(statSync(`${file}-wal`, { throwIfNoEntry: false }), undefined)
})
