import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readRegularFile } from '../../src/lib/regular-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'cabinet-files-'))
after(() => rmSync(folder, { recursive: true }))

test('regular files are read, up to a size; pipes, devices and folders are refused at once', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, 'hello')
  symlinkSync(file, join(folder, 'link'))
  symlinkSync('/dev/zero', join(folder, 'zero'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  assert.equal((await readRegularFile(file, 5)).toString(), 'hello')
  assert.equal((await readRegularFile(join(folder, 'link'), 5)).toString(), 'hello')
  await assert.rejects(readRegularFile(file, 4), { code: 'ETOOLARGE' })
  for (const path of [join(folder, 'pipe'), join(folder, 'zero'), '/dev/zero', folder])
    await assert.rejects(readRegularFile(path, 1000), { code: 'ENOTFILE' }, path)
  await assert.rejects(readRegularFile(join(folder, 'nothing'), 1000), { code: 'ENOENT' })
})

test('what the system makes up counts as nothing', async () => {
  assert.equal((await readRegularFile('/proc/self/environ', 1_000_000)).length, 0)
})
