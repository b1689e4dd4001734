import assert from 'node:assert/strict'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { run, scratch, start } from '../support/cli.ts'

test('what a command writes never takes the place of what the data folder lives by', async () => {
  const folder = scratch()
  const data = join(folder, 'data')
  await (await start(data)).end('SIGTERM')
  symlinkSync(join(data, 'cabinet.db'), join(folder, 'link'))
  symlinkSync(data, join(folder, 'other'))
  const own = () => ['cabinet.db', 'peppers.json'].map((name) => readFileSync(join(data, name), 'hex'))
  const before = own()
  for (const file of [
    join(data, 'cabinet.db'),
    join(data, 'cabinet.db-wal'),
    join(data, 'peppers.json'),
    join(data, 'uploads', 'a.tar.gz'),
    join(folder, 'other', 'cabinet.db'),
    join(folder, 'link'),
  ])
    for (const command of [
      ['backup', file],
      ['export', 'csv', 'dcim.site', file],
      ['bundle', file, '--kit', 'x'],
    ]) {
      const { code, stderr } = await run([...command, '--data', data])
      assert.deepEqual([code, /belongs to the data in/.test(stderr)], [1, true], `${command.join(' ')}: ${stderr}`)
    }
  assert.deepEqual(own(), before)
  for (const command of ['backup', 'export csv dcim.site', 'bundle --kit x']) {
    const told = await run([...command.split(' '), folder, '--data', data])
    assert.deepEqual([told.code, told.stderr], [1, `cabinet: ${folder} is a folder: name a file in it\n`])
  }
  for (const command of ['backup', 'bundle --kit x']) {
    const told = await run([...command.split(' '), '-', '--data', data])
    assert.deepEqual([told.code, /^cabinet: - names no file/.test(told.stderr)], [1, true], told.stderr)
  }
  const restored = await run(['restore', folder, '--data', join(folder, 'restored')])
  assert.deepEqual([restored.code, restored.stderr], [1, `cabinet: ${folder} is a folder, not a backup\n`])
  for (const command of [
    ['backup', join(data, 'mine.tar.gz')],
    ['export', 'csv', 'dcim.site', join(data, 'a.csv')],
  ])
    assert.equal((await run([...command, '--data', data])).code, 0)
  assert.equal((await run(['check', '--data', data])).code, 0)
})
