import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { command, run, scratch, start } from '../support/cli.ts'

/** Somebody who is not root. */
const somebody = { uid: 65_534, gid: 65_534 }
const asSomebody = (...args: string[]) =>
  spawnSync(command[0]!, [...command.slice(1), ...args], { ...somebody, encoding: 'utf8', timeout: 60_000 })
const isRoot = process.getuid?.() === 0
const asRoot = { skip: isRoot ? false : 'only root makes files for others' }
const asBoth = {
  skip: isRoot && asSomebody('--version').status === 0 ? false : 'needs root, and a build for everybody',
}

const folder = scratch()
chmodSync(folder, 0o755)
const give = (path: string) => chownSync(path, somebody.uid, somebody.gid)
/** All below a folder that is not somebody's. */
const ofOthers = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    (name) => lstatSync(join(path, name)).uid !== somebody.uid,
  )

test('what root makes in a data folder belongs to the owner of the folder', asRoot, async () => {
  const [source, data, backup] = [join(folder, 'source'), join(folder, 'data'), join(folder, 'a.backup')]
  await (await start(source)).end('SIGTERM')
  mkdirSync(join(source, 'uploads/image-attachments'))
  writeFileSync(join(source, 'uploads/image-attachments/a.png'), 'a')
  assert.equal((await run(['backup', backup, '--data', source])).code, 0)
  mkdirSync(data)
  give(data)
  assert.equal((await run(['restore', backup, '--data', data])).code, 0)
  assert.deepEqual(ofOthers(data), [])
  const outside = join(folder, 'outside')
  mkdirSync(outside)
  symlinkSync(outside, join(data, 'link'))
  const made = await run(['user', 'add', 'ann', '--data', data], { env: { CABINET_PASSWORD: 'Long-Enough-Passw0rd' } })
  assert.equal(made.code, 0)
  assert.equal((await run(['backup', join(data, 'own.backup'), '--data', data])).code, 0)
  await (await start(data)).end('SIGTERM')
  assert.deepEqual(ofOthers(data), [])
  assert.equal(lstatSync(outside).uid, 0, 'what a link leads to stays as it is')
})

test('a file that the user of the server may not open is named, with its owner', asBoth, async () => {
  const data = join(folder, 'mixed')
  await (await start(data)).end('SIGTERM')
  for (const name of ['', ...readdirSync(data)]) give(join(data, name))
  for (const name of ['cabinet.db', 'cabinet.lock']) {
    chownSync(join(data, name), 0, 0)
    const { status, stderr } = asSomebody('serve', '--data', data, '--listen', '127.0.0.1:0')
    assert.equal(status, 1)
    assert.equal(
      stderr,
      `cabinet: ${join(data, name)} belongs to root, and this is run by user 65534: chown -R 65534 ${data}\n`,
    )
    give(join(data, name))
  }
  chownSync(data, 0, 0)
  assert.match(asSomebody('user', 'list', '--data', data).stderr, /cannot use .*permission denied/)
  give(data)
  chmodSync(join(data, 'cabinet.db'), 0o400)
  assert.equal(asSomebody('user', 'list', '--data', data).status, 0)
  assert.match(asSomebody('serve', '--data', data, '--listen', '127.0.0.1:0').stderr, /has the mode 0400: chmod u\+rw/)
})
